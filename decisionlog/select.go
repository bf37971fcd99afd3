package decisionlog

import (
	"context"
	"errors"
	"slices"
)

// selection makes the seeker of one query.
type selection struct {
	*Query
	ctx     context.Context
	from    *view
	values  *values
	nameKey []byte

	filters intersection
	err     error // the first one
}

// seeker returns the rows that q selects. A row whose payload cannot be read may be any, so it is
// among them; one whose leaf can be read has a known clock.
func (l *Log) seeker(ctx context.Context, q *Query, from *view) (seeker, error) {
	s := selection{Query: q, ctx: ctx, from: from, values: newValues(ctx, from.tx, l.documents), nameKey: l.keys.name}
	s.name(byViewer, q.Viewer)
	s.name(byAgent, q.Agent)
	s.name(byChannel, q.Channel)
	s.name(byTenant, q.Tenant)
	s.name(byVerdict, q.Verdict)
	s.name(byRevision, q.PolicyRevision)
	s.results()
	if len(s.filters) == 0 || !q.From.IsZero() || !q.To.IsZero() {
		s.filters = append(s.filters, union{buffered(postingList{byDamagedLeaf, 0}), newTimeRange(q.From, q.To)})
	}
	return s.filters, s.err
}

// add adds a filter: the rows of any of the lists.
func (s *selection) add(lists ...seeker) {
	u := union{buffered(postingList{byDamage, 0})}
	for _, list := range lists {
		if p, ok := list.(postingList); ok {
			list = buffered(p)
		}
		u = append(u, list)
	}
	s.filters = append(s.filters, u)
}

// name adds the filter by a name, unless it is empty.
func (s *selection) name(kind postingKind, text string) {
	if text == "" {
		return
	}
	if handle := s.handle(text); handle != 0 {
		s.add(postingList{kind, handle})
	} else {
		s.add()
	}
}

// results adds the filters by what was decided. Where an item is asked for they are about that item.
func (s *selection) results() {
	reason := s.handle(s.Reason)
	switch {
	case s.Item != "":
		s.add(s.itemLists(0)...)
	case s.Admit != nil && *s.Admit:
		s.add(postingList{byAnyAdmitted, 0})
	case s.Admit != nil:
		s.add(postingList{byAnyDenied, 0})
	}
	switch {
	case s.Reason == "":
	case reason == 0: // no result has ever had it
		s.add()
	case s.Item != "":
		s.add(append(s.itemLists(reason), postingList{byViewersReason, reason})...)
	default:
		s.add(postingList{byReason, reason}, postingList{byViewersReason, reason})
	}
}

// itemLists returns where the results about the item are that are as asked for and, unless it is 0,
// have the reason.
func (s *selection) itemLists(reason int64) []seeker {
	item := s.handle(s.Item)
	if item == 0 {
		return nil
	}
	kind := byItem(uint64(item))
	var lists []seeker
	for outcome := int64(0); s.err == nil; {
		var err error
		if outcome, err = s.from.nextKey(s.ctx, kind, outcome); err != nil {
			s.err = err
		}
		if outcome == none || s.err != nil {
			break
		}
		if s.fits(uint64(outcome), reason) {
			lists = append(lists, postingList{kind, outcome})
		}
	}
	return lists
}

// fits reports whether an outcome is as asked for. One that is damaged may be.
func (s *selection) fits(outcome uint64, reason int64) bool {
	admit, reasons := s.values.outcomeHandles(outcome)
	if err := s.values.take(); err != nil {
		if !isDamage(err) {
			s.err = err
		}
		return true
	}
	return (s.Admit == nil || admit == *s.Admit) && (reason == 0 || slices.Contains(reasons, uint64(reason)))
}

// handle returns the handle of text; 0 where the ledger has no such name.
func (s *selection) handle(text string) int64 {
	if s.err != nil || text == "" {
		return 0
	}
	handle, err := findHandle(s.ctx, s.from.tx, s.nameKey, text)
	if err != nil && !errors.Is(err, ErrNotFound) {
		s.err = err
	}
	return handle
}
