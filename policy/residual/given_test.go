package residual_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/rego"

	"earshot/policy/residual"
)

// given is an input of the tests: a field of every kind that a schema knows.
type given struct {
	text, other   string
	number, limit int64
	flag          bool
	maybe, when   residual.Scalar
	names, known  []string
	present       []string // a set, which is not part of the input
	items         []thing
	free          string // a JSON object
}

type thing struct {
	text   string
	number int64
	flag   bool
	maybe  residual.Scalar
	names  []string
}

// schema finds the fields of a given.
func schema() residual.Schema[given] {
	type element = residual.ElementAccessor[given]
	const turn, candidate = residual.Turn, residual.Candidate
	return residual.Schema[given]{
		"input.text":         {Scope: candidate, Text: func(g *given) string { return g.text }},
		"input.other":        {Scope: turn, Text: func(g *given) string { return g.other }},
		"input.number":       {Scope: candidate, Int: func(g *given) int64 { return g.number }},
		"input.limit":        {Scope: turn, Int: func(g *given) int64 { return g.limit }},
		"input.flag":         {Scope: turn, Bool: func(g *given) bool { return g.flag }},
		"input.maybe":        {Scope: candidate, Scalar: func(g *given) residual.Scalar { return g.maybe }},
		"input.when":         {Scope: candidate, Scalar: func(g *given) residual.Scalar { return g.when }},
		"input.names":        {Scope: candidate, Names: func(g *given) []string { return g.names }},
		"input.known":        {Scope: turn, Names: func(g *given) []string { return g.known }},
		"data.given.present": {Scope: turn, Names: func(g *given) []string { return g.present }, IsSet: true},
		"input.free": {Scope: candidate, JSON: func(g *given) ast.Value {
			v, err := ast.ValueFromReader(strings.NewReader(g.free))
			if err != nil {
				panic(err)
			}
			return v
		}},
		"input.items": {
			Scope: candidate, Len: func(g *given) int { return len(g.items) },
			Elements: map[string]element{
				"text":       {Text: func(g *given, i int) string { return g.items[i].text }},
				"number":     {Int: func(g *given, i int) int64 { return g.items[i].number }},
				"flag":       {Bool: func(g *given, i int) bool { return g.items[i].flag }},
				"maybe":      {Scalar: func(g *given, i int) residual.Scalar { return g.items[i].maybe }},
				"deep.names": {Names: func(g *given, i int) []string { return g.items[i].names }},
			},
		},
	}
}

// value is a given as OPA sees it.
func (g *given) value() ast.Value {
	items := make([]*ast.Term, len(g.items))
	for i, it := range g.items {
		items[i] = objectOf(
			"text", ast.StringTerm(it.text), "number", number(it.number), "flag", ast.BooleanTerm(it.flag),
			"maybe", scalar(it.maybe), "deep", objectOf("names", array(it.names)),
		)
	}
	free, err := ast.ValueFromReader(bytes.NewReader([]byte(g.free)))
	if err != nil {
		panic(err)
	}
	return objectOf(
		"text", ast.StringTerm(g.text), "other", ast.StringTerm(g.other), "number", number(g.number),
		"limit", number(g.limit), "flag", ast.BooleanTerm(g.flag), "maybe", scalar(g.maybe), "when", scalar(g.when),
		"names", array(g.names), "known", array(g.known), "present", ast.SetTerm(terms(g.present)...),
		"items", ast.ArrayTerm(items...), "free", ast.NewTerm(free),
	).Value
}

func objectOf(pairs ...any) *ast.Term {
	var items [][2]*ast.Term
	for i := 0; i < len(pairs); i += 2 {
		items = append(items, [2]*ast.Term{ast.StringTerm(pairs[i].(string)), pairs[i+1].(*ast.Term)})
	}
	return ast.ObjectTerm(items...)
}

func terms(names []string) []*ast.Term {
	out := make([]*ast.Term, len(names))
	for i, name := range names {
		out[i] = ast.StringTerm(name)
	}
	return out
}

func array(names []string) *ast.Term { return ast.ArrayTerm(terms(names)...) }

func number(n int64) *ast.Term { return ast.NumberTerm(jsonNumber(n)) }

func scalar(s residual.Scalar) *ast.Term {
	switch s.Kind {
	case residual.Bool:
		return ast.BooleanTerm(s.Int != 0)
	case residual.Int:
		return number(s.Int)
	case residual.String:
		return ast.StringTerm(s.Text)
	default:
		return ast.NullTerm()
	}
}

// domain has small values for each field, and what sets one of them.
type field struct {
	path   string
	values int
	set    func(g *given, i int)
}

var (
	someTexts   = []string{"", "a", "B", "ab", "user:A"}
	someNumbers = []int64{-1, 0, 1, math.MaxInt64, math.MinInt64}
	someSets    = [][]string{nil, {"a"}, {"B", "a"}, {"B", "a", "ab"}, {"ab"}}
	someMaybes  = []residual.Scalar{{}, residual.OfBool(true), residual.OfBool(false)}
	someWhens   = []residual.Scalar{{}, residual.OfInt(0), residual.OfInt(1)}
	someFree    = []string{
		`{}`, `{"k": "a"}`, `{"k": 1}`, `{"k": null}`, `{"k": {"l": "a"}}`, `{"a": true, "k": false}`, `{"k": ["a"]}`, `{"k": 1.0}`,
	}
	someItems = [][]thing{
		nil,
		{{text: "a", number: 1, names: []string{"a"}}},
		{{text: "B", flag: true, maybe: residual.OfBool(false)}, {text: "a", number: -1, names: []string{"B", "a"}}},
		{{text: "a", maybe: residual.OfBool(true), names: []string{"B"}}, {text: "a", number: math.MinInt64, flag: true}},
	}
)

