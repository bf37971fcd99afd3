package policy_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"earshot/policy"
)

// tiers runs a test with closures and with OPA.
func tiers(t *testing.T, files fs.FS, test func(t *testing.T, e *policy.Engine)) {
	t.Helper()
	for _, tier := range []string{"compiled", "interpreted"} {
		t.Run(tier, func(t *testing.T) {
			e, err := engineOf(files)
			if err != nil {
				t.Fatal(err)
			}
			if got := e.Tier(); !got.Compiled {
				t.Fatalf("there are no closures: %s", got.Why)
			}
			if tier == "interpreted" {
				policy.Interpret(e)
			}
			test(t, e)
		})
	}
}

func pointOf(t testing.TB, e *policy.Engine, timeout time.Duration) *policy.Point {
	t.Helper()
	p, err := policy.NewPoint(policy.Config{
		Engine: e, Recorder: &memory{}, DecideTimeout: timeout,
		Clock: func() time.Time { return noon },
		NewID: func() (string, error) { return "00000000-0000-7000-8000-000000000000", nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestTiers is what every tier must do.
func TestTiers(t *testing.T) {
	tiers(t, policy.EmbeddedFS(), func(t *testing.T, e *policy.Engine) {
		p := pointOf(t, e, 0)
		foreign := item("foreign", policy.Principals("user:ann", "user:ben"))
		foreign.Agent = "agent:legal"
		malformed := item("malformed", policy.Everybody())
		malformed.Kind = "\x00"
		d := decide(t, p, turn("user:ben", "user:ann"),
			item("both", policy.Principals("user:ann", "user:ben")), item("ann's", policy.Principals("user:ann")),
			item("everybody's", policy.Everybody()), item("nobody's", policy.Audience{}), foreign, malformed)
		want := []policy.Result{
			{ID: "both", Admit: true, Reasons: []string{"audience_covers_viewers"}},
			{ID: "ann's", Reasons: []string{"viewer_not_in_audience"}},
			{ID: "everybody's", Admit: true, Reasons: []string{"public"}},
			{ID: "nobody's", Reasons: []string{"audience_missing"}},
			{ID: "foreign", Reasons: []string{"agent_not_authorized", "confidential_from_other_agent", "unshared_from_other_agent"}},
			{ID: "malformed", Reasons: []string{"malformed"}},
		}
		for i := range want {
			got := d.Results[i]
			if got.ID != want[i].ID || got.Admit != want[i].Admit || !cmp.Equal(got.Reasons, want[i].Reasons) {
				t.Errorf("got %+v, want %+v", got, want[i])
			}
		}
		if d := decide(t, p, turn(), item("x", policy.Everybody())); d.Viewers.Known || len(d.Viewers.Reasons) == 0 || !d.Results[0].Admit {
			t.Errorf("nobody listening: %+v %+v", d.Viewers, d.Results)
		}
		if d := decide(t, p, turn("user:ann")); len(d.Results) != 0 || !d.Viewers.Known {
			t.Errorf("no candidate: %+v", d)
		}

		gone, cancel := context.WithCancel(t.Context())
		cancel()
		req := policy.Request{Turn: turn("user:ann"), Candidates: []policy.Candidate{item("x", policy.Everybody())}}
		if _, err := p.Decide(gone, req); !errors.Is(err, context.Canceled) {
			t.Errorf("a caller who is gone: %v", err)
		}
		if _, err := pointOf(t, e, time.Nanosecond).Decide(t.Context(), req); !errors.Is(err, policy.ErrPolicyUnavailable) {
			t.Errorf("no time: %v", err)
		}
	})
}

const metadata = "# METADATA\n# title: T\n# description: D\n# custom:\n#   code: "

// localRule is a rule of an author's own.
func localRule(name, body string) string {
	return "package local." + name + "\n\n" + metadata + name + "\nforbid contains rego.metadata.rule().custom.code if " + body + "\n"
}

// outsideFiles is the embedded policy with rules that are outside of the fragment, one of which fails
// for some items.
func outsideFiles(t *testing.T) fs.FS {
	files := embeddedFiles(t)
	files["local/draft/draft.rego"] = file(localRule("draft", `regex.match("^draft-", input.candidate.id)`))
	files["local/late/late.rego"] = file(localRule("late", "_late") +
		"\n_late if {\n\tinput.candidate.store == \"a\"\n} else if {\n\tinput.candidate.store == \"b\"\n}\n")
	files["local/split/split.rego"] = file(localRule("split", "10 / input.candidate.attributes.by > 5"))
	files["local/plain/plain.rego"] = file(localRule("plain", `input.candidate.store == "plain"`))
	return files
}

// TestRulesOutsideOfTheFragment holds that a rule for which there is no closure decides all the same.
func TestRulesOutsideOfTheFragment(t *testing.T) {
	tiers(t, outsideFiles(t), func(t *testing.T, e *policy.Engine) {
		if got := e.Tier(); got.Compiled {
			text := strings.Join(got.Interpreted, "\n")
			for _, want := range []string{"local/draft/draft.rego:8: local:draft: ", "regex.match", "local:late: ", "local:split: "} {
				if !strings.Contains(text, want) {
					t.Errorf("%q is not among\n%s", want, text)
				}
			}
			if len(got.Interpreted) != 3 {
				t.Errorf("got %d rules:\n%s", len(got.Interpreted), text)
			}
		}
		p := pointOf(t, e, 0)
		with := func(id, store, attributes string) policy.Candidate {
			c := item(id, policy.Everybody())
			c.Store, c.Attributes = store, []byte(attributes)
			return c
		}
		d := decide(t, p, turn("user:ann"),
			with("m1", "", ""), with("draft-1", "", ""), with("m2", "b", ""), with("m3", "plain", ""), with("draft-2", "plain", ""),
			with("m4", "", `{"by": 0}`), with("m5", "", `{"by": 1}`))
		want := [][]string{
			{"public"}, {"local:draft"}, {"local:late"}, {"local:plain"}, {"local:draft", "local:plain"},
			{policy.CodePolicyError}, {"local:split"},
		}
		for i := range want {
			if got := d.Results[i].Reasons; !cmp.Equal(got, want[i]) {
				t.Errorf("%s: got %q, want %q", d.Results[i].ID, got, want[i])
			}
		}
		if len(d.Failures) != 1 || !strings.Contains(d.Failures[0].Cause.Error(), "local/split/split.rego:8") {
			t.Errorf("got the failures %v, want one that says where", d.Failures)
		}
	})
}

// TestPoliciesThatAreAskedAsAWhole edits the core so that it cannot be taken apart, and expects OPA and
// a reason.
func TestPoliciesThatAreAskedAsAWhole(t *testing.T) {
	edit := func(path, old, to string) func(*testing.T) fs.FS {
		return func(t *testing.T) fs.FS {
			files := embeddedFiles(t)
			text := string(files[path].Data)
			if !strings.Contains(text, old) {
				t.Fatalf("%q is not in %s", old, path)
			}
			files[path] = file(strings.Replace(text, old, to, 1))
			return files
		}
	}
	const decision, ambiguous = "earshot/decision.rego", "earshot/viewers/ambiguity.rego"
	for name, test := range map[string]struct {
		files func(*testing.T) fs.FS
		want  string
	}{
		"admit asks for more": {
			edit(decision, "\tcount(_forbids) == 0\n}", "\tcount(_forbids) == 0\n\tinput.turn.attempt < 3\n}"), "is not that a permit holds",
		},
		"an answer that is made": {
			edit(decision, `"obligations": _obligations,`, `"obligations": {code | some code in _obligations},`), "is not one expression",
		},
		"a doubt outside of the fragment": {
			edit(ambiguous, `not input.turn.viewers_basis == "platform"`, `not regex.match("^platform$", input.turn.viewers_basis)`), "regex.match",
		},
		"a doubt that reads the candidate": {
			edit(ambiguous, `not input.turn.viewers_basis == "platform"`, "not input.turn.viewers_basis == \"platform\"\n\tnot input.candidate.store == \"x\""),
			"input.candidate.store",
		},
	} {
		t.Run(name, func(t *testing.T) {
			e, err := engineOf(test.files(t))
			if err != nil {
				t.Fatal(err)
			}
			tier := e.Tier()
			if tier.Compiled || !strings.Contains(tier.Why, test.want) {
				t.Errorf("got %+v, want that it is not compiled: %s", tier, test.want)
			}
			if d := decide(t, pointOf(t, e, 0), turn("user:ann"), item("x", policy.Principals("user:ann"))); len(d.Failures) > 0 {
				t.Errorf("got %v", d.Failures)
			}
		})
	}
}

// TestWrongClosuresAreCaught drops each rule in turn from the closures and expects the questions of the
// check to show it, of which four times as many are asked here as when a policy is loaded.
func TestWrongClosuresAreCaught(t *testing.T) {
	e, all, err := policy.Without(t.Context(), embedded(t))
	if err != nil {
		t.Fatal(err)
	}
	if len(all) < 40 {
		t.Fatalf("only %d rules", len(all))
	}
	// Rules that no entry can show, and why.
	unseen := map[string]string{
		"forbids/malformed/14 ":     "it contradicts itself; the other rule with the code does not",
		"forbids/unknown_field/28 ": "the other rule with the code says more",
	}
	for _, less := range all {
		why := ""
		for name := range unseen {
			if strings.HasPrefix(less.Name, name) {
				why = unseen[name]
			}
		}
		switch err := less.Check(t.Context()); {
		case why != "" && err != nil:
			t.Errorf("%s is seen after all: %v", less.Name, err)
		case why == "" && !errors.Is(err, policy.ErrDisagree):
			t.Errorf("closures without %s would go live: %v", less.Name, err)
		}
	}

	// In use, the next recheck of a decision on which they differ goes back to OPA.
	all[0].Use(e)
	if !e.Tier().Compiled {
		t.Fatal("the closures are not in use")
	}
	probes := policy.NewProber(e, 7)
	for range 2000 {
		entry, err := probes.Entry(1)
		if err != nil {
			t.Fatal(err)
		}
		if err = e.Recheck(t.Context(), entry); err == nil {
			continue
		}
		if !errors.Is(err, policy.ErrDisagree) {
			t.Fatal(err)
		}
		if tier := e.Tier(); tier.Compiled || !strings.Contains(tier.Why, "disagree") {
			t.Errorf("after a difference: %+v", tier)
		}
		if err := policy.Both(t.Context(), e, entry); err != nil {
			t.Errorf("after going back: %v", err)
		}
		return
	}
	t.Error("no entry showed the difference")
}

// TestDifferential holds closures to OPA on many made-up candidates, for several settings and with rules
// of an author's own. EARSHOT_DIFFERENTIAL is how many candidates; 20,000 without it.
func TestDifferential(t *testing.T) {
	total := 20_000
	if text, ok := os.LookupEnv("EARSHOT_DIFFERENTIAL"); ok {
		var err error
		if total, err = strconv.Atoi(text); err != nil {
			t.Fatal(err)
		}
	}
	edit := func(path, old, to string) fs.FS {
		files := embeddedFiles(t)
		text := string(files[path].Data)
		if !strings.Contains(text, old) {
			t.Fatalf("%q is not in %s", old, path)
		}
		files[path] = file(strings.Replace(text, old, to, 1))
		return files
	}
	settings := func(old, to string) fs.FS { return edit("earshot/settings/data.json", old, to) }
	const present = "present := {viewer | some viewer in input.turn.viewers"
	policies := map[string]fs.FS{
		"present":      edit("earshot/viewers/viewers.rego", present, present+"; not startswith(viewer, \"user:d\")"),
		"shipped":      policy.EmbeddedFS(),
		"bots":         settings(`"internal_bots": []`, `"internal_bots": ["user:cat", "bot:relay"]`),
		"revoked":      settings(`"revoked": []`, `"revoked": ["user:dan"]`),
		"inherit_from": settings(`"inherit_from": {}`, `"inherit_from": {"agent:scribe": ["agent:researcher"], "agent:legal": []}`),
		"seals":        settings(`"seal_required": false`, `"seal_required": true`),
		"local rules":  outsideFiles(t),
	}
	const perEntry = 5
	for name, files := range policies {
		t.Run(name, func(t *testing.T) {
			e, err := engineOf(files)
			if err != nil {
				t.Fatal(err)
			}
			if tier := e.Tier(); !tier.Compiled {
				t.Fatal(tier.Why)
			}
			probes := policy.NewProber(e, 99)
			asked, admitted := 0, 0
			for asked < total/len(policies) {
				entry, err := probes.Entry(perEntry)
				if err != nil {
					t.Fatal(err)
				}
				if err := policy.Both(t.Context(), e, entry); err != nil {
					t.Fatalf("after %d candidates: %v\n%+v", asked, err, entry.Request)
				}
				n, err := policy.Admits(t.Context(), e, entry)
				if err != nil {
					t.Fatal(err)
				}
				asked, admitted = asked+perEntry, admitted+n
			}
			t.Logf("%d candidates, of which %d admitted, and no difference", asked, admitted)
			// Where every item needs a seal, and no seal verifies yet, nothing passes.
			if name != "seals" && admitted*50 < asked {
				t.Errorf("so few were admitted that it shows nothing")
			}
		})
	}
}
