package decisionlog

import (
	"bytes"
	"context"
	"crypto/sha256"
	"database/sql"
	"errors"
)

func digestOf(b []byte) digest { return sha256.Sum256(b) }

const selectDocument = `SELECT digest, body FROM definition WHERE handle = ?`

// documents keeps the bodies of documents, which never change.
type documents interface {
	Get(handle uint64) ([]byte, bool)
	Add(handle uint64, body []byte)
}

// values resolves handles for one call. It keeps names no longer than that, since they may be
// erased. After the first error it gives zero values, until take.
type values struct {
	ctx       context.Context
	db        querier
	documents documents

	// texts are the names read so far, size their bytes.
	texts map[uint64]text
	size  int

	// admits has the outcomes seen so far: few outcomes make up many results.
	admits map[uint64]bool

	// erased is set once an erased name was read.
	erased bool

	err error
}

func newValues(ctx context.Context, db querier, docs documents) *values {
	return &values{ctx: ctx, db: db, documents: docs, texts: make(map[uint64]text), admits: make(map[uint64]bool)}
}

func (v *values) fail(err error) {
	if v.err == nil {
		v.err = err
	}
}

// take returns the first error and forgets it, so that the next decision can be read.
func (v *values) take() error {
	err := v.err
	v.err = nil
	return err
}

// finish returns value if the document that r read was read to its end without an error.
func finish[T any](v *values, r *reader, value T) T {
	if err := r.end(); err != nil {
		v.fail(err)
	}
	return value
}

// document returns a reader of the document's body, behind its kind.
func (v *values) document(handle uint64, kind documentKind) *reader {
	body, err := v.body(handle)
	if err != nil {
		v.fail(err)
		return &reader{err: err}
	}
	r := &reader{rest: body, below: handle}
	if got := r.number(); documentKind(got) != kind {
		r.fail("definition %d is a document of kind %d, want %d", handle, got, kind)
	}
	return r
}

func (v *values) body(handle uint64) ([]byte, error) {
	if v.err != nil {
		return nil, v.err
	}
	if body, ok := v.documents.Get(handle); ok {
		return body, nil
	}
	var want, body []byte
	err := lookUp(v.ctx, v.db, "read a document", selectDocument, []any{int64(handle)}, &want, &body)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return nil, damaged("definition %d is missing", handle)
	case err != nil:
		return nil, err
	case body == nil:
		return nil, damaged("definition %d is a name, not a document", handle)
	}
	if got := digestOf(body); !bytes.Equal(got[:], want) {
		return nil, damaged("document %d does not match its digest", handle)
	}
	v.documents.Add(handle, body)
	return body, nil
}
