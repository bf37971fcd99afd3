package wire_test

import (
	"errors"
	"testing"
	"unicode/utf8"

	"earshot/policy"
	"earshot/server/wire"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// FuzzDecodeDecision holds the decoder to its promises: it never panics, it takes only valid JSON,
// what it took means the same when it is written and read again, and a fault stays a denial.
func FuzzDecodeDecision(f *testing.F) {
	for _, seed := range []string{
		``, `{}`, `[]`, `{"turn": {"agent": "a"}, "candidates": []}`,
		`{"turn": {"id": "t", "attempt": 3, "tenant": "x", "agent": "a", "channel": "c", "viewers": null, "viewers_basis": "",
		 "external_viewers": [], "revoked_viewers": ["b"], "evidence": [{"viewers": [], "observed_at": "2026-11-30T20:00:00+01:00"}],
		 "attributes": {"k": [1.50, "\u0041"]}}, "inheritance": {"authorized_agents": ["b"], "require_attribution": false}, "candidates": []}`,
		body(sound), body(`{"id": "m", "audience": ["b", "a"], "sources": [{"audience": "tenant", "sources": [{}]}], "confidential": true}`),
		body(`{"id": "m", "seal": "s"}`), body(`{"id": "m", "seal": "s", "sources": [], "shared": false, "kind": "fact", "audience": []}`),
		body(`{"id": "m", "audience": null, "sources": [{"sources": [{"audience": []}]}], "attributes": {}}`),
		body(`{"id": 1, "x": 2}, null, "m"`), body(`{"id": "m", "expires_at": "2026-11-30T20:00:00.123Z", "kind": "", "state": ""}`),
		"{\"turn\": {\"agent\": \"\xff\"}}", `{"turn": {"agent": "a", "agent": "b"}}`,
	} {
		f.Add([]byte(seed))
	}
	for _, key := range []string{"request", "raw"} {
		for _, seed := range bodiesOfCases(f, key) {
			f.Add(seed)
		}
	}
	limits := wire.Limits{Body: 1 << 16, Candidates: 20, Members: 20, Sources: 40}
	f.Fuzz(func(t *testing.T, data []byte) {
		req, err := wire.DecodeDecision(data, limits)
		if err != nil {
			if _, ok := errors.AsType[*wire.Error](err); !ok {
				t.Fatalf("error %v is no *wire.Error", err)
			}
			return
		}
		if !jsontext.Value(data).IsValid() {
			t.Fatal("took what is not valid JSON")
		}
		faulty := false
		for _, c := range req.Candidates {
			for _, fault := range c.Faults {
				faulty = true
				if fault.Code != policy.CodeMalformed && fault.Code != policy.CodeUnknownField {
					t.Fatalf("fault with code %q", fault.Code)
				}
				if !utf8.ValidString(fault.Field) {
					t.Fatalf("field %q is not UTF-8", fault.Field)
				}
			}
		}
		written, err := wire.Marshal(wire.EncodeRequest(&req))
		if err != nil {
			t.Fatal(err)
		}
		again, err := wire.DecodeDecision(written, wire.Limits{})
		if err != nil {
			t.Fatalf("read again: %v\n%s", err, written)
		}
		for i := range again.Candidates {
			if (len(req.Candidates[i].Faults) > 0) != (len(again.Candidates[i].Faults) > 0) {
				t.Fatalf("candidate %d: faults %v became %v", i, req.Candidates[i].Faults, again.Candidates[i].Faults)
			}
		}
		if faulty {
			return
		}
		// An absent list and an empty one say the same except where the viewers are stated, which
		// the next comparison sees.
		if diff := cmp.Diff(req, again, cmpopts.EquateEmpty()); diff != "" {
			t.Fatalf("read again (-first +second):\n%s", diff)
		}
		if (req.Turn.Viewers == nil) != (again.Turn.Viewers == nil) {
			t.Fatal("viewers that are not known and viewers that are nobody were confused")
		}
	})
}
