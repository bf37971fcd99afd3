package main

import (
	"bytes"
	"encoding/json"
	"testing"
	"time"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/rego"
)

// TestQuick runs the quick mode against a server that is built from this module.
func TestQuick(t *testing.T) {
	var out bytes.Buffer
	if err := run(t.Context(), &flags{Quick: true, JSON: true, Clients: 2}, &out); err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for decoder := json.NewDecoder(&out); decoder.More(); {
		var f figures
		if err := decoder.Decode(&f); err != nil {
			t.Fatal(err)
		}
		if f.Requests == 0 || f.PerSecond <= 0 || f.P50 <= 0 || f.P99 < f.P50 || f.Candidates != 10 {
			t.Errorf("got %+v", f)
		}
		seen[f.System+", "+f.State] = true
	}
	for _, want := range []string{
		"earshot, warm", "earshot, cold", "floor in process, warm", "ordinary Go in process, warm", "append + fdatasync, warm",
	} {
		if !seen[want] {
			t.Errorf("%q was not measured; got %v", want, seen)
		}
	}
}

// TestTheQuestionToOPAIsTheSame decides the body for OPA by the policy, and expects the same admissions.
func TestTheQuestionToOPAIsTheSame(t *testing.T) {
	p := point{Candidates: 20, Audience: 20, Viewers: 5}
	body, err := p.opas(7)
	if err != nil {
		t.Fatal(err)
	}
	input, err := ast.ValueFromReader(bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	term, err := input.Find(ast.Ref{ast.StringTerm("input")})
	if err != nil {
		t.Fatal(err)
	}
	rs, err := rego.New(
		rego.Query("data.bench.decisions"), rego.Load([]string{"../../policy/bundle"}, nil), rego.Module("bench.rego", batch),
		rego.ParsedInput(term),
	).Eval(t.Context())
	if err != nil || len(rs) != 1 {
		t.Fatalf("%v %v", rs, err)
	}
	answer, err := json.Marshal(map[string]any{"result": rs[0].Expressions[0].Value})
	if err != nil {
		t.Fatal(err)
	}
	if n, err := admittedByOPA(answer); err != nil || n != p.admitted() || n != 14 {
		t.Errorf("the policy admits %d, want %d (%v)", n, p.admitted(), err)
	}
}

// TestWaysInProcessAgree compares the floor with ordinary Go on bodies of several sizes.
func TestWaysInProcessAgree(t *testing.T) {
	for _, p := range []point{{1, 20, 1}, {10, 20, 20}, {100, 3, 3}} {
		body, err := p.ours(1)
		if err != nil {
			t.Fatal(err)
		}
		for name, decide := range map[string]func([]byte) ([]byte, int, error){"floor": floor, "ordinary": ordinary} {
			answer, n, err := decide(body)
			if err != nil || n != p.admitted() {
				t.Errorf("%s at %+v admits %d, want %d (%v)", name, p, n, p.admitted(), err)
			}
			if read, err := admittedByUs(answer); err != nil || read != n {
				t.Errorf("%s answers %s, which admits %d (%v)", name, answer, read, err)
			}
		}
	}
}

func TestQuantile(t *testing.T) {
	var all []time.Duration
	for i := range 200 {
		all = append(all, time.Duration(200-i)*time.Microsecond)
	}
	if p50, p99 := quantile(all, 50), quantile(all, 99); p50 != 100 || p99 != 198 {
		t.Errorf("got %v and %v", p50, p99)
	}
	if one := quantile(all[:1], 99); one != 1 {
		t.Errorf("of one: %v", one)
	}
}
