package residual_test

import (
	"strings"
	"testing"
)

// fragment has every construct that becomes a condition, and the condition.
var fragment = []struct {
	name string
	body string // of the rule that gives the code "c"
	also string // rules beside it
	tree string

	always bool // no input makes a difference
}{
	{name: "text equals", body: `input.text == "a"`, tree: `input.text == "a"`},
	{name: "text differs", body: `input.text != input.other`, tree: `input.text != input.other`},
	{name: "text order", body: `input.text < input.other`, tree: `input.text < input.other`},
	{name: "the literal first", body: `"a" <= input.text`, tree: `input.text >= "a"`},
	{name: "number order", body: `input.number >= 1`, tree: `input.number >= 1`},
	{name: "two numbers", body: `input.number > input.limit`, tree: `input.number > input.limit`},
	{name: "a flag", body: `input.flag`, tree: `input.flag == true`},
	{name: "a flag equals", body: `input.flag == false`, tree: `input.flag == false`},
	{name: "a flag orders", body: `input.flag < true`, tree: `input.flag < true`},
	{name: "not a flag", body: `not input.flag`, tree: `not(input.flag == true)`},
	{name: "null equals", body: `input.maybe == null`, tree: `input.maybe == null`},
	{name: "nullable equals", body: `not input.maybe == false`, tree: `not(input.maybe == false)`},
	{name: "nullable by itself", body: `input.maybe`, tree: `input.maybe != false`},
	{name: "nullable order", body: `input.when <= input.number`, tree: `input.when <= input.number`},
	{name: "types order", body: `input.when < input.text`, always: true, tree: `input.when < input.text`},
	{name: "types never equal", body: `input.flag == input.number`, always: true, tree: `input.flag == input.number`},
	{name: "a text is there", body: `input.text`, always: true, tree: `true`},
	{name: "a list is there", body: `input.items`, always: true, tree: `true`},
	{name: "names are there", body: `input.names`, always: true, tree: `true`},
	{name: "and", body: `input.flag; input.text == "a"`, tree: `and(input.flag == true, input.text == "a")`},
	{name: "literal in names", body: `"a" in input.names`, tree: `"a" in input.names`},
	{name: "text in names", body: `input.text in input.names`, tree: `input.text in input.names`},
	{name: "text in a literal set", body: `input.text in {"a", "B"}`, tree: `input.text in ["B" "a"]`},
	{name: "text in a literal array", body: `input.text in ["a", "B"]`, tree: `input.text in ["B" "a"]`},
	{name: "text in a set of fields", body: `input.text in {"", input.other}`, tree: `or(input.text == "", input.text == input.other)`},
	{name: "nullable in a set of values", body: `input.maybe in {null, true}`, tree: `or(input.maybe == null, input.maybe == true)`},
	{name: "number in a set of values", body: `input.number in {1, input.limit}`, tree: `or(input.number == 1, input.number == input.limit)`},
	{name: "in a set that is one", body: `input.text in given.present`, tree: `input.text in data.given.present`},
	{name: "some name", body: `some name in input.names; name != input.text`, tree: `some($0 in input.names: $0 != input.text)`},
	{name: "some name of a set", body: `some name in given.present; not name in input.names`, tree: `some($0 in data.given.present: not($0 in input.names))`},
	{name: "a name by its position", body: `input.names[i] == input.text`, tree: `some($0 in input.names: $0 == input.text)`},
	{name: "two names", body: `some one in input.names; some other in input.known; one < other`, tree: `some($0 in input.names: some($1 in input.known: $0 < $1))`},
	{name: "some item", body: `some item in input.items; item.text == "a"; not item.maybe == true`, tree: `some($0 in input.items: and($0.text == "a", not($0.maybe == true)))`},
	{name: "items by a position", body: `input.items[i].flag; input.items[i].text == "a"`, tree: `some($0 in input.items: and($0.flag == true, $0.text == "a"))`},
	{name: "two items", body: `some one in input.items; some other in input.items; one.number > other.number`, tree: `some($0 in input.items: some($1 in input.items: $0.number > $1.number))`},
	{name: "some name of some item", body: `some item in input.items; some name in item.deep.names; name == input.text`, tree: `some($0 in input.items: some($1 in $0.deep.names: $1 == input.text))`},
	{name: "member of some item", body: `some item in input.items; not input.text in item.deep.names`, tree: `some($0 in input.items: not(input.text in $0.deep.names))`},
	{name: "an item that is there", body: `some item in input.items; item`, tree: `some($0 in input.items: true)`},
	{name: "a rule", body: `same`, also: `same if input.text == input.other`, tree: `input.text == input.other`},
	{name: "not a rule of two bodies", body: `not same`, also: "same if input.text == input.other\n\nsame if input.flag", tree: `and(not(input.text == input.other), not(input.flag == true))`},
	{name: "a default", body: `not fine`, also: "default fine := false\n\nfine if input.flag", tree: `not(input.flag == true)`},
	{name: "a function", body: `some item in input.items; near(item)`, also: "near(x) if x.number >= input.limit\n\nnear(x) if x.flag", tree: `some($0 in input.items: $0.flag == true) | some($0 in input.items: $0.number >= input.limit)`},
	{name: "not a function", body: `some item in input.items; not near(item, 0)`, also: `near(x, y) if x.number > y`, tree: `some($0 in input.items: not($0.number > 0))`},
	{name: "a set of rules", body: `"a" in found`, also: "found contains x if some x in input.names\n\nfound contains input.text if input.flag", tree: `or(some($0 in input.names: $0 == "a"), and(input.flag == true, input.text == "a"))`},
	{name: "some of a set of rules", body: `some x in found; x != "a"`, also: "found contains x if some x in input.names\n\nfound contains input.text if input.flag", tree: `and(input.flag == true, input.text != "a") | some($0 in input.names: $0 != "a")`},
	{name: "a comprehension has it", body: `input.text in {item.text | some item in input.items; item.flag}`, tree: `some($0 in input.items: and($0.flag == true, $0.text == input.text))`},
	{name: "union", body: `input.text in ({x | some x in input.names} | given.present)`, tree: `or(input.text in input.names, input.text in data.given.present)`},
	{name: "intersection", body: `count({x | some x in input.names} & given.present) > 0`, tree: `some($0 in input.names: $0 in data.given.present)`},
	{name: "difference", body: `{x | some x in input.names} - {"a"} == given.present`, tree: `and(not(some($0 in input.names: and(not($0 in ["a"]), not($0 in data.given.present)))), not(some($0 in data.given.present: not(and($0 in input.names, not($0 in ["a"]))))))`},
	{name: "two differences", body: `{x | some x in input.names} - {"a"} != {x | some x in input.known} - {"B"}`, tree: `not(and(not(some($0 in input.names: and(not($0 in ["a"]), not(and($0 in input.known, not($0 in ["B"])))))), not(some($0 in input.known: and(not($0 in ["B"]), not(and($0 in input.names, not($0 in ["a"]))))))))`},
	{name: "some of a difference", body: `some x in {x | some x in input.names} - given.present; x < "b"`, tree: `some($0 in input.names: and(not($0 in data.given.present), $0 < "b"))`},
	{name: "names equal", body: `input.names == input.known`, tree: `same(input.names, input.known)`},
	{name: "sets equal", body: `{x | some x in input.names} == given.present`, tree: `same(input.names, data.given.present)`},
	{name: "a set equals a literal", body: `given.present == {"a", "B"}`, tree: `same(data.given.present, ["B" "a"])`},
	{name: "count of a list", body: `count(input.items) > 1`, tree: `count(input.items) > 1`},
	{name: "count of names", body: `2 <= count(input.names)`, tree: `count(input.names) >= 2`},
	{name: "count of a set", body: `count({x | some x in input.names}) == 1`, tree: `count(input.names) == 1`},
	{name: "an empty set of rules", body: `count(found) == 0`, also: `found contains x if { some x in input.names; x != input.text }`, tree: `not(some($0 in input.names: $0 != input.text))`},
	{name: "a set that is not empty", body: `count({x | some x in input.names} - given.present) >= 1`, tree: `some($0 in input.names: not($0 in data.given.present))`},
	{name: "lower", body: `lower(input.text) == "b"`, tree: `lower(input.text, "") == "b"`},
	{name: "upper", body: `upper(input.text) in input.names`, tree: `upper(input.text, "") in input.names`},
	{name: "trim", body: `trim_prefix(lower(input.text), "user:") in {"a", "b"}`, tree: `trim_prefix(lower(input.text, ""), "user:") in ["a" "b"]`},
	{name: "trim at the end", body: `trim_suffix(input.text, "b") == input.other`, tree: `trim_suffix(input.text, "b") == input.other`},
	{name: "startswith", body: `startswith(input.text, input.other)`, tree: `startswith(input.text, input.other)`},
	{name: "endswith", body: `endswith(input.text, "A")`, tree: `endswith(input.text, "A")`},
	{name: "contains", body: `not contains(input.text, "a")`, tree: `not(contains(input.text, "a"))`},
	{name: "a difference of numbers", body: `input.number - input.limit <= 1`, tree: `(input.number - input.limit) <= 1`},
	{name: "a difference that is named", body: `age := input.number - input.limit; age <= 1; age >= -1`, tree: `and((input.number - input.limit) <= 1, (input.number - input.limit) >= -1)`},
	{name: "free JSON equals", body: `input.free.k == "a"`, tree: `input.free["k"] == "a"`},
	{name: "not free JSON equals", body: `not input.free.k == 1`, tree: `not(input.free["k"] == 1)`},
	{name: "free JSON differs", body: `input.free.k != "a"`, tree: `input.free["k"] != "a"`},
	{name: "free JSON orders", body: `input.free.k < 2`, tree: `input.free["k"] < 2`},
	{name: "free JSON deeper", body: `input.free.k.l == input.text`, tree: `input.free["k" "l"] == input.text`},
	{name: "free JSON that is named", body: `x := input.free.k; x != 1`, tree: `input.free["k"] != 1`},
	{name: "free JSON that is only named", body: `x := input.free.k; input.flag`, tree: `and(input.flag == true, is_defined(input.free["k"]))`},
	{name: "a key of free JSON", body: `"k" in object.keys(input.free)`, tree: `haskey(input.free[], "k")`},
	{name: "a key that is a field", body: `input.text in object.keys(input.free)`, tree: `haskey(input.free[], input.text)`},
	{name: "the type of free JSON", body: `is_string(input.free.k)`, tree: `is_string(input.free["k"])`},
	{name: "free JSON in a set", body: `input.free.k in {1, "a"}`, tree: `or(input.free["k"] == 1, input.free["k"] == "a")`},

	// What must not be mistaken for the like of it.
	{name: "a rule that gathers what is missing", body: `count(found) == 0`, also: `found contains input.free.k if input.flag`, tree: `not(and(input.flag == true, is_defined(input.free["k"]), is_defined(input.free["k"])))`},
	{name: "a comprehension that shares a name", body: `some x in input.known; count({x | x = input.names[_]}) > 0`, tree: `some($0 in input.known: some($1 in input.names: $0 == $1))`},
	{name: "a function that shares a name", body: `has(input.text)`, also: `has(x) if count({x | x = input.names[_]}) > 0`, tree: `some($0 in input.names: input.text == $0)`},
	{name: "an order that is no help", body: `x = y; y = input.names[i]; x == input.text`, tree: `some($0 in input.names: $0 == input.text)`},
}

