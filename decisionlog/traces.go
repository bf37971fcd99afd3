package decisionlog

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"maps"
	"slices"

	"earshot/policy"
)

const (
	// A search takes so many rows with one statement, and keeps no statement open while it looks up more.
	traceChunk = 1024

	selectBodies = `SELECT handle, body FROM definition WHERE handle >= ? AND body IS NOT NULL ORDER BY handle LIMIT ?`
	selectTexts  = `SELECT handle, text FROM name WHERE handle >= ? AND salt IS NOT zeroblob(16) ORDER BY handle LIMIT ?`
)

// traces are what a ledger has of one name. A search goes on where the one before ended, so that most of
// it is done beside the writer and only the rest by it.
type traces struct {
	name string

	// handle is that of the name; 0 where the ledger does not have it.
	handle uint64

	// names are the handles of texts to erase, receipts the rows of envelopes to empty.
	names    map[uint64]bool
	receipts []int64

	// documents are those that refer to the name, directly or by way of others.
	documents map[uint64]bool

	// digests are digests in hex that can be compared with guesses of the name.
	digests map[string]bool

	// The next document, text and ledger row to look at.
	document, text, seq int64
}

func newTraces(name string) *traces {
	return &traces{name: name, names: map[uint64]bool{}, documents: map[uint64]bool{}, digests: map[string]bool{}}
}

// handles returns the names to erase, ascending, and where among them the one is that was asked for.
func (t *traces) handles() (list []uint64, asked int) {
	list = slices.Sorted(maps.Keys(t.names))
	asked, found := slices.BinarySearch(list, t.handle)
	if !found {
		asked = -1
	}
	return list, asked
}

// search looks through what it has not seen yet. A later look can find that an earlier text is one to
// erase: a set with the name in it brings up its digest. Such texts are looked up, not searched for.
func (t *traces) search(ctx context.Context, db rowsQuerier, nameKey []byte) error {
	handle, err := findHandle(ctx, db, nameKey, t.name)
	switch {
	case err == nil:
		t.handle = uint64(handle)
		t.names[t.handle] = true
	case !errors.Is(err, ErrNotFound):
		return err
	}
	if err := t.searchDocuments(ctx, db, nameKey); err != nil {
		return err
	}
	if err := t.searchEntries(ctx, db, nameKey); err != nil {
		return err
	}
	return t.searchTexts(ctx, db)
}

// searchDocuments finds the documents that refer to the name. Documents refer to older ones, so one pass
// in their order is enough.
func (t *traces) searchDocuments(ctx context.Context, db rowsQuerier, nameKey []byte) error {
	if t.handle == 0 {
		return nil
	}
	// What is older than the name cannot refer to it.
	t.document = max(t.document, int64(t.handle)+1)
	for {
		chunk, err := readChunk(ctx, db, selectBodies, t.document)
		if err != nil {
			return err
		}
		for _, found := range chunk {
			t.document = found.number + 1
			// Every handle in a body is one of its numbers, so what this passes over refers to nothing.
			if !t.mayRefer(found.bytes) {
				continue
			}
			if err := t.readDocument(ctx, db, nameKey, uint64(found.number), found.bytes); err != nil {
				return err
			}
		}
		if len(chunk) < traceChunk {
			return nil
		}
	}
}

func (t *traces) mayRefer(body []byte) bool {
	for len(body) > 0 {
		number, n := binary.Uvarint(body)
		if n <= 0 {
			return true
		}
		if number == t.handle || t.documents[number] {
			return true
		}
		body = body[n:]
	}
	return false
}

// readDocument takes note of a document if it does refer to the name, with what hangs on it.
func (t *traces) readDocument(ctx context.Context, db rowsQuerier, nameKey []byte, handle uint64, body []byte) error {
	v := newValues(ctx, db, noDocuments{})
	var derived []string
	kind, _ := binary.Uvarint(body)
	switch documentKind(kind) {
	case setDocument:
		set := v.set(handle)
		derived = append(derived, policy.ViewersDigest(set), policy.AudienceDigest(policy.Principals(set...)))
	case readingDocument:
		v.reading(handle)
	case inheritanceDocument:
		v.inheritance(handle)
	case rosterDocument:
		v.roster(handle)
	case viewersDocument:
		derived = append(derived, v.viewers(handle).Digest)
	case sourceDocument:
		v.source(handle)
	case candidateDocument:
		c := v.candidate(handle)
		derived = append(derived, c.Seal)
		if c.ID == t.name {
			derived = append(derived, c.Digest)
		}
	case elementDocument:
		e := v.element(handle)
		derived = append(derived, e.Seal)
		if e.ID == t.name {
			derived = append(derived, e.Digest)
		}
	case boundaryDocument:
		v.boundary(handle)
	default:
		v.outcome(handle, "")
	}
	if err := v.take(); err != nil {
		return err
	}
	if _, refers := v.texts[t.handle]; !refers {
		return nil
	}
	t.documents[handle] = true
	for _, text := range derived {
		if err := t.derive(ctx, db, nameKey, text); err != nil {
			return err
		}
	}
	return nil
}

// derive takes note of a text that says something about the name and does not contain it.
func (t *traces) derive(ctx context.Context, db rowsQuerier, nameKey []byte, text string) error {
	if text == "" {
		return nil
	}
	if digits := hexOf(text); digits != "" {
		t.digests[digits] = true
	}
	handle, err := findHandle(ctx, db, nameKey, text)
	switch {
	case errors.Is(err, ErrNotFound): // never recorded, or erased already
		return nil
	case err != nil:
		return err
	}
	t.names[uint64(handle)] = true
	return nil
}

// searchTexts finds the texts that contain the name.
func (t *traces) searchTexts(ctx context.Context, db rowsQuerier) error {
	for {
		chunk, err := readChunk(ctx, db, selectTexts, t.text)
		if err != nil {
			return err
		}
		for _, found := range chunk {
			t.text = found.number + 1
			if text := string(found.bytes); t.says(text) || t.saysDigest(text) {
				t.names[uint64(found.number)] = true
			}
		}
		if len(chunk) < traceChunk {
			return nil
		}
	}
}

// numbered is a row of a number and bytes.
type numbered struct {
	number int64
	bytes  []byte
}

func readChunk(ctx context.Context, db rowsQuerier, query string, from int64) (list []numbered, err error) {
	rows, err := db.QueryContext(ctx, query, from, traceChunk)
	if err != nil {
		return nil, readError(ctx, "search the ledger", err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var n numbered
		if err := rows.Scan(&n.number, &n.bytes); err != nil {
			return nil, readError(ctx, "search the ledger", err)
		}
		n.bytes = bytes.Clone(n.bytes)
		list = append(list, n)
	}
	if err := rows.Err(); err != nil {
		return nil, readError(ctx, "search the ledger", err)
	}
	return list, nil
}
