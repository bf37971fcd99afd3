package world

import "slices"

// Expected is what the rule says about one item before those who listen now.
type Expected struct {
	ID    string
	Admit bool

	// Reasons are codes of the wire contract, sorted: the permits of an admit, the forbids of a
	// deny.
	Reasons []string

	// Obligations are what must be done with an admitted item, sorted; nil where there are none.
	Obligations []string
}

// Expect returns what the rule says about every item that the turn recalls, in order.
func (w *World) Expect() []Expected {
	out := []Expected{}
	for _, id := range w.Recalled() {
		out = append(out, w.expect(w.byID[id]))
	}
	return out
}

func (w *World) expect(it *item) Expected {
	e := Expected{ID: it.id}
	if it.Lie == JoinsNames {
		// What does not have the form of a label is not read any further.
		e.Reasons = []string{"malformed"}
		return e
	}
	forbids := codes(w.forbids(it))
	if len(forbids) > 0 {
		e.Reasons = forbids
		return e
	}
	e.Admit, e.Reasons = true, []string{w.permit(it)}
	if w.foreign(it) {
		e.Obligations = []string{"label_source"}
	}
	return e
}

// permit is the reason for which everybody who listens may know an item that nothing forbids.
func (w *World) permit(it *item) string {
	lists := false
	for s := range it.said {
		lists = lists || s.scope == forMembers
	}
	switch {
	case w.toldPublic(it):
		return "public"
	case lists:
		return "audience_covers_viewers"
	default:
		return "tenant_wide"
	}
}

// forbids are the reasons against an item, by their codes.
func (w *World) forbids(it *item) map[string]bool {
	known, public := len(w.Doubts()) == 0, w.toldPublic(it)
	forbids := map[string]bool{
		"viewers_ambiguous":       !known && !public,
		"revoked":                 !public && len(w.withdrawnHere()) > 0,
		"audience_missing":        it.Lie == LosesAudience || it.scope == forNobody,
		"audience_not_recorded":   it.Lie == AssumesPublic,
		"derived_without_sources": it.Lie == HidesSources,
		"unknown_field":           it.Lie == AddsField,
		"item_not_live":           it.state != live,
		"expired":                 it.expired(w.now),
		"tenant_mismatch":         w.elsewhere(it, public),
	}
	if known {
		w.forbidUnheard(it, forbids)
	}
	if it.Lie != HidesSources {
		for s := range it.sources {
			if s.state != live || s.expired(w.now) {
				forbids["source_not_live"] = true
			}
		}
	}
	w.forbidInherited(it, forbids)
	return forbids
}

// forbidUnheard adds the reasons that lie in who heard the item.
func (w *World) forbidUnheard(it *item, forbids map[string]bool) {
	if it.Lie == LosesAudience || it.Lie == AssumesPublic || it.Lie == HidesSources {
		return // What the labels say of it is not believed; that has codes of its own.
	}
	for s := range it.said {
		switch {
		case s.scope == forTenant:
			if len(w.outsiders()) > 0 {
				forbids["external_viewer"] = true
			}
		case s.scope == forNobody && s == it: // audience_missing says so.
		case !w.allHeard(s) && s == it:
			forbids["viewer_not_in_audience"] = true
		case !w.allHeard(s):
			forbids["source_audience_narrower"] = true
		}
	}
}

// allHeard reports whether everybody who listens was there.
func (w *World) allHeard(it *item) bool {
	return !slices.ContainsFunc(w.viewers(), func(v string) bool { return !w.heard(v, it) })
}

// toldPublic reports whether the item is for everybody as far as its labels can be followed: an
// audience that hides what would narrow it, or that was assumed, is refused for that and for no
// other reason.
func (w *World) toldPublic(it *item) bool {
	switch it.Lie {
	case HidesSources, AssumesPublic:
		return true
	case LosesAudience:
		return false
	default:
		return w.public(it)
	}
}

// elsewhere reports whether the item, or anything it was made from, belongs to another tenant.
// What is public and belongs to none is at home everywhere.
func (w *World) elsewhere(it *item, public bool) bool {
	if it.tenant != w.story.Tenant && (it.tenant != "" || !public) {
		return true
	}
	if it.Lie == HidesSources {
		return false
	}
	for s := range it.sources {
		if s.tenant != "" && s.tenant != w.story.Tenant {
			return true
		}
	}
	return false
}
