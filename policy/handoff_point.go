package policy

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"
)

// errNoHandoffs means that nothing keeps hand-offs, so that none may be answered.
var errNoHandoffs = errors.New("no recorder of hand-offs is configured")

// HandOff decides whether an agent may inherit the elements of a context, records the decision and
// returns it. Where one element is refused the hand-off halts and nothing is admitted.
//
// Errors: ErrInvalidRequest (nothing decided), ErrPolicyUnavailable (nothing recorded),
// ErrNotRecorded (nothing admitted), or the context's error if it ended before the decision.
func (p *Point) HandOff(ctx context.Context, h Handoff) (*HandoffDecision, error) {
	entry, failures, err := p.handOff(ctx, h)
	if err != nil {
		return nil, err
	}
	if p.config.HandoffRecorder == nil {
		return nil, fmt.Errorf("%w: %w", ErrNotRecorded, errNoHandoffs)
	}

	// Taken before the recorder sees the entry: it may keep a decision, never make one.
	decision := &HandoffDecision{HandoffEntry: *entry, Failures: failures}
	decision.Results = cloneResults(entry.Results)

	commit, cancel := context.WithTimeout(context.WithoutCancel(ctx), p.config.CommitTimeout)
	defer cancel()
	if decision.Log, err = p.config.HandoffRecorder.RecordHandoff(commit, entry); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNotRecorded, err)
	}
	return decision, nil
}

// handOff is HandOff up to the record.
func (p *Point) handOff(ctx context.Context, h Handoff) (*HandoffEntry, []Failure, error) {
	id, err := p.config.NewID()
	if err != nil {
		return nil, nil, fmt.Errorf("make a decision id: %w", err)
	}
	entry := &HandoffEntry{
		ID:             id,
		At:             p.config.Clock().UTC().Truncate(time.Microsecond),
		PolicyRevision: p.config.Engine.Revision(),
	}
	if entry.Request, err = normalizeHandoff(h); err != nil {
		return nil, nil, err
	}
	if entry.Request.Profile == ProfileReference {
		entry.Request.stateAll()
		decideAsReference(entry)
		return entry, nil, nil
	}
	ctx, cancel := context.WithTimeout(ctx, p.config.DecideTimeout)
	defer cancel()
	if entry.Seals, err = p.checkElementSeals(ctx, &entry.Request, entry.At); err != nil {
		return nil, nil, err
	}
	entry.Request.stateAll()
	failures, err := p.config.Engine.evaluateHandoff(ctx, entry)
	if err != nil {
		return nil, nil, err
	}
	if entry.ManifestDigest, err = HandoffManifest(entry); err != nil {
		return nil, nil, err
	}
	return entry, failures, nil
}

// stateAll takes away what only the verification of seals needs.
func (h *Handoff) stateAll() {
	for i := range h.Elements {
		el := &h.Elements[i]
		el.Unstated, el.Seal = 0, sealDigest(el.Seal)
	}
}

// ExplainHandoff says where the reasons of the result at position stand in the policy, and what went
// wrong there. It panics if position is out of range.
func (p *Point) ExplainHandoff(d *HandoffDecision, position int) Detail {
	return p.config.Engine.explainHandoff(d, position)
}

func cloneResults(results []Result) []Result {
	all := slices.Clone(results)
	for i := range all {
		all[i].Reasons = slices.Clone(all[i].Reasons)
		all[i].Obligations = slices.Clone(all[i].Obligations)
	}
	return all
}
