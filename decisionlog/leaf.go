package decisionlog

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// digest is a SHA-256, in JSON as "sha256:" and 64 hex digits.
type digest [sha256.Size]byte

const digestPrefix = "sha256:"

func (d digest) String() string { return digestPrefix + hex.EncodeToString(d[:]) }

// UnmarshalText reads the form that String gives.
func (d *digest) UnmarshalText(text []byte) error {
	digits, ok := strings.CutPrefix(string(text), digestPrefix)
	if !ok || len(digits) != 2*len(d) {
		return fmt.Errorf("not a SHA-256 digest: %q", text)
	}
	_, err := hex.Decode(d[:], []byte(digits))
	return err
}

const (
	leafVersion = 1

	// leafTime is RFC 3339 in UTC with exactly microseconds, so that equal instants have equal
	// bytes.
	leafTime = "2006-01-02T15:04:05.000000Z"

	// maxLeafText bounds the two texts of a leaf, which keeps every leaf far below the 65,535
	// bytes of a C2SP entry bundle.
	maxLeafText = 256
)

// leaf is what the ledger commits to for one entry.
type leaf struct {
	Type     string
	ID       string
	At       time.Time
	Revision string
	Payload  digest
	Defines  defines
}

// defines commits to the definitions an entry brought in: Count of them from handle First on.
type defines struct {
	First  uint64 `json:"first"`
	Count  uint64 `json:"count"`
	Digest digest `json:"digest"`
}

// next returns the first handle after the definitions.
func (d defines) next() uint64 { return d.First + d.Count }

// newLeaf returns a leaf without what depends on handles. The restrictions on the texts are those under which no JSON string needs an escape.
func newLeaf(typ, id string, at time.Time, revision string) (leaf, error) {
	switch at = at.UTC(); {
	case id == "":
		return leaf{}, fmt.Errorf("%w: the id is empty", ErrUnencodable)
	case !plain(id):
		return leaf{}, fmt.Errorf("%w: the id is not at most %d letters, digits and . : _ -", ErrUnencodable, maxLeafText)
	case !plain(revision):
		return leaf{}, fmt.Errorf("%w: the policy revision is not at most %d letters, digits and . : _ -", ErrUnencodable, maxLeafText)
	case at.Nanosecond()%int(time.Microsecond) != 0:
		return leaf{}, fmt.Errorf("%w: the entry's clock is not in whole microseconds", ErrUnencodable)
	case at.Year() < 1 || at.Year() > 9999:
		return leaf{}, fmt.Errorf("%w: the entry's clock is outside the years 1 to 9999", ErrUnencodable)
	default:
		return leaf{Type: typ, ID: id, At: at, Revision: revision}, nil
	}
}

// plain reports whether s is its own RFC 8785 string once quoted.
func plain(s string) bool {
	for i := range len(s) {
		switch c := s[i]; {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9':
		case c == '.', c == ':', c == '_', c == '-':
		default:
			return false
		}
	}
	return len(s) <= maxLeafText
}

// append appends the leaf's RFC 8785 form. It is written out by hand because every decision passes
// the one writer: members stand in their order, and no string needs an escape.
func (l *leaf) append(dst []byte) []byte {
	dst = append(dst, `{"at":"`...)
	dst = l.At.AppendFormat(dst, leafTime)
	dst = append(dst, `","defines":{"count":`...)
	dst = strconv.AppendUint(dst, l.Defines.Count, 10)
	dst = append(dst, `,"digest":"`+digestPrefix...)
	dst = hex.AppendEncode(dst, l.Defines.Digest[:])
	dst = append(dst, `","first":`...)
	dst = strconv.AppendUint(dst, l.Defines.First, 10)
	dst = append(dst, `},"id":"`...)
	dst = append(dst, l.ID...)
	dst = append(dst, `","payload":"`+digestPrefix...)
	dst = hex.AppendEncode(dst, l.Payload[:])
	dst = append(dst, `","policy_revision":"`...)
	dst = append(dst, l.Revision...)
	dst = append(dst, `","type":"`...)
	dst = append(dst, l.Type...)
	return append(dst, `","v":1}`...)
}

// parseLeaf reads a leaf and refuses bytes that are not exactly the ones append would write.
func parseLeaf(b []byte) (leaf, error) {
	var wire struct {
		V              int       `json:"v"`
		Type           string    `json:"type"`
		ID             string    `json:"id"`
		At             time.Time `json:"at"`
		PolicyRevision string    `json:"policy_revision"`
		Payload        digest    `json:"payload"`
		Defines        defines   `json:"defines"`
	}
	if err := json.Unmarshal(b, &wire); err != nil {
		return leaf{}, damaged("the leaf does not parse: %v", err)
	}
	if wire.V != leafVersion || kindOf(wire.Type) == nil {
		return leaf{}, damaged("the leaf is of an unknown kind: type %q, version %d", wire.Type, wire.V)
	}
	l := leaf{
		Type: wire.Type, ID: wire.ID, At: wire.At.UTC(), Revision: wire.PolicyRevision,
		Payload: wire.Payload, Defines: wire.Defines,
	}
	if !bytes.Equal(l.append(nil), b) {
		return leaf{}, damaged("the leaf is not in canonical form")
	}
	return l, nil
}
