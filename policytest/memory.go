package policytest

import (
	"context"
	"fmt"
	"slices"

	"earshot/policy"
)

var (
	_ policy.Recorder        = (*memory)(nil)
	_ policy.HandoffRecorder = (*memory)(nil)
	_ policy.Registry        = registry{}
)

// memory is a Recorder of decisions and hand-offs that keeps entries as JSON, so that a later change of an entry shows.
type memory struct{ entries []string }

// Record implements policy.Recorder.
func (m *memory) Record(_ context.Context, entry *policy.Entry) (policy.Position, error) {
	return m.keep(entry)
}

// RecordHandoff implements policy.HandoffRecorder.
func (m *memory) RecordHandoff(_ context.Context, entry *policy.HandoffEntry) (policy.Position, error) {
	return m.keep(entry)
}

func (m *memory) keep(entry any) (policy.Position, error) {
	text, err := asJSON(entry)
	if err != nil {
		return policy.Position{}, err
	}
	m.entries = append(m.entries, text)
	return policy.Position{Index: uint64(len(m.entries) - 1)}, nil
}

// registry answers with the facts of one case.
type registry struct{ of *Case }

// Facts implements policy.Registry. A grant of an item that the request does not hold is an error,
// and so is what came of a seal that it does not hold, since the case would not say what it seems to.
func (r registry) Facts(_ context.Context, req *policy.Request) (policy.Facts, error) {
	var out policy.Facts
	facts := r.of.Facts
	if facts.Roster != nil {
		out.Roster = &policy.Roster{Members: sorted(facts.Roster.Members), Revoked: sorted(facts.Roster.Revoked)}
	}
	found := map[string]bool{}
	for i := range req.Candidates {
		id := req.Candidates[i].ID
		viewers, granted := facts.Grants[id]
		if !granted {
			continue
		}
		found[id] = true
		if out.Grants == nil {
			out.Grants = map[int][]string{}
		}
		out.Grants[i] = sorted(viewers)
	}
	for id := range facts.Grants {
		if !found[id] {
			return policy.Facts{}, r.of.fault(nil, fmt.Sprintf("the case grants %s, which is not a candidate", id), "facts", "grants", id)
		}
	}
	var err error
	out.Seals, err = r.seals(req)
	return out, err
}

// seals returns what the case says of the seals of candidates.
func (r registry) seals(req *policy.Request) (map[int]policy.SealCheck, error) {
	var out map[int]policy.SealCheck
	found := map[string]bool{}
	for i := range req.Candidates {
		c := &req.Candidates[i]
		status, said := r.of.Facts.Seals[c.ID]
		if !said || c.Seal == "" {
			continue
		}
		found[c.ID] = true
		if out == nil {
			out = map[int]policy.SealCheck{}
		}
		out[i] = policy.SealCheck{Status: sealStatuses()[status]}
	}
	for id, status := range r.of.Facts.Seals {
		switch _, known := sealStatuses()[status]; {
		case !known:
			return nil, r.of.fault(nil, fmt.Sprintf("%q is none of valid, other_content and invalid", status), "facts", "seals", id)
		case !found[id]:
			return nil, r.of.fault(nil, fmt.Sprintf("the case speaks of the seal of %s, which is no candidate with a seal", id), "facts", "seals", id)
		}
	}
	return out, nil
}

// sealStatuses are what can come of a seal, by the words of the policy.
func sealStatuses() map[string]policy.SealStatus {
	words := map[string]policy.SealStatus{}
	for _, status := range []policy.SealStatus{policy.SealInvalid, policy.SealValid, policy.SealOtherContent} {
		words[status.String()] = status
	}
	return words
}

func sorted(names []string) []string {
	set := slices.Clone(names)
	slices.Sort(set)
	return slices.Compact(set)
}
