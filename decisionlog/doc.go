// Package decisionlog keeps every decision in an append-only SQLite ledger and answers questions
// about it. Log implements policy.Recorder and policy.HandoffRecorder.
//
// What it promises: Record returns after the entry is on disk and not before. An entry that was
// recorded can be read back equal to what was recorded, and it is enough to decide again. A query
// sees every decision that was recorded before it began. A decision whose stored bytes are damaged is
// listed as damaged, and hides no other. A folder that is damaged at its end, lacks a trigger, is
// foreign, newer than this program or in use stops Open with a sentence that says what to do.
//
// What it never does: change or remove a ledger row, answer before the commit, guess after a
// failure, or log by itself.
//
// # Layout
//
// A ledger row is (seq, leaf, payload). The leaf is one RFC 8785 JSON object, the bytes that a
// Merkle tree hashes (RFC 6962), and it holds no text that a caller chose. It commits to the
// payload and to the definitions that the entry brought in:
//
//	{"at":"2026-11-30T20:00:01.123456Z","defines":{"count":2,"digest":"sha256:…","first":17},
//	 "id":"01931c5e-…","payload":"sha256:…","policy_revision":"sha256:…","type":"decision","v":1}
//
// A hand-off between agents is a decision of the type "handoff", with a payload of its own form. Other
// types are no decisions, and List and Get do not show them: "receipt", whose payload is the exact
// bytes of a signed envelope, "sealing", "verification", "access", which is a question that was asked of
// the log, "disposition", which is what a reviewer said of a finding, "erasure" and "retention". A
// question keeps the handles of what it asked about, and no name that the ledger did not have.
//
// The payload is a salted sequence of varints in which every text and every composite value is a
// handle. Handles count from 1 in the order of commits, without gaps; 0 stands for "absent". A
// handle stands for a document or a name:
//
//   - A document is a composite value (a set of principals, the labels of an item, an outcome …)
//     and holds only numbers and handles. Its digest is the SHA-256 of its body. An equal value is
//     stored once.
//   - A name is any text that a caller chose. Its digest is the SHA-256 of a random salt and the
//     text, both of which live in the table name and nowhere else. It is looked up by a keyed hash in
//     the same row, whose key is the ledger's own.
//
// The digest of a leaf's definitions is the SHA-256 of their concatenated digests. So every byte of
// a decision is reachable from its leaf, and zeros over the text and the salt in the one row of a name
// take the text away while all digests still verify. The row keeps its handle and its length. An erased name is read as "erased-" and its handle, the same one
// wherever it stood. The digest of a viewer set is a name as well, and it can be compared with
// guesses: whoever erases a person erases the digests of the sets that the person is in. The salt of
// a payload goes with it when retention empties the payload.
//
// The table fingerprint has hashes of texts, in handles, beside what leaves commit to: it says nothing
// without the names, and whoever erases an item forgets its fingerprints first. The table origin has
// the identity of the ledger.
//
// The table tile is the Merkle tree over the leaves (RFC 6962), in the tiles of C2SP tlog-tiles: 256 hashes a
// row. It is written in the transaction of the leaves, so the two never part; where they do, the log is
// damaged and nothing is mended. The table checkpoint has signed notes about the tree (C2SP
// tlog-checkpoint), each made only after the tree was found to continue the one before. Nothing commits to a
// checkpoint: one that was handed out, and is kept elsewhere, shows that the ledger was replaced.
//
// The table bundle has the files of every policy that decided, whose digest is the revision in a leaf.
//
// The tables posting and span are derived from the payloads, in handles: emptied, with the table
// progress set to 0, they are filled again. Erasing a name needs nothing there.
package decisionlog
