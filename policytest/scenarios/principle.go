package scenarios

import (
	"slices"

	"earshot/policytest/world"
)

// Principle is a transmission principle: the terms under which a fact was given, which its flow to the
// recipient would break.
type Principle string

// The transmission principles of the suite. Each has a test of its own in principles.
const (
	ToldAlone     Principle = "told to the agent alone"
	ToldPair      Principle = "told between two people of whom the recipient is none"
	ToldGroup     Principle = "told to a group in which the recipient never was"
	ToldBefore    Principle = "told to a group before the recipient joined it"
	ToldAfter     Principle = "told to a group after the recipient left it"
	ToldMeanwhile Principle = "told to a group while the recipient was away from it"
	ToldTenant    Principle = "told to the whole tenant, of which the recipient is a guest"
	ToldElsewhere Principle = "told in another tenant"
	ToldInDoubt   Principle = "told to a group, while it is not certain who listens"
	Withdrawn     Principle = "withdrawn from the recipient, who heard it"
	OtherAgent    Principle = "told to another agent, which does not share it"
	NotOpened     Principle = "shared by another agent, and not marked as open"
	NotAuthorized Principle = "kept by an agent that nobody authorised"
	Planted       Principle = "given by another agent as an instruction"
	Derived       Principle = "derived from what the recipient did not hear"
)

// flowing is a fact on its way to a recipient: what a principle is about.
type flowing struct {
	*Scenario
	fact  *Fact
	event *world.Event // in which it was said or derived
	at    int          // of the event, in the story
}

// principles returns for each transmission principle whether a flow breaks it.
func principles() map[Principle]func(flowing) bool {
	foreign := func(f flowing) bool {
		return f.Flow.Recipient == f.Request.Turn.Agent && f.fact.Agent != f.Flow.Recipient
	}
	open := func(f flowing) bool { return f.event.Confidential != nil && !*f.event.Confidential }
	return map[Principle]func(flowing) bool{
		ToldAlone: func(f flowing) bool { return f.in(world.Direct) && f.hearers() == 1 && !f.heard() },
		ToldPair:  func(f flowing) bool { return f.in(world.Direct) && f.hearers() == 2 && !f.heard() },
		ToldGroup: func(f flowing) bool { return f.in(world.Group) && f.listens() && !f.wasIn(0, f.last()) },
		ToldBefore: func(f flowing) bool {
			return f.in(world.Group) && !f.wasIn(0, f.at) && f.wasIn(f.at, f.last())
		},
		ToldAfter: func(f flowing) bool {
			return f.in(world.Group) && f.wasIn(0, f.at) && !f.wasIn(f.at, f.last())
		},
		ToldMeanwhile: func(f flowing) bool {
			return f.in(world.Group) && !f.heard() && f.wasIn(0, f.at) && f.wasIn(f.at, f.last())
		},
		ToldTenant: func(f flowing) bool {
			return f.in(world.WholeTenant) && slices.Contains(f.Story.Guests, f.Flow.Recipient)
		},
		ToldElsewhere: func(f flowing) bool {
			tenant := f.Story.Channels[f.event.In].Tenant
			return tenant != "" && tenant != f.Story.Tenant
		},
		ToldInDoubt: func(f flowing) bool { return f.in(world.Group) && f.Ambiguous && f.Flow.Recipient == Unknown },
		Withdrawn: func(f flowing) bool {
			return f.heard() && slices.Contains(f.Request.Turn.RevokedViewers, f.Flow.Recipient)
		},
		OtherAgent: func(f flowing) bool { return foreign(f) && f.event.Says != "" && !f.event.Shared },
		NotOpened:  func(f flowing) bool { return foreign(f) && f.event.Shared && !open(f) },
		NotAuthorized: func(f flowing) bool {
			return foreign(f) && f.event.Shared && open(f) && !slices.Contains(f.Story.HereNow.Authorizes, f.fact.Agent)
		},
		Planted: func(f flowing) bool { return foreign(f) && f.event.Who == f.fact.Agent && f.event.Kind == "directive" },
		Derived: func(f flowing) bool { return f.event.Derives != "" && !f.heard() },
	}
}

// in reports whether the fact was said in a channel of a kind.
func (f flowing) in(kind string) bool {
	return f.event.Says != "" && f.Story.Channels[f.event.In].Kind == kind
}

// hearers is how many people heard the fact.
func (f flowing) hearers() int { return len(f.World.Hearers(f.fact.ID)) }

// listens reports whether the recipient is one of those who listen.
func (f flowing) listens() bool { return slices.Contains(f.Request.Turn.Viewers, f.Flow.Recipient) }

// heard reports whether the recipient did.
func (f flowing) heard() bool { return f.World.Heard(f.Flow.Recipient, f.fact.ID) }

// last is after every event.
func (f flowing) last() int { return len(f.Story.Happened) }

// wasIn reports whether the recipient was in the channel of the fact at any time from one event of the
// story up to another, which is not counted.
func (f flowing) wasIn(from, to int) bool {
	who, channel := f.Flow.Recipient, f.event.In
	in := slices.Contains(f.Story.Channels[channel].Members, who)
	was := in && from == 0
	for i, e := range f.Story.Happened[:to] {
		switch {
		case e.Who != who:
		case e.Joins == channel:
			in = true
		case e.Leaves == channel, e.LosesAccess == channel:
			in = false
		}
		was = was || in && i >= from
	}
	return was
}
