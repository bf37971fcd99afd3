package decisionlog

import (
	"time"

	"earshot/policy"
)

// statsCount counts decisions in handles, the newest first.
type statsCount struct {
	q   *StatsQuery
	v   *values
	out *Stats

	agents, channels, reasons map[uint64]*Rate
	pairs, audiences          firsts
	revisions                 map[string]*revisionUse
	outcomes                  map[uint64]outcomeCount
}

// firstSeen is where a pair stood first in the window.
type firstSeen struct {
	row int64
	id  string
	at  time.Time
}

// firsts are the pairs of the window that the baseline does not have.
type firsts struct {
	window map[[2]uint64]firstSeen

	// before has pairs of the baseline: where the clock stepped back, the baseline can come before the
	// window. Those beyond statsGroups are forgotten, which can matter only there.
	before map[[2]uint64]bool
}

func newFirsts() firsts {
	return firsts{window: make(map[[2]uint64]firstSeen), before: make(map[[2]uint64]bool)}
}

func (f *firsts) forget(pair [2]uint64) {
	delete(f.window, pair)
	if len(f.before) < statsGroups {
		f.before[pair] = true
	}
}

type revisionUse struct {
	RevisionUse
	verdicts map[uint64]int
}

type outcomeCount struct {
	admit   bool
	reasons []uint64
}

func newStatsCount(q *StatsQuery, v *values) *statsCount {
	return &statsCount{
		q: q, v: v, out: &Stats{StatsQuery: *q},
		agents: make(map[uint64]*Rate), channels: make(map[uint64]*Rate), reasons: make(map[uint64]*Rate),
		pairs: newFirsts(), audiences: newFirsts(),
		revisions: make(map[string]*revisionUse), outcomes: make(map[uint64]outcomeCount),
	}
}

// counted is one decision as far as it counts.
type counted struct {
	handoff                          bool
	agent, channel, viewers, verdict uint64
	known                            bool
	items                            []item
}

// add counts one row. Its error is never ErrDamaged.
func (s *statsCount) add(seq int64) error {
	stored, err := readRow(s.v.ctx, s.v.db, seq)
	var l leaf
	if err == nil {
		l, err = parseLeaf(stored.leaf)
	}
	if err != nil {
		if isDamage(err) {
			s.out.Window.Damaged++ // its clock is not known
			return nil
		}
		return err
	}
	inWindow := !l.At.Before(s.q.From)
	tally := &s.out.Baseline
	if inWindow {
		tally = &s.out.Window
	}
	if stored.payload == nil {
		tally.Pruned++
		return nil
	}
	d, err := s.read(&l, stored.payload)
	var results []outcomeCount
	if err == nil {
		results, err = s.results(d.items)
	}
	switch {
	case isDamage(err):
		tally.Damaged++
		return nil
	case err != nil:
		return err
	}
	s.count(tally, inWindow, d, results)
	if inWindow {
		s.countWindow(seq, &l, d, results)
	} else {
		s.pairs.forget([2]uint64{d.agent, d.channel})
		s.audiences.forget([2]uint64{d.agent, d.viewers})
	}
	return nil
}

func (s *statsCount) read(l *leaf, stored []byte) (*counted, error) {
	if l.Type == leafHandoff {
		h, err := openHandoff(l, stored)
		if err != nil {
			return nil, err
		}
		return &counted{handoff: true, agent: h.agent, verdict: h.verdict, items: h.items}, nil
	}
	p, err := openPayload(l, stored)
	if err != nil {
		return nil, err
	}
	r := s.v.document(p.viewers, viewersDocument)
	d := &counted{
		agent: p.turn.agent, channel: p.turn.channel, viewers: p.turn.viewers, verdict: p.verdict, items: p.items, known: r.flag(),
	}
	if r.err != nil {
		s.v.fail(r.err)
	}
	return d, s.v.take()
}

func (s *statsCount) results(items []item) ([]outcomeCount, error) {
	list := make([]outcomeCount, len(items))
	for i, item := range items {
		o, ok := s.outcomes[item.outcome]
		if !ok {
			o.admit, o.reasons = s.v.outcomeHandles(item.outcome)
			if err := s.v.take(); err != nil {
				return nil, err
			}
			if len(s.outcomes) >= statsGroups {
				clear(s.outcomes)
			}
			s.outcomes[item.outcome] = o
		}
		list[i] = o
	}
	return list, nil
}

// count adds a decision to the sums and to the rates of its period.
func (s *statsCount) count(tally *Tally, inWindow bool, d *counted, results []outcomeCount) {
	denied := 0
	for _, o := range results {
		if o.admit {
			continue
		}
		denied++
		for _, reason := range o.reasons {
			if r := s.group(s.reasons, reason); r != nil {
				r.period(inWindow).Hits++
			}
		}
	}
	tally.Admitted += len(results) - denied
	tally.Denied += denied
	switch {
	case d.handoff:
		tally.Handoffs++
	default:
		tally.Decisions++
		if !d.known {
			tally.Ambiguous++
		}
	}
	for _, r := range []*Rate{s.group(s.agents, d.agent), s.group(s.channels, d.channel)} {
		if r != nil {
			p := r.period(inWindow)
			p.Hits += denied
			p.Of += len(results)
		}
	}
}

func (r *Rate) period(inWindow bool) *Ratio {
	if inWindow {
		return &r.Window
	}
	return &r.Baseline
}

// group returns the rate of a name; nil for an absent one, and where there are too many.
func (s *statsCount) group(of map[uint64]*Rate, handle uint64) *Rate {
	if handle == 0 {
		return nil
	}
	r, ok := of[handle]
	if !ok {
		if len(of) >= statsGroups {
			s.out.Truncated = true
			return nil
		}
		r = &Rate{}
		of[handle] = r
	}
	return r
}

// countWindow takes in what is told of the window alone. Rows come from the newest to the oldest.
func (s *statsCount) countWindow(seq int64, l *leaf, d *counted, results []outcomeCount) {
	if s.q.Baseline > 0 && !d.handoff {
		first := firstSeen{row: seq, id: l.ID, at: l.At}
		s.see(&s.pairs, [2]uint64{d.agent, d.channel}, first)
		s.see(&s.audiences, [2]uint64{d.agent, d.viewers}, first)
	}
	use, ok := s.revisions[l.Revision]
	if !ok {
		if len(s.revisions) >= statsGroups {
			s.out.Truncated = true
			return
		}
		use = &revisionUse{RevisionUse: RevisionUse{Revision: l.Revision, First: l.At, Last: l.At}, verdicts: make(map[uint64]int)}
		s.revisions[l.Revision] = use
	}
	if l.At.Before(use.First) {
		use.First = l.At
	}
	if l.At.After(use.Last) {
		use.Last = l.At
	}
	if d.handoff {
		use.Handoffs++
	} else {
		use.Decisions++
	}
	for _, o := range results {
		if o.admit {
			use.Admitted++
		} else {
			use.Denied++
		}
	}
	use.verdicts[d.verdict]++
}

func (s *statsCount) see(of *firsts, pair [2]uint64, first firstSeen) {
	if pair[0] == 0 || pair[1] == 0 || of.before[pair] {
		return
	}
	if _, ok := of.window[pair]; !ok && len(of.window) >= statsGroups {
		s.out.Truncated = true
		return
	}
	of.window[pair] = first
}

func (s *statsCount) verdicts(use *revisionUse) map[policy.Verdict]int {
	named := make(map[policy.Verdict]int, len(use.verdicts))
	for handle, n := range use.verdicts {
		named[policy.Verdict(s.v.name(handle))] += n
	}
	return named
}
