package residual_test

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// grammar writes random rules over the fragment.
type grammar struct {
	*rapid.T
	beside []string // rules beside the one that is written
	vars   int
}

func (g *grammar) pick(from ...string) string { return rapid.SampledFrom(from).Draw(g.T, "pick") }

// text writes a text; in has the variables that stand for one.
func (g *grammar) text(in []string) string {
	all := append([]string{"input.text", "input.other", `"a"`, `"B"`, "lower(input.text)", `trim_prefix(input.text, "user:")`}, in...)
	return g.pick(all...)
}

// names writes a set of names.
func (g *grammar) names(depth int, in []string) string {
	if depth == 0 {
		return g.pick(
			"{x | some x in input.names}", "given.present", `{"a", "ab"}`, "{x | some x in input.known}",
			"{x.text | some x in input.items; not x.maybe == false}",
		)
	}
	left, right := g.names(depth-1, in), g.names(0, in)
	switch g.pick("minus", "and", "or", "one", "rule", "filter") {
	case "minus":
		return "(" + left + " - " + right + ")"
	case "and":
		return "(" + left + " & " + right + ")"
	case "or":
		return "(" + left + " | " + right + ")"
	case "rule":
		name := fmt.Sprintf("found_%d", len(g.beside))
		g.beside = append(g.beside, name+" contains x if some x in "+left, name+" contains input.text if { "+g.expr(0, nil)+" }")
		return name
	case "filter":
		return "{x | some x in input.names; " + g.expr(0, append(in, "x")) + "}"
	default:
		return left
	}
}

// expr writes an expression.
func (g *grammar) expr(depth int, in []string) string {
	order := func() string { return g.pick("==", "!=", "<", "<=", ">", ">=") }
	switch g.pick("text", "number", "flag", "maybe", "in", "set", "same", "count", "test", "free", "key", "some", "item", "rule", "not") {
	case "number":
		return g.pick("input.number", "input.limit", "input.when", "count(input.names)") + " " + order() + " " + g.pick("0", "1", "-1")
	case "flag":
		return g.pick("input.flag", "input.flag == false", "input.number - input.limit < 1")
	case "maybe":
		return "input.maybe " + order() + " " + g.pick("null", "true", "false", "input.flag", "input.text")
	case "in":
		return g.text(in) + " in " + g.pick("input.names", "input.known", `{"a", input.other}`)
	case "set":
		return g.text(in) + " in " + g.names(min(depth, 1), in)
	case "same":
		return g.names(min(depth, 1), in) + " " + g.pick("==", "!=") + " " + g.names(0, in)
	case "count":
		return "count(" + g.names(min(depth, 1), in) + ") " + g.pick("> 0", "== 0", "!= 0", ">= 1", "< 1")
	case "test":
		return g.pick("startswith", "endswith", "contains") + "(" + g.text(in) + ", " + g.text(in) + ")"
	case "free":
		return g.pick("input.free.k", "input.free.a", "input.free.k.l") + " " + order() + " " + g.pick("1", "null", "true", g.text(nil))
	case "key":
		return g.pick(`"k" in object.keys(input.free)`, "is_string(input.free.k)")
	case "some":
		v := g.fresh()
		return "some " + v + " in " + g.pick("input.names", "given.present", g.names(min(depth, 1), in)) + "; " + g.body(depth-1, append(in, v))
	case "item":
		v := g.fresh()
		return "some " + v + "_item in input.items; " + g.pick(
			v+"_item.flag", v+"_item.number > input.limit", "not input.text in "+v+"_item.deep.names", "not "+v+"_item.maybe == true",
		) + "; " + v + " := " + v + "_item.text; " + g.body(depth-1, append(in, v))
	case "rule":
		name := fmt.Sprintf("rule_%d", len(g.beside))
		g.beside = append(g.beside, name+" if input.flag")
		g.beside[len(g.beside)-1] = name + " if { " + g.body(depth-1, nil) + " }"
		return g.pick("", "not ") + name
	case "not":
		return "not " + g.text(in) + " in " + g.pick("input.names", "given.present")
	default:
		return g.text(in) + " " + order() + " " + g.text(in)
	}
}

// body writes some expressions.
func (g *grammar) body(depth int, in []string) string {
	if depth <= 0 {
		return g.text(in) + " " + g.pick("==", "!=", "<") + " " + g.text(in)
	}
	var all []string
	for range rapid.IntRange(1, 3).Draw(g.T, "expressions") {
		all = append(all, g.expr(depth-1, in))

	}
	return strings.Join(all, "; ")
}

// fresh returns a variable that is not used yet.
func (g *grammar) fresh() string {
	g.vars++
	return fmt.Sprintf("v%d", g.vars)
}

// draw returns a random input.
func draw(t *rapid.T) *given {
	g := &given{free: "{}"}
	for _, f := range domains() {
		f.set(g, rapid.IntRange(0, f.values-1).Draw(t, f.path))
	}
	return g
}

// TestRandomRules holds the closures of random rules to OPA.
func TestRandomRules(t *testing.T) {
	var compiled, refusals, held int
	rapid.Check(t, func(t *rapid.T) {
		g := &grammar{T: t}
		rules := "codes contains \"c\" if { " + g.body(3, nil) + " }\n\ncodes contains \"d\" if { " + g.body(2, nil) + " }\n\n"
		p := read(t, rules+strings.Join(g.beside, "\n\n"))
		if p.err != nil {
			return // Nothing is unknown in it.
		}
		refusals += len(p.outside)
		compiled += len(p.rules)
		var all []*given
		for range 4 {
			turn := draw(t)
			all = append(all, turn, draw(t).ofTurn(turn), draw(t).ofTurn(turn))
		}
		// What is outside is not in the program, and not compared.
		n, _ := p.compare(t, all)
		held += n
	})
	t.Logf("%d rules became closures, %d did not; a code held %d times", compiled, refusals, held)
	if compiled < 4*refusals || held == 0 {
		t.Errorf("too few rules became closures to show anything")
	}
}
