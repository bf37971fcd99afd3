package decisionlog

import "context"

// AccessQuery selects questions that were asked of the log.
type AccessQuery struct {
	Span

	// RequestedBy and Kind are those of the question; empty for any.
	RequestedBy, Kind string
}

// StoredAccess is a question as the ledger has it. A filter whose text was erased since reads as in a
// decision.
type StoredAccess struct {
	Registered
	Access
}

// AccessPage is a part of the register of questions.
type AccessPage struct {
	// Accesses are in the order of the ledger, the newest first.
	Accesses []StoredAccess

	// Next is the cursor of the page that follows; empty on the last page. A page that has one may have
	// fewer accesses than asked for, or none.
	Next string
}

// Accesses returns the questions that were asked of the log, among them every one that was recorded
// before the call. One that is damaged or pruned is listed whatever the filters.
//
// Errors: those of List.
func (l *Log) Accesses(ctx context.Context, q AccessQuery) (AccessPage, error) {
	var page AccessPage
	all := func(*view) (seeker, error) { return postingList{byAccess, 0}, nil }
	take := func(v *values, _ *view, seq int64) (bool, error) {
		var a StoredAccess
		var err error
		a.Registered, err = v.registered(seq, func(l *leaf, stored []byte) error {
			var err error
			a.Access, err = v.access(l, stored)
			return err
		})
		if err != nil {
			return false, err
		}
		if a.Damage == nil && (!q.contains(a.Registered.At) || !a.Pruned &&
			(q.RequestedBy != "" && a.RequestedBy != q.RequestedBy || q.Kind != "" && a.Kind != q.Kind)) {
			return false, nil
		}
		page.Accesses = append(page.Accesses, a)
		return true, nil
	}
	var err error
	page.Next, err = l.walk(ctx, walk{"accesses", []string{q.RequestedBy, q.Kind}, q.Span}, all, take)
	if err != nil {
		return AccessPage{}, err
	}
	return page, nil
}
