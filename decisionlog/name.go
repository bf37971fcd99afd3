package decisionlog

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
)

const selectName = `SELECT d.digest, nullif(n.salt, zeroblob(16)), n.text FROM definition d LEFT JOIN name n USING (handle)
	WHERE d.handle = ? AND d.body IS NULL`

// nameDigest is what a definition keeps of a name.
func nameDigest(salt, text []byte) digest {
	h := sha256.New()
	h.Write(salt)
	h.Write(text)
	return digest(h.Sum(nil))
}

// nameHash is where a text is looked up: the first half of an HMAC-SHA-256 (RFC 2104) under the
// ledger's key. The key keeps a caller from choosing texts that meet in one place.
func nameHash(key, text []byte) []byte {
	mac := hmac.New(sha256.New, key)
	mac.Write(text)
	return mac.Sum(nil)[:16]
}

// text is a name as it is read.
type text struct {
	content string
	erased  bool
}

func (v *values) text(handle uint64) text {
	if v.err != nil {
		return text{}
	}
	if t, ok := v.texts[handle]; ok {
		v.erased = v.erased || t.erased
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
		t = text{content: Pseudonym(handle), erased: true}
	} else if got := nameDigest(salt, content); !bytes.Equal(got[:], want) {
		v.fail(damaged("name %d does not match its digest", handle))
		return text{}
	}
	v.erased = v.erased || t.erased
	v.texts[handle] = t
	v.size += len(t.content)
	return t
}

// Pseudonym returns what stands for a name that was erased.
func Pseudonym(handle uint64) string { return "erased-" + strconv.FormatUint(handle, 10) }

// findHandle returns the handle of text, or 0 and ErrNotFound where the ledger has no such name.
func findHandle(ctx context.Context, db querier, nameKey []byte, text string) (int64, error) {
	var handle int64
	var stored []byte
	err := lookUp(ctx, db, "look up a name", findName, []any{nameHash(nameKey, []byte(text))}, &handle, &stored)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return 0, ErrNotFound
	case err != nil:
		return 0, err
	case string(stored) != text:
		return 0, damaged("name %d stands in the place of another", handle)
	}
	return handle, nil
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
