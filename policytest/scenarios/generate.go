package scenarios

import (
	"fmt"
	"math/rand/v2"

	"earshot/policytest/world"
	"earshot/server/wire"
)

// stream is the second half of the generator's seed; it has no meaning.
const stream = 13

// Generate draws the scenarios of a seed, in the order of the report. It fails where a world is
// impossible, where the family and the ledger of the world differ about a fact, where the labels of
// contextual integrity do not fit the world, or where a scenario is no trap: nothing forbidden and
// living that answers the query at least as well as all that is permitted, or nothing permitted that
// answers it.
func Generate(seed uint64) ([]*Scenario, error) {
	r := rand.New(rand.NewPCG(seed, stream))
	var out []*Scenario
	for _, f := range families() {
		for at := range f.count {
			d := newDraft(r)
			f.fill(d, at)
			s, err := d.finish()
			name := f.scenario(at)
			if err != nil {
				return nil, fmt.Errorf("draw the scenario %s: %w", name, err)
			}
			s.Name, s.Family, s.Ambiguous, s.Opaque = name, f.name, f.ambiguous, f.opaque
			if err := s.check(); err != nil {
				return nil, fmt.Errorf("draw the scenario %s: %w", name, err)
			}
			out = append(out, s)
		}
	}
	return out, nil
}

// recallAll returns the ids of the facts so far that keep, in the order of their events.
func (d *draft) recallAll(keep func(Fact) bool) []string {
	ids := []string{}
	for _, e := range d.story.Happened {
		for _, id := range []string{e.Says, e.Derives, e.Into, e.Imports} {
			if f, ok := d.facts[id]; ok && keep(f) {
				ids = append(ids, id)
			}
		}
	}
	return ids
}

// finish tells the story and makes the request of its turn.
func (d *draft) finish() (*Scenario, error) {
	w, err := world.Tell(d.story, Now())
	if err != nil {
		return nil, err
	}
	body, err := w.Body()
	if err != nil {
		return nil, err
	}
	request, err := wire.DecodeDecision(body, wire.DefaultLimits())
	if err != nil {
		return nil, err
	}
	s := &Scenario{
		Flow: d.flow, Query: d.topic.query, Asker: d.asker, Channel: d.story.HereNow.Channel,
		Story: d.story, World: w, Request: request,
	}
	gone := d.gone()
	for _, id := range w.Recalled() {
		f := d.facts[id]
		f.Gone = gone[id]
		f.Relevance = relevance(d.topic.query, f.Text) // A look-up changed the query.
		s.Facts = append(s.Facts, f)
	}
	return s, nil
}

// gone returns the facts that were erased or edited, or have expired.
func (d *draft) gone() map[string]bool {
	gone := map[string]bool{}
	for _, e := range d.story.Happened {
		gone[e.Erases], gone[e.Edits] = true, true
		if !e.Until.IsZero() && !e.Until.After(Now()) {
			gone[e.Says], gone[e.Derives], gone[e.Into], gone[e.Imports] = true, true, true, true
		}
	}
	return gone
}
