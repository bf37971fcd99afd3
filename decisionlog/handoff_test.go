package decisionlog_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"earshot/decisionlog"
	"earshot/policy"
)

// handedOff returns a plain hand-off: one shared element passes.
func handedOff(i int) *policy.HandoffEntry {
	return &policy.HandoffEntry{
		ID:             fmt.Sprintf("01931c5e-7d2a-7c1f-9a58-%012d", i),
		At:             start.Add(time.Duration(i) * time.Millisecond),
		PolicyRevision: "sha256:" + fmt.Sprintf("%064d", 7),
		Request: policy.Handoff{
			Agent: "agent:billing", Tenant: "acme", Profile: policy.ProfileStrict, RequestedBy: "runtime",
			Inheritance: policy.Inheritance{AuthorizedAgents: []string{"agent:intake"}},
			Boundary: policy.Boundary{
				Stated: true, SharedSubstrate: policy.SubstrateShared,
				PrivateTo: map[string][]string{"agent:legal": {"e7", "e8"}},
			},
			Elements: []policy.Element{{
				ID: "e1", Source: "agent:intake", Shared: true, Confidential: policy.NotConfidential, Kind: policy.KindFact,
			}},
		},
		Verdict:        policy.AuthorizedSharing,
		Directive:      "PROCEED: 1 authorized shared elements.",
		ManifestDigest: fmt.Sprintf("%064d", 9),
		Results: []policy.Result{{
			ID: "e1", Admit: true, Reasons: []string{"authorized_sharing"}, Obligations: []string{"label_source"},
		}},
	}
}

func recordHandoff(t testing.TB, l *decisionlog.Log, e *policy.HandoffEntry) policy.Position {
	t.Helper()
	position, err := l.RecordHandoff(t.Context(), e)
	if err != nil {
		t.Fatal(err)
	}
	return position
}

// handoffEntry gives hand-offs of any content that the vocabulary can hold, with the given id.
func handoffEntry(id string) *rapid.Generator[*policy.HandoffEntry] {
	return rapid.Custom(func(t *rapid.T) *policy.HandoffEntry {
		e := &policy.HandoffEntry{
			ID: id, At: start, PolicyRevision: rapid.SampledFrom([]string{"", "sha256:1"}).Draw(t, "revision"),
			Request: policy.Handoff{
				Agent: name().Draw(t, "agent"), Tenant: name().Draw(t, "tenant"),
				Profile:     policy.Profile(name().Draw(t, "profile")),
				RequestedBy: name().Draw(t, "requested by"),
				Inheritance: policy.Inheritance{
					AuthorizedAgents:  set().Draw(t, "authorized"),
					AllowConfidential: rapid.Bool().Draw(t, "allow confidential"), AllowUnattributed: rapid.Bool().Draw(t, "allow unattributed"),
				},
				Boundary: policy.Boundary{
					Stated:          rapid.Bool().Draw(t, "stated"),
					SharedSubstrate: policy.Substrate(rapid.IntRange(0, 2).Draw(t, "substrate")),
					SingleSource:    name().Draw(t, "single source"),
				},
				Elements: list(t, rapid.Custom(func(t *rapid.T) policy.Element {
					return policy.Element{
						ID: name().Draw(t, "id"), Source: name().Draw(t, "source"), Shared: rapid.Bool().Draw(t, "shared"),
						Confidential: confidentiality(t), Kind: name().Draw(t, "kind"), Digest: name().Draw(t, "digest"),
						InheritedVia: list(t, name(), 3, "hands"), Sources: elementSources(t, 2), Seal: name().Draw(t, "seal"),
					}
				}), 4, "elements"),
			},
			Verdict:        policy.Verdict(name().Draw(t, "verdict")),
			ManifestDigest: name().Draw(t, "manifest"),
		}
		e.Directive = rapid.SampledFrom([]string{"", "HALT", "Agent " + e.Request.Agent + " goes on."}).Draw(t, "directive")
		if rapid.Bool().Draw(t, "private") {
			e.Request.Boundary.PrivateTo = rapid.MapOfN(name(), set(), 0, 3).Draw(t, "private to")
		}
		if rapid.Bool().Draw(t, "seals") {
			e.Seals = rapid.MapOfN(rapid.IntRange(0, 9999), rapid.Custom(func(t *rapid.T) policy.SealCheck {
				return policy.SealCheck{Status: policy.SealStatus(rapid.IntRange(0, 2).Draw(t, "status")), Differs: name().Draw(t, "differs")}
			}), 0, 2).Draw(t, "checked")
		}
		if e.Request.Elements != nil {
			e.Results = []policy.Result{}
		}
		for _, el := range e.Request.Elements {
			e.Results = append(e.Results, policy.Result{
				ID: el.ID, Admit: rapid.Bool().Draw(t, "admit"),
				Reasons: list(t, code(), 3, "reasons"), Obligations: list(t, name(), 2, "obligations"),
			})
		}
		return e
	})
}

// elementSources gives sources nested at most depth deep.
func elementSources(t *rapid.T, depth int) []policy.ElementSource {
	if depth == 0 {
		return nil
	}
	return list(t, rapid.Custom(func(t *rapid.T) policy.ElementSource {
		return policy.ElementSource{
			ID: name().Draw(t, "id"), Source: name().Draw(t, "source"), Shared: rapid.Bool().Draw(t, "shared"),
			Confidential: confidentiality(t), Kind: name().Draw(t, "kind"), Digest: name().Draw(t, "digest"),
			InheritedVia: list(t, name(), 2, "hands"), Sources: elementSources(t, depth-1),
		}
	}), 2, "sources")
}

