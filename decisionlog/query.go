package decisionlog

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"math"
	"strconv"
	"time"
)

// Limits of a page.
const (
	DefaultLimit = 50
	MaxLimit     = 1000
)

// Query selects decisions. Every filter that is set must match; the zero value selects all.
type Query struct {
	// Item is the id of a candidate of the decision.
	Item string

	// Viewer is one of the turn's viewers as stated.
	Viewer string

	// Agent, Channel and Tenant are those of the turn.
	Agent   string
	Channel string
	Tenant  string

	// Verdict is the decision's verdict.
	Verdict string

	// Reason is a code that the viewers have, or at least one result; where Item is set, the result
	// for that item.
	Reason string

	PolicyRevision string

	// Admit, where Item is set, is the result for that item; otherwise at least one result.
	Admit *bool

	// From and To bound the decision's clock; From is included, To is not. Zero leaves an end open.
	From, To time.Time

	// Limit is the size of the page, at most MaxLimit; zero means DefaultLimit.
	Limit int

	// Cursor is Page.Next of the page before, with the same filters; empty for the first page.
	Cursor string
}

// limit returns the size of the page.
func (q *Query) limit() (int, error) {
	switch {
	case q.Limit == 0:
		return DefaultLimit, nil
	case q.Limit < 0 || q.Limit > MaxLimit:
		return 0, &QueryError{"limit", fmt.Sprintf("is %d, give a number from 1 to %d", q.Limit, MaxLimit)}
	default:
		return q.Limit, nil
	}
}

func (q *Query) checkRange() error {
	if !q.From.IsZero() && !q.To.IsZero() && q.To.Before(q.From) {
		return &QueryError{"to", "is before from"}
	}
	return nil
}

// filters returns what q asks for as texts, in an order of its own.
func (q *Query) filters() []string {
	admit := ""
	if q.Admit != nil {
		admit = strconv.FormatBool(*q.Admit)
	}
	return []string{
		q.Item, q.Viewer, q.Agent, q.Channel, q.Tenant, q.Verdict, q.Reason, q.PolicyRevision, admit,
		q.From.UTC().Format(time.RFC3339Nano), q.To.UTC().Format(time.RFC3339Nano),
	}
}

// sign returns what binds a cursor at row seq to this ledger and to the filters of q.
func (q *Query) sign(cursorKey []byte, seq uint64) []byte {
	mac := hmac.New(sha256.New, cursorKey)
	for _, s := range q.filters() {
		fmt.Fprintf(mac, "%d:%s", len(s), s)
	}
	fmt.Fprintf(mac, "%d", seq)
	return mac.Sum(nil)[:16]
}

// cursor returns the text that continues q below row seq.
func (q *Query) cursor(cursorKey []byte, seq uint64) string {
	b := binary.BigEndian.AppendUint64(nil, seq)
	return base64.RawURLEncoding.EncodeToString(append(b, q.sign(cursorKey, seq)...))
}

// start returns the first row that the page may have.
func (q *Query) start(cursorKey []byte) (int64, error) {
	if q.Cursor == "" {
		return math.MaxInt64, nil
	}
	b, err := base64.RawURLEncoding.Strict().DecodeString(q.Cursor)
	if err != nil || len(b) != 8+16 {
		return 0, &QueryError{"cursor", "is not one that this log gave out"}
	}
	seq := binary.BigEndian.Uint64(b)
	if !hmac.Equal(b[8:], q.sign(cursorKey, seq)) {
		return 0, &QueryError{"cursor", "was not given out for these filters; repeat the filters of the page before"}
	}
	return int64(seq) - 1, nil
}
