package scenarios

import (
	"time"

	"earshot/policytest/world"
)

// doubtful is the world of the ambiguous families: a group that heard what it is asked for, so that
// the doubt is about those who listen. Beside that lies something else, which the position decides.
// It returns the group and its room.
func doubtful(d *draft, at int, principle string) (people []string, room string) {
	people = append(d.persons(2), d.some(3)...)
	room = d.room(world.Group, people...)
	square := d.room(world.Public)
	d.secret(people[0], people[0], Unknown, principle)
	steps := []func(){
		func() { d.says(people[0], room, forbidden) },
		func() { d.says(people[1], square, permitted) },
	}
	for range d.rand.IntN(3) {
		steps = append(steps, func() { d.says(pick(d.rand, people), room, forbidden) })
	}
	d.mix(steps...)
	switch at {
	case 0: // Nothing else.
	case 1:
		d.says(people[1], d.room(world.WholeTenant), forbidden)
	default:
		d.spoiled(at, people[1], room)
	}
	return people, room
}

// unknownViewer: the platform does not know, or does not say on its own authority, who listens.
func unknownViewer(d *draft, at int) {
	people, room := doubtful(d, at, "told to a group, asked for by nobody knows whom")
	here := d.here(people[0], room)
	switch at {
	case 0:
		here.ViewersUnknown = true
	case 1:
		here.Viewers = []string{}
	case 2: // Everybody left.
		for _, who := range shuffled(d.rand, people) {
			d.leaves(who, room)
		}
	case 3:
		here.Basis = "model"
	case 4:
		here.Basis = "guessed"
		d.joins(d.guest(), room)
	default: // Somebody is named as an outsider who is not named as a viewer.
		here.Outsiders = []string{d.guest()}
	}
}

// inconsistentEvidence: the accounts of who is in the room do not fit together.
func inconsistentEvidence(d *draft, at int) {
	people, room := doubtful(d, at, "told to a group whose roster is in doubt")
	here := d.here(people[0], room)
	reading := func() *world.Reading {
		here.Readings = append(here.Readings, world.Reading{Source: pick(d.rand, []string{"roster", "presence", "gateway", "calendar"})})
		return &here.Readings[len(here.Readings)-1]
	}
	switch at {
	case 0: // One more than the platform says.
		reading().Sees = append(people[:len(people):len(people)], d.person())
	case 1: // One fewer.
		reading().Sees = people[1:]
	case 2: // Two readings that differ, and the platform names nobody.
		here.ViewersUnknown = true
		reading()
		reading().Sees = []string{people[0], d.guest()}
	case 3:
		reading().CutShort = true
	case 4:
		reading().At = Now().Add(-time.Duration(301+d.rand.IntN(3600)) * time.Second)
	default:
		reading()
		reading().At = Now().Add(time.Duration(31+d.rand.IntN(600)) * time.Second)
	}
}

// unresolvedIdentity: one of those who listen is called by a word that names nobody.
func unresolvedIdentity(d *draft, at int) {
	people, room := doubtful(d, at, "told to people, asked for by an account without one")
	word := [...]string{"user:unknown", "Anonymous", "USER:default_user", "static-user"}[at]
	viewers := append(people[:len(people):len(people)], word)
	if at%2 == 1 {
		viewers = []string{word}
	}
	d.here(word, room).Viewers = shuffled(d.rand, viewers)
}
