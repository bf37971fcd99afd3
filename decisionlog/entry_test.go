package decisionlog_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"pgregory.net/rapid"

	"earshot/policy"
)

// start is when the tests' first decision is made.
var start = time.Date(2026, 11, 30, 20, 0, 1, 123456000, time.UTC)

// numbered returns a plain entry: ann and ben listen, and each item is admitted in turn.
func numbered(i, candidates int) *policy.Entry {
	e := &policy.Entry{
		ID:             fmt.Sprintf("01931c5e-7d2a-7c1f-9a57-%012d", i),
		At:             start.Add(time.Duration(i) * time.Millisecond),
		PolicyRevision: "sha256:" + fmt.Sprintf("%064d", 7),
		Request: policy.Request{
			Turn: policy.Turn{
				ID: fmt.Sprintf("turn-%d", i), Channel: "slack:C042", Attempt: 1, Tenant: "acme", Agent: "agent:scribe",
				Viewers: []string{"user:ann", "user:ben"}, ViewersBasis: policy.BasisPlatform,
			},
			RequestedBy: "runtime",
		},
		Viewers:   policy.Viewers{Known: true, Present: []string{"user:ann", "user:ben"}, Digest: "sha256:feed"},
		Verdict:   policy.IsolatedContext,
		Directive: "PROCEED: Agent agent:scribe has isolated context.",
	}
	for c := range candidates {
		id := fmt.Sprintf("item-%d", (i*7+c)%500)
		e.Request.Candidates = append(e.Request.Candidates, policy.Candidate{
			ID: id, Audience: policy.Principals(members(20)...), AudienceBasis: policy.BasisRecorded, Tenant: "acme",
			Agent: "agent:scribe", Kind: policy.KindFact, State: policy.StateLive, RecordedAt: start.Add(-time.Hour),
		})
		r := policy.Result{ID: id, Admit: true, Reasons: []string{"audience_covers_viewers"}}
		if c%2 == 1 {
			r = policy.Result{ID: id, Reasons: []string{"viewer_not_in_audience"}}
		}
		e.Results = append(e.Results, r)
	}
	return e
}

func members(n int) []string {
	list := make([]string, n)
	for i := range list {
		list[i] = fmt.Sprintf("user:member-%02d", i)
	}
	return list
}

// names are few, so that filters meet and values repeat.
func name() *rapid.Generator[string] {
	return rapid.OneOf(rapid.SampledFrom([]string{"", "a", "b", "c", "user:ann", "\x00", "\xff not UTF-8", "erased-3"}), rapid.String())
}

func code() *rapid.Generator[string] {
	return rapid.SampledFrom([]string{"public", "revoked", "expired", "local:quiet"})
}

// set gives sorted, distinct names, or nil.
func set() *rapid.Generator[[]string] {
	return rapid.Custom(func(t *rapid.T) []string {
		if rapid.Bool().Draw(t, "nil set") {
			return nil
		}
		s := rapid.SliceOfN(name(), 0, 4).Draw(t, "set")
		slices.Sort(s)
		return slices.Compact(s)
	})
}

func audience() *rapid.Generator[policy.Audience] {
	return rapid.Custom(func(t *rapid.T) policy.Audience {
		return policy.Audience{
			Kind:    policy.AudienceKind(rapid.IntRange(0, 4).Draw(t, "audience kind")),
			Members: set().Draw(t, "members"),
		}
	})
}

// instant gives times of any precision, some far from now, and the zero time.
func instant() *rapid.Generator[time.Time] {
	return rapid.OneOf(
		rapid.Just(time.Time{}),
		rapid.Custom(func(t *rapid.T) time.Time {
			return time.Unix(rapid.Int64Range(-1<<40, 1<<40).Draw(t, "seconds"), rapid.Int64Range(0, 999999999).Draw(t, "nanos")).UTC()
		}),
	)
}

func attributes() *rapid.Generator[json.RawMessage] {
	return rapid.SampledFrom([]json.RawMessage{nil, {}, json.RawMessage(`{}`), json.RawMessage(`{"a":[1,"é"]}`)})
}

func confidentiality(t *rapid.T) policy.Confidentiality {
	return policy.Confidentiality(rapid.IntRange(0, 2).Draw(t, "confidential"))
}

func source(depth int) *rapid.Generator[policy.Source] {
	return rapid.Custom(func(t *rapid.T) policy.Source {
		s := policy.Source{
			ID: name().Draw(t, "source id"), Audience: audience().Draw(t, "source audience"),
			Tenant: name().Draw(t, "source tenant"), Agent: name().Draw(t, "source agent"),
			Confidential: confidentiality(t), State: name().Draw(t, "source state"), ExpiresAt: instant().Draw(t, "source expiry"),
		}
		if depth > 0 {
			s.Sources = list(t, source(depth-1), 2, "sources of a source")
		}
		return s
	})
}

// list gives nil, an empty slice or up to n elements.
func list[T any](t *rapid.T, g *rapid.Generator[T], n int, label string) []T {
	if rapid.Bool().Draw(t, "nil "+label) {
		return nil
	}
	return rapid.SliceOfN(g, 0, n).Draw(t, label)
}

