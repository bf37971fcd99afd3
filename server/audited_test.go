package server_test

import (
	"context"
	"slices"
	"sync"

	"earshot/decisionlog"
	"earshot/policy"
)

// audited is the part of a log in memory that is asked by compliance people. It has no answers of its own.
type audited struct {
	mutex    sync.Mutex
	accesses []decisionlog.Access
	refused  error // of RecordAccess
}

func (a *audited) RecordAccess(_ context.Context, asked *decisionlog.Access) (policy.Position, error) {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	if a.refused != nil {
		return policy.Position{}, a.refused
	}
	a.accesses = append(a.accesses, *asked)
	return policy.Position{}, nil
}

// questions returns what was recorded so far.
func (a *audited) questions() []decisionlog.Access {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	return slices.Clone(a.accesses)
}

func (a *audited) Exposures(context.Context, decisionlog.ExposureQuery) (decisionlog.ExposurePage, error) {
	return decisionlog.ExposurePage{}, nil
}

func (a *audited) Accesses(context.Context, decisionlog.AccessQuery) (decisionlog.AccessPage, error) {
	return decisionlog.AccessPage{}, nil
}

func (a *audited) Stats(context.Context, decisionlog.StatsQuery) (*decisionlog.Stats, error) {
	return &decisionlog.Stats{}, nil
}

func (a *audited) Findings(context.Context, decisionlog.FindingQuery) (decisionlog.FindingPage, error) {
	return decisionlog.FindingPage{}, nil
}

func (a *audited) Finding(context.Context, string) (*decisionlog.Finding, error) {
	return nil, decisionlog.ErrNotFound
}

func (a *audited) RecordDisposition(context.Context, *decisionlog.Disposition) (policy.Position, error) {
	return policy.Position{}, decisionlog.ErrNotFound
}

func (a *audited) ErasureRegister(context.Context, decisionlog.Span) (decisionlog.ErasurePage, error) {
	return decisionlog.ErasurePage{}, nil
}