func TestHandoffsComeBackEqual(t *testing.T) {
	l := open(t, decisionlog.Config{Dir: t.TempDir()})
	n := 0
	rapid.Check(t, func(rt *rapid.T) {
		e := handoffEntry(fmt.Sprintf("handoff-%d", n)).Draw(rt, "hand-off")
		n++
		position, err := l.RecordHandoff(t.Context(), e)
		if err != nil {
			rt.Fatal(err)
		}
		got, err := l.Get(t.Context(), e.ID)
		if err != nil {
			rt.Fatal(err)
		}
		want := &decisionlog.Record{
			Entry:   policy.Entry{ID: e.ID, At: e.At, PolicyRevision: e.PolicyRevision},
			Log:     position,
			Handoff: e,
		}
		if diff := cmp.Diff(want, got); diff != "" {
			rt.Errorf("(-recorded +read):\n%s", diff)
		}
	})
	verified(t, l, l.Committed())
}

func TestHandoffsAreListedAmongDecisions(t *testing.T) {
	l := open(t, decisionlog.Config{Dir: t.TempDir()})
	record(t, l, numbered(1, 2))
	halted := handedOff(2)
	halted.Verdict = policy.BleedDetected
	halted.Results = []policy.Result{{ID: "e1", Reasons: []string{"boundary_undefined"}}}
	position := recordHandoff(t, l, halted)

	whole := decisionlog.Summary{
		Handoff: true, ID: halted.ID, At: halted.At, PolicyRevision: halted.PolicyRevision, Log: position,
		RequestedBy: "runtime", Tenant: "acme", Agent: "agent:billing", Verdict: policy.BleedDetected, Denied: 1,
	}
	no, yes := false, true
	for name, c := range map[string]struct {
		query decisionlog.Query
		want  []decisionlog.Summary
	}{
		"by agent":         {decisionlog.Query{Agent: "agent:billing"}, []decisionlog.Summary{whole}},
		"by verdict":       {decisionlog.Query{Verdict: "BLEED_DETECTED"}, []decisionlog.Summary{whole}},
		"by element":       {decisionlog.Query{Item: "e1"}, []decisionlog.Summary{whole}},
		"by reason":        {decisionlog.Query{Reason: "boundary_undefined"}, []decisionlog.Summary{whole}},
		"denied":           {decisionlog.Query{Item: "e1", Admit: &no}, []decisionlog.Summary{whole}},
		"admitted":         {decisionlog.Query{Item: "e1", Admit: &yes}, nil},
		"by viewer":        {decisionlog.Query{Viewer: "user:ann", Agent: "agent:billing"}, nil},
		"newest, page one": {decisionlog.Query{Tenant: "acme", Limit: 1}, []decisionlog.Summary{whole}},
	} {
		t.Run(name, func(t *testing.T) {
			page, err := l.List(t.Context(), c.query)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, page.Summaries); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
	page, err := l.List(t.Context(), decisionlog.Query{})
	if err != nil || len(page.Summaries) != 2 {
		t.Errorf("all: %d of 2 decisions, %v", len(page.Summaries), err)
	}
	verified(t, l, 2)
}

// What was indexed once is indexed the same again.
func TestTheIndexOfHandoffsIsMadeAgain(t *testing.T) {
	dir := t.TempDir()
	l, err := decisionlog.Open(t.Context(), decisionlog.Config{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	recordHandoff(t, l, handedOff(1))
	query := decisionlog.Query{Item: "e1", Agent: "agent:billing"}
	want, err := l.List(t.Context(), query)
	if err != nil {
		t.Fatal(err)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	forgetIndex(t, dir)
	again := open(t, decisionlog.Config{Dir: dir})
	got, err := again.List(t.Context(), query)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" || len(got.Summaries) != 1 {
		t.Errorf("%d summaries (-first +again):\n%s", len(got.Summaries), diff)
	}
}

func TestDamagedHandoffIsNoticed(t *testing.T) {
	dir := t.TempDir()
	l := open(t, decisionlog.Config{Dir: dir})
	recordHandoff(t, l, handedOff(1))
	tamper(t, dir, `UPDATE entry SET payload = zeroblob(40)`)

	if _, err := l.Get(t.Context(), handedOff(1).ID); !errors.Is(err, decisionlog.ErrDamaged) {
		t.Errorf("get: %v, want damage", err)
	}
	if _, err := l.Verify(t.Context(), nil); !errors.Is(err, decisionlog.ErrDamaged) {
		t.Errorf("verify: %v, want damage", err)
	}
	page, err := l.List(t.Context(), decisionlog.Query{Agent: "agent:billing"})
	if err != nil {
		t.Fatal(err)
	}
	want := []decisionlog.Summary{{Handoff: true, ID: handedOff(1).ID, At: handedOff(1).At, PolicyRevision: handedOff(1).PolicyRevision}}
	ignored := cmpopts.IgnoreFields(decisionlog.Summary{}, "Log", "Damage")
	if diff := cmp.Diff(want, page.Summaries, ignored); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestHandoffWithoutItsResultsIsRefused(t *testing.T) {
	l := open(t, decisionlog.Config{Dir: t.TempDir()})
	e := handedOff(1)
	e.Results = nil
	if _, err := l.RecordHandoff(t.Context(), e); !errors.Is(err, decisionlog.ErrUnencodable) {
		t.Errorf("%v, want ErrUnencodable", err)
	}
	if l.Committed() != 0 {
		t.Error("it was recorded")
	}
}
