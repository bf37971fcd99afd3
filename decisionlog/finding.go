package decisionlog

import (
	"context"
	"errors"
	"fmt"

	"earshot/policy"
)

// States of a finding.
const (
	FindingOpen   = "open"
	FindingClosed = "closed"
)

// FindingQuery selects findings.
type FindingQuery struct {
	Span

	// State is FindingOpen, FindingClosed, or empty for both.
	State string

	// Tenant is that of the turn or of the hand-off; empty for any.
	Tenant string
}

// Finding is an entry by which something reached, or would have reached, a context that it does not belong
// into: a decision or a hand-off with the verdict BLEED_DETECTED or UNATTRIBUTED_CONTEXT, or a
// verification with findings. It is open until a reviewer records a disposition.
type Finding struct {
	// Registered has the id of the entry, which is that of the finding.
	Registered

	// Type is that of the entry: decision, handoff or verification.
	Type string

	// DecisionID is the decision: the entry itself, or what a context was verified against.
	DecisionID string

	RequestedBy, Tenant, Channel, Agent string

	// Verdict is empty for a verification, Findings for the others.
	Verdict  policy.Verdict
	Findings []policy.Finding

	// Dispositions are in the order of the ledger: the last one counts.
	Dispositions []StoredDisposition
}

// State returns FindingOpen or FindingClosed.
func (f *Finding) State() string {
	if len(f.Dispositions) == 0 {
		return FindingOpen
	}
	return FindingClosed
}

// FindingPage is a part of the findings.
type FindingPage struct {
	// Findings are in the order of the ledger, the newest first.
	Findings []Finding

	// Next is the cursor of the page that follows; empty on the last page. A page that has one may have
	// fewer findings than asked for, or none.
	Next string
}

// Findings returns the findings, among them every one that was recorded before the call. An entry that is
// damaged may be one and is listed whatever the filters. What retention has emptied is no finding any
// more.
//
// Errors: those of List.
func (l *Log) Findings(ctx context.Context, q FindingQuery) (FindingPage, error) {
	var page FindingPage
	take := func(v *values, from *view, seq int64) (bool, error) {
		f, err := l.finding(v, from, seq)
		if err != nil {
			return false, err
		}
		if f.Pruned || f.Damage == nil && (!q.contains(f.At) || q.Tenant != "" && f.Tenant != q.Tenant || q.State != "" && f.State() != q.State) {
			return false, nil
		}
		page.Findings = append(page.Findings, f)
		return true, nil
	}
	find := func(from *view) (seeker, error) { return l.findingRows(ctx, from) }
	var err error
	page.Next, err = l.walk(ctx, walk{"findings", []string{q.State, q.Tenant}, q.Span}, find, take)
	if err != nil {
		return FindingPage{}, err
	}
	return page, nil
}

// Finding returns the finding with this id.
//
// Errors: ErrNotFound, also where the entry is no finding or retention has emptied it; otherwise those
// of Get.
func (l *Log) Finding(ctx context.Context, id string) (*Finding, error) {
	var found *Finding
	err := l.snapshot(ctx, func(from *view) error {
		seq, err := l.first(ctx, from, id, func(typ string) bool { return isDecision(typ) || typ == leafVerification })
		if err != nil {
			return err
		}
		rows, err := l.findingRows(ctx, from)
		if err != nil {
			return err
		}
		among, err := rows.seek(ctx, from, seq)
		if err != nil {
			return err
		}
		f, err := l.finding(newValues(ctx, from.tx, l.documents), from, seq)
		switch {
		case err != nil:
			return err
		case f.Damage != nil:
			return f.Damage
		case among != seq || f.Pruned:
			return ErrNotFound
		}
		found = &f
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("get a finding: %w", err)
	}
	return found, nil
}

// findingRows returns the entries that are findings, and those that may be.
func (l *Log) findingRows(ctx context.Context, from *view) (seeker, error) {
	rows := union{postingList{byFinding, 0}, postingList{byDamage, 0}}
	for _, verdict := range []policy.Verdict{policy.BleedDetected, policy.UnattributedContext} {
		handle, err := findHandle(ctx, from.tx, l.keys.name, string(verdict))
		switch {
		case err == nil:
			rows = append(rows, postingList{byVerdict, handle})
		case orNone(err) != nil:
			return nil, err
		}
	}
	return rows, nil
}

// orNone returns err, or nil where it only says that there is nothing.
func orNone(err error) error {
	if errors.Is(err, ErrNotFound) {
		return nil
	}
	return err
}

// finding reads one row. Its error is never ErrDamaged.
func (l *Log) finding(v *values, from *view, seq int64) (f Finding, err error) {
	f.Registered, err = v.registered(seq, func(head *leaf, stored []byte) error {
		f.Type, f.DecisionID = head.Type, head.ID
		if head.Type == leafVerification {
			c, err := v.verification(head, stored)
			if err != nil {
				return err
			}
			f.DecisionID, f.RequestedBy, f.Findings = c.DecisionID, c.RequestedBy, c.Findings
			f.Tenant, f.Channel, f.Agent = c.Turn.Tenant, c.Turn.Channel, c.Turn.Agent
			return nil
		}
		s, err := v.noted(from, seq)
		if err == nil {
			err = s.Damage
		}
		f.RequestedBy, f.Tenant, f.Channel, f.Agent, f.Verdict = s.RequestedBy, s.Tenant, s.Channel, s.Agent, s.Verdict
		return err
	})
	if err != nil || f.Damage != nil || f.Pruned {
		return f, err
	}
	f.Dispositions, err = v.dispositions(from, l.keys.name, f.ID)
	if isDamage(err) {
		f.Damage, err = err, nil
	}
	return f, err
}
