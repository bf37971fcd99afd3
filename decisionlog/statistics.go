package decisionlog

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
)

// Stats counts the decisions of a window and of its baseline, among them every one that was recorded
// before the call. It reads each of them, so its time grows with their number; its memory does not.
//
// Errors: those of List.
func (l *Log) Stats(ctx context.Context, q StatsQuery) (*Stats, error) {
	if err := q.check(); err != nil {
		return nil, err
	}
	var stats *Stats
	err := l.snapshot(ctx, func(from *view) error {
		rows, err := l.seeker(ctx, &Query{From: q.begin(), To: q.To, Tenant: q.Tenant}, from)
		if err != nil {
			return err
		}
		s := newStatsCount(&q, newValues(ctx, from.tx, l.documents))
		for at := int64(math.MaxInt64); ; {
			seq, err := rows.seek(ctx, from, at)
			if err != nil {
				return err
			}
			if seq == none {
				break
			}
			if err := s.add(seq); err != nil {
				return err
			}
			at = seq - 1
		}
		stats, err = s.finish()
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("count decisions: %w", err)
	}
	return stats, nil
}

// finish puts names to what was counted.
func (s *statsCount) finish() (*Stats, error) {
	out := s.out
	all := func(t *Tally) Ratio { return Ratio{t.Denied, t.Admitted + t.Denied} }
	out.Denials = rate(Rate{Window: all(&out.Window), Baseline: all(&out.Baseline)})
	out.Ambiguous = rate(Rate{
		Window:   Ratio{out.Window.Ambiguous, out.Window.Decisions},
		Baseline: Ratio{out.Baseline.Ambiguous, out.Baseline.Decisions},
	})
	for _, r := range s.reasons {
		r.Window.Of, r.Baseline.Of = all(&out.Window).Of, all(&out.Baseline).Of
	}
	out.Agents, out.Channels, out.Reasons = s.rates(s.agents), s.rates(s.channels), s.rates(s.reasons)
	out.NewChannels, out.NewChannelsCount = s.firsts(s.pairs.window, func(f *FirstSeen, other uint64) { f.Channel = s.v.name(other) }), len(s.pairs.window)
	out.NewAudiences, out.NewAudiencesCount = s.firsts(s.audiences.window, func(f *FirstSeen, other uint64) { f.Viewers = s.v.set(other) }), len(s.audiences.window)
	for _, use := range s.revisions {
		use.Verdicts = s.verdicts(use)
		out.Revisions = append(out.Revisions, use.RevisionUse)
	}
	slices.SortFunc(out.Revisions, func(a, b RevisionUse) int {
		return cmp.Or(b.Last.Compare(a.Last), cmp.Compare(a.Revision, b.Revision))
	})
	return out, s.v.take()
}

func (s *statsCount) rates(of map[uint64]*Rate) []Rate {
	list := make([]Rate, 0, len(of))
	for handle, r := range of {
		r.Name = s.v.name(handle)
		list = append(list, rate(*r))
	}
	slices.SortFunc(list, func(a, b Rate) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(b.Window.Hits, a.Window.Hits), cmp.Compare(a.Name, b.Name))
	})
	return list
}

// firsts names the newest of the pairs that are left.
func (s *statsCount) firsts(of map[[2]uint64]firstSeen, name func(f *FirstSeen, other uint64)) []FirstSeen {
	pairs := slices.SortedFunc(maps.Keys(of), func(a, b [2]uint64) int {
		return cmp.Or(cmp.Compare(of[b].row, of[a].row), slices.Compare(a[:], b[:]))
	})
	var list []FirstSeen
	for _, pair := range pairs[:min(len(pairs), FirstSeenLimit)] {
		f := FirstSeen{Agent: s.v.name(pair[0]), At: of[pair].at, DecisionID: of[pair].id}
		name(&f, pair[1])
		list = append(list, f)
	}
	return list
}
