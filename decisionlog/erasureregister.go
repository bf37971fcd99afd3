package decisionlog

import (
	"context"

	"earshot/policy"
)

// ErasurePage is a part of the register of erasures.
type ErasurePage struct {
	// Erasures are in the order of the ledger, the newest first. They name nobody. One that cannot be
	// read has its Log.Index alone and a Damage.
	Erasures []RegisteredErasure

	// Next is the cursor of the page that follows; empty on the last page.
	Next string
}

// RegisteredErasure is an erasure in the register.
type RegisteredErasure struct {
	StoredErasure

	// Damage says why the entry cannot be read, and matches ErrDamaged.
	Damage error
}

// ErasureRegister returns what was erased, among it all that was recorded before the call. One that
// retention has emptied is left out.
//
// Errors: those of List.
func (l *Log) ErasureRegister(ctx context.Context, span Span) (ErasurePage, error) {
	var page ErasurePage
	all := func(*view) (seeker, error) { return postingList{byErasure, 0}, nil }
	take := func(v *values, _ *view, seq int64) (bool, error) {
		e, err := v.registeredErasure(seq)
		switch {
		case isDamage(err):
			e = &StoredErasure{Log: policy.Position{Index: uint64(seq)}}
			page.Erasures = append(page.Erasures, RegisteredErasure{StoredErasure: *e, Damage: err})
			return true, nil
		case err != nil:
			return false, err
		case e == nil || !span.contains(e.At):
			return false, nil
		}
		page.Erasures = append(page.Erasures, RegisteredErasure{StoredErasure: *e})
		return true, nil
	}
	var err error
	page.Next, err = l.walk(ctx, walk{"erasures", nil, span}, all, take)
	return page, err
}

func (v *values) registeredErasure(seq int64) (*StoredErasure, error) {
	stored, err := readRow(v.ctx, v.db, seq)
	if err != nil {
		return nil, err
	}
	head, err := parseLeaf(stored.leaf)
	if err == nil {
		var e *StoredErasure
		if e, err = v.erasure(&stored, &head); err == nil {
			return e, nil
		}
	}
	v.err = nil
	if isDamage(err) {
		err = stored.blame(err)
	}
	return nil, err
}
