package scenarios

import "earshot/policytest/world"

// imports records what the agent brought along from an older store, which a user had filled. Nobody
// knows any more who gave it and who heard it, so it is for nobody.
func (d *draft) imports(user string) string {
	id := d.fact(Fact{User: user, Agent: d.story.Agents[0]}, forbidden)
	d.happen(world.Event{Who: d.story.Agents[0], Imports: id})
	return id
}

// spoiled records what all in a room hear and what must not be told to them all the same, since its
// labels do not say enough. The position decides what is wrong with it.
func (d *draft) spoiled(at int, who, room string) {
	switch at % 4 {
	case 0:
		d.saysWith(who, room, forbidden, world.Labels{Lie: world.LosesAudience})
	case 1:
		d.saysWith(who, room, forbidden, world.Labels{Lie: world.HidesAgent})
	case 2:
		d.imports(who)
	default:
		d.saysWith(who, room, forbidden, world.Labels{Lie: world.AssumesPublic})
	}
}
