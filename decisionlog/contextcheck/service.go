package contextcheck

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"earshot/decisionlog"
	"earshot/decisionlog/receipt"
	"earshot/policy"
)

// Ledger has decisions and fingerprints, and keeps verifications. A *decisionlog.Log is one.
type Ledger interface {
	// Get returns a decision or a hand-off, or an error that matches decisionlog.ErrNotFound.
	Get(ctx context.Context, id string) (*decisionlog.Record, error)

	// RecordVerification returns after the verification is durable and not before.
	RecordVerification(ctx context.Context, v *decisionlog.Verification) (policy.Position, error)

	// Fingerprints, Overlaps and KeepFingerprints are those of decisionlog.Log.
	Fingerprints(text string) []uint64
	Overlaps(ctx context.Context, tenant string, prints []uint64) (map[string]int, error)
	KeepFingerprints(ctx context.Context, tenant, itemID string, prints []uint64) error
}

// Receipts signs findings and records what it signed. A *receipt.Issuer is one.
type Receipts interface {
	Verification(ctx context.Context, v *decisionlog.Verification, at policy.Position) (receipt.Set, error)
}

// Rules are the policy's part in a check. A *policy.Engine is one.
type Rules interface {
	Revision() string
	OverlapThreshold() int
}

// Config has what a Service needs. All but CommitTimeout is required.
type Config struct {
	Ledger   Ledger
	Receipts Receipts

	// Rules returns the policy in force.
	Rules func() Rules

	// Clock returns the current time. It is read once a check.
	Clock func() time.Time

	// NewID returns a fresh UUID version 7.
	NewID func() (string, error)

	// CommitTimeout is how long recording may take, apart from the caller's own deadline. Zero means
	// ten seconds.
	CommitTimeout time.Duration
}

// Service checks contexts. It is safe for concurrent use.
type Service struct{ config Config }

// New returns a Service, or an error that names what the config lacks.
func New(c Config) (*Service, error) {
	switch {
	case c.Ledger == nil:
		return nil, errors.New("contextcheck: Config.Ledger is required")
	case c.Receipts == nil:
		return nil, errors.New("contextcheck: Config.Receipts is required")
	case c.Rules == nil:
		return nil, errors.New("contextcheck: Config.Rules is required")
	case c.Clock == nil:
		return nil, errors.New("contextcheck: Config.Clock is required")
	case c.NewID == nil:
		return nil, errors.New("contextcheck: Config.NewID is required")
	}
	if c.CommitTimeout == 0 {
		c.CommitTimeout = 10 * time.Second
	}
	return &Service{c}, nil
}

// Request is one context to check.
type Request struct {
	// DecisionID is of the decision that admitted what is in the context.
	DecisionID string

	// Turn is the turn as it is now.
	Turn policy.Turn

	// RequestedBy names the credential that asked; empty where no authentication is configured.
	RequestedBy string

	// Segments are the parts of the context in their order.
	Segments []Segment
}

// Segment is one part of a context.
type Segment struct {
	// ItemID is the item that the part is said to be; empty where none is claimed.
	ItemID string

	// Digest is of the exact text, as "sha256:" and 64 lower-case hex digits. Required.
	Digest string

	// Text is what Digest is of; empty where the caller sent the digest alone. It is kept nowhere.
	Text string
}

// Answer is a check that was recorded.
type Answer struct {
	decisionlog.Verification
	Log policy.Position

	// Receipts has the signed statement about the findings; the zero Set where there are none.
	Receipts receipt.Set
}

