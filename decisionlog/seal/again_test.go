package seal_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"earshot/policy"
	"earshot/server/wire"
)

// recordedFacts is a registry that knows what a record says.
type recordedFacts policy.Facts

func (f recordedFacts) Facts(context.Context, *policy.Request) (policy.Facts, error) {
	return policy.Facts(f), nil
}

// TestARecordOfSealsIsTheSameQuestion decides candidates of every sort as a caller sends them, sends what
// the record says again where nobody has the keys, and wants the same labels, findings and results.
func TestARecordOfSealsIsTheSameQuestion(t *testing.T) {
	d := newDesk(t, retired(t).key, forLogs(t).key)
	nested := item("m1")
	nested.Audience = policy.Audience{Kind: policy.AudienceInherited}
	nested.Sources = []policy.Source{
		{ID: "s1", Audience: policy.Audience{Kind: policy.AudienceInherited}, State: policy.StateLive, Sources: []policy.Source{
			{ID: "s2", Audience: policy.Audience{Kind: policy.AudienceInherited}, State: policy.StateLive, Sources: item("").Sources},
			{ID: "s3", Audience: policy.Principals("user:ann"), State: policy.StateLive},
		}},
		{ID: "s4", Audience: policy.WholeTenant(), State: policy.StateLive},
	}
	honest := d.issue(t, item("m2"), nested)
	candidates := append(slices.Clone(honest), bare(honest[0]), bare(honest[1]))
	candidates[0].Unstated = policy.LabelAudienceBasis // a label that most callers leave out
	candidates[1].Unstated = policy.LabelAudience      // which has no form in JSON
	for _, h := range hostiles() {
		c := honest[0]
		c.Sources = slices.Clone(c.Sources)
		h.do(t, d, &c)
		candidates = append(candidates, c)
		left := bare(c)
		left.Digest = digestOf("b")
		candidates = append(candidates, left)
	}

	ask := func(point *policy.Point, r wire.Request) *policy.Decision {
		t.Helper()
		body, err := wire.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		req, err := wire.DecodeDecision(body, wire.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		decision, err := point.Decide(t.Context(), req)
		if err != nil {
			t.Fatal(err)
		}
		return decision
	}
	asked := request(candidates...)
	first := ask(d.point, wire.EncodeRequest(&asked))
	for i := range 4 {
		if !first.Results[i].Admit {
			t.Errorf("candidate %d: %+v, %+v", i, first.Results[i], first.Facts.Seals[i])
		}
	}
	record := wire.EncodeRecord(&first.Entry, first.Log)
	if len(record.Seals) != len(candidates) || record.Seals[0].Status != "valid" {
		t.Errorf("the record has %+v", record.Seals)
	}
	for i := range record.Candidates {
		record.Candidates[i].Result = nil
	}
	keyless, err := policy.NewPoint(policy.Config{
		Engine: d.engine, Recorder: forgetful{}, Registry: recordedFacts(first.Facts),
		Clock: func() time.Time { return first.At }, NewID: func() (string, error) { return "again", nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	again := ask(keyless, wire.Request{Turn: record.Turn, Inheritance: record.Inheritance, Candidates: record.Candidates})
	if diff := cmp.Diff(first.Request, again.Request); diff != "" {
		t.Errorf("request (-first +second):\n%s", diff)
	}
	if diff := cmp.Diff(first.Results, again.Results); diff != "" {
		t.Errorf("results (-first +second):\n%s", diff)
	}
	for i, check := range first.Facts.Seals {
		if again.Facts.Seals[i].Status != check.Status {
			t.Errorf("candidate %d: %+v became %+v", i, check, again.Facts.Seals[i])
		}
	}
}
