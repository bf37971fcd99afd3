package wire

import (
	"slices"

	"earshot/decisionlog"
)

// Event is one decision as an event of OPA's decision log (EventV1 of its package plugins/logs), with what
// this log has of its fields.
type Event struct {
	Labels      map[string]string      `json:"labels"`
	DecisionID  string                 `json:"decision_id"`
	Bundles     map[string]EventBundle `json:"bundles"` // the policy that decided, by its name
	Path        string                 `json:"path"`    // earshot/decision or earshot/handoff
	Input       any                    `json:"input,omitzero"`
	Result      any                    `json:"result,omitzero"`
	RequestedBy string                 `json:"requested_by,omitzero"` // the credential's name
	Timestamp   string                 `json:"timestamp"`
	Custom      EventCustom            `json:"custom"`
}

// EventBundle is a bundle of an Event.
type EventBundle struct {
	Revision string `json:"revision"`
}

// EventCustom is what OPA has no field for.
type EventCustom struct {
	Pruned  bool     `json:"pruned,omitzero"` // retention has emptied the decision
	Reasons []string `json:"reasons"`         // of all results and of the viewers, sorted and distinct
	Log     *Log     `json:"log"`
}

// EventInput is what a decision was asked. Roster, grants and seals are what this service added.
type EventInput struct {
	Turn        Turn        `json:"turn"`
	Inheritance Inheritance `json:"inheritance"`
	Roster      *Roster     `json:"roster,omitzero"`
	Grants      []Grant     `json:"grants,omitzero"`
	Seals       []SealCheck `json:"seals,omitzero"`
	Candidates  []Candidate `json:"candidates"`
}

// EventResult is what was answered to a decision.
type EventResult struct {
	Viewers   Viewers  `json:"viewers"`
	Verdict   string   `json:"verdict"`
	Directive string   `json:"directive"`
	Results   []Result `json:"results"`
	Counts    Counts   `json:"counts"`
}

// EventHandoffResult is what was answered to a hand-off.
type EventHandoffResult struct {
	Verdict        string          `json:"verdict"`
	Directive      string          `json:"directive"`
	ManifestDigest string          `json:"manifest_digest"`
	Results        []ElementResult `json:"results"`
	Counts         Counts          `json:"counts"`
}

// EncodeEvent returns the event of one decision.
func EncodeEvent(r *decisionlog.Record) Event {
	const name = "earshot" // of the product, of its policy and of its package
	e := Event{
		Labels:     map[string]string{"app": name},
		DecisionID: r.ID,
		Bundles:    map[string]EventBundle{name: {r.PolicyRevision}},
		Path:       name + "/decision",
		Timestamp:  stamp(r.At),
		Custom:     EventCustom{Pruned: r.Pruned, Reasons: reasonsOf(r), Log: position(r.Log)},
	}
	switch {
	case r.Pruned:
	case r.Handoff != nil:
		record := EncodeHandoffRecord(r.Handoff, r.Log)
		e.Path, e.RequestedBy, e.Input = name+"/handoff", record.RequestedBy, record.Request
		e.Result = EventHandoffResult{
			Verdict: string(record.Verdict), Directive: record.Directive, ManifestDigest: record.ManifestDigest,
			Results: record.Results, Counts: record.Counts,
		}
	default:
		record := EncodeRecord(&r.Entry, r.Log)
		e.RequestedBy = record.RequestedBy
		results := make([]Result, len(record.Candidates))
		for i := range record.Candidates {
			c := &record.Candidates[i]
			results[i], c.Result = *c.Result, nil
		}
		e.Input = EventInput{
			Turn: record.Turn, Inheritance: record.Inheritance, Roster: record.Roster, Grants: record.Grants,
			Seals: record.Seals, Candidates: record.Candidates,
		}
		e.Result = EventResult{
			Viewers: record.Viewers, Verdict: string(record.Verdict), Directive: record.Directive,
			Results: results, Counts: record.Counts,
		}
	}
	return e
}

// reasonsOf returns the codes of a decision.
func reasonsOf(r *decisionlog.Record) []string {
	results, codes := r.Results, slices.Clone(r.Viewers.Reasons)
	if r.Handoff != nil {
		results = r.Handoff.Results
	}
	for i := range results {
		codes = append(codes, results[i].Reasons...)
	}
	slices.Sort(codes)
	return full(slices.Compact(codes))
}
