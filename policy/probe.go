package policy

import (
	"math/rand/v2"
	"time"

	"earshot/policy/residual"
)

// prober makes up turns and candidates that aim at what a policy reads: at the constants it mentions and
// at their neighbours, at every kind of audience, at labels that are there, missing and wrong. What it
// makes depends on its seed alone.
type prober struct {
	rand     *rand.Rand
	mentions residual.Mentions
	now      time.Time

	// rarity is once in how many something is out of order. It changes: where nearly all is in order, a
	// permit shows; where little is, the rules show that forbid together.
	rarity int
}

func newProber(seed uint64, mentions residual.Mentions) *prober {
	return &prober{
		rand:     rand.New(rand.NewPCG(seed, seed)),
		mentions: mentions,
		now:      time.Date(2026, 11, 30, 20, 0, 1, 0, time.UTC),
	}
}

// entry returns an entry in normal form, with n candidates and nothing decided.
func (p *prober) entry(n int) (*Entry, error) {
	req := Request{Turn: p.turn(), Inheritance: Inheritance{
		AuthorizedAgents:  p.some("input.inheritance.authorized_agents", probeAgents),
		AllowConfidential: p.chance(2), AllowUnattributed: p.chance(2),
	}}
	for range n {
		req.Candidates = append(req.Candidates, p.candidate())
	}
	entry := &Entry{ID: "probe", At: p.now}
	var err error
	if entry.Request, err = normalize(req); err != nil {
		return nil, err
	}
	if p.chance(4) {
		entry.Facts.Roster = &Roster{
			Members: sortedSet(p.some("input.turn.roster.members", probePeople)),
			Revoked: sortedSet(p.some("input.turn.roster.revoked", probePeople)),
		}
		if p.chance(2) {
			entry.Facts.Roster.Members = entry.Request.Turn.Viewers
		}
	}
	entry.Facts.Grants = map[int][]string{}
	for i := range n {
		if p.chance(8) {
			entry.Facts.Grants[i] = entry.Request.Turn.Viewers
		}
	}
	for i := range n {
		if entry.Request.Candidates[i].Seal != "" && !p.chance(4) {
			if entry.Facts.Seals == nil {
				entry.Facts.Seals = map[int]SealCheck{}
			}
			entry.Facts.Seals[i] = SealCheck{Status: SealStatus(p.rand.IntN(3))}
		}
	}
	return entry, nil
}

var (
	probePeople = []string{"user:ann", "user:ben", "user:cat", "user:dan"}
	probeAgents = []string{"agent:scribe", "agent:researcher", "agent:legal"}
	probeWords  = []string{"", "a", "b"}
)

// turn returns a turn in which everything is in order, but for a few things.
func (p *prober) turn() Turn {
	p.settle()
	const at = "input.turn."
	t := Turn{
		Attempt: 1 + p.rand.IntN(2), Agent: probeAgents[0], Viewers: p.some(at+"viewers", probePeople), ViewersBasis: BasisPlatform,
	}
	p.sometimes(func() { t.ID = p.one(at+"id", probeWords...) })
	p.sometimes(func() { t.Channel = p.one(at+"channel", probeWords...) })
	p.sometimes(func() { t.Tenant = p.one(at+"tenant", probeWords...) })
	p.sometimes(func() { t.ViewersBasis = p.one(at+"viewers_basis", "guessed", "") })
	p.sometimes(func() { t.ExternalViewers = p.some(at+"external_viewers", probePeople) })
	if p.chance(5) {
		t.ExternalViewers = p.some(at+"external_viewers", t.Viewers)
	}
	p.sometimes(func() { t.RevokedViewers = p.some(at+"revoked_viewers", probePeople) })
	p.sometimes(func() { t.Attributes = p.attributes(at + "attributes") })
	p.sometimes(func() {
		if agent := p.one(at+"agent", probeAgents...); CheckPrincipal(agent) == nil {
			t.Agent = agent
		}
	})
	if p.chance(8) {
		t.Viewers = nil
	}
	for range max(0, p.rand.IntN(6)-3) {
		reading := Evidence{Viewers: t.Viewers, Complete: true}
		p.sometimes(func() { reading.Source = p.one(at+"evidence.source", probeWords...) })
		p.sometimes(func() { reading.Complete = false })
		if p.chance(4) {
			reading.Viewers = p.some(at+"evidence.viewers", probePeople)
		}
		p.sometimes(func() { reading.ObservedAt = p.instant(at + "evidence.observed_at_ns") })
		t.Evidence = append(t.Evidence, reading)
	}
	return t
}

