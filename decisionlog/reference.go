package decisionlog

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/transparency-dev/formats/proof"
	"golang.org/x/mod/sumdb/tlog"
)

// Reference is something that the log has said about itself: that it had a tree, or an entry. What a log
// has once said must hold ever after, so a reference kept elsewhere shows that a ledger was cut, or an
// older copy put back.
type Reference struct {
	// note is a checkpoint; nil for an entry.
	note []byte

	// path leads from an entry to the checkpoint, where there is both.
	path  tlog.RecordProof
	entry bool
	index uint64
	leaf  tlog.Hash

	// stated is set where leaf is.
	stated bool
}

const proofHeader = "c2sp.org/tlog-proof@v1\n"

// ParseReferences finds the references in a checkpoint (C2SP signed note), in a .tlog-proof, or in JSON: an
// answer with "log" in it, the envelope of a receipt, or an answer with receipts. There is at least one.
// Signatures of checkpoints are verified with the ledger, those of envelopes are not: pdp receipt verify
// does that.
//
// Errors: a sentence on what does not parse.
func ParseReferences(text []byte) ([]Reference, error) {
	switch {
	case bytes.HasPrefix(text, []byte(proofHeader)):
		var p proof.TLogProof
		if err := p.Unmarshal(text); err != nil {
			return nil, err
		}
		r := Reference{note: p.Checkpoint, entry: true, index: p.Index}
		for _, h := range p.Hashes {
			r.path = append(r.path, h)
		}
		return []Reference{r}, nil
	case json.Valid(text):
		list, err := jsonReferences(text)
		if err == nil && len(list) == 0 {
			err = errors.New(`it has neither "log" nor a receipt in it`)
		}
		return list, err
	case bytes.Contains(text, []byte("\n\n— ")):
		return []Reference{{note: text}}, nil
	default:
		return nil, errors.New("it is no checkpoint, no .tlog-proof and no JSON")
	}
}

// jsonReferences walks JSON for positions and envelopes.
func jsonReferences(text []byte) (list []Reference, err error) {
	var array []json.RawMessage
	if json.Unmarshal(text, &array) == nil {
		for _, part := range array {
			found, err := jsonReferences(part)
			if err != nil {
				return nil, err
			}
			list = append(list, found...)
		}
		return list, nil
	}
	var object map[string]json.RawMessage
	if json.Unmarshal(text, &object) != nil {
		return nil, nil
	}
	for _, name := range slices.Sorted(maps.Keys(object)) {
		value := object[name]
		var found []Reference
		switch {
		case name == "log" || name == "ledger":
			found, err = positionReference(value)
		case name == "payload" && object["payloadType"] != nil:
			found, err = envelopeReferences(value)
		default:
			found, err = jsonReferences(value)
		}
		if err != nil {
			return nil, err
		}
		list = append(list, found...)
	}
	return list, nil
}

// envelopeReferences reads the statement in a DSSE envelope.
func envelopeReferences(value json.RawMessage) ([]Reference, error) {
	var body []byte // in base64, as encoding/json has it
	if err := json.Unmarshal(value, &body); err != nil {
		return nil, fmt.Errorf("the payload of an envelope does not parse: %w", err)
	}
	return jsonReferences(body)
}

// positionReference reads {"index": …, "leaf": …}; what has neither is no reference.
func positionReference(value json.RawMessage) ([]Reference, error) {
	var at struct {
		Index *uint64 `json:"index"`
		Leaf  *string `json:"leaf"`
	}
	if err := json.Unmarshal(value, &at); err != nil {
		return nil, fmt.Errorf("a position in the log does not parse: %w", err)
	}
	if at.Index == nil || at.Leaf == nil {
		return nil, nil
	}
	leaf, err := parseLeafHash(*at.Leaf)
	if err != nil {
		return nil, fmt.Errorf("the leaf of entry %d: %w", *at.Index, err)
	}
	return []Reference{{entry: true, index: *at.Index, leaf: leaf, stated: true}}, nil
}

// parseLeafHash reads a hash in hex, with or without its algorithm, or in base64.
func parseLeafHash(text string) (tlog.Hash, error) {
	text = strings.TrimPrefix(text, digestPrefix)
	b, err := hex.DecodeString(text)
	if err != nil {
		b, err = base64.StdEncoding.DecodeString(text)
	}
	if err != nil || len(b) != tlog.HashSize {
		return tlog.Hash{}, errors.New("it is no SHA-256")
	}
	return tlog.Hash(b), nil
}

// against checks the references against the tree, which was found in order.
func (v *verifier) against() error {
	for i := range v.config.Against {
		if err := v.hold(&v.config.Against[i]); err != nil {
			return err
		}
	}
	return nil
}

func (v *verifier) hold(r *Reference) error {
	tree := tiles{v.ctx, v.tx}
	if r.entry && r.index >= v.Entries {
		return damaged("ledger row %d is missing: an entry of that index was handed out, and the ledger has %d", r.index, v.Entries)
	}
	var leaf tlog.Hash
	if r.entry {
		hashes, err := tree.ReadHashes([]int64{tlog.StoredHashIndex(0, int64(r.index))})
		if err != nil {
			return err
		}
		if leaf = hashes[0]; r.stated && leaf != r.leaf {
			return damaged("ledger row %d: the leaf is not the one that was handed out", r.index)
		}
	}
	if r.note == nil {
		return nil
	}
	c, err := v.keys.open(r.note)
	switch {
	case err != nil:
		return damaged("the checkpoint to verify against %v", err)
	case c.size > v.Entries:
		return damaged("ledger row %d is missing: the checkpoint to verify against is of %d entries", v.Entries, c.size)
	}
	root, err := tree.root(c.size)
	if err != nil {
		return err
	}
	if root != c.root {
		return damaged("the first %d entries are not those of the checkpoint to verify against; the ledger was replaced", c.size)
	}
	if !r.entry {
		return nil
	}
	if r.index >= c.size || c.size > math.MaxInt64 ||
		tlog.CheckRecord(r.path, int64(c.size), c.root, int64(r.index), leaf) != nil {
		return damaged("ledger row %d: the proof to verify against does not lead from its leaf to the checkpoint", r.index)
	}
	return nil
}
