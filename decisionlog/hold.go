package decisionlog

import (
	"errors"
	"slices"
	"time"
)

// hold is a Hold in handles.
type hold struct {
	from, to time.Time

	// wanted are what must be among an entry's postings, item the one that may have any key.
	wanted []posting
	item   postingKind

	// nobody is set where a name is not in the ledger, so that no decision has it.
	nobody bool
}

// findHolds looks up the names of holds.
func (w *writer) findHolds(holds []Hold) ([]hold, error) {
	list := make([]hold, len(holds))
	for i := range holds {
		h := &holds[i]
		list[i] = hold{from: h.From, to: h.To}
		for _, of := range []struct {
			kind postingKind
			name string
		}{{byViewer, h.Viewer}, {byAgent, h.Agent}, {byChannel, h.Channel}, {byTenant, h.Tenant}, {firstItem, h.Item}} {
			if of.name == "" {
				continue
			}
			handle, err := findHandle(background(), w.conn, w.log.keys.name, of.name)
			switch {
			case errors.Is(err, ErrNotFound):
				list[i].nobody = true
			case err != nil:
				return nil, err
			case of.kind == firstItem:
				list[i].item = byItem(uint64(handle))
			default:
				list[i].wanted = append(list[i].wanted, posting{kind: of.kind, key: handle})
			}
		}
	}
	return list, nil
}

// held reports whether a hold keeps an entry.
func held(holds []hold, l *leaf, postings []posting) bool {
	return slices.ContainsFunc(holds, func(h hold) bool {
		if l.At.Before(h.from) || !h.to.IsZero() && !l.At.Before(h.to) {
			return false
		}
		if !isDecision(l.Type) {
			return true
		}
		return !h.nobody && h.matches(postings)
	})
}

func (h *hold) matches(postings []posting) bool {
	if h.item != 0 && !slices.ContainsFunc(postings, func(p posting) bool { return p.kind == h.item }) {
		return false
	}
	for _, want := range h.wanted {
		if !slices.ContainsFunc(postings, func(p posting) bool { return p.kind == want.kind && p.key == want.key }) {
			return false
		}
	}
	return true
}