// candidate returns a candidate whose labels are all in order, but for a few.
func (p *prober) candidate() Candidate {
	p.settle()
	const at = "input.candidate."
	c := Candidate{
		ID: "m1", Audience: Principals(probePeople...), AudienceBasis: BasisRecorded, Agent: probeAgents[0],
		Confidential: NotConfidential, Shared: true, Kind: KindFact, State: StateLive,
	}
	p.sometimes(func() { c.ID = p.one(at+"id", "m1", "m2") })
	if p.chance(2) {
		c.Audience = p.audience(at + "audience.")
	}
	p.sometimes(func() { c.AudienceBasis = p.one(at+"audience_basis", "inferred", "") })
	p.sometimes(func() { c.Tenant = p.one(at+"tenant", probeWords...) })
	p.sometimes(func() { c.Channel = p.one(at+"channel", probeWords...) })
	if p.chance(3) {
		c.Agent = p.one(at+"agent", append(probeWords[:1:1], probeAgents...)...)
	}
	p.sometimes(func() { c.Shared = false })
	p.sometimes(func() { c.Confidential = Confidentiality(p.rand.IntN(3)) })
	if p.chance(3) {
		c.Kind = p.one(at+"kind", Kinds()...)
	}
	p.sometimes(func() { c.State = p.one(at+"state", "erased", "") })
	p.sometimes(func() { c.Store = p.one(at+"store", probeWords...) })
	p.sometimes(func() { c.Digest = p.one(at+"digest", probeWords...) })
	p.sometimes(func() { c.ExpiresAt = p.instant(at + "expires_at_ns") })
	p.sometimes(func() { c.RecordedAt = p.instant(at + "recorded_at_ns") })
	p.sometimes(func() { c.Attributes = p.attributes(at + "attributes") })
	p.sometimes(func() { c.Seal = "seal" })
	p.sometimes(func() {
		c.Faults = append(c.Faults, Fault{Code: p.one(at+"faults", CodeMalformed, CodeUnknownField), Field: "f", Problem: "is wrong"})
	})
	sources := p.rand.IntN(6) - 3
	if c.Audience.Kind != AudienceList { // Then the sources say more.
		sources = p.rand.IntN(3)
	}
	for range max(0, sources) {
		c.Sources = append(c.Sources, p.source(at+"sources."))
	}
	if p.chance(6) { // Nothing about them stands in the way.
		for i := range c.Sources {
			c.Sources[i].Audience = Everybody()
		}
	}
	return c
}

func (p *prober) source(at string) Source {
	s := Source{ID: "s1", Audience: p.audience(at + "audience."), Agent: probeAgents[0], Confidential: NotConfidential, State: StateLive}
	p.sometimes(func() { s.ID = p.one(at+"id", probeWords...) })
	p.sometimes(func() { s.Tenant = p.one(at+"tenant", probeWords...) })
	if p.chance(3) {
		s.Agent = p.one(at+"agent", append(probeWords[:1:1], probeAgents...)...)
	}
	if p.chance(4) {
		s.Confidential = Confidentiality(p.rand.IntN(3))
	}
	p.sometimes(func() { s.State = p.one(at+"state", "erased", "") })
	p.sometimes(func() { s.ExpiresAt = p.instant(at + "expires_at_ns") })
	return s
}

func (p *prober) audience(at string) Audience {
	switch p.rand.IntN(9) {
	case 0:
		return Audience{}
	case 1, 8:
		return WholeTenant()
	case 2:
		return Everybody()
	case 3:
		return Audience{Kind: AudienceInherited}
	case 4:
		return Principals(p.some(at+"members", probePeople)...)
	default: // One that covers whoever is there.
		return Principals(append(p.some(at+"members", probePeople), probePeople...)...)
	}
}
