package residual_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"earshot/policy/residual"
)

// TestTooManyCodes fills a mask, and then goes one over.
func TestTooManyCodes(t *testing.T) {
	var rules []residual.Rule
	for i := range 256 {
		rules = append(rules, residual.Rule{Code: fmt.Sprintf("code_%03d", i), When: residual.Const(i%2 == 0)})
	}
	p, err := residual.Compile(schema(), rules)
	if err != nil {
		t.Fatal(err)
	}
	s := p.NewState()
	p.Begin(s)
	mask := s.Set(0)
	for i := range p.Codes() {
		if mask.Has(i) != (i%2 == 0) {
			t.Errorf("%s: %t", p.Codes()[i], mask.Has(i))
		}
	}
	rules = append(rules, residual.Rule{Code: "one_more", When: residual.Const(true)})
	if _, err := residual.Compile(schema(), rules); !errors.Is(err, residual.ErrTooManyCodes) {
		t.Errorf("got %v", err)
	}
}

// TestSharedConditionsAreForgotten decides candidates after one another with a condition that two rules
// share, and that is remembered for one candidate only.
func TestSharedConditionsAreForgotten(t *testing.T) {
	p := read(t, `codes contains "c" if { input.text in input.names; input.flag }

codes contains "d" if { input.text in input.names; input.number == 0 }`)
	if p.err != nil || len(p.outside) > 0 {
		t.Fatal(p.err, p.outside)
	}
	in, out := given{text: "a", names: []string{"a"}, flag: true, free: "{}"}, given{text: "b", names: []string{"a"}, flag: true, free: "{}"}
	if held, failed := p.compare(t, []*given{&in, &out, &in, &in, &out}); held != 6 || failed != 4 {
		t.Errorf("held %d times and %d times not", held, failed)
	}
}

// TestMentions gathers the constants that a policy compares with.
func TestMentions(t *testing.T) {
	p := read(t, `codes contains "c" if {
	input.text in {"a", "b"}
	not lower(input.other) == "x"
	input.number - input.limit > 5
	some name in input.names
	name == "n"
	"m" in input.known
	given.present != {"p"}
	some item in input.items
	item.text == "i"
	input.free.k.l == true
	"key" in object.keys(input.free)
}`)
	if p.err != nil || len(p.outside) > 0 {
		t.Fatal(p.err, p.outside)
	}
	text := residual.OfText
	want := residual.Mentions{
		"input.text": {text("a"), text("b")}, "input.other": {text("x")}, "input.number": {residual.OfInt(5)},
		"input.limit": {residual.OfInt(5)}, "input.names": {text("n")}, "input.known": {text("m")},
		"data.given.present": {text("p")}, "input.items.text": {text("i")}, "input.free.k.l": {residual.OfBool(true)},
		"input.free.key": {{}},
	}
	if diff := cmp.Diff(want, residual.MentionsOf(p.rules)); diff != "" {
		t.Error(diff)
	}
}
