package receipt

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"io"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"earshot/policy"
)

// Commitment stands for text that a receipt does not show: the SHA-256 of its disclosure in base64url
// without padding, 43 characters (RFC 9901, section 4.2.3).
type Commitment string

func (c Commitment) valid() bool { return c.sum() != nil }

// sum returns the 32 bytes of the SHA-256, nil where c is none.
func (c Commitment) sum() []byte {
	sum, err := base64.RawURLEncoding.Strict().DecodeString(string(c))
	if err != nil || len(sum) != sha256.Size || len(c) != 43 {
		return nil
	}
	return sum
}

// subject returns the element as a subject of a statement.
func (c Commitment) subject() Subject {
	return Subject{Name: string(c), Digest: Digest{hex.EncodeToString(c.sum())}}
}

func commitmentOf(disclosure string) Commitment {
	sum := sha256.Sum256([]byte(disclosure))
	return Commitment(base64.RawURLEncoding.EncodeToString(sum[:]))
}

// The names of disclosures.
const (
	discloseElement   = "element"   // {"channel"?, "digest"?, "id"?, "position"}
	discloseItem      = "item"      // the id of the item that a segment has text of
	disclosePrincipal = "principal" // a principal
	discloseSegment   = "segment"   // {"digest"?, "id"?, "position"}
	discloseSource    = "source"    // {"digest"?, "id"?} of what an element was derived from
	discloseTenant    = "tenant"    // the name of the tenant
	discloseViewers   = "viewers"   // the viewers as stated, or null
)

// saltBytes is the least that RFC 9901 recommends, section 9.3.
const saltBytes = 16

// vault makes the commitments of one set and keeps what opens them.
type vault struct {
	random      io.Reader
	disclosures []string
	names       map[string]Name
	err         error // the first one; commitments are empty from then on
}

// commit returns the commitment of a value under a name (RFC 9901, section 4.2.1).
func (v *vault) commit(name string, value any) Commitment {
	salt := v.salt()
	if v.err != nil {
		return ""
	}
	// Text that is no UTF-8 can only come from a program, and is denied; U+FFFD takes its place.
	text, err := json.Marshal([]any{salt, name, value}, jsontext.AllowInvalidUTF8(true), json.Deterministic(true))
	if err != nil {
		v.err = fmt.Errorf("write a disclosure: %w", err)
		return ""
	}
	disclosure := base64.RawURLEncoding.EncodeToString(text)
	v.disclosures = append(v.disclosures, disclosure)
	return commitmentOf(disclosure)
}

// commitText is commit, and nothing for text that is absent.
func (v *vault) commitText(name, text string) Commitment {
	if text == "" {
		return ""
	}
	return v.commit(name, text)
}

func (v *vault) salt() string {
	var salt [saltBytes]byte
	if _, err := io.ReadFull(v.random, salt[:]); err != nil && v.err == nil {
		v.err = fmt.Errorf("draw a salt: %w", err)
	}
	return base64.RawURLEncoding.EncodeToString(salt[:])
}

// Name is a principal in a receipt: as it is where it is one that begins with "agent:", and otherwise
// "sd:" and the commitment of it, since it may be the name of a person, or be text that is no principal.
type Name string

const (
	plainPrefix     = "agent:"
	committedPrefix = "sd:"
)

// name returns a principal for a receipt; empty for an empty one. Within a set the same principal has
// the same name.
func (v *vault) name(principal string) Name {
	if principal == "" {
		return ""
	}
	name, ok := v.names[principal]
	if !ok {
		name = Name(principal)
		if !isPlain(principal) {
			name = Name(committedPrefix + v.commit(disclosePrincipal, principal))
		}
		v.names[principal] = name
	}
	return name
}

func isPlain(principal string) bool {
	return strings.HasPrefix(principal, plainPrefix) && policy.CheckPrincipal(principal) == nil
}

func (v *vault) nameAll(principals []string) []Name {
	all := make([]Name, len(principals))
	for i, principal := range principals {
		all[i] = v.name(principal)
	}
	return all
}

func (n Name) commitment() (Commitment, bool) {
	c, ok := strings.CutPrefix(string(n), committedPrefix)
	return Commitment(c), ok
}

func (n Name) committed(see func(string, Commitment)) {
	if c, ok := n.commitment(); ok {
		see(disclosePrincipal, c)
	}
}

func (n Name) check(place string) error {
	if c, ok := n.commitment(); ok && c.valid() || isPlain(string(n)) {
		return nil
	}
	return wrong(place, "must begin with agent:, or be sd: and a commitment")
}

func checkNames(place string, names []Name) error {
	for i, n := range names {
		if err := n.check(fmt.Sprintf("%s/%d", place, i)); err != nil {
			return err
		}
	}
	return nil
}

func checkCommitments(place string, all []Commitment) error {
	for i, c := range all {
		if !c.valid() {
			return wrong(fmt.Sprintf("%s/%d", place, i), "must be a commitment")
		}
	}
	return nil
}