// Check holds the segments against the decision, records what came of it, and has findings signed.
//
// Errors: policy.ErrInvalidRequest; decisionlog.ErrNotFound where there is no such decision, or it is
// that of another tenant, a hand-off, or emptied by retention; policy.ErrNotRecorded; those of Ledger
// and Receipts. With any of them the context must not be used.
func (s *Service) Check(ctx context.Context, req Request) (*Answer, error) {
	turn, err := policy.NormalTurn(req.Turn)
	if err != nil {
		return nil, err
	}
	segments := make([]policy.Segment, len(req.Segments))
	for i, given := range req.Segments {
		segments[i] = policy.Segment{ItemID: given.ItemID, Digest: given.Digest}
		if err := policy.CheckSegment(fmt.Sprintf("/segments/%d", i), &segments[i]); err != nil {
			return nil, err
		}
	}
	entry, err := s.decision(ctx, req.DecisionID, turn.Tenant)
	if err != nil {
		return nil, err
	}
	id, err := s.config.NewID()
	if err != nil {
		return nil, fmt.Errorf("make a verification id: %w", err)
	}
	rules := s.config.Rules()
	// First, so that the text of one segment is found in the next.
	if err := s.learn(ctx, entry, req.Segments); err != nil {
		return nil, err
	}
	if err := s.overlaps(ctx, entry, &turn, req.Segments, segments); err != nil {
		return nil, err
	}
	v := decisionlog.Verification{
		ID:             id,
		At:             s.config.Clock().UTC().Truncate(time.Microsecond),
		PolicyRevision: rules.Revision(),
		DecisionID:     entry.ID,
		RequestedBy:    req.RequestedBy,
		Turn:           turn,
		Segments:       segments,
		Findings:       policy.CheckContext(entry, turn, segments, rules.OverlapThreshold()),
	}
	return s.record(ctx, v)
}

// record puts a check into the ledger and has its findings signed.
func (s *Service) record(ctx context.Context, v decisionlog.Verification) (*Answer, error) {
	commit, cancel := context.WithTimeout(context.WithoutCancel(ctx), s.config.CommitTimeout)
	defer cancel()
	at, err := s.config.Ledger.RecordVerification(commit, &v)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", policy.ErrNotRecorded, err)
	}
	answer := &Answer{Verification: v, Log: at}
	if len(v.Findings) > 0 {
		if answer.Receipts, err = s.config.Receipts.Verification(ctx, &v, at); err != nil {
			return nil, err
		}
	}
	return answer, nil
}

// decision returns the decision with this id, if it is one of the tenant.
func (s *Service) decision(ctx context.Context, id, tenant string) (*policy.Entry, error) {
	r, err := s.config.Ledger.Get(ctx, id)
	if err != nil {
		return nil, err
	}
	if r.Handoff != nil || r.Pruned || r.Request.Turn.Tenant != tenant {
		return nil, fmt.Errorf("check a context: %w", decisionlog.ErrNotFound)
	}
	return &r.Entry, nil
}

// overlaps fills in with which denied candidates a segment shares text. It asks only about segments
// that nothing covers: for others the answer makes no difference.
func (s *Service) overlaps(ctx context.Context, e *policy.Entry, now *policy.Turn, given []Segment, segments []policy.Segment) error {
	denied := deniedItems(e)
	if len(denied) == 0 {
		return nil
	}
	asked := map[int]bool{}
	for _, f := range policy.CheckContext(e, *now, segments, 1) {
		if asked[f.Segment] {
			continue
		}
		asked[f.Segment] = true
		shared, err := s.config.Ledger.Overlaps(ctx, now.Tenant, s.config.Ledger.Fingerprints(given[f.Segment].Text))
		if err != nil {
			return err
		}
		for _, id := range denied {
			if n := shared[id]; n > 0 {
				segments[f.Segment].Overlaps = append(segments[f.Segment].Overlaps, policy.Overlap{ItemID: id, Prints: n})
			}
		}
	}
	return nil
}

// learn keeps the fingerprints of texts that are an item of the decision, word for word.
func (s *Service) learn(ctx context.Context, e *policy.Entry, given []Segment) error {
	known := map[[2]string]bool{}
	for i := range e.Request.Candidates {
		known[[2]string{e.Request.Candidates[i].ID, e.Request.Candidates[i].Digest}] = true
	}
	for i := range given {
		g := &given[i]
		if g.ItemID == "" || g.Text == "" || !known[[2]string{g.ItemID, g.Digest}] {
			continue
		}
		if err := s.config.Ledger.KeepFingerprints(ctx, e.Request.Turn.Tenant, g.ItemID, s.config.Ledger.Fingerprints(g.Text)); err != nil {
			return err
		}
	}
	return nil
}

// deniedItems returns the items of a decision of which no position was admitted, sorted.
func deniedItems(e *policy.Entry) []string {
	admitted := map[string]bool{}
	for i := range e.Results {
		if e.Results[i].Admit {
			admitted[e.Request.Candidates[i].ID] = true
		}
	}
	denied := map[string]bool{}
	for i := range e.Request.Candidates {
		if id := e.Request.Candidates[i].ID; id != "" && !admitted[id] {
			denied[id] = true
		}
	}
	return slices.Sorted(maps.Keys(denied))
}
