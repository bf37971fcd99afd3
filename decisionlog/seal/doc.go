// Package seal signs the labels of items and verifies what it signed. A caller keeps the seal beside
// the item in any store and hands it back with the candidate; then the sealed labels are the ones that
// count. Service implements policy.Seals.
//
// What it promises: Verify accepts exactly the bytes that a key of this service signed, and only if
// the key was in force when the seal says that it was issued. Issue answers after the labels are in the
// log and not before, so that whatever is sealed can be found there whole.
//
// What it never does: believe the header of a seal, hold a private key, judge whether the labels of a
// candidate are the sealed ones, or look at the text of an item.
//
// # Form
//
// A seal is a JSON Web Signature in the compact serialization (RFC 7515, section 7.1), signed with
// Ed25519 (RFC 8037). Its protected header is exactly
//
//	{"alg":"EdDSA","kid":"<key id>","typ":"context_provenance_attribution_signature+jws"}
//
// in these bytes, with the key id of package keyring. Its payload is a JSON object, in which a member
// with a question mark is left out where the item has nothing to say:
//
//	v               1
//	jti             "<sealing id>/<position>": where the log has the labels whole
//	iat             seconds since the epoch: when it was issued
//	exp?            seconds since the epoch: when the item expires, and the seal with it
//	tenant?         string
//	item            string: the caller's id
//	digest          "sha256:" and 64 hex digits, of the content
//	audience        {"kind": "list" | "tenant" | "public" | "inherited", "digest": as policy.AudienceDigest}
//	audience_basis  string
//	channel?        string
//	agent           string: who introduced the item
//	kind            string
//	confidential?   boolean
//	shared          boolean
//	sources         as policy.SourcesDigest
//	recorded_at?    RFC 3339 in UTC
//
// Of an audience and of sources it holds digests, so that a seal does not grow with a room. Who can
// guess a small audience can compare the guess.
package seal
