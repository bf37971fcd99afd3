package decisionlog

import (
	"time"

	"golang.org/x/mod/sumdb/tlog"

	"earshot/policy"
)

// Summary is what a list tells about one decision: all but what was asked about the candidates one by
// one.
type Summary struct {
	// Handoff is set for a hand-off. Then there are no TurnID, Attempt, Channel and Viewers, Agent is
	// the one that inherits, and Admitted and Denied count the elements.
	Handoff bool

	ID             string
	At             time.Time
	PolicyRevision string
	Log            policy.Position

	// RequestedBy is the credential that asked; empty without authentication.
	RequestedBy string

	// TurnID, Attempt, Tenant, Channel and Agent are those of the turn.
	TurnID  string
	Attempt int
	Tenant  string
	Channel string
	Agent   string

	Viewers policy.Viewers
	Verdict policy.Verdict

	// Admitted and Denied count the candidates.
	Admitted, Denied int

	// Pruned is set where retention has emptied the payload. Then there is only ID, At,
	// PolicyRevision and Log.
	Pruned bool

	// Damage says why the record cannot be read whole, and matches ErrDamaged; nil where nothing is
	// known to be wrong. Then there is Log.Index, and of the rest what can be read.
	Damage error
}

// summary reads one row of the ledger without its candidates. Its error is never ErrDamaged: that is
// the summary's Damage.
func (v *values) summary(seq int64) (Summary, error) {
	s := Summary{Log: policy.Position{Index: uint64(seq)}}
	stored, err := readRow(v.ctx, v.db, seq)
	if err == nil {
		err = v.summarize(&s, &stored)
	}
	if isDamage(err) {
		s.Damage, err = err, nil
	}
	return s, err
}

// summarize fills in what the row says, as far as it can be read.
func (v *values) summarize(s *Summary, stored *row) error {
	l, err := parseLeaf(stored.leaf)
	if err != nil {
		return stored.blame(err)
	}
	s.ID, s.At, s.PolicyRevision = l.ID, l.At, l.Revision
	s.Log.Leaf = tlog.RecordHash(stored.leaf)
	s.Handoff = l.Type == leafHandoff
	kind, ok := kindOf(l.Type).(decisionKind)
	if !ok {
		return stored.blame(damaged("the index has an entry of the type %q among the decisions", l.Type))
	}
	if stored.payload == nil {
		s.Pruned = true
		return nil
	}
	if err := kind.summarize(v, s, &l, stored.payload); err != nil {
		return stored.blame(err)
	}
	return nil
}

// summarizeDecision fills in what the payload of a decision says, or nothing.
func (v *values) summarizeDecision(s *Summary, l *leaf, stored []byte) error {
	p, err := openPayload(l, stored)
	if err != nil {
		return err
	}
	sound := *s
	sound.RequestedBy = v.name(p.requestedBy)
	sound.TurnID = v.name(p.turn.id)
	sound.Attempt = int(p.turn.attempt)
	sound.Tenant = v.name(p.turn.tenant)
	sound.Channel = v.name(p.turn.channel)
	sound.Agent = v.name(p.turn.agent)
	sound.Viewers = v.viewers(p.viewers)
	sound.Verdict = policy.Verdict(v.name(p.verdict))
	sound.Admitted, sound.Denied = v.count(p.items)
	if err := v.take(); err != nil {
		return err
	}
	*s = sound
	return nil
}

// count returns how many items were admitted and how many denied.
func (v *values) count(items []item) (admitted, denied int) {
	for _, item := range items {
		if v.admitted(item.outcome) {
			admitted++
		}
	}
	return admitted, len(items) - admitted
}

// admitted reports whether an outcome is an admit.
func (v *values) admitted(outcome uint64) bool {
	admit, known := v.admits[outcome]
	if known || v.err != nil {
		return admit
	}
	if admit, _ = v.outcomeHandles(outcome); v.err == nil {
		v.admits[outcome] = admit
	}
	return admit
}
