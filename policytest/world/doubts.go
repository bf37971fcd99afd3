package world

import (
	"maps"
	"slices"
	"time"
)

// How old a reading may be, and how far in the future its clock, in the contract's first settings.
const (
	readingMaxAge = 300 * time.Second
	clockSkew     = 30 * time.Second
)

// Doubts are the codes of the wire contract for what is not certain about those who listen,
// sorted; empty where they are known.
func (w *World) Doubts() []string {
	here := &w.story.HereNow
	viewers := set(w.viewers())
	doubts := map[string]bool{
		"viewers_missing":           here.ViewersUnknown,
		"viewers_empty":             !here.ViewersUnknown && len(viewers) == 0,
		"viewers_not_authenticated": here.Basis != "" && here.Basis != "platform",
	}
	for v := range viewers {
		if namesNobody(v) {
			doubts["viewer_placeholder"] = true
		}
	}
	for _, outsider := range w.outsiders() {
		if !viewers[outsider] {
			doubts["external_not_viewer"] = true
		}
	}
	var accounts []map[string]bool
	if !here.ViewersUnknown {
		accounts = append(accounts, viewers)
	}
	for i := range here.Readings {
		r := &here.Readings[i]
		accounts = append(accounts, set(w.sees(r)))
		if r.CutShort {
			doubts["evidence_incomplete"] = true
		}
		if !r.At.IsZero() && (w.now.Sub(r.At) > readingMaxAge || r.At.Sub(w.now) > clockSkew) {
			doubts["evidence_stale"] = true
		}
	}
	for _, account := range accounts {
		if !maps.Equal(account, accounts[0]) {
			doubts["evidence_disagrees"] = true
		}
	}
	return codes(doubts)
}

// codes returns the codes that hold, sorted.
func codes(holds map[string]bool) []string {
	var out []string
	for _, code := range slices.Sorted(maps.Keys(holds)) {
		if holds[code] {
			out = append(out, code)
		}
	}
	return out
}

func set(names []string) map[string]bool {
	out := map[string]bool{}
	for _, name := range names {
		out[name] = true
	}
	return out
}
