package server_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"earshot/policy"
	"earshot/server/wire"
)

// someNames are few, so that audiences and viewers meet.
func someNames(least int) *rapid.Generator[[]string] {
	return rapid.SliceOfN(rapid.SampledFrom([]string{"user:ann", "user:ben", "user:cat"}), least, 3)
}

func someAudience() *rapid.Generator[policy.Audience] {
	return rapid.Custom(func(t *rapid.T) policy.Audience {
		switch rapid.IntRange(0, 4).Draw(t, "audience") {
		case 0:
			return policy.Audience{}
		case 1:
			return policy.WholeTenant()
		case 2:
			return policy.Everybody()
		default:
			return policy.Principals(someNames(1).Draw(t, "members")...)
		}
	})
}

func someMoment(t *rapid.T, label string) time.Time {
	if rapid.Bool().Draw(t, "no "+label) {
		return time.Time{}
	}
	return decidedAt.Add(time.Duration(rapid.Int64Range(-1<<40, 1<<40).Draw(t, label)))
}

// someSources gives sources in any nesting. One that has some can leave its audience to them.
func someSources(t *rapid.T, depth int) []policy.Source {
	if depth == 0 {
		return nil
	}
	var sources []policy.Source
	for range rapid.IntRange(0, 3).Draw(t, "sources") {
		s := policy.Source{
			ID:       rapid.SampledFrom([]string{"", "m1", "m2"}).Draw(t, "source"),
			Audience: someAudience().Draw(t, "source audience"),
			Tenant:   rapid.SampledFrom([]string{"", "acme"}).Draw(t, "source tenant"),
			Agent:    rapid.SampledFrom([]string{"", "agent:scribe", "agent:other"}).Draw(t, "source agent"),
			Confidential: policy.Confidentiality(
				rapid.IntRange(0, 2).Draw(t, "source confidential")),
			State:     rapid.SampledFrom([]string{policy.StateLive, "erased"}).Draw(t, "source state"),
			ExpiresAt: someMoment(t, "source expiry"),
			Sources:   someSources(t, depth-1),
		}
		if len(s.Sources) > 0 && rapid.Bool().Draw(t, "inherits") {
			s.Audience = policy.Audience{Kind: policy.AudienceInherited}
		}
		sources = append(sources, s)
	}
	return sources
}

func someCandidate(t *rapid.T) policy.Candidate {
	c := policy.Candidate{
		ID:            rapid.SampledFrom([]string{"m1", "m2", "ü<&>"}).Draw(t, "id"),
		Audience:      someAudience().Draw(t, "audience"),
		AudienceBasis: rapid.SampledFrom([]string{policy.BasisRecorded, "guessed", ""}).Draw(t, "basis"),
		Tenant:        rapid.SampledFrom([]string{"", "acme"}).Draw(t, "tenant"),
		Channel:       rapid.SampledFrom([]string{"", "slack:C042"}).Draw(t, "channel"),
		Agent:         rapid.SampledFrom([]string{"", "agent:scribe", "agent:other"}).Draw(t, "agent"),
		Shared:        rapid.Bool().Draw(t, "shared"),
		Confidential:  policy.Confidentiality(rapid.IntRange(0, 2).Draw(t, "confidential")),
		Kind:          rapid.SampledFrom(policy.Kinds()).Draw(t, "kind"),
		Sources:       someSources(t, rapid.IntRange(0, 5).Draw(t, "depth")),
		State:         rapid.SampledFrom([]string{policy.StateLive, "erased"}).Draw(t, "state"),
		RecordedAt:    someMoment(t, "recorded"),
		ExpiresAt:     someMoment(t, "expiry"),
		Digest:        rapid.SampledFrom([]string{"", "sha256:" + strings.Repeat("0", 64)}).Draw(t, "digest"),
		Seal:          rapid.SampledFrom([]string{"", "seal"}).Draw(t, "seal"),
		Store:         rapid.SampledFrom([]string{"", "vector"}).Draw(t, "store"),
		Attributes:    someAttributes(t),
	}
	if len(c.Sources) > 0 && rapid.Bool().Draw(t, "inherits") {
		c.Audience = policy.Audience{Kind: policy.AudienceInherited}
	}
	return c
}

func someAttributes(t *rapid.T) []byte {
	return []byte(rapid.SampledFrom([]string{"", `{}`, `{"n": 1.50, "t": "\u0041<", "l": [ ]}`}).Draw(t, "attributes"))
}

func someTurn(t *rapid.T) policy.Turn {
	turn := policy.Turn{
		ID: "t-1", Attempt: rapid.IntRange(1, 3).Draw(t, "attempt"), Agent: "agent:scribe",
		Tenant:       rapid.SampledFrom([]string{"", "acme"}).Draw(t, "turn tenant"),
		ViewersBasis: rapid.SampledFrom([]string{policy.BasisPlatform, ""}).Draw(t, "viewers basis"),
		Attributes:   someAttributes(t),
	}
	for _, set := range []*[]string{&turn.Viewers, &turn.ExternalViewers, &turn.RevokedViewers} {
		if rapid.Bool().Draw(t, "stated") {
			*set = someNames(0).Draw(t, "names")
		}
	}
	for range rapid.IntRange(0, 2).Draw(t, "readings") {
		turn.Evidence = append(turn.Evidence, policy.Evidence{
			Viewers: someNames(0).Draw(t, "seen"), Complete: rapid.Bool().Draw(t, "complete"), ObservedAt: someMoment(t, "observed"),
		})
	}
	return turn
}

// TestARecordIsTheSameQuestion sends what a record says of a decision again, and wants the same request
// recorded and the same results.
func TestARecordIsTheSameQuestion(t *testing.T) {
	engine, err := engine()
	if err != nil {
		t.Fatal(err)
	}
	log := &ledger{}
	point, err := policy.NewPoint(policy.Config{
		Engine: engine, Recorder: log, Clock: func() time.Time { return decidedAt }, NewID: func() (string, error) { return "d", nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(t *rapid.T) {
		req := policy.Request{Turn: someTurn(t), Candidates: []policy.Candidate{}}
		for range rapid.IntRange(0, 3).Draw(t, "candidates") {
			req.Candidates = append(req.Candidates, someCandidate(t))
		}
		if rapid.Bool().Draw(t, "inheritance") {
			req.Inheritance = policy.Inheritance{AuthorizedAgents: []string{"agent:other"}, AllowConfidential: rapid.Bool().Draw(t, "allow")}
		}
		first, err := point.Decide(t.Context(), req)
		if err != nil {
			t.Fatal(err)
		}
		record := wire.EncodeRecord(&first.Entry, first.Log)
		for i := range record.Candidates {
			record.Candidates[i].Result = nil
		}
		body, err := wire.Marshal(wire.Request{Turn: record.Turn, Inheritance: record.Inheritance, Candidates: record.Candidates})
		if err != nil {
			t.Fatal(err)
		}
		again, err := wire.DecodeDecision(body, wire.Limits{})
		if err != nil {
			t.Fatalf("%v\n%s", err, body)
		}
		second, err := point.Decide(t.Context(), again)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(first.Request, second.Request); diff != "" {
			t.Fatalf("request (-first +second):\n%s\n%s", diff, body)
		}
		if diff := cmp.Diff(first.Results, second.Results); diff != "" {
			t.Fatalf("results (-first +second):\n%s\n%s", diff, body)
		}
	})
}
