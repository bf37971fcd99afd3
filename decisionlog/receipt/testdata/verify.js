// Verifies the one signature of a DSSE envelope with Node's own module crypto.
// Usage: node verify.js PUBLIC_KEY.pem ENVELOPE.json
const crypto = require("crypto");
const fs = require("fs");

const key = crypto.createPublicKey(fs.readFileSync(process.argv[2]));
const envelope = JSON.parse(fs.readFileSync(process.argv[3], "utf8"));
const body = Buffer.from(envelope.payload, "base64");
const pae = Buffer.concat([
  Buffer.from(`DSSEv1 ${Buffer.byteLength(envelope.payloadType)} ${envelope.payloadType} ${body.length} `),
  body,
]);
if (!crypto.verify(null, pae, key, Buffer.from(envelope.signatures[0].sig, "base64"))) {
  console.error("refused");
  process.exit(1);
}
console.log("verified", JSON.parse(body).predicateType);
