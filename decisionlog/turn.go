package decisionlog

import (
	"time"

	"earshot/policy"
)

// turn is a turn in handles.
type turn struct {
	id, channel, tenant, agent, basis uint64
	attempt                           int64
	viewers, external, revoked        uint64
	evidence                          []reading
	attributes                        uint64
}

// reading is one reading of who is in the room. What it says is a document; when it was made is
// not, since that is new each time.
type reading struct {
	content  uint64
	observed instant
}

func writeTurn(f *form, t *policy.Turn, at time.Time) {
	f.name(t.ID)
	f.name(t.Channel)
	f.name(t.Tenant)
	f.name(t.Agent)
	f.name(t.ViewersBasis)
	f.integer(int64(t.Attempt))
	f.set(t.Viewers)
	f.set(t.ExternalViewers)
	f.set(t.RevokedViewers)
	writeList(f, t.Evidence, func(e policy.Evidence) {
		f.document(readingDocument, func(f *form) {
			f.name(e.Source)
			f.set(e.Viewers)
			f.flag(e.Complete)
		})
		f.moment(e.ObservedAt, at)
	})
	f.raw(t.Attributes)
}

func readTurn(r *reader) turn {
	return turn{
		id:       r.handle(),
		channel:  r.handle(),
		tenant:   r.handle(),
		agent:    r.handle(),
		basis:    r.handle(),
		attempt:  r.integer(),
		viewers:  r.handle(),
		external: r.handle(),
		revoked:  r.handle(),
		evidence: readList(r, func() reading {
			return reading{content: r.handle(), observed: r.moment()}
		}),
		attributes: r.handle(),
	}
}

func (v *values) turn(t *turn, at time.Time) policy.Turn {
	turn := policy.Turn{
		ID:              v.name(t.id),
		Channel:         v.name(t.channel),
		Tenant:          v.name(t.tenant),
		Agent:           v.name(t.agent),
		ViewersBasis:    v.name(t.basis),
		Attempt:         int(t.attempt),
		Viewers:         v.set(t.viewers),
		ExternalViewers: v.set(t.external),
		RevokedViewers:  v.set(t.revoked),
		Attributes:      v.raw(t.attributes),
	}
	if t.evidence != nil {
		turn.Evidence = make([]policy.Evidence, len(t.evidence))
	}
	for i, e := range t.evidence {
		turn.Evidence[i] = v.reading(e.content)
		turn.Evidence[i].ObservedAt = e.observed.after(at)
	}
	return turn
}

func (v *values) reading(handle uint64) policy.Evidence {
	r := v.document(handle, readingDocument)
	return finish(v, r, policy.Evidence{
		Source:   v.name(r.handle()),
		Viewers:  v.set(r.handle()),
		Complete: r.flag(),
	})
}

func writeInheritance(f *form, i policy.Inheritance) {
	f.document(inheritanceDocument, func(f *form) {
		f.set(i.AuthorizedAgents)
		f.flag(i.AllowConfidential)
		f.flag(i.AllowUnattributed)
	})
}

func (v *values) inheritance(handle uint64) policy.Inheritance {
	r := v.document(handle, inheritanceDocument)
	return finish(v, r, policy.Inheritance{
		AuthorizedAgents:  v.set(r.handle()),
		AllowConfidential: r.flag(),
		AllowUnattributed: r.flag(),
	})
}
