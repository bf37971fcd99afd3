package policy_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"earshot/policy"
)

// withSetting returns the embedded policy with one text of its settings in the place of another.
func withSetting(t *testing.T, old, new string) *policy.Bundle {
	t.Helper()
	files := embeddedFiles(t)
	files["earshot/settings/data.json"] = file(replacedOnce(t, string(files["earshot/settings/data.json"].Data), old, new))
	b, err := policy.BundleFromFS(files)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// from returns a source in order with this audience.
func from(id string, a policy.Audience) policy.Source {
	return policy.Source{ID: id, Audience: a, State: policy.StateLive}
}

// TestExplain asks about each position of one decision. A bot is in the room, who does not count, and
// a guest, for whom nothing of the tenant is.
func TestExplain(t *testing.T) {
	p := newPoint(t, withSetting(t, `"internal_bots": []`, `"internal_bots": ["bot:log"]`), &memory{})
	asked := turn("user:ann", "user:guest", "user:ben", "bot:log")
	asked.ExternalViewers = []string{"user:guest"}

	all := policy.Principals("user:ann", "user:ben", "user:guest")
	narrower := item("narrower", all)
	narrower.Sources = []policy.Source{
		from("s1", policy.Principals("user:ann")),
		from("s2", all),
		from("s3", policy.WholeTenant()),
		from("", policy.Principals("user:guest")),
		from("s5", policy.Audience{}),
	}
	both := item("both", policy.Principals("user:ann"))
	both.State = "erased"
	both.Sources = []policy.Source{from("s1", policy.Principals("user:ben"))}
	wrong := item("wrong", policy.Everybody())
	wrong.Agent = "*"

	d := decide(t, p, asked, item("open", all), narrower, both, wrong, item("nobody's", policy.Audience{}))
	want := []policy.Detail{
		{},
		{NarrowerSources: []policy.NarrowerSource{
			{ID: "s1", MissingViewers: []string{"user:ben", "user:guest"}},
			{MissingViewers: []string{"user:ann", "user:ben"}},
			{ID: "s5", MissingViewers: []string{"user:ann", "user:ben", "user:guest"}},
		}},
		{MissingViewers: []string{"user:ben", "user:guest"}},
		{Faults: []policy.Fault{{
			Code: policy.CodeMalformed, Field: "agent", Problem: `"*" names an audience, not a principal`,
		}}},
		{},
	}
	for i := range d.Results {
		got := p.Explain(d, i)
		if diff := cmp.Diff(want[i], got, cmpopts.IgnoreFields(policy.Detail{}, "Rules")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", d.Results[i].ID, diff)
		}
		var codes []string
		for _, rule := range got.Rules {
			codes = append(codes, rule.Code)
		}
		if diff := cmp.Diff(d.Results[i].Reasons, codes); diff != "" {
			t.Errorf("%s: the rules are not those of its reasons (-reasons +rules):\n%s", d.Results[i].ID, diff)
		}
	}
}

// Each failure is told where it happened, and nowhere else.
func TestExplainTellsFailuresApart(t *testing.T) {
	decision := `{"admit": false, "permits": set(), "forbids": {"no"}, "obligations": set()} if input.candidate.id == "fine"

decision := input.candidate.missing if startswith(input.candidate.id, "silent")

decision := "yes" if input.candidate.id == "wrong"

decision := {"admit": false, "permits": set(), "forbids": {"no"}, "obligations": set()} if startswith(input.candidate.id, "canary")`
	p := newPoint(t, bundleOf(t, decision, knownReport, noProblems), &memory{})
	d := decide(t, p, turn("user:ann"),
		item("fine", policy.Everybody()), item("silent", policy.Everybody()), item("fine", policy.Everybody()), item("wrong", policy.Everybody()))
	var at []int
	for _, failure := range d.Failures {
		at = append(at, failure.Position)
	}
	if diff := cmp.Diff([]int{1, 3}, at); diff != "" {
		t.Fatalf("positions of the failures (-want +got):\n%s", diff)
	}
	want := []string{
		"", "the policy gave no answer", "", "the answer is not an object of admit, permits, forbids and obligations",
	}
	for i := range want {
		if got := p.Explain(d, i).Failure; got != want[i] {
			t.Errorf("position %d is explained as %q, want %q", i, got, want[i])
		}
	}
}