func candidate() *rapid.Generator[policy.Candidate] {
	return rapid.Custom(func(t *rapid.T) policy.Candidate {
		return policy.Candidate{
			ID: name().Draw(t, "id"), Audience: audience().Draw(t, "audience"), AudienceBasis: name().Draw(t, "basis"),
			Tenant: name().Draw(t, "tenant"), Channel: name().Draw(t, "channel"), Agent: name().Draw(t, "agent"),
			Shared: rapid.Bool().Draw(t, "shared"), Confidential: confidentiality(t), Kind: name().Draw(t, "kind"),
			Sources: list(t, source(1), 2, "sources"), State: name().Draw(t, "state"),
			RecordedAt: instant().Draw(t, "recorded"), ExpiresAt: instant().Draw(t, "expires"),
			Digest: name().Draw(t, "digest"), Seal: name().Draw(t, "seal"), Store: name().Draw(t, "store"),
			Attributes: attributes().Draw(t, "attributes"),
			Faults: list(t, rapid.Custom(func(t *rapid.T) policy.Fault {
				return policy.Fault{Code: name().Draw(t, "fault"), Field: name().Draw(t, "field"), Problem: name().Draw(t, "problem")}
			}), 2, "faults"),
		}
	})
}

// entry gives decisions of any content that the vocabulary can hold, with the given id.
func entry(id string) *rapid.Generator[*policy.Entry] {
	return rapid.Custom(func(t *rapid.T) *policy.Entry {
		e := &policy.Entry{
			ID:             id,
			At:             start.Add(time.Duration(rapid.IntRange(-3000, 3000).Draw(t, "at")) * time.Microsecond),
			PolicyRevision: rapid.SampledFrom([]string{"", "sha256:1", "sha256:2"}).Draw(t, "revision"),
			Viewers: policy.Viewers{
				Known: rapid.Bool().Draw(t, "known"), Reasons: list(t, code(), 2, "viewer reasons"),
				Present: set().Draw(t, "present"), Digest: name().Draw(t, "viewers digest"),
			},
			Verdict: policy.Verdict(rapid.SampledFrom([]string{"", "ISOLATED_CONTEXT", "BLEED_DETECTED"}).Draw(t, "verdict")),
		}
		e.Request = policy.Request{
			Turn: policy.Turn{
				ID: name().Draw(t, "turn"), Channel: name().Draw(t, "turn channel"), Attempt: rapid.Int().Draw(t, "attempt"),
				Tenant: name().Draw(t, "turn tenant"), Agent: name().Draw(t, "turn agent"),
				Viewers: set().Draw(t, "viewers"), ViewersBasis: name().Draw(t, "viewers basis"),
				ExternalViewers: set().Draw(t, "external"), RevokedViewers: set().Draw(t, "revoked"),
				Evidence: list(t, rapid.Custom(func(t *rapid.T) policy.Evidence {
					return policy.Evidence{
						Source: name().Draw(t, "evidence source"), Viewers: set().Draw(t, "evidence viewers"),
						Complete: rapid.Bool().Draw(t, "complete"), ObservedAt: instant().Draw(t, "observed"),
					}
				}), 2, "evidence"),
				Attributes: attributes().Draw(t, "turn attributes"),
			},
			Inheritance: policy.Inheritance{
				AuthorizedAgents:  set().Draw(t, "authorized"),
				AllowConfidential: rapid.Bool().Draw(t, "allow confidential"), AllowUnattributed: rapid.Bool().Draw(t, "allow unattributed"),
			},
			RequestedBy: name().Draw(t, "requested by"),
			Candidates:  list(t, candidate(), 4, "candidates"),
		}
		e.Directive = rapid.SampledFrom([]string{"", "HALT", "PROCEED: Agent " + e.Request.Turn.Agent + " goes on.", e.Request.Turn.Agent}).Draw(t, "directive")
		if rapid.Bool().Draw(t, "roster") {
			e.Facts.Roster = &policy.Roster{Members: set().Draw(t, "roster members"), Revoked: set().Draw(t, "roster revoked")}
		}
		if rapid.Bool().Draw(t, "grants") {
			e.Facts.Grants = rapid.MapOfN(rapid.IntRange(0, 9999), set(), 0, 2).Draw(t, "granted")
		}
		if rapid.Bool().Draw(t, "seals") {
			e.Facts.Seals = rapid.MapOfN(rapid.IntRange(0, 9999), rapid.Custom(func(t *rapid.T) policy.SealCheck {
				return policy.SealCheck{Status: policy.SealStatus(rapid.IntRange(0, 2).Draw(t, "status")), Differs: name().Draw(t, "differs")}
			}), 0, 2).Draw(t, "checked")
		}
		if e.Request.Candidates != nil {
			e.Results = []policy.Result{}
		}
		for _, c := range e.Request.Candidates {
			r := policy.Result{
				ID: c.ID, Admit: rapid.Bool().Draw(t, "admit"),
				Reasons: list(t, code(), 3, "reasons"), Obligations: list(t, name(), 2, "obligations"),
			}
			if rapid.IntRange(0, 5).Draw(t, "other id") == 0 {
				r.ID = name().Draw(t, "result id")
			}
			e.Results = append(e.Results, r)
		}
		return e
	})
}
