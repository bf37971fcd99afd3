package scenarios

import (
	"math/rand/v2"
	"time"

	"earshot/policytest/world"
)

// draft is a scenario that is being drawn. A family's function fills it: it makes people and
// channels, lets things happen, and says of each fact whether it is forbidden.
type draft struct {
	rand  *rand.Rand
	story world.Story
	topic topic
	flow  Flow
	asker string
	facts map[string]Fact

	at     time.Time
	names  []string // not yet used
	places []string // not yet used
	items  int
}

// verdict is what a family says of a fact.
type verdict int

const (
	permitted verdict = iota
	forbidden
	beside // permitted, and no answer to the query
)

func newDraft(r *rand.Rand) *draft {
	d := &draft{
		rand:   r,
		facts:  map[string]Fact{},
		names:  shuffled(r, names()),
		places: shuffled(r, places()),
		at:     Now().Add(-time.Duration(1+r.IntN(90*24)) * time.Hour),
	}
	d.topic = pick(r, topics())
	d.story = world.Story{
		Tenant:   pick(r, []string{"harbour", "mill", "observatory", "orchard", ""}),
		Agents:   []string{"agent:" + pick(r, []string{"minutes", "scribe", "desk", "helper"})},
		Channels: map[string]world.Channel{},
	}
	return d
}

// person brings somebody into the world who is at home in the tenant.
func (d *draft) person() string {
	name := "user:" + d.name()
	d.story.People = append(d.story.People, name)
	return name
}

// persons brings in n people.
func (d *draft) persons(n int) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = d.person()
	}
	return out
}

// some brings in at least one person and at most most.
func (d *draft) some(most int) []string { return d.persons(1 + d.rand.IntN(most)) }

// guest brings in somebody from outside the tenant.
func (d *draft) guest() string {
	name := "guest:" + d.name()
	d.story.Guests = append(d.story.Guests, name)
	return name
}

func (d *draft) name() string {
	name := d.names[0]
	d.names = d.names[1:]
	return name
}

// agent brings in another agent.
func (d *draft) agent() string {
	name := "agent:" + d.name()
	d.story.Agents = append(d.story.Agents, name)
	return name
}

// room opens a channel with members.
func (d *draft) room(kind string, members ...string) string {
	name := pick(d.rand, []string{"chat:", "slack:", "mail:"}) + d.places[0]
	d.places = d.places[1:]
	d.story.Channels[name] = world.Channel{Kind: kind, Members: shuffled(d.rand, members)}
	return name
}

// happen adds an event at a moment after the last one and before the turn.
func (d *draft) happen(e world.Event) {
	left := Now().Sub(d.at)
	d.at = d.at.Add(left / time.Duration(6+d.rand.IntN(20))).Truncate(time.Second)
	e.At = d.at
	d.story.Happened = append(d.story.Happened, e)
}

func (d *draft) joins(who, room string)  { d.happen(world.Event{Who: who, Joins: room}) }
func (d *draft) leaves(who, room string) { d.happen(world.Event{Who: who, Leaves: room}) }

// mix runs its steps in random order.
func (d *draft) mix(steps ...func()) {
	for _, step := range shuffled(d.rand, steps) {
		step()
	}
}

// here lets somebody ask in a channel.
func (d *draft) here(asker, room string) *world.Here {
	d.asker = asker
	d.story.HereNow.Channel = room
	return &d.story.HereNow
}

// secret says which flow must not happen: of a forbidden fact about subject that sender gave, to
// recipient, against the principle under which it was given.
func (d *draft) secret(subject, sender, recipient, principle string) {
	d.flow = Flow{Subject: subject, Sender: sender, Recipient: recipient, Type: d.topic.kind, Principle: principle}
}

func pick[T any](r *rand.Rand, from []T) T { return from[r.IntN(len(from))] }

// shuffled returns a copy in random order.
func shuffled[T any](r *rand.Rand, from []T) []T {
	out := append([]T(nil), from...)
	r.Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
	return out
}
