package policy

import (
	"encoding/json"
	"math"
	"strconv"
	"time"

	"github.com/open-policy-agent/opa/v1/ast"
)

// attributesTerm returns free JSON as the policy sees it.
func attributesTerm(raw json.RawMessage) *ast.Term { return ast.NewTerm(attributesValue(raw)) }

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
	return ast.NumberTerm(json.Number(strconv.FormatInt(nanoseconds(t), 10)))
}

// nanoseconds returns the nanoseconds since the epoch, or the edge that t lies beyond.
func nanoseconds(t time.Time) int64 {
	switch {
	case t.Before(firstInstant):
		return math.MinInt64
	case t.After(lastInstant):
		return math.MaxInt64
	default:
		return t.UnixNano()
	}
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
