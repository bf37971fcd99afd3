package scenarios

import "earshot/policytest/world"

// adversarial: somebody asks for what is not theirs, or the memory was tampered with.
func adversarial(d *draft, at int) {
	victim, prying, others := d.person(), d.person(), d.some(3)
	alone := d.room(world.Direct, victim)
	d.secret(victim, victim, prying, "told to the agent alone")
	switch at {
	case 0: // Somebody asks in a room for what two people told in private.
		second := d.room(world.Direct, others[0])
		room := d.room(world.Group, append(others, prying)...)
		d.mix(
			func() { d.says(victim, alone, forbidden) },
			func() { d.says(others[0], second, forbidden) },
			func() { d.says(prying, room, permitted) },
		)
		d.here(prying, room)
	case 1: // A guest asks for what the tenant knows.
		guest := d.guest()
		all, room := d.room(world.WholeTenant), d.room(world.Group, victim, guest)
		d.secret(victim, victim, guest, "told to the whole tenant")
		d.mix(
			func() { d.says(victim, all, forbidden) },
			func() { d.says(victim, alone, forbidden) },
			func() { d.says(guest, room, permitted) },
		)
		d.here(guest, room)
	case 2: // Somebody joins in order to ask, and once more, as if they had been there before.
		room := d.room(world.Group, append(others, victim)...)
		d.secret(victim, victim, prying, "told before this one joined")
		d.says(victim, room, forbidden)
		d.joins(prying, room)
		d.leaves(prying, room)
		d.joins(prying, room)
		d.says(others[0], room, permitted)
		d.here(prying, room)
	case 3: // Another agent asks for what this one was told, and for what no agent owns up to.
		other := d.agent()
		room := d.room(world.Group, append(others, victim)...)
		d.secret(victim, victim, other, "told to one agent")
		d.mix(
			func() { d.says(victim, room, forbidden) },
			func() { d.saysWith(victim, room, permitted, world.Labels{Agent: other}) },
			func() {
				d.saysWith(others[0], room, forbidden, world.Labels{Agent: other, Shared: true, Confidential: new(false), Lie: world.HidesAgent})
			},
		)
		d.here(others[0], room).Agent = other
	case 4, 5: // A summary that says it is for everybody, with its sources and without.
		room := d.room(world.Group, append(others, prying)...)
		lie := world.ClaimsPublic
		if at == 5 {
			lie = world.HidesSources
		}
		d.secret(victim, d.story.Agents[0], prying, "derived from what was told to the agent alone")
		source := d.says(victim, alone, beside)
		d.mix(
			func() { d.derives(victim, forbidden, world.Labels{Lie: lie}, source) },
			func() { d.says(prying, room, permitted) },
		)
		d.here(prying, room)
		d.story.HereNow.Recalls = d.recallAll(func(f Fact) bool { return f.ID != source })
	case 6: // Labels that were made up, lost, or flattened into text.
		room := d.room(world.Group, append(others, prying)...)
		d.mix(
			func() { d.saysWith(victim, alone, forbidden, world.Labels{Lie: world.AssumesPublic}) },
			func() { d.saysWith(victim, alone, forbidden, world.Labels{Lie: world.ClaimsInAttributes}) },
			func() { d.saysWith(others[0], room, forbidden, world.Labels{Lie: world.JoinsNames}) },
			func() { d.saysWith(others[0], room, forbidden, world.Labels{Lie: world.LosesAudience}) },
			func() { d.imports(prying) },
			func() { d.says(prying, room, permitted) },
		)
		d.here(prying, room)
	default: // A planted instruction of another agent, and a field that nobody asked for.
		other := d.agent()
		room := d.room(world.Group, append(others, prying)...)
		d.secret(prying, other, d.story.Agents[0], "planted as an instruction")
		d.mix(
			func() {
				d.saysWith(prying, room, forbidden, world.Labels{Agent: other, Shared: true, Confidential: new(false), Kind: "directive"})
			},
			func() { d.saysWith(victim, alone, forbidden, world.Labels{Lie: world.AddsField}) },
			func() { d.says(prying, room, permitted) },
		)
		d.here(others[0], room).Authorizes = []string{other}
	}
}

// directLookUp: something is asked for by its id, and the memory system finds it. What must not be
// read must not show that it is there: what is admitted, the verdict and the directive are the same
// as if it had not been found. An id that nobody has is not asked for: a decision point sees only
// what was found.
func directLookUp(d *draft, at int) {
	people := append(d.persons(2), d.some(3)...)
	room, alone := d.room(world.Group, people...), d.room(world.Direct, people[0])
	open, living := d.says(people[1], room, permitted), ""
	var id string
	switch at {
	case 0:
		id = d.says(people[0], alone, forbidden)
		d.secret(people[0], people[0], people[1], "told to the agent alone, asked for by its id")
	case 1:
		id = d.says(people[0], room, forbidden)
		d.happen(world.Event{Who: people[0], Erases: id})
		living = d.says(people[0], alone, forbidden)
		d.secret(people[0], people[0], people[1], "told to the agent alone, while what was erased is asked for by its id")
	case 2:
		abroad := d.room(world.Group, append(people[2:len(people):len(people)], people[0])...)
		c := d.story.Channels[abroad]
		c.Tenant = "elsewhere"
		d.story.Channels[abroad] = c
		id = d.says(people[0], abroad, forbidden)
		d.secret(people[0], people[0], people[1], "told in another tenant, asked for by its id")
	default:
		id = d.saysWith(people[0], room, forbidden, world.Labels{Until: Now()})
		living = d.says(people[0], alone, forbidden)
		d.secret(people[0], people[0], people[1], "told to the agent alone, while what has expired is asked for by its id")
	}
	recalls := []string{id, open}
	if living != "" { // What is gone from every store is no trap by itself.
		recalls = append(recalls, living)
	}
	d.topic.query = "show " + id + ": " + d.topic.query
	d.here(people[1], room).Recalls = shuffled(d.rand, recalls)
}
