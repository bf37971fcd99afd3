package policytest_test

import (
	"fmt"
	"slices"
	"strings"

	"pgregory.net/rapid"

	"earshot/policy"
)

// item returns an item that nothing stands against in the turn of q but its audience.
func item(q question, audience policy.Audience) policy.Candidate {
	return policy.Candidate{
		ID: "m1", Audience: audience, AudienceBasis: policy.BasisRecorded, Tenant: q.Request.Turn.Tenant,
		Agent: q.Request.Turn.Agent, Confidential: policy.NotConfidential, Kind: policy.KindFact, State: policy.StateLive,
	}
}

// source returns a source that nothing stands against but its audience.
func source(audience policy.Audience) policy.Source {
	return policy.Source{Audience: audience, State: policy.StateLive}
}

// candidate draws an item that is mostly for the viewers of q, and up to four faults in it.
func candidate(t *rapid.T, q question) policy.Candidate {
	c := item(q, audience(t, q, "audience"))
	c.ID = pick(t, []string{"m1", "m2", "m3"}, "id")
	if chance(t, 3, "derived") {
		c.Kind = pick(t, []string{"summary", "node", "edge", "fact"}, "derived kind")
		c.Sources = drawSources(t, q, 2)
		if rapid.Bool().Draw(t, "audience left out") {
			c.Audience = policy.Audience{Kind: policy.AudienceInherited}
		}
	}
	if chance(t, 4, "shared") {
		c.Agent, c.Shared = pick(t, agents, "agent that shares"), true
	}
	for range pick(t, []int{0, 0, 0, 0, 1, 1, 2, 3, 4}, "faults") {
		spoil(t, q, &c)
	}
	return c
}

func drawSources(t *rapid.T, q question, depth int) []policy.Source {
	var all []policy.Source
	for range rapid.IntRange(1, 2).Draw(t, "sources") {
		s := source(audience(t, q, "audience of a source"))
		if depth > 1 && chance(t, 3, "nested") {
			s.Sources = drawSources(t, q, depth-1)
			if rapid.Bool().Draw(t, "audience of a source left out") {
				s.Audience = policy.Audience{Kind: policy.AudienceInherited}
			}
		}
		if chance(t, 6, "tenant of a source") {
			s.Tenant = pick(t, append([]string{q.Request.Turn.Tenant}, tenants...), "tenant of a source")
		}
		if chance(t, 3, "agent of a source") {
			s.Agent = pick(t, agents, "agent of a source")
			s.Confidential = confidentiality(t)
		}
		if chance(t, 12, "state of a source") {
			s.State = pick(t, []string{"erased", "superseded", ""}, "state of a source")
		}
		if chance(t, 8, "expiry of a source") {
			s.ExpiresAt = instant(t, q.Now, "expiry of a source")
		}
		all = append(all, s)
	}
	return all
}

// audiences are the kinds that audience draws, as often as they stand here.
var audiences = []string{
	"viewers", "viewers", "viewers", "viewers", "viewers", "viewers", "viewers", "viewers",
	"some", "some", "public", "public", "tenant", "tenant", "nobody",
}

// audience draws one that the viewers of q are mostly in.
func audience(t *rapid.T, q question, label string) policy.Audience {
	switch pick(t, audiences, label) {
	case "public":
		return policy.Everybody()
	case "tenant":
		return policy.WholeTenant()
	case "nobody":
		return policy.Audience{}
	case "some":
		return members(some(t, 0, people, label))
	default:
		return members(slices.Concat(present(q), some(t, 0, people, label)))
	}
}

// members is a list in whatever order and with whatever repetitions it was drawn.
func members(names []string) policy.Audience {
	return policy.Audience{Kind: policy.AudienceList, Members: names}
}

func confidentiality(t *rapid.T) policy.Confidentiality {
	return pick(t, []policy.Confidentiality{
		policy.NotConfidential, policy.ConfidentialityUnstated, policy.Confidential,
	}, "confidential")
}

// spoil draws one thing that may be wrong with a candidate.
func spoil(t *rapid.T, q question, c *policy.Candidate) {
	switch rapid.IntRange(0, 12).Draw(t, "fault") {
	case 0:
		c.Agent = pick(t, append([]string{""}, agents...), "agent")
	case 1:
		c.Agent = pick(t, append([]string{""}, agents...), "agent")
		c.Shared = rapid.Bool().Draw(t, "shared")
	case 2:
		c.Kind = "directive"
	case 3:
		c.Confidential = confidentiality(t)
	case 4:
		c.Tenant = pick(t, tenants, "tenant")
	case 5:
		c.Kind = pick(t, policy.Kinds(), "kind")
	case 6:
		c.State = pick(t, []string{"erased", "quarantined", "imported", "Live", ""}, "state")
	case 7:
		c.ExpiresAt = instant(t, q.Now, "expires at")
	case 8:
		c.AudienceBasis = pick(t, []string{"guessed", "Recorded", ""}, "basis")
	case 9:
		c.Seal = "eyJ9"
	case 10:
		c.Audience.Kind = policy.AudienceInherited
	case 11:
		c.Faults = append(c.Faults, policy.Fault{
			Code: pick(t, []string{policy.CodeUnknownField, policy.CodeMalformed}, "code"), Field: "x", Problem: "is odd",
		})
	case 12:
		misshape(t, c)
	}
}

// misshape draws a label that no decoder need have noticed.
func misshape(t *rapid.T, c *policy.Candidate) {
	name := pick(t, []string{"public", "tenant", "*", "user ann", "user:ann\u200b", "user:re\u0301mi"}, "odd name")
	switch rapid.IntRange(0, 6).Draw(t, "odd label") {
	case 0:
		c.Audience = members([]string{"user:ann", name})
	case 1:
		c.Agent = name
	case 2:
		c.Sources = append(c.Sources, source(members([]string{name})))
	case 3:
		c.Kind = pick(t, []string{"", "Fact", "opinion"}, "odd kind")
	case 4:
		c.Digest = pick(t, []string{"sha256:", "SHA256:" + strings.Repeat("ab", 32), strings.Repeat("ab", 32)}, "odd digest")
	case 5:
		c.Attributes = []byte(pick(t, []string{"[]", "null", `"x"`}, "odd attributes"))
	case 6:
		c.ID = pick(t, []string{"", "m 1", "m1\n", fmt.Sprintf("m%c1", 0x202e)}, "odd id")
	}
}
