package receipt

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/secure-systems-lab/go-securesystemslib/dsse"

	"earshot/decisionlog"
	"earshot/policy"
)

// Signer signs with an Ed25519 key (RFC 8032). A *keyring.Signer is one.
type Signer interface {
	// KeyID is the SHA-256 of the SubjectPublicKeyInfo, in 64 hex digits.
	KeyID() string

	Sign(message []byte) ([]byte, error)
}

// Ledger keeps receipts. A *decisionlog.Log is one.
type Ledger interface {
	// RecordReceipts returns after all of them are durable, in one commit, and not before.
	RecordReceipts(ctx context.Context, receipts []decisionlog.Receipt) ([]policy.Position, error)
}

// Config has what an Issuer needs. All but CommitTimeout and Random are required.
type Config struct {
	Signer Signer
	Ledger Ledger

	// Origin is the identity of the ledger, a URL without a scheme.
	Origin string

	// Clock returns the current time. It is read once a set.
	Clock func() time.Time

	// NewID returns a fresh UUID version 7.
	NewID func() (string, error)

	// CommitTimeout is how long recording may take, apart from the caller's own deadline. Zero means
	// ten seconds.
	CommitTimeout time.Duration

	// Random gives the salts of commitments. Nil means that of the package crypto/rand.
	Random io.Reader
}

// Issuer makes receipts. It is safe for concurrent use where its parts are.
type Issuer struct {
	config Config
	signer *dsse.EnvelopeSigner
}

// Set are the receipts of one decision.
type Set struct {
	// Envelopes has one DSSE envelope a statement, by its name.
	Envelopes map[string]json.RawMessage

	// Disclosures open the commitments in the envelopes. They are personal data, and no part of what
	// was signed and recorded.
	Disclosures []string

	// Manifest is the context whose digest is the subject, in canonical JSON; nil for a hand-off, whose
	// manifest is that of policy.HandoffManifest.
	Manifest json.RawMessage
}

// NewIssuer returns an Issuer, or an error that names what the config lacks.
func NewIssuer(c Config) (*Issuer, error) {
	switch {
	case c.Signer == nil:
		return nil, errors.New("receipt: Config.Signer is required")
	case c.Ledger == nil:
		return nil, errors.New("receipt: Config.Ledger is required")
	case c.Origin == "":
		return nil, errors.New("receipt: Config.Origin is required")
	case c.Clock == nil:
		return nil, errors.New("receipt: Config.Clock is required")
	case c.NewID == nil:
		return nil, errors.New("receipt: Config.NewID is required")
	}
	if c.CommitTimeout == 0 {
		c.CommitTimeout = 10 * time.Second
	}
	if c.Random == nil {
		c.Random = rand.Reader
	}
	signer, err := dsse.NewEnvelopeSigner(dsseSigner{c.Signer})
	if err != nil {
		return nil, fmt.Errorf("receipt: %w", err)
	}
	return &Issuer{config: c, signer: signer}, nil
}

// Decision returns the receipts of a recorded decision, after they are recorded too.
//
// Errors: ErrIssue (nothing recorded), policy.ErrNotRecorded. With either there is no set, and what was
// decided is not to be answered.
func (i *Issuer) Decision(ctx context.Context, d *policy.Decision) (Set, error) {
	if len(d.Results) != len(d.Request.Candidates) {
		return Set{}, fmt.Errorf("%w: %d results for %d candidates", ErrIssue, len(d.Results), len(d.Request.Candidates))
	}
	v := i.newVault()
	m, manifest, err := ofDecision(v, d)
	if err != nil {
		return Set{}, fmt.Errorf("%w: %w", ErrIssue, err)
	}
	return i.issue(ctx, v, manifest, fourOf(m, v))
}

// Handoff returns the receipts of a recorded hand-off, on the terms of Decision.
func (i *Issuer) Handoff(ctx context.Context, d *policy.HandoffDecision) (Set, error) {
	if len(d.Results) != len(d.Request.Elements) {
		return Set{}, fmt.Errorf("%w: %d results for %d elements", ErrIssue, len(d.Results), len(d.Request.Elements))
	}
	v := i.newVault()
	return i.issue(ctx, v, nil, fourOf(ofHandoff(v, d), v))
}

// Verification returns the one receipt, BleedDetection, of a context that was checked before it reached
// a model. The check is recorded at a position already. The terms are those of Decision.
func (i *Issuer) Verification(ctx context.Context, checked *decisionlog.Verification, at policy.Position) (Set, error) {
	v := i.newVault()
	statement, manifest, err := ofChecked(v, checked, at)
	if err != nil {
		return Set{}, fmt.Errorf("%w: %w", ErrIssue, err)
	}
	return i.issue(ctx, v, manifest, []*Statement{statement})
}

func (i *Issuer) newVault() *vault {
	return &vault{random: i.config.Random, names: map[string]Name{}}
}

// fourOf returns the four statements in the order of Statements.
func fourOf(m *matter, v *vault) []*Statement {
	isolation, context := isolationOf(m, v)
	attributions, elements := attributionsOf(m)
	rules, revision := inheritanceOf(m, v)
	bleed, again := bleedOf(m)
	return []*Statement{
		newStatement(isolation, context), newStatement(attributions, elements),
		newStatement(rules, revision), newStatement(bleed, again),
	}
}

func newStatement(p Predicate, subject []Subject) *Statement {
	return &Statement{statementType, subject, predicateType(p.Name()), p}
}

// issue signs and records statements.
func (i *Issuer) issue(ctx context.Context, v *vault, manifest []byte, statements []*Statement) (Set, error) {
	if v.err != nil {
		return Set{}, fmt.Errorf("%w: %w", ErrIssue, v.err)
	}
	at := i.config.Clock().UTC().Truncate(time.Microsecond)
	set := Set{Envelopes: map[string]json.RawMessage{}, Disclosures: v.disclosures, Manifest: manifest}
	receipts := make([]decisionlog.Receipt, len(statements))
	for n, s := range statements {
		head := s.Predicate.head()
		id, err := i.config.NewID()
		if err != nil {
			return Set{}, fmt.Errorf("%w: make a receipt id: %w", ErrIssue, err)
		}
		head.ReceiptID, head.IssuedAt, head.Ledger.Origin = id, at, i.config.Origin
		envelope, err := i.envelope(ctx, s)
		if err != nil {
			return Set{}, fmt.Errorf("%w: %s: %w", ErrIssue, s.Predicate.Name(), err)
		}
		receipts[n] = decisionlog.Receipt{
			ID: id, At: at, PolicyRevision: head.Policy.Revision, DecisionID: head.DecisionID,
			Statement: s.Predicate.Name(), Envelope: envelope,
		}
		set.Envelopes[s.Predicate.Name()] = envelope
	}
	commit, cancel := context.WithTimeout(context.WithoutCancel(ctx), i.config.CommitTimeout)
	defer cancel()
	positions, err := i.config.Ledger.RecordReceipts(commit, receipts)
	if err == nil && len(positions) != len(receipts) {
		err = fmt.Errorf("the ledger confirmed %d of %d receipts", len(positions), len(receipts))
	}
	if err != nil {
		return Set{}, fmt.Errorf("%w: %w", policy.ErrNotRecorded, err)
	}
	return set, nil
}
