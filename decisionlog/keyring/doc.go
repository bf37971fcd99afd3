// Package keyring keeps the Ed25519 keys that sign receipts and checkpoints, and the public halves of
// all that ever did.
//
// What it promises: a key has one purpose, and a purpose has one key in force. A key signs only after
// its public half is on disk, so no signature outlives what verifies it. Whatever moment a start or a
// rotation is interrupted at, the next start finds a folder that it can use. Doubt about a key (damage,
// another type, others who may read it, a private half that is not the one in force) stops the start
// with a sentence that names the file and the remedy.
//
// What it never does: print, log or encode a private key, take a closed key up again, sign by a key
// that the index does not have in force, or guess after a failure.
//
// # Layout
//
// The folder keys of a data folder has mode 0700 and holds:
//
//	index.jwks                     every public key with its purpose and the time in which it signed,
//	                               a JWK set as MarshalJWKS writes it, newest first
//	receipt-0f5b3c7de81a2469.pem   the private key in force, PKCS#8 in PEM (RFC 7468, RFC 8410), mode
//	log-82c6a1f09d4e7b35.pem       0600; the name has the first 16 digits of its ID
//
// A private key that is given in a file of its own stays where it is; the index has its public half from
// its first use on. The private half of a key that is closed is deleted.
//
// The folder does not keep a second server off: that is what the lock of the data folder is for, which
// whoever calls Open or Rotate must hold.
package keyring
