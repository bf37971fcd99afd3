package wire_test

import (
	"fmt"
	"strings"
	"testing"

	"earshot/policy"
	"earshot/server/wire"

	"github.com/google/go-cmp/cmp"
)

// sound is a neighbour that must stay as it is whatever stands beside it.
const sound = `{"id": "ok", "audience": "public"}`

func soundCandidate() policy.Candidate {
	return policy.Candidate{
		ID: "ok", Audience: policy.Everybody(), AudienceBasis: policy.BasisRecorded,
		Kind: policy.KindFact, State: policy.StateLive,
	}
}

func TestCandidateFaults(t *testing.T) {
	type places []string // "code field"
	tests := map[string]struct {
		candidate string
		id        string
		want      places
	}{
		"a string":                   {`"m1"`, "", places{"malformed "}},
		"null":                       {`null`, "", places{"malformed "}},
		"a list":                     {`[]`, "", places{"malformed "}},
		"id missing":                 {`{"audience": "public"}`, "", places{"malformed id"}},
		"id empty":                   {`{"id": ""}`, "", places{"malformed id"}},
		"id a number":                {`{"id": 7}`, "", places{"malformed id"}},
		"id null":                    {`{"id": null}`, "", places{"malformed id"}},
		"audience a list in a text":  {`{"id": "m", "audience": "[\"user:ann\"]"}`, "m", places{"malformed audience"}},
		"audience a name":            {`{"id": "m", "audience": "user:ann"}`, "m", places{"malformed audience"}},
		"audience Public":            {`{"id": "m", "audience": "Public"}`, "m", places{"malformed audience"}},
		"audience empty text":        {`{"id": "m", "audience": ""}`, "m", places{"malformed audience"}},
		"audience an object":         {`{"id": "m", "audience": {"kind": "public"}}`, "m", places{"malformed audience"}},
		"audience true":              {`{"id": "m", "audience": true}`, "m", places{"malformed audience"}},
		"audience nested":            {`{"id": "m", "audience": [["user:ann"]]}`, "m", places{"malformed audience/0"}},
		"member null":                {`{"id": "m", "audience": ["a", null]}`, "m", places{"malformed audience/1"}},
		"audience_basis null":        {`{"id": "m", "audience_basis": null}`, "m", places{"malformed audience_basis"}},
		"tenant empty":               {`{"id": "m", "tenant": ""}`, "m", places{"malformed tenant"}},
		"channel a number":           {`{"id": "m", "channel": 1}`, "m", places{"malformed channel"}},
		"agent null":                 {`{"id": "m", "agent": null}`, "m", places{"malformed agent"}},
		"agent empty":                {`{"id": "m", "agent": ""}`, "m", places{"malformed agent"}},
		"shared a text":              {`{"id": "m", "shared": "true"}`, "m", places{"malformed shared"}},
		"shared a number":            {`{"id": "m", "shared": 1}`, "m", places{"malformed shared"}},
		"confidential null":          {`{"id": "m", "confidential": null}`, "m", places{"malformed confidential"}},
		"confidential a text":        {`{"id": "m", "confidential": "false"}`, "m", places{"malformed confidential"}},
		"kind a list":                {`{"id": "m", "kind": ["fact"]}`, "m", places{"malformed kind"}},
		"state a boolean":            {`{"id": "m", "state": true}`, "m", places{"malformed state"}},
		"recorded_at naive":          {`{"id": "m", "recorded_at": "2026-11-30T20:00:00"}`, "m", places{"malformed recorded_at"}},
		"expires_at a number":        {`{"id": "m", "expires_at": 1796155200}`, "m", places{"malformed expires_at"}},
		"expires_at the zero time":   {`{"id": "m", "expires_at": "0001-01-01T00:00:00Z"}`, "m", places{"malformed expires_at"}},
		"expires_at null":            {`{"id": "m", "expires_at": null}`, "m", places{"malformed expires_at"}},
		"digest a number":            {`{"id": "m", "digest": 1}`, "m", places{"malformed digest"}},
		"seal an object":             {`{"id": "m", "seal": {}}`, "m", places{"malformed seal"}},
		"store empty":                {`{"id": "m", "store": ""}`, "m", places{"malformed store"}},
		"attributes a text":          {`{"id": "m", "attributes": "{}"}`, "m", places{"malformed attributes"}},
		"attributes out of range":    {`{"id": "m", "attributes": {"a": [-1e999]}}`, "m", places{"malformed attributes"}},
		"sources an object":          {`{"id": "m", "sources": {}}`, "m", places{"malformed sources"}},
		"sources null":               {`{"id": "m", "sources": null}`, "m", places{"malformed sources"}},
		"source an id":               {`{"id": "m", "sources": ["m1"]}`, "m", places{"malformed sources/0"}},
		"source audience a text":     {`{"id": "m", "sources": [{"audience": "user:ann"}]}`, "m", places{"malformed sources/0/audience"}},
		"source expires_at naive":    {`{"id": "m", "sources": [{"expires_at": "2026-11-30"}]}`, "m", places{"malformed sources/0/expires_at"}},
		"source field unknown":       {`{"id": "m", "sources": [{}, {"shared": true}]}`, "m", places{"unknown_field sources/1/shared"}},
		"nested source tenant empty": {`{"id": "m", "sources": [{"sources": [{"tenant": ""}]}]}`, "m", places{"malformed sources/0/sources/0/tenant"}},
		"unknown":                    {`{"id": "m", "text": "secret"}`, "m", places{"unknown_field text"}},
		"unknown in capitals":        {`{"id": "m", "Audience": "public"}`, "m", places{"unknown_field Audience"}},
		"unknown and malformed":      {`{"x": 1, "id": "m", "shared": 0}`, "m", places{"unknown_field x", "malformed shared"}},
		"after an unknown object":    {`{"x": {"id": "n"}, "id": "m"}`, "m", places{"unknown_field x"}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			req, err := wire.DecodeDecision([]byte(body(sound+","+test.candidate+","+sound)), wire.Limits{})
			if err != nil {
				t.Fatal(err)
			}
			if len(req.Candidates) != 3 {
				t.Fatalf("%d candidates, want 3", len(req.Candidates))
			}
			var got places
			for _, f := range req.Candidates[1].Faults {
				got = append(got, f.Code+" "+f.Field)
				if f.Problem == "" {
					t.Errorf("fault of %q without a problem", f.Field)
				}
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("faults (-want +got):\n%s", diff)
			}
			if got := req.Candidates[1].ID; got != test.id {
				t.Errorf("id %q, want %q", got, test.id)
			}
			for _, i := range []int{0, 2} {
				if diff := cmp.Diff(soundCandidate(), req.Candidates[i]); diff != "" {
					t.Errorf("neighbour %d (-want +got):\n%s", i, diff)
				}
			}
		})
	}
}

