package policy_test

import (
	"encoding/json"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/open-policy-agent/opa/v1/ast"

	"earshot/policy"
)

// schemaNode is what the test reads of a JSON schema.
type schemaNode struct {
	Type                 string                 `json:"type"`
	Properties           map[string]*schemaNode `json:"properties"`
	AdditionalProperties bool                   `json:"additionalProperties"`
	Items                *schemaNode            `json:"items"`
}

// leaves calls do with each path of a schema that holds a value, "*" in place of a position.
func (n *schemaNode) leaves(path string, do func(path string)) {
	switch {
	case n.Type == "object" && !n.AdditionalProperties:
		for name, child := range n.Properties {
			child.leaves(path+"."+name, do)
		}
	case n.Type == "array" && n.Items.Type == "object":
		n.Items.leaves(path+".*", do)
	default:
		do(path)
	}
}

// TestClosuresReadWhatOPASees compares every field of the schema as the closures read it with the input
// that OPA is given, over many entries.
func TestClosuresReadWhatOPASees(t *testing.T) {
	text, err := os.ReadFile("schemas/input.json")
	if err != nil {
		t.Fatal(err)
	}
	var schema schemaNode
	if err := json.Unmarshal(text, &schema); err != nil {
		t.Fatal(err)
	}
	seen := map[string]map[string]bool{} // by path, the values it had
	schema.leaves("input", func(path string) { seen[path] = map[string]bool{} })

	probes := policy.NewProber(embeddedEngine(t), 5)
	for range 1500 {
		entry, err := probes.Entry(1)
		if err != nil {
			t.Fatal(err)
		}
		in := policy.InputOf(entry, 0)
		for path, got := range policy.Fields(entry, 0) {
			if !strings.HasPrefix(path, "input.") {
				continue // What is known besides the input.
			}
			var ref ast.Ref
			steps := strings.Split(path, ".")
			for i, step := range steps[1:] {
				if n, err := strconv.Atoi(step); err == nil {
					ref = append(ref, ast.IntNumberTerm(n))
					steps[i+1] = "*"
				} else {
					ref = append(ref, ast.StringTerm(step))
				}
			}
			want, err := in.Find(ref)
			if err != nil {
				t.Fatalf("%s is not in the input: %v", path, err)
			}
			if ast.Compare(got, want) != 0 {
				t.Fatalf("%s: closures read %v, OPA sees %v", path, got, want)
			}
			values, ok := seen[strings.Join(steps, ".")]
			if !ok {
				t.Fatalf("%s is not in the schema", path)
			}
			values[want.String()] = true
		}
	}
	constant := map[string]bool{"input.now_ns": true}
	for path, values := range seen {
		if len(values) < 2 && !constant[path] || len(values) == 0 {
			t.Errorf("%s had the values %v only: nothing was compared", path, values)
		}
	}
}