// TestFragment holds each construct to its tree, and its closure to OPA on all small inputs.
func TestFragment(t *testing.T) {
	for _, test := range fragment {
		t.Run(test.name, func(t *testing.T) {
			p := read(t, "codes contains \"c\" if { "+test.body+" }\n\n"+test.also)
			if p.err != nil {
				t.Fatal(p.err)
			}
			for _, out := range p.outside {
				t.Fatal(out.Err)
			}
			var trees []string
			for _, rule := range p.rules {
				trees = append(trees, rule.When.String())
			}
			if got := strings.Join(trees, " | "); got != test.tree {
				t.Errorf("got the tree\n%s\nwant\n%s", got, test.tree)
			}
			held, failed := p.compare(t, inputs(p.module))
			if !test.always && (held == 0 || failed == 0) {
				t.Errorf("it held %d times and %d times it did not: the inputs show nothing", held, failed)
			}
		})
	}
}

// refused has what is outside of the fragment, and a part of the error that says so.
var refused = []struct {
	name string
	rule string
	want string
}{
	{"an else", "codes contains \"c\" if fine\n\nfine if { input.flag } else if { input.text == \"a\" }", "data.test.fine"},
	{"true by default", "codes contains \"c\" if fine\n\ndefault fine := true\n\nfine := false if input.flag", "or other than false by default"},
	{"an object of rules", "codes contains \"c\" if found\n\nfound[x] := true if some x in input.names", "or several values"},
	{"an array for a set", "codes contains \"c\" if {x | some x in input.names} == input.known", "a set with an array"},
	{"a position", "codes contains \"c\" if input.names[1] == \"a\"", "has a step that cannot be followed"},
	{"a position as a number", "codes contains \"c\" if { input.names[i] == \"a\"; i > 0 }", "is a position in an array"},
	{"one position in two arrays", "codes contains \"c\" if input.names[i] == input.known[i]", "has a step that cannot be followed"},
	{"every", "codes contains \"c\" if every x in input.names { x == input.text }", ""},
	{"a regular expression", "codes contains \"c\" if regex.match(\"^a\", input.text)", "calls regex.match"},
	{"text of what may be null", "codes contains \"c\" if startswith(input.maybe, \"a\")", "is not sure to be a text"},
	{"text of free JSON", "codes contains \"c\" if startswith(input.free.k, \"a\")", "is not sure to be a text"},
	{"a prefix that is a field", "codes contains \"c\" if trim_prefix(input.text, input.other) == \"a\"", "that is not a literal"},
	{"a product", "codes contains \"c\" if input.number * 2 == 4", "calls mul"},
	{"a fraction", "codes contains \"c\" if input.number < 1.5", "is not a whole number"},
	{"a difference of a difference", "codes contains \"c\" if (input.number - input.limit) - input.number < 1", "beyond 64 bits"},
	{"a difference from a difference", "codes contains \"c\" if input.number - (input.limit - input.number) < 1", "beyond 64 bits"},
	{"a difference against a field", "codes contains \"c\" if input.number - input.limit == input.number", "compares a difference"},
	{"a difference in a set", "codes contains \"c\" if input.number - input.limit in {input.number}", "compares a difference"},
	{"a difference of what may be null", "codes contains \"c\" if input.number - input.when > 0", "calculates with something"},
	{"how many there are of a set", "codes contains \"c\" if count({x | some x in input.names} - given.present) == 2", "whether it is empty"},
	{"a count against a field", "codes contains \"c\" if count(input.names) == input.limit", "calls count"},
	{"the length of a text", "codes contains \"c\" if count(input.text) == 1", "neither a list nor a set"},
	{"a field that is not there", "codes contains \"c\" if input.nothing == 1", "is not a field that can be read here"},
	{"the whole input", "codes contains \"c\" if { some x in input; x == \"a\" }", "is not a field that can be read here"},
	{"a name that is computed", "codes contains \"c\" if input[input.text] == \"a\"", "is not a field that can be read here"},
	{"a computed name in free JSON", "codes contains \"c\" if input.free[input.text] == \"a\"", "has a step that cannot be followed"},
	{"what free JSON has", "codes contains \"c\" if { some x in input.free.k; x == \"a\" }", "has no elements"},
	{"free JSON by itself", "codes contains \"c\" if input.free.k", "is free JSON and stands for a condition"},
	{"keys deeper inside", "codes contains \"c\" if \"l\" in object.keys(input.free.k)", "not sure to be an object"},
	{"a set of what may be missing", "codes contains \"c\" if \"a\" in {input.free.k, \"a\"}", "may be missing"},
	{"a comprehension of what may be missing", "codes contains \"c\" if count({input.free.k | input.flag}) > 0", "can mean either"},
	{"a negation of what was named", "codes contains \"c\" if { x := input.free.k; not x == 1 }", "can mean either"},
	{"a negation of what was handed over", "codes contains \"c\" if odd(input.free.k)\n\nodd(x) if not x == 1", "can mean either"},
	{"a negated function of free JSON", "codes contains \"c\" if not is_number(input.free.k)", "can mean either"},
	{"a type that is known", "codes contains \"c\" if is_string(input.text)", "not free JSON"},
	{"a tuple", "codes contains \"c\" if [input.text, input.other] in [[\"a\", \"B\"]]", "more than literals"},
	{"its input replaced", "codes contains \"c\" if fine with input.text as input.other\n\nfine if input.text == \"a\"", ""},
	{"too many at once", "codes contains \"c\" if { some a in input.names; some b in input.names; some c in input.names; some d in input.names; some e in input.names; some f in input.names; some g in input.names; some h in input.names; some i in input.names; a == b; c == d; e == f; g == h; h == i }", "too many"},
	{"a code that depends on the input", "codes contains input.text if input.flag", "its code depends on the input"},
}

// TestRefused holds that each construct outside of the fragment is named, and no closure made of it.
func TestRefused(t *testing.T) {
	for _, test := range refused {
		t.Run(test.name, func(t *testing.T) {
			p := read(t, test.rule)
			if p.err != nil {
				t.Fatal(p.err)
			}
			if len(p.rules) != 0 || len(p.outside) != 1 {
				t.Fatalf("got the rules %v, and %d outside of the fragment", p.rules, len(p.outside))
			}
			err := p.outside[0].Err
			if err.Construct == "" || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %q, want that it %s", err, test.want)
			}
		})
	}
}