// What cannot be read must never read as something that opens.
func TestFaultyAudienceIsNobody(t *testing.T) {
	many := strings.Repeat(`1,`, 50) + `"user:ann"`
	for _, audience := range []string{`"user:ann"`, `["user:ann", 1]`, `[` + many + `]`, `{}`, `"*"`} {
		req, err := wire.DecodeDecision([]byte(body(`{"id": "m", "audience": `+audience+`}`)), wire.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(policy.Audience{}, req.Candidates[0].Audience); diff != "" {
			t.Errorf("audience %s:\n%s", audience, diff)
		}
	}
}

func TestSourceDepth(t *testing.T) {
	nest := func(levels int) string {
		return `{"id": "m"` + strings.Repeat(`, "sources": [{"id": "s"`, levels) + strings.Repeat(`}]`, levels) + `}`
	}
	for levels, want := range map[int]int{policy.MaxSourceDepth: 0, policy.MaxSourceDepth + 1: 1} {
		req, err := wire.DecodeDecision([]byte(body(nest(levels))), wire.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		if got := len(req.Candidates[0].Faults); got != want {
			t.Errorf("%d levels: %d faults, want %d", levels, got, want)
		}
	}
}

// A short body must not make a long list of faults, and none of the two codes may hide the other.
func TestFaultsAreBounded(t *testing.T) {
	var fields strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&fields, `"x%d": 1, `, i)
	}
	long := strings.Repeat("é", 10_000)
	req, err := wire.DecodeDecision([]byte(body(`{"`+long+`": 1, `+fields.String()+`"id": 1}`)), wire.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	counts := map[string]int{}
	for _, f := range req.Candidates[0].Faults {
		counts[f.Code]++
		if len(f.Field) > 200 {
			t.Errorf("field of %d bytes", len(f.Field))
		}
	}
	want := map[string]int{policy.CodeUnknownField: 16, policy.CodeMalformed: 1}
	if diff := cmp.Diff(want, counts); diff != "" {
		t.Errorf("faults (-want +got):\n%s", diff)
	}
}
