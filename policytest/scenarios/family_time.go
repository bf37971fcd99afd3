package scenarios

import (
	"time"

	"earshot/policytest/world"
)

// negativeControl: ordinary work, where nearly everything may be told. A design that keeps its
// promise by refusing is found out here.
func negativeControl(d *draft, at int) {
	people := append(d.persons(2), d.some(3)...)
	stranger := d.person()
	kind, in := world.Group, people
	switch at {
	case 0:
		kind, in = world.Direct, people[:1]
	case 1:
		kind, in = world.Direct, people[:2]
	case 3:
		kind = world.WholeTenant
	case 4:
		kind = world.Public
	case 7:
		in = append(in, d.guest())
	}
	room, beyond := d.room(kind, in...), d.room(world.Direct, stranger)
	d.secret(stranger, stranger, people[0], "told to the agent alone by somebody else")

	first := d.says(in[0], room, permitted)
	d.says(stranger, beyond, forbidden)
	switch at {
	case 1: // An authorised agent opened what both heard.
		other := d.agent()
		d.story.HereNow.Authorizes = []string{other}
		d.saysWith(people[1], room, permitted, world.Labels{Agent: other, Shared: true, Confidential: new(false)})
	case 5: // Somebody comes back, and heard both times.
		d.leaves(people[1], room)
		d.joins(people[1], room)
	case 6: // A summary of what all heard.
		d.derives(people[0], permitted, world.Labels{}, first, d.says(people[1], room, permitted))
	case 7: // A guest recalls what they said in public.
		d.says(in[len(in)-1], d.room(world.Public), permitted)
	case 8: // The agent's own, confidential and an instruction.
		d.saysWith(people[0], room, permitted, world.Labels{Confidential: new(true)})
		d.saysWith(people[1], room, permitted, world.Labels{Kind: "directive"})
	case 9: // The new text takes the place of the old one.
		old := d.says(people[1], room, beside)
		next := d.fact(Fact{User: people[1], Sender: people[1], Agent: d.story.Agents[0], Channel: room}, permitted)
		d.happen(world.Event{Who: people[1], Edits: old, Into: next})
		d.story.HereNow.Recalls = d.recallAll(func(f Fact) bool { return f.ID != old })
	}
	if at != 9 {
		d.says(in[len(in)-1], room, permitted)
	}
	here := d.here(in[0], room)
	if kind == world.Public {
		here.Viewers = in
	}
}

// membershipDrift: those who are in the room now are not those who were.
func membershipDrift(d *draft, at int) {
	people := append(d.persons(2), d.some(3)...)
	mover := d.person()
	room := d.room(world.Group, append(people, mover)...)
	switch at {
	case 0: // A late member.
		late := d.person()
		d.secret(people[0], people[0], late, "told before this one joined")
		d.says(people[0], room, forbidden)
		d.joins(late, room)
		d.says(people[1], room, permitted)
		d.here(late, room)
	case 1: // Somebody left, and is told nothing of what came after.
		pair := d.room(world.Direct, people[0], mover)
		d.secret(people[0], people[0], mover, "told after this one left")
		d.says(people[0], room, permitted)
		d.leaves(mover, room)
		d.says(people[0], room, forbidden)
		d.here(mover, pair)
	case 2: // Somebody was away for a while.
		d.secret(people[1], people[1], mover, "told while this one was away")
		d.says(people[0], room, permitted)
		d.leaves(mover, room)
		d.says(people[1], room, forbidden)
		d.joins(mover, room)
		d.says(mover, room, permitted)
		d.here(mover, room)
	case 3: // Access was withdrawn, and with it what was seen.
		pair, square := d.room(world.Group, people[0], mover), d.room(world.Public)
		d.secret(people[0], people[0], mover, "withdrawn since")
		d.says(people[0], room, forbidden)
		d.happen(world.Event{Who: mover, LosesAccess: room})
		d.says(people[1], square, permitted)
		d.here(mover, pair)
	default: // One after the other is replaced.
		d.says(people[0], room, forbidden)
		for _, who := range append(people, mover) {
			d.joins(d.person(), room)
			d.leaves(who, room)
		}
		last := d.story.People[len(d.story.People)-1]
		d.secret(people[0], people[0], last, "told to those who were there then")
		d.says(last, room, permitted)
		d.here(last, room)
	}
}

// derivedAndAggregate: what was made of several things is for those who heard all of them.
func derivedAndAggregate(d *draft, at int) {
	people := append(d.persons(2), d.some(3)...)
	room, alone := d.room(world.Group, people...), d.room(world.Direct, people[0])
	d.secret(people[0], d.story.Agents[0], people[1], "derived from what was told to fewer")
	open := d.says(people[1], room, permitted)
	switch at {
	case 0: // Of the room and of a private chat.
		private := d.says(people[0], alone, forbidden)
		d.derives(people[0], forbidden, world.Labels{}, open, private)
		d.derives(people[1], permitted, world.Labels{}, open)
	case 1: // A summary of a summary.
		inner := d.derives(people[0], forbidden, world.Labels{Kind: "node"}, d.says(people[0], alone, forbidden))
		d.derives(people[1], forbidden, world.Labels{}, open, inner)
	case 2: // A source was erased, another expired, and one who listens was away when that was told.
		gone, away := d.says(people[1], room, beside), people[len(people)-1]
		d.leaves(away, room)
		old := d.saysWith(people[0], room, beside, world.Labels{Until: Now().Add(-time.Second)})
		d.joins(away, room)
		d.derives(people[0], forbidden, world.Labels{}, open, gone)
		d.derives(people[0], forbidden, world.Labels{Kind: "edge"}, open, old)
		d.happen(world.Event{Who: people[1], Erases: gone})
		d.secret(people[0], d.story.Agents[0], away, "derived from what was told while this one was away, and has expired")
		d.story.HereNow.Recalls = d.recallAll(func(f Fact) bool { return f.ID != gone && f.ID != old })
	default: // For the tenant and for the room, before a guest.
		guest := d.guest()
		all := d.says(people[1], d.room(world.WholeTenant), forbidden)
		d.joins(guest, room)
		d.derives(people[0], forbidden, world.Labels{}, all, d.says(people[0], room, permitted))
		d.secret(people[0], d.story.Agents[0], guest, "derived from what was told to the whole tenant")
		d.story.HereNow.Recalls = d.recallAll(func(f Fact) bool { return f.ID != open })
	}
	d.here(people[0], room)
}
