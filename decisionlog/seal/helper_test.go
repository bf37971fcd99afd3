package seal_test

import (
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"earshot/decisionlog"
	"earshot/decisionlog/keyring"
	"earshot/decisionlog/seal"
	"earshot/policy"
)

var noon = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

// revision stands for the digest of a bundle.
const revision = "sha256:0000000000000000000000000000000000000000000000000000000000000007"

// signer is one key pair.
type signer struct {
	key     keyring.Key
	private ed25519.PrivateKey
}

// newSigner returns the key pair with a number, in force from an hour before noon.
func newSigner(t testing.TB, number byte) signer {
	t.Helper()
	seed := make([]byte, ed25519.SeedSize)
	seed[0] = number
	private := ed25519.NewKeyFromSeed(seed)
	public := private.Public().(ed25519.PublicKey)
	id, err := keyring.KeyID(public)
	if err != nil {
		t.Fatal(err)
	}
	return signer{
		key:     keyring.Key{ID: id, Purpose: keyring.PurposeReceipt, Public: public, NotBefore: noon.Add(-time.Hour)},
		private: private,
	}
}

func (s signer) KeyID() string                       { return s.key.ID }
func (s signer) Sign(message []byte) ([]byte, error) { return ed25519.Sign(s.private, message), nil }

// keys are the keys of a service.
type keys []keyring.Key

func (k keys) Find(p keyring.Purpose, id string) (keyring.Key, bool) {
	for _, key := range k {
		if key.Purpose == p && key.ID == id {
			return key, true
		}
	}
	return keyring.Key{}, false
}

// ledger keeps sealings in memory, or fails with err.
type ledger struct {
	sealings map[string]*decisionlog.Sealing
	err      error
	asked    atomic.Int64
	epoch    atomic.Uint64
}

func (l *ledger) RecordSealing(_ context.Context, s *decisionlog.Sealing) (policy.Position, error) {
	if l.err != nil {
		return policy.Position{}, l.err
	}
	if l.sealings == nil {
		l.sealings = map[string]*decisionlog.Sealing{}
	}
	l.sealings[s.ID] = s
	return policy.Position{Index: uint64(len(l.sealings) - 1)}, nil
}

func (l *ledger) Epoch() uint64 { return l.epoch.Load() }

func (l *ledger) SealedItem(_ context.Context, id string, position int) (*policy.Candidate, error) {
	l.asked.Add(1)
	if l.err != nil {
		return nil, l.err
	}
	s, ok := l.sealings[id]
	if !ok || position >= len(s.Items) {
		return nil, decisionlog.ErrNotFound
	}
	return &s.Items[position], nil
}

// desk is a service with what it was made of, and a decision point that asks it.
type desk struct {
	*seal.Service
	signer signer
	keys   keys
	ledger *ledger
	now    time.Time
	newID  func() (string, error)
	kept   seal.Ledger // the ledger, unless a test puts another in its place
	engine *policy.Engine
	point  *policy.Point
}

// newDesk returns a desk whose clock shows noon. More keys verify and do not sign.
func newDesk(t testing.TB, more ...keyring.Key) *desk {
	t.Helper()
	d := &desk{signer: newSigner(t, 1), ledger: &ledger{}, now: noon}
	d.kept = d.ledger
	d.keys = append(keys{d.signer.key}, more...)
	number := 0
	d.newID = func() (string, error) {
		number++
		return fmt.Sprintf("00000000-0000-7000-8000-%012d", number), nil
	}
	d.forget(t)
	bundle, err := policy.EmbeddedBundle()
	if err != nil {
		t.Fatal(err)
	}
	d.engine, err = policy.NewEngine(context.Background(), bundle)
	if err != nil {
		t.Fatal(err)
	}
	d.point, err = policy.NewPoint(policy.Config{
		Engine: d.engine, Recorder: forgetful{}, Seals: d, Clock: d.clock, NewID: d.newID,
	})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func (d *desk) clock() time.Time { return d.now }

// forget gives the desk a service that has not seen any seal.
func (d *desk) forget(t testing.TB) {
	t.Helper()
	var err error
	d.Service, err = seal.New(seal.Config{Signer: d.signer, Keys: d.keys, Ledger: d.kept, Clock: d.clock, NewID: d.newID})
	if err != nil {
		t.Fatal(err)
	}
}

// forgetful is a Recorder that keeps nothing.
type forgetful struct{}

func (forgetful) Record(context.Context, *policy.Entry) (policy.Position, error) {
	return policy.Position{}, nil
}

func digestOf(text string) string { return "sha256:" + strings.Repeat(text, 64)[:64] }

// item is a live fact of scribe's, of tenant acme, with every label that is sealed.
func item(id string) policy.Candidate {
	return policy.Candidate{
		ID: id, Audience: policy.Principals("user:ann", "user:ben"), AudienceBasis: policy.BasisRecorded,
		Tenant: "acme", Channel: "slack:C042", Agent: "agent:scribe", Confidential: policy.NotConfidential,
		Kind: policy.KindFact, State: policy.StateLive, RecordedAt: noon.Add(-time.Minute + 123456789),
		Digest: digestOf("a"),
		Sources: []policy.Source{
			{ID: "s1", Audience: policy.Principals("user:ann", "user:ben", "user:cat"), Agent: "agent:scribe", State: policy.StateLive},
			{ID: "s2", Audience: policy.Principals("user:ann", "user:ben"), Agent: "agent:scribe", State: policy.StateLive},
		},
	}
}

// issue returns the items with their seals.
func (d *desk) issue(t testing.TB, items ...policy.Candidate) []policy.Candidate {
	t.Helper()
	answer, err := d.Issue(context.Background(), seal.Request{Tenant: items[0].Tenant, PolicyRevision: revision, Items: items})
	if err != nil {
		t.Fatal(err)
	}
	sealed := make([]policy.Candidate, len(items))
	for i := range items {
		sealed[i] = items[i]
		sealed[i].Seal = answer.Seals[i].Seal
	}
	return sealed
}

// request asks about candidates for scribe before ann.
func request(candidates ...policy.Candidate) policy.Request {
	return policy.Request{
		Turn: policy.Turn{
			Agent: "agent:scribe", Attempt: 1, Tenant: "acme",
			Viewers: []string{"user:ann"}, ViewersBasis: policy.BasisPlatform,
		},
		Candidates: candidates,
	}
}

func (d *desk) decide(t testing.TB, candidates ...policy.Candidate) *policy.Decision {
	t.Helper()
	decision, err := d.point.Decide(context.Background(), request(candidates...))
	if err != nil {
		t.Fatal(err)
	}
	return decision
}

// refuses fails the test unless Verify returns an error that matches policy.ErrSeal.
func (d *desk) refuses(t testing.TB, text string) {
	t.Helper()
	if sealed, err := d.Verify(context.Background(), text); !errors.Is(err, policy.ErrSeal) {
		t.Errorf("got %+v, %v for %q", sealed, err, text)
	}
}
