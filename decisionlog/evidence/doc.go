// Package evidence writes a part of the decision log as a package that proves itself: a zip with the
// entries byte for byte, the proof that each is in the log, the checkpoints with the proof that each
// continues the one before, the receipts, the files of the policies that decided, the public keys, a
// manifest that is signed, and VERIFY.md, whose commands check all of it with openssl, sha256sum and python3
// alone.
//
// What it promises: memory does not grow with the number of entries. A package that Write did not finish
// without an error is not one. Without Config.Names it holds no text that a caller chose, save what the
// policies and the receipts name.
//
// What it never does: repair, leave out or reorder an entry.
//
// # Files
//
//   - entries.jsonl: a line for each entry, with index, leaf and payload in base64 (the payload is null where
//     it was emptied), and the text of a .tlog-proof (C2SP tlog-proof). Receipts are entries whose payload
//     is a DSSE envelope; their lines have "receipt":true.
//   - checkpoint.txt: the checkpoint that the proofs lead to (C2SP tlog-checkpoint).
//   - checkpoints.jsonl: a line for each checkpoint from the first entry on, with size, note and the proof
//     (RFC 6962, section 2.1.2) that it continues the line before.
//   - policies/DIGEST.tar.gz: the files of a policy, by its revision.
//   - keys/PURPOSE-ID.pem and keys/jwks.json, and keys/checkpoint.pem, keys/checkpoint.vkey and
//     keys/manifest.pem, which are those that signed here.
//   - decisions.jsonl: the decisions with their names, where they were asked for.
//   - manifest.json: canonical JSON (RFC 8785) with the SHA-256 of each file, and manifest.dsse.json, its
//     signature by the receipt key.
package evidence
