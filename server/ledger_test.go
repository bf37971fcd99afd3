package server_test

import (
	"context"
	"crypto/sha256"
	"fmt"
	"slices"
	"sync"

	"earshot/decisionlog"
	"earshot/policy"
)

// ledger is a decision log in memory, with the errors of the real one on demand.
type ledger struct {
	mu      sync.Mutex
	records []*decisionlog.Record
	refuse  error // of Record
	fail    error // of Get and List
	asked   decisionlog.Query
	next    string
	damaged []decisionlog.Summary // at the end of every list

	audited
}

func (l *ledger) Record(_ context.Context, e *policy.Entry) (policy.Position, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.refuse != nil {
		return policy.Position{}, l.refuse
	}
	position := policy.Position{Index: uint64(len(l.records)), Leaf: sha256.Sum256([]byte(e.ID))}
	l.records = append(l.records, &decisionlog.Record{Entry: *e, Log: position})
	return position, nil
}

func (l *ledger) RecordHandoff(_ context.Context, e *policy.HandoffEntry) (policy.Position, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.refuse != nil {
		return policy.Position{}, l.refuse
	}
	position := policy.Position{Index: uint64(len(l.records)), Leaf: sha256.Sum256([]byte(e.ID))}
	l.records = append(l.records, &decisionlog.Record{
		Entry: policy.Entry{ID: e.ID, At: e.At, PolicyRevision: e.PolicyRevision}, Log: position, Handoff: e,
	})
	return position, nil
}

func (l *ledger) Get(_ context.Context, id string) (*decisionlog.Record, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.fail != nil {
		return nil, l.fail
	}
	for _, r := range l.records {
		if r.ID == id {
			return r, nil
		}
	}
	return nil, fmt.Errorf("get a decision: %w", decisionlog.ErrNotFound)
}

func (l *ledger) List(_ context.Context, q decisionlog.Query) (decisionlog.Page, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.asked = q
	if l.fail != nil {
		return decisionlog.Page{}, l.fail
	}
	page := decisionlog.Page{Next: l.next}
	for _, r := range slices.Backward(l.records) {
		page.Summaries = append(page.Summaries, summaryOf(r))
	}
	page.Summaries = append(page.Summaries, l.damaged...)
	return page, nil
}

func summaryOf(r *decisionlog.Record) decisionlog.Summary {
	if h := r.Handoff; h != nil {
		s := decisionlog.Summary{
			Handoff: true, ID: r.ID, At: r.At, PolicyRevision: r.PolicyRevision, Log: r.Log,
			RequestedBy: h.Request.RequestedBy, Tenant: h.Request.Tenant, Agent: h.Request.Agent, Verdict: h.Verdict,
		}
		s.Admitted, s.Denied = h.Counts()
		return s
	}
	turn := &r.Request.Turn
	s := decisionlog.Summary{
		ID: r.ID, At: r.At, PolicyRevision: r.PolicyRevision, Log: r.Log, RequestedBy: r.Request.RequestedBy,
		TurnID: turn.ID, Attempt: turn.Attempt, Tenant: turn.Tenant, Channel: turn.Channel, Agent: turn.Agent,
		Viewers: r.Viewers, Verdict: r.Verdict, Pruned: r.Pruned,
	}
	s.Admitted, s.Denied = r.Counts()
	return s
}
