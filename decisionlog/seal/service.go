package seal

import (
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"

	"earshot/decisionlog"
	"earshot/decisionlog/keyring"
	"earshot/policy"
)

// Signer signs with the receipt key that is in force. It is safe for concurrent use.
type Signer interface {
	KeyID() string
	Sign(message []byte) ([]byte, error)
}

// Keys has the public keys of this service, those that were retired too.
type Keys interface {
	Find(p keyring.Purpose, id string) (keyring.Key, bool)
}

// Ledger keeps the labels that were sealed.
type Ledger interface {
	RecordSealing(ctx context.Context, s *decisionlog.Sealing) (policy.Position, error)

	// SealedItem returns an error that matches decisionlog.ErrNotFound for an item that is not kept.
	SealedItem(ctx context.Context, sealingID string, position int) (*policy.Candidate, error)

	// Epoch grows when something that SealedItem returned may be gone.
	Epoch() uint64
}

// Config has what a Service needs. All but Cache is required.
type Config struct {
	Signer Signer
	Keys   Keys
	Ledger Ledger

	// Cache is how many seals are remembered as verified, at about a kilobyte each. Zero means 20,000.
	Cache int

	// Clock returns the current time.
	Clock func() time.Time

	// NewID returns a fresh UUID version 7.
	NewID func() (string, error)
}

const defaultCache = 20_000

// Service issues seals and verifies them. It is safe for concurrent use.
type Service struct {
	config Config

	// verified has what the seals that were verified say, by their text. What a seal
	// says never changes, and a key that was in force when it was issued has been so ever since.
	verified *lru.Cache[string, policy.Sealed]

	// labels are those that the log had last, by the id of the seal.
	labels *lru.Cache[string, kept]
}

// kept are labels as the log had them at an epoch.
type kept struct {
	epoch    uint64
	audience policy.Audience
	sources  []policy.Source
}

// New returns a Service, or an error that names what the config lacks.
func New(c Config) (*Service, error) {
	switch {
	case c.Signer == nil:
		return nil, errors.New("seal: Config.Signer is required")
	case c.Keys == nil:
		return nil, errors.New("seal: Config.Keys is required")
	case c.Ledger == nil:
		return nil, errors.New("seal: Config.Ledger is required")
	case c.Clock == nil:
		return nil, errors.New("seal: Config.Clock is required")
	case c.NewID == nil:
		return nil, errors.New("seal: Config.NewID is required")
	case c.Cache == 0:
		c.Cache = defaultCache
	}
	verified, err := lru.New[string, policy.Sealed](c.Cache)
	if err != nil {
		return nil, fmt.Errorf("seal: Config.Cache: %w", err)
	}
	labels, err := lru.New[string, kept](c.Cache)
	if err != nil {
		return nil, fmt.Errorf("seal: Config.Cache: %w", err)
	}
	return &Service{config: c, verified: verified, labels: labels}, nil
}

// Verify implements policy.Seals. Its error matches policy.ErrSeal.
func (s *Service) Verify(_ context.Context, seal string) (policy.Sealed, error) {
	if len(seal) > MaxLength {
		return policy.Sealed{}, fmt.Errorf("%w: %w", policy.ErrSeal, errForm)
	}
	if sealed, ok := s.verified.Get(seal); ok {
		return sealed, nil
	}
	sealed, err := s.verify(seal)
	if err != nil {
		return policy.Sealed{}, fmt.Errorf("%w: %w", policy.ErrSeal, err)
	}
	sealed.Remember(seal)
	s.verified.Add(strings.Clone(seal), sealed)
	return sealed, nil
}

// verify checks the signature before it reads what is signed.
func (s *Service) verify(seal string) (policy.Sealed, error) {
	p, err := take(seal)
	if err != nil {
		return policy.Sealed{}, err
	}
	key, ok := s.config.Keys.Find(keyring.PurposeReceipt, p.kid)
	if !ok {
		return policy.Sealed{}, errors.New("no key of this service has the id of its header")
	}
	if len(key.Public) != ed25519.PublicKeySize || !ed25519.Verify(key.Public, []byte(p.input), p.signature) {
		return policy.Sealed{}, errors.New("the signature is not that of the key")
	}
	sealed, err := decodeClaims(p.payload)
	if err != nil {
		return policy.Sealed{}, err
	}
	if !key.SignedAt(sealed.IssuedAt) {
		return policy.Sealed{}, errors.New("the key was not in force when the seal was issued")
	}
	return sealed, nil
}

// Labels implements policy.Seals. What the log said once counts until something is erased there. The
// caller must not change it.
func (s *Service) Labels(ctx context.Context, id string) (policy.Audience, []policy.Source, error) {
	sealing, number, found := strings.Cut(id, "/")
	position, err := strconv.Atoi(number)
	if !found || err != nil || position < 0 {
		return policy.Audience{}, nil, fmt.Errorf("%w: its id leads nowhere", policy.ErrSeal)
	}
	// Read before the log is: what it gives is then at least of this epoch.
	epoch := s.config.Ledger.Epoch()
	if known, ok := s.labels.Get(id); ok && known.epoch == epoch {
		return known.audience, known.sources, nil
	}
	item, err := s.config.Ledger.SealedItem(ctx, sealing, position)
	if errors.Is(err, decisionlog.ErrNotFound) {
		return policy.Audience{}, nil, fmt.Errorf("%w: %w", policy.ErrSeal, err)
	}
	if err != nil {
		return policy.Audience{}, nil, fmt.Errorf("look up sealed labels: %w", err)
	}
	s.labels.Add(id, kept{epoch, item.Audience, item.Sources})
	return item.Audience, item.Sources, nil
}
