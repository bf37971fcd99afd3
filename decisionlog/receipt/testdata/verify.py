# Verifies the one signature of a DSSE envelope with the package cryptography.
# Usage: verify.py PUBLIC_KEY.pem ENVELOPE.json
import base64
import json
import sys

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.serialization import load_pem_public_key

try:
    with open(sys.argv[1], "rb") as f:
        key = load_pem_public_key(f.read())
    with open(sys.argv[2], "rb") as f:
        envelope = json.load(f)
    kind = envelope["payloadType"].encode()
    body = base64.b64decode(envelope["payload"], validate=True)
    pae = b"DSSEv1 %d %s %d %s" % (len(kind), kind, len(body), body)
    key.verify(base64.b64decode(envelope["signatures"][0]["sig"], validate=True), pae)
except (InvalidSignature, ValueError, KeyError, IndexError) as problem:
    sys.exit("refused: %r" % problem)
print("verified", json.loads(body)["predicateType"])
