package decisionlog

import "earshot/policy"

// writeOutcome writes a result. Its id is that of the candidate nearly always, and then it is left
// out, so that equal outcomes are one document.
func writeOutcome(f *form, r *policy.Result, candidate string) {
	f.document(outcomeDocument, func(f *form) {
		f.flag(r.Admit)
		f.names(r.Reasons)
		f.names(r.Obligations)
		f.flag(r.ID != candidate)
		if r.ID != candidate {
			f.name(r.ID)
		}
	})
}

func (v *values) outcome(handle uint64, candidate string) policy.Result {
	r := v.document(handle, outcomeDocument)
	result := policy.Result{
		ID:          candidate,
		Admit:       r.flag(),
		Reasons:     v.names(r),
		Obligations: v.names(r),
	}
	if r.flag() {
		result.ID = v.name(r.handle())
	}
	return finish(v, r, result)
}

func writeViewers(f *form, w policy.Viewers) {
	f.document(viewersDocument, func(f *form) {
		f.flag(w.Known)
		f.names(w.Reasons)
		f.set(w.Present)
		f.name(w.Digest)
	})
}

func (v *values) viewers(handle uint64) policy.Viewers {
	r := v.document(handle, viewersDocument)
	return finish(v, r, policy.Viewers{
		Known:   r.flag(),
		Reasons: v.names(r),
		Present: v.set(r.handle()),
		Digest:  v.name(r.handle()),
	})
}

func writeRoster(f *form, roster *policy.Roster) {
	if roster == nil {
		f.number(0)
		return
	}
	f.document(rosterDocument, func(f *form) {
		f.set(roster.Members)
		f.set(roster.Revoked)
	})
}

func (v *values) roster(handle uint64) *policy.Roster {
	if handle == 0 {
		return nil
	}
	r := v.document(handle, rosterDocument)
	return finish(v, r, &policy.Roster{Members: v.set(r.handle()), Revoked: v.set(r.handle())})
}
