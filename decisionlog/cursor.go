package decisionlog

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"fmt"
)

// place is where a page ends: a ledger row, and how much of it was given already.
type place struct {
	seq, position uint64
}

// sign binds a place to this ledger, to the kind of question and to its filters.
func (p place) sign(key []byte, question string, filters []string) []byte {
	mac := hmac.New(sha256.New, key)
	for _, s := range append([]string{"page", question}, filters...) {
		fmt.Fprintf(mac, "%d:%s", len(s), s)
	}
	fmt.Fprintf(mac, "%d:%d", p.seq, p.position)
	return mac.Sum(nil)[:16]
}

// cursor returns the text that continues a question at a place.
func (p place) cursor(key []byte, question string, filters []string) string {
	b := binary.BigEndian.AppendUint64(nil, p.seq)
	b = binary.BigEndian.AppendUint64(b, p.position)
	return base64.RawURLEncoding.EncodeToString(append(b, p.sign(key, question, filters)...))
}

// readCursor returns the place that a cursor stands for. Its error is a *QueryError.
func readCursor(key []byte, question string, filters []string, cursor string) (place, error) {
	b, err := base64.RawURLEncoding.Strict().DecodeString(cursor)
	if err != nil || len(b) != 16+16 {
		return place{}, &QueryError{"cursor", "is not one that this log gave out"}
	}
	p := place{binary.BigEndian.Uint64(b), binary.BigEndian.Uint64(b[8:])}
	if !hmac.Equal(b[16:], p.sign(key, question, filters)) {
		return place{}, &QueryError{"cursor", "was not given out for these filters; repeat the filters of the page before"}
	}
	return p, nil
}
