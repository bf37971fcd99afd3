package wire

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
)

// maxTexts is how many distinct strings are remembered, so that a body of nothing but distinct ones
// does not pay for it in memory.
const maxTexts = 1 << 16

// quoted reads a string that is known to be next.
func (r *reader) quoted() string {
	raw, err := r.dec.ReadValue()
	if err == nil {
		r.scratch, err = jsontext.AppendUnquote(r.scratch[:0], raw)
	}
	if err != nil {
		r.fail(notJSON(err))
		return ""
	}
	if s, ok := r.texts[string(r.scratch)]; ok {
		return s
	}
	s := string(r.scratch)
	if len(r.texts) < maxTexts {
		r.texts[s] = s
	}
	return s
}

// text reads a string.
func (r *reader) text() string {
	if !r.is('"') {
		r.mismatch("a string")
		return ""
	}
	return r.quoted()
}

// label reads a string that must not be empty, since an empty one means absent further on.
func (r *reader) label() string {
	if !r.is('"') {
		r.mismatch("a string")
		return ""
	}
	s := r.quoted()
	if s == "" && r.err == nil {
		r.wrong("must not be empty%s", r.orNothing())
	}
	return s
}

// flag reads a boolean; closed is its value where it cannot be read.
func (r *reader) flag(closed bool) bool {
	if !r.is('t') && !r.is('f') {
		r.mismatch("true or false")
		return closed
	}
	token, err := r.dec.ReadToken()
	if err != nil {
		r.fail(notJSON(err))
		return closed
	}
	return token.Bool()
}

// maxInteger is the greatest integer that every JSON reader keeps exact (RFC 7493, section 2.2).
const maxInteger = 1<<53 - 1

// ordinal reads an integer of at least 1, written as one: 1.0 and 1e0 are refused.
func (r *reader) ordinal() int {
	if !r.is('0') {
		r.mismatch("an integer")
		return 0
	}
	raw, err := r.dec.ReadValue()
	if err != nil {
		r.fail(notJSON(err))
		return 0
	}
	n, err := strconv.ParseInt(string(raw), 10, 64)
	if err != nil || n < 1 || n > maxInteger {
		r.wrong("must be an integer from 1 to %d, without a fraction or an exponent", int64(maxInteger))
		return 0
	}
	return int(n)
}

// free reads an object of any content. Its numbers must fit a double, so that no two readers of it
// differ (RFC 7493, section 2.2).
func (r *reader) free() json.RawMessage {
	if !r.is('{') {
		r.mismatch("an object")
		return nil
	}
	raw, err := r.dec.ReadValue()
	if err != nil {
		r.fail(notJSON(err))
		return nil
	}
	if !numbersFit(raw) {
		r.wrong("must not contain a number outside the range of a double (IEEE 754)")
		return nil
	}
	object := raw.Clone()
	if err := object.Compact(); err != nil {
		r.fail(notJSON(err))
		return nil
	}
	return json.RawMessage(object)
}

func numbersFit(raw jsontext.Value) bool {
	dec := jsontext.NewDecoder(bytes.NewBuffer(raw))
	for {
		token, err := dec.ReadToken()
		if err != nil {
			return errors.Is(err, io.EOF)
		}
		if token.Kind() != '0' {
			continue
		}
		if _, err := token.Float(); err != nil {
			return false
		}
	}
}
