package policy

import (
	"bytes"
	"encoding/json"
	"math"
	"strconv"
	"time"

	"github.com/open-policy-agent/opa/v1/ast"
)

// attributesTerm returns a JSON object that normalize has checked.
func attributesTerm(raw json.RawMessage) *ast.Term {
	if len(raw) == 0 {
		return ast.ObjectTerm()
	}
	value, err := ast.ValueFromReader(bytes.NewReader(raw))
	if err != nil {
		// A JSON text that compacts always parses. Should that change, a rule that reads the
		// attributes meets a value of the wrong type, which it must treat as no evidence.
		return ast.NullTerm()
	}
	return ast.NewTerm(value)
}

func optionalInstantTerm(t time.Time) *ast.Term {
	if t.IsZero() {
		return ast.NullTerm()
	}
	return instantTerm(t)
}

// The first and the last instant that fit into 64 bits of nanoseconds. People write the year 9999
// for "never", so instants beyond are held at the edge instead of wrapping around.
var (
	firstInstant = time.Unix(0, math.MinInt64)
	lastInstant  = time.Unix(0, math.MaxInt64)
)

func instantTerm(t time.Time) *ast.Term {
	ns := t.UnixNano()
	switch {
	case t.Before(firstInstant):
		ns = math.MinInt64
	case t.After(lastInstant):
		ns = math.MaxInt64
	}
	return ast.NumberTerm(json.Number(strconv.FormatInt(ns, 10)))
}

// object makes an object term of alternating keys and values.
func object(pairs ...any) *ast.Term {
	items := make([][2]*ast.Term, 0, len(pairs)/2)
	for i := 0; i < len(pairs); i += 2 {
		items = append(items, [2]*ast.Term{ast.InternedTerm(pairs[i].(string)), pairs[i+1].(*ast.Term)})
	}
	return ast.ObjectTerm(items...)
}

// list makes an array of names that are sorted and distinct. It is an array, as in JSON, and not a
// set, so that a rule meets in use what stock opa shows its author and checks against the schema.
func list(names []string) *ast.Term { return ast.ArrayTerm(terms(names)...) }

func set(names []string) *ast.Term { return ast.SetTerm(terms(names)...) }

func terms(names []string) []*ast.Term {
	all := make([]*ast.Term, len(names))
	for i, name := range names {
		all[i] = ast.StringTerm(name)
	}
	return all
}
