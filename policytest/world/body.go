package world

import (
	"encoding/json"
	"strings"
	"time"
)

// Body returns what a caller posts for the turn: a request of the wire contract, as JSON. Labels
// are those that were written down when something was said, save where the story has the memory
// system lie.
func (w *World) Body() ([]byte, error) {
	candidates := []object{}
	for _, id := range w.Recalled() {
		candidates = append(candidates, w.candidate(w.byID[id]))
	}
	here := &w.story.HereNow
	return json.Marshal(object{
		"turn": w.turn(),
		"inheritance": object{
			"authorized_agents":     orEmpty(here.Authorizes),
			"prohibit_confidential": !here.AllowsConfidential,
			"require_attribution":   !here.AllowsUnattributed,
		},
		"candidates": candidates,
	})
}

// object is a JSON object.
type object map[string]any

func (o object) set(key, value string) {
	if value != "" {
		o[key] = value
	}
}

func (o object) setTime(key string, at time.Time) {
	if !at.IsZero() {
		o[key] = at.Format(time.RFC3339Nano)
	}
}

func orEmpty(names []string) []string {
	if names == nil {
		return []string{}
	}
	return names
}

func (w *World) turn() object {
	here := &w.story.HereNow
	turn := object{"agent": w.agent()}
	turn.set("tenant", w.story.Tenant)
	turn.set("channel", here.Channel)
	turn.set("viewers_basis", here.Basis)
	if here.ViewersUnknown {
		turn["viewers"] = nil
	} else {
		turn["viewers"] = orEmpty(w.viewers())
	}
	turn["external_viewers"] = orEmpty(w.outsiders())
	turn["revoked_viewers"] = orEmpty(w.withdrawnHere())
	evidence := []object{}
	for _, r := range here.Readings {
		reading := object{"viewers": orEmpty(w.sees(&r)), "complete": !r.CutShort}
		reading.set("source", r.Source)
		reading.setTime("observed_at", r.At)
		evidence = append(evidence, reading)
	}
	turn["evidence"] = evidence
	return turn
}

// sees returns whom a reading names.
func (w *World) sees(r *Reading) []string {
	if r.Sees != nil {
		return r.Sees
	}
	return w.roster()
}

// withdrawnHere are the viewers whose access was withdrawn.
func (w *World) withdrawnHere() []string {
	var out []string
	for _, v := range w.viewers() {
		if w.withdrawn[v] {
			out = append(out, v)
		}
	}
	return out
}

func (w *World) candidate(it *item) object {
	c := w.label(it)
	c["kind"] = it.Kind
	c["shared"] = it.Shared
	c.set("channel", it.channel)
	c.setTime("recorded_at", it.at)
	switch it.Lie {
	case ClaimsPublic:
		c["audience"] = "public"
	case HidesSources:
		c["audience"] = "public"
		delete(c, "sources")
	case LosesAudience:
		c["audience"] = nil
	case AssumesPublic:
		c["audience"], c["audience_basis"] = "public", "assumed"
	case JoinsNames:
		c["audience"] = strings.Join(it.heardBy, ",")
	case AddsField:
		c["visible_to"] = "everybody"
	case ClaimsInAttributes:
		c["attributes"] = object{"audience": "public"}
	case HidesAgent:
		delete(c, "agent")
	}
	return c
}

// label returns the labels that an item has as a candidate and as a source.
func (w *World) label(it *item) object {
	l := object{"id": it.id, "state": it.state, "agent": it.Agent}
	l.set("tenant", it.tenant)
	l.setTime("expires_at", it.Until)
	if it.Confidential != nil {
		l["confidential"] = *it.Confidential
	}
	switch it.scope {
	case forMembers:
		l["audience"] = orEmpty(it.heardBy)
	case forTenant:
		l["audience"] = "tenant"
	case forEverybody:
		l["audience"] = "public"
	}
	if len(it.from) > 0 {
		sources := make([]object, len(it.from))
		for i, s := range it.from {
			sources[i] = w.label(s)
		}
		l["sources"] = sources
	}
	return l
}
