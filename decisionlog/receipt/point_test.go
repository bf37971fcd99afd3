package receipt_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"pgregory.net/rapid"

	"earshot/decisionlog/receipt"
	"earshot/policy"
)

// nowhere confirms every decision: this is about what comes after.
type nowhere struct{}

func (nowhere) Record(context.Context, *policy.Entry) (policy.Position, error) {
	return policy.Position{Index: 3}, nil
}

func (nowhere) RecordHandoff(context.Context, *policy.HandoffEntry) (policy.Position, error) {
	return policy.Position{Index: 4}, nil
}

func newPoint(t *testing.T) *policy.Point {
	t.Helper()
	bundle, err := policy.EmbeddedBundle()
	if err != nil {
		t.Fatal(err)
	}
	engine, err := policy.NewEngine(t.Context(), bundle)
	if err != nil {
		t.Fatal(err)
	}
	point, err := policy.NewPoint(policy.Config{
		Engine: engine, Recorder: nowhere{}, HandoffRecorder: nowhere{},
		Clock: func() time.Time { return decidedAt },
		NewID: func() (string, error) { return uuid.NewString(), nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	return point
}

// secret is part of every text that must not be read in a receipt.
const secret = "Geheimnis"

// text is what a caller may choose for a name: good, bad, or no UTF-8 at all.
func text() *rapid.Generator[string] {
	return rapid.SampledFrom([]string{
		"", "user:" + secret, secret, "agent:" + secret + " with a space", "sd:" + secret, secret + "\xff", "agent:\u202e" + secret,
	})
}

// agent is a name that may stand in plain, or any text.
func agent() *rapid.Generator[string] {
	return rapid.OneOf(rapid.SampledFrom([]string{"agent:a", "agent:b", "agent:c"}), text())
}

func label() *rapid.Generator[policy.Confidentiality] {
	return rapid.SampledFrom([]policy.Confidentiality{0, policy.Confidential, policy.NotConfidential})
}

func candidate(t *rapid.T, nested bool) policy.Candidate {
	c := policy.Candidate{
		ID: text().Draw(t, "id"), Tenant: text().Draw(t, "tenant"), Channel: text().Draw(t, "channel"), Agent: agent().Draw(t, "agent"),
		Kind:   rapid.SampledFrom(append(policy.Kinds(), secret, "")).Draw(t, "kind"),
		Shared: rapid.Bool().Draw(t, "shared"), Confidential: label().Draw(t, "confidential"),
		Audience:      rapid.SampledFrom([]policy.Audience{{}, policy.Everybody(), policy.WholeTenant(), policy.Principals("user:" + secret)}).Draw(t, "audience"),
		AudienceBasis: rapid.SampledFrom([]string{policy.BasisRecorded, secret}).Draw(t, "basis"),
		State:         rapid.SampledFrom([]string{policy.StateLive, secret}).Draw(t, "state"),
		Digest:        text().Draw(t, "digest"), Seal: text().Draw(t, "seal"), Store: text().Draw(t, "store"),
	}
	for range rapid.IntRange(0, 2).Draw(t, "sources") {
		s := policy.Source{ID: text().Draw(t, "source"), Agent: agent().Draw(t, "by"), Tenant: text().Draw(t, "tenant of the source"),
			State: policy.StateLive, Audience: policy.Everybody()}
		if nested {
			s.Sources = []policy.Source{{ID: text().Draw(t, "nested"), Agent: agent().Draw(t, "nested by")}}
		}
		c.Sources = append(c.Sources, s)
	}
	return c
}

// TestEveryDecisionHasReceipts is the law that whatever a decision point decides can be receipted,
// verified and opened, and that nothing which a caller chose can be read in it.
func TestEveryDecisionHasReceipts(t *testing.T) {
	point := newPoint(t)
	issuer := issuer(t, nil)
	rapid.Check(t, func(t *rapid.T) {
		req := policy.Request{
			Turn: policy.Turn{
				Agent:   rapid.SampledFrom([]string{"agent:a", "user:" + secret}).Draw(t, "reader"),
				Tenant:  rapid.SampledFrom([]string{"", secret}).Draw(t, "tenant"),
				Viewers: rapid.SampledFrom([][]string{nil, {}, {"user:" + secret}}).Draw(t, "viewers"),
				Attempt: 1, ViewersBasis: policy.BasisPlatform,
			},
			Inheritance: policy.Inheritance{
				AuthorizedAgents:  rapid.SampledFrom([][]string{nil, {"agent:b", "user:" + secret}}).Draw(t, "authorized"),
				AllowConfidential: rapid.Bool().Draw(t, "allow confidential"), AllowUnattributed: rapid.Bool().Draw(t, "allow unattributed"),
			},
		}
		for range rapid.IntRange(0, 4).Draw(t, "candidates") {
			req.Candidates = append(req.Candidates, candidate(t, rapid.Bool().Draw(t, "nested")))
		}
		decision, err := point.Decide(t.Context(), req)
		if err != nil {
			t.Fatal(err)
		}
		set, err := issuer.Decision(t.Context(), decision)
		if err != nil {
			t.Fatal(err)
		}
		holds(t, set, decision.Results, decision.ID)
	})
}

// TestEveryHandoffHasReceipts is the same law for hand-offs in both profiles.
func TestEveryHandoffHasReceipts(t *testing.T) {
	point := newPoint(t)
	issuer := issuer(t, nil)
	who := rapid.SampledFrom([]string{"agent:a", "agent:b", "user:" + secret})
	rapid.Check(t, func(t *rapid.T) {
		h := policy.Handoff{
			Agent: who.Draw(t, "agent"), Tenant: rapid.SampledFrom([]string{"", secret}).Draw(t, "tenant"),
			Profile:     rapid.SampledFrom([]policy.Profile{policy.ProfileStrict, policy.ProfileReference}).Draw(t, "profile"),
			Inheritance: policy.Inheritance{AuthorizedAgents: []string{who.Draw(t, "authorized")}, AllowUnattributed: rapid.Bool().Draw(t, "allow")},
		}
		if rapid.Bool().Draw(t, "boundary") {
			h.Boundary = policy.Boundary{Stated: true, SingleSource: who.Draw(t, "single source"), SharedSubstrate: policy.SubstrateSeparate,
				PrivateTo: map[string][]string{who.Draw(t, "owner"): {secret}}}
		}
		for range rapid.IntRange(0, 3).Draw(t, "elements") {
			h.Elements = append(h.Elements, policy.Element{
				ID: rapid.SampledFrom([]string{secret, secret + "2"}).Draw(t, "id"), Source: rapid.OneOf(who, rapid.Just("")).Draw(t, "source"),
				Shared: rapid.Bool().Draw(t, "shared"), Confidential: label().Draw(t, "confidential"), Kind: rapid.SampledFrom(policy.Kinds()).Draw(t, "kind"),
				InheritedVia: rapid.SliceOfN(who, 0, 3).Draw(t, "via"), Sources: elementSources(t, 2),
			})
		}
		decision, err := point.HandOff(t.Context(), h)
		if err != nil {
			t.Fatal(err)
		}
		set, err := issuer.Handoff(t.Context(), decision)
		if err != nil {
			t.Fatal(err)
		}
		holds(t, set, decision.Results, decision.ID)
	})
}

// elementSources are nested as deep as depth.
func elementSources(t *rapid.T, depth int) []policy.ElementSource {
	var all []policy.ElementSource
	for range rapid.IntRange(0, depth).Draw(t, "sources") {
		who := rapid.SampledFrom([]string{"agent:a", "agent:c", "user:" + secret})
		all = append(all, policy.ElementSource{
			ID: secret, Source: who.Draw(t, "source of the source"), Confidential: label().Draw(t, "confidential source"),
			InheritedVia: rapid.SliceOfN(who, 0, 2).Draw(t, "via to the source"), Sources: elementSources(t, depth-1),
		})
	}
	return all
}

func holds(t *rapid.T, set receipt.Set, results []policy.Result, id string) {
	var all []*receipt.Verified
	for _, name := range receipt.Statements() {
		v, err := receipt.Verify(set.Envelopes[name], keys())
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if v.Head().DecisionID != id {
			t.Errorf("%s is of the decision %s", name, v.Head().DecisionID)
		}
		all = append(all, v)
	}
	opened, err := receipt.OpenDisclosures(all, set.Disclosures)
	if err != nil {
		t.Fatal(err)
	}
	elements := 0
	for _, d := range opened {
		if d.Name == "element" {
			elements++
		}
	}
	admitted := 0
	for _, r := range results {
		if r.Admit {
			admitted++
		}
	}
	isolation := all[0].Statement.Predicate.(*receipt.Isolation)
	if elements != len(results) || len(isolation.Admitted) != admitted || len(isolation.Excluded) != len(results)-admitted {
		t.Errorf("%d elements, %d admitted, %d excluded of %+v", elements, len(isolation.Admitted), len(isolation.Excluded), results)
	}
	if findings := all[3].Statement.Predicate.(*receipt.Bleed).Findings; len(findings) != len(results)-admitted {
		t.Errorf("%d findings of %+v", len(findings), results)
	}
	for name, envelope := range set.Envelopes {
		if payload := string(payloadOf(t, envelope)); strings.Contains(payload, secret) {
			t.Errorf("%s says what is a secret: %s", name, payload)
		}
	}
}
