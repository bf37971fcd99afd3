package wire_test

import (
	"fmt"
	"strings"
	"testing"

	"earshot/server/wire"
)

// A hint must help: what is required cannot be left out.
func TestHintsAboutNull(t *testing.T) {
	const leaveOut = "leave the field out instead"
	turn := func(fields string) string { return `{"turn": {"agent": "a", ` + fields + `}, "candidates": []}` }
	tests := map[string]struct {
		body     string
		optional bool
	}{
		"turn":                {`{"turn": null, "candidates": []}`, false},
		"candidates":          {`{"turn": {"agent": "a"}, "candidates": null}`, false},
		"agent":               {`{"turn": {"agent": null}, "candidates": []}`, false},
		"a viewer":            {turn(`"viewers": [null]`), false},
		"a reading":           {turn(`"evidence": [null]`), false},
		"a reading's viewers": {turn(`"evidence": [{"source": "s", "viewers": null}]`), false},
		"a candidate":         {body(`null`), false},
		"id":                  {body(`{"audience": "public", "id": null}`), false},
		"an empty id":         {body(`{"id": ""}`), false},
		"a member":            {body(`{"id": "m", "audience": ["a", null]}`), false},
		"a source":            {body(`{"id": "m", "sources": [null]}`), false},
		"inheritance":         {`{"turn": {"agent": "a"}, "inheritance": null, "candidates": []}`, true},
		"tenant":              {turn(`"tenant": null`), true},
		"an empty tenant":     {turn(`"tenant": ""`), true},
		"evidence":            {turn(`"evidence": null`), true},
		"when it was read":    {turn(`"evidence": [{"viewers": [], "observed_at": null}]`), true},
		"a source's id":       {body(`{"id": "m", "sources": [{"id": null}]}`), true},
		"sources":             {body(`{"id": "m", "sources": null}`), true},
		"shared":              {body(`{"id": "m", "shared": null}`), true},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			req, err := wire.DecodeDecision([]byte(test.body), wire.Limits{})
			said := fmt.Sprint(err)
			for _, c := range req.Candidates {
				for _, f := range c.Faults {
					said += f.Problem
				}
			}
			if !strings.Contains(said, "must ") || strings.Contains(said, leaveOut) != test.optional {
				t.Errorf("the hint is %q, want one about leaving out: %t", said, test.optional)
			}
		})
	}
}

// The two words for an audience are in lower case, which is said to whoever writes them otherwise.
func TestHintAboutTheCaseOfAnAudience(t *testing.T) {
	for _, word := range []string{"Public", "TENANT"} {
		req, err := wire.DecodeDecision([]byte(body(`{"id": "m", "audience": "`+word+`"}`)), wire.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		faults := req.Candidates[0].Faults
		if len(faults) != 1 || !strings.Contains(faults[0].Problem, "lower case") {
			t.Errorf("%s: faults %v", word, faults)
		}
	}
}
