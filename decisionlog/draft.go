package decisionlog

import (
	"crypto/sha256"
	"encoding/binary"

	"earshot/policy"
)

// key addresses a value by its content, with the texts of its names. It never leaves the memory:
// what is stored about a name is salted.
type key [sha256.Size]byte

// node is a value that has a handle or is to get one.
type node struct {
	key    key
	handle uint64

	// A name has its text, a document the parts of its body.
	document bool
	text     string
	parts    []part
}

// part is one varint of a body or a payload: the handle of node, or number where node is nil.
type part struct {
	number uint64
	node   *node
}

// appendParts appends the varints of parts, whose nodes must all have their handles.
func appendParts(dst []byte, parts []part) []byte {
	for _, p := range parts {
		if p.node != nil {
			p.number = p.node.handle
		}
		dst = binary.AppendUvarint(dst, p.number)
	}
	return dst
}

// draft is an entry made ready for the writer, which has only to hand out handles. It shares no memory
// that the caller may change.
type draft struct {
	leaf    leaf
	payload []part

	// raw is the payload as it stands, in place of version, salt and parts.
	raw []byte

	// epoch is how many erasures there had been before the first handle was looked up.
	epoch uint64

	// fresh are the values whose handle was not known, each after the values it refers to.
	fresh []*node
}

// handles looks up the handles of values that are committed.
type handles interface {
	Get(key) (uint64, bool)
}

// newDraft encodes a decision as far as it can be done without the database.
func newDraft(e *policy.Entry, known handles) (*draft, error) {
	l, err := newLeaf(leafDecision, e.ID, e.At, e.PolicyRevision)
	if err != nil {
		return nil, err
	}
	return encode(l, len(e.Results), known, func(f *form) error { return writePayload(f, e) })
}

// newHandoffDraft encodes a hand-off, as newDraft does a decision.
func newHandoffDraft(e *policy.HandoffEntry, known handles) (*draft, error) {
	l, err := newLeaf(leafHandoff, e.ID, e.At, e.PolicyRevision)
	if err != nil {
		return nil, err
	}
	return encode(l, len(e.Results), known, func(f *form) error { return writeHandoff(f, e) })
}

// encode makes a draft of what write writes, which has about so many results.
func encode(l leaf, results int, known handles, write func(*form) error) (*draft, error) {
	t := &table{known: known, nodes: make(map[key]*node)}
	f := form{table: t, parts: make([]part, 0, 64+2*results)}
	if err := write(&f); err != nil {
		return nil, err
	}
	return &draft{leaf: l, payload: f.parts, fresh: t.fresh}, nil
}

// table has the values of one entry while it is encoded.
type table struct {
	known handles
	nodes map[key]*node
	fresh []*node

	// content is where the text of a key is made, again and again.
	content form
}

// intern returns the part that stands for a value; build completes the node of one that is not
// known yet.
func (t *table) intern(k key, build func(*node)) part {
	if handle, ok := t.known.Get(k); ok {
		return part{number: handle}
	}
	if n, ok := t.nodes[k]; ok {
		return part{node: n}
	}
	n := &node{key: k}
	t.nodes[k] = n
	build(n)
	t.fresh = append(t.fresh, n)
	return part{node: n}
}
