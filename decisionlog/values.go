package decisionlog

import (
	"bytes"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
)

func digestOf(b []byte) digest { return sha256.Sum256(b) }

// nameDigest is what a definition keeps of a name.
func nameDigest(salt, text []byte) digest {
	h := sha256.New()
	h.Write(salt)
	h.Write(text)
	return digest(h.Sum(nil))
}

const (
	selectDocument = `SELECT digest, body FROM definition WHERE handle = ?`
	selectName     = `SELECT d.digest, n.salt, n.text FROM definition d LEFT JOIN name n USING (handle)
		WHERE d.handle = ? AND d.body IS NULL`
)

// querier is what both a connection and a transaction offer.
type querier interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// lookUp runs a query for one row. Each query is a short one, so the end of ctx is heeded between
// them: to interrupt one takes the driver a goroutine, which costs more than most queries.
func lookUp(ctx context.Context, db querier, doing, query string, args []any, into ...any) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	err := db.QueryRowContext(context.WithoutCancel(ctx), query, args...).Scan(into...)
	if err == nil || errors.Is(err, sql.ErrNoRows) {
		return err
	}
	return readError(ctx, doing, err)
}

// documents keeps the bodies of documents, which never change.
type documents interface {
	Get(handle uint64) ([]byte, bool)
	Add(handle uint64, body []byte) bool
}

// values resolves handles for one call. It keeps names no longer than that, since they may be
// erased. After the first error it gives zero values.
type values struct {
	ctx       context.Context
	db        querier
	documents documents
	texts     map[uint64]text
	err       error
}

// text is a name as it is read.
type text struct {
	content string
	erased  bool
}

func newValues(ctx context.Context, db querier, docs documents) *values {
	return &values{ctx: ctx, db: db, documents: docs, texts: make(map[uint64]text)}
}

func (v *values) fail(err error) {
	if v.err == nil {
		v.err = err
	}
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

func (v *values) text(handle uint64) text {
	if v.err != nil {
		return text{}
	}
	if t, ok := v.texts[handle]; ok {
		return t
	}
	var want, salt, content []byte
	err := lookUp(v.ctx, v.db, "read a name", selectName, []any{int64(handle)}, &want, &salt, &content)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		v.fail(damaged("name %d is missing", handle))
		return text{}
	case err != nil:
		v.fail(err)
		return text{}
	}
	t := text{content: string(content)}
	if salt == nil {
		t = text{content: "erased-" + strconv.FormatUint(handle, 10), erased: true}
	} else if got := nameDigest(salt, content); !bytes.Equal(got[:], want) {
		v.fail(damaged("name %d does not match its digest", handle))
		return text{}
	}
	v.texts[handle] = t
	return t
}

func (v *values) name(handle uint64) string {
	if handle == 0 {
		return ""
	}
	return v.text(handle).content
}

// raw returns a JSON text. An erased one becomes an object that says so, to stay JSON.
func (v *values) raw(handle uint64) json.RawMessage {
	if handle == 0 {
		return nil
	}
	t := v.text(handle)
	if t.erased {
		return fmt.Appendf(nil, `{"erased":%d}`, handle)
	}
	return json.RawMessage(t.content)
}

func (v *values) names(r *reader) []string {
	return readList(r, func() string { return v.name(r.handle()) })
}

// set returns a set of names in the order it was written, which is that of the texts. A name that
// was erased stands elsewhere in that order, so then it is made again.
func (v *values) set(handle uint64) []string {
	if handle == 0 {
		return nil
	}
	r := v.document(handle, setDocument)
	erased := false
	set := readList(r, func() string {
		h := r.handle()
		if h == 0 {
			return ""
		}
		t := v.text(h)
		erased = erased || t.erased
		return t.content
	})
	if erased {
		slices.Sort(set)
	}
	return finish(v, r, set)
}

// readError says which kind of failure a read met: the caller's context or the database.
func readError(ctx context.Context, doing string, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return storageError(doing, err)
}