func domains() []field {
	return []field{
		{"input.text", len(someTexts), func(g *given, i int) { g.text = someTexts[i] }},
		{"input.other", len(someTexts), func(g *given, i int) { g.other = someTexts[i] }},
		{"input.number", len(someNumbers), func(g *given, i int) { g.number = someNumbers[i] }},
		{"input.limit", len(someNumbers), func(g *given, i int) { g.limit = someNumbers[i] }},
		{"input.flag", 2, func(g *given, i int) { g.flag = i == 1 }},
		{"input.maybe", len(someMaybes), func(g *given, i int) { g.maybe = someMaybes[i] }},
		{"input.when", len(someWhens), func(g *given, i int) { g.when = someWhens[i] }},
		{"input.names", len(someSets), func(g *given, i int) { g.names = someSets[i] }},
		{"input.known", len(someSets), func(g *given, i int) { g.known = someSets[i] }},
		{"data.given.present", len(someSets), func(g *given, i int) { g.present = someSets[i] }},
		{"input.items", len(someItems), func(g *given, i int) { g.items = someItems[i] }},
		{"input.free", len(someFree), func(g *given, i int) { g.free = someFree[i] }},
	}
}

// inputs returns every combination of the small values of the fields that a text mentions.
func inputs(text string) []*given {
	all := []*given{{free: "{}"}}
	for _, f := range domains() {
		if !strings.Contains(text, strings.TrimPrefix(f.path, "data.")) {
			continue
		}
		var more []*given
		for _, g := range all {
			for i := range f.values {
				next := *g
				f.set(&next, i)
				more = append(more, &next)
			}
		}
		all = more
	}
	return all
}

// tb is what a test and a check of rapid have in common.
type tb interface {
	Helper()
	Context() context.Context
	Fatal(args ...any)
	Fatalf(format string, args ...any)
}

// policy is a module whose set codes is looked at in both ways.
type policy struct {
	module  string
	query   rego.PreparedEvalQuery
	rules   []residual.Rule
	outside []residual.Outside
	err     error // of there being no set that could be taken apart
	program *residual.Program[given]
}

// read compiles package test and evaluates its set codes in part.
func read(t tb, rules string) *policy {
	t.Helper()
	p := &policy{module: "package test\n\nimport data.given\n\n" + rules}
	module, err := ast.ParseModule("test.rego", p.module)
	if err != nil {
		t.Fatalf("%v in\n%s", err, p.module)
	}
	compiler := ast.NewCompiler()
	if compiler.Compile(map[string]*ast.Module{"test.rego": module}); compiler.Failed() {
		t.Fatalf("%v in\n%s", compiler.Errors, p.module)
	}
	p.query, err = rego.New(
		rego.Query("data.test.codes with data.given.present as input.present"), rego.Compiler(compiler), rego.StrictBuiltinErrors(true),
	).PrepareForEval(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	pq, err := rego.New(
		rego.Query("x = data.test.codes"), rego.Compiler(compiler), rego.StrictBuiltinErrors(true),
		rego.ParsedUnknowns([]*ast.Term{ast.MustParseTerm("input"), ast.MustParseTerm("data.given.present")}),
	).Partial(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if len(pq.Queries) != 1 || len(pq.Queries[0]) != 1 {
		t.Fatalf("the residual is not one set: %v", pq.Queries)
	}
	ref, ok := pq.Queries[0][0].Operand(0).Value.(ast.Ref)
	if !ok {
		ref, ok = pq.Queries[0][0].Operand(1).Value.(ast.Ref)
	}
	if !ok {
		p.err = fmt.Errorf("the residual is not a rule: %v", pq.Queries)
		return p
	}
	left := residual.New(pq.Support, schema())
	left.Read(compiler.Modules)
	if p.rules, p.outside, p.err = left.Set(ref); p.err != nil {
		return p
	}
	if p.program, err = residual.Compile(schema(), p.rules); err != nil {
		t.Fatal(err)
	}
	return p
}

// opa returns the codes that OPA gives.
func (p *policy) opa(t tb, g *given) map[string]bool {
	t.Helper()
	rs, err := p.query.Eval(t.Context(), rego.EvalParsedInput(g.value()))
	if err != nil {
		t.Fatalf("%v of\n%s\nwith %v", err, p.module, g.value())
	}
	codes := map[string]bool{}
	for _, code := range rs[0].Expressions[0].Value.([]any) {
		codes[code.(string)] = true
	}
	return codes
}

// ofTurn returns g with what belongs to the turn as in other.
func (g *given) ofTurn(other *given) *given {
	same := *g
	same.other, same.limit, same.flag, same.known, same.present = other.other, other.limit, other.flag, other.known, other.present
	return &same
}

// compare fails where the closures and OPA differ on any of the inputs. Inputs that follow one another
// with the same turn are taken as candidates of one. It returns how often a code held, and how often one
// did not.
func (p *policy) compare(t tb, all []*given) (held, failed int) {
	t.Helper()
	s := p.program.NewState()
	for i, g := range all {
		want := p.opa(t, g)
		s.Fields = *g
		if i == 0 || !reflect.DeepEqual(g, g.ofTurn(all[i-1])) {
			p.program.Begin(s)
		}
		s.Next()
		got := s.Set(0)
		for i, code := range p.program.Codes() {
			if got.Has(i) != want[code] {
				t.Fatalf("%s is %t and OPA says %t of\n%s\nwith %v\nby %v", code, got.Has(i), want[code], p.module, g.value(), p.rules)
			}
			if want[code] {
				held++
			} else {
				failed++
			}
		}
	}
	return held, failed
}

func jsonNumber(n int64) json.Number { return json.Number(strconv.FormatInt(n, 10)) }
