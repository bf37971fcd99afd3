package receipt

import (
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"
)

// The statements, by name.
const (
	IsolationBoundary = "context_isolation_boundary_receipt"
	Provenance        = "context_provenance_attribution_signature"
	InheritancePolicy = "cross_agent_inheritance_policy_receipt"
	BleedDetection    = "bleed_detection_signature"
)

// Statements returns the names of the statements in the order in which they are made.
func Statements() []string {
	return []string{IsolationBoundary, Provenance, InheritancePolicy, BleedDetection}
}

const (
	// statementType is that of the in-toto Attestation Framework, spec/v1/statement.md.
	statementType = "https://in-toto.io/Statement/v1"

	typePrefix = "https://earshot.example/"
	typeSuffix = "/v1"

	digestPrefix = "sha256:"

	// maxIndex is the largest number that canonical JSON keeps exactly (RFC 8785, section 3.2.2.3).
	maxIndex = 1<<53 - 1
)

// predicateType returns the URI of a statement's predicate.
func predicateType(name string) string { return typePrefix + name + typeSuffix }

// Statement is what an envelope holds.
type Statement struct {
	Type          string    `json:"_type"`
	Subject       []Subject `json:"subject"`
	PredicateType string    `json:"predicateType"`
	Predicate     Predicate `json:"predicate"`
}

// Subject is something that a statement is about.
type Subject struct {
	// Name is context_manifest, policy, or the commitment of an element.
	Name   string `json:"name"`
	Digest Digest `json:"digest"`
}

// Digest is a set of digests of the one algorithm that is used here.
type Digest struct {
	SHA256 string `json:"sha256"` // 64 lower-case hex digits
}

// The names of the subjects that are no elements.
const (
	subjectManifest = "context_manifest"
	subjectPolicy   = "policy"
)

// Predicate is one of *Isolation, *Attributions, *InheritanceRules and *Bleed.
type Predicate interface {
	// Name returns the name of the statement.
	Name() string

	// Sentences returns what is stated, beside what Head has, one sentence an element.
	Sentences() []string

	head() *Head

	// check reports the first member that has not the form in which it is written. Its error is a
	// *PlaceError with a pointer into the predicate.
	check(subject []Subject) error

	// committed calls see with every commitment and the name that its disclosure has.
	committed(see func(name string, c Commitment))
}

// newPredicate returns an empty predicate of a type, nil where there is no such type.
func newPredicate(uri string) Predicate {
	switch uri {
	case predicateType(IsolationBoundary):
		return new(Isolation)
	case predicateType(Provenance):
		return new(Attributions)
	case predicateType(InheritancePolicy):
		return new(InheritanceRules)
	case predicateType(BleedDetection):
		return new(Bleed)
	}
	return nil
}

// Head are the members that every predicate has.
type Head struct {
	ReceiptID string    `json:"receipt_id"`
	IssuedAt  time.Time `json:"issued_at"`

	// DecisionID is that of the decision, or of the hand-off.
	DecisionID string `json:"decision_id"`

	Ledger LedgerEntry `json:"ledger"`
	Policy Revision    `json:"policy"`

	// Agent is whose context it is, or who inherits.
	Agent Name `json:"agent"`

	Tenant Commitment `json:"tenant,omitzero"`
}

// LedgerEntry is where the log holds what the receipt is about.
type LedgerEntry struct {
	Origin string `json:"origin"`
	Index  uint64 `json:"index"`
	Leaf   string `json:"leaf"` // RFC 6962 leaf hash, "sha256:" and 64 hex digits
}

// Revision names the policy that decided.
type Revision struct {
	Revision string `json:"revision"` // "sha256:" and 64 hex digits
}

func (h *Head) head() *Head { return h }

func (h *Head) checkHead() error {
	switch {
	case uuid.Validate(h.ReceiptID) != nil:
		return wrong("/receipt_id", "must be a UUID")
	case h.IssuedAt.IsZero() || h.IssuedAt.Location() != time.UTC:
		return wrong("/issued_at", "must be a time in UTC")
	case uuid.Validate(h.DecisionID) != nil:
		return wrong("/decision_id", "must be a UUID")
	case h.Ledger.Origin == "":
		return wrong("/ledger/origin", "must name the ledger")
	case h.Ledger.Index > maxIndex:
		return wrong("/ledger/index", "must be below 2^53")
	case !isDigest(h.Ledger.Leaf):
		return wrong("/ledger/leaf", "must be sha256: and 64 hex digits")
	case !isDigest(h.Policy.Revision):
		return wrong("/policy/revision", "must be sha256: and 64 hex digits")
	case h.Tenant != "" && !h.Tenant.valid():
		return wrong("/tenant", "must be a commitment")
	}
	return h.Agent.check("/agent")
}

func (h *Head) committedHead(see func(string, Commitment)) {
	see(discloseTenant, h.Tenant)
	h.Agent.committed(see)
}

// check reports what in a statement has not the form in which it is written.
func (s *Statement) check() error {
	if s.Type != statementType {
		return wrong("/_type", "must be %s", statementType)
	}
	if len(s.Subject) == 0 {
		return wrong("/subject", "must not be empty")
	}
	for i, subject := range s.Subject {
		if !isHex(subject.Digest.SHA256) {
			return wrong(fmt.Sprintf("/subject/%d/digest/sha256", i), "must be 64 lower-case hex digits")
		}
	}
	err := s.Predicate.head().checkHead()
	if err == nil {
		err = s.Predicate.check(s.Subject)
	}
	if place, ok := errors.AsType[*PlaceError](err); ok && !strings.HasPrefix(place.Place, "/subject") {
		return wrong("/predicate"+place.Place, "%s", place.Problem)
	}
	return err
}

func oneSubject(name string, subject []Subject) error {
	if len(subject) != 1 || subject[0].Name != name {
		return wrong("/subject", "must be one with the name %s", name)
	}
	return nil
}

func isHex(s string) bool {
	_, err := hex.DecodeString(s)
	return err == nil && len(s) == 64 && strings.ToLower(s) == s
}

func isDigest(s string) bool {
	digits, ok := strings.CutPrefix(s, digestPrefix)
	return ok && isHex(digits)
}
