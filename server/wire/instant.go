package wire

import (
	"errors"
	"time"
)

var errInstant = errors.New(`must be a time with a zone (RFC 3339), such as "2026-11-30T20:00:00Z"`)

// earliest is the first instant that is taken. The zero time.Time must never come from a caller,
// since it means absent further on.
const earliest = 1900

// ParseInstant reads an RFC 3339 date and time with at most nine fractional digits. It is stricter
// than time.Parse, which takes a comma before the fraction, an hour of one digit and an offset of
// more than a day. A leap second (:60) is refused, as time.Time cannot hold one. The result is in
// UTC. The error is a sentence fragment that fits after the name of a field.
func ParseInstant(s string) (time.Time, error) {
	const fixed = len("2006-01-02T15:04:05")
	if len(s) <= fixed || s[4] != '-' || s[7] != '-' || s[10] != 'T' || s[13] != ':' || s[16] != ':' {
		return time.Time{}, errInstant
	}
	zone := s[fixed:]
	if zone[0] == '.' {
		digits := 1
		for digits < len(zone) && isDigit(zone[digits]) {
			digits++
		}
		if digits == 1 || digits > len(".999999999") {
			return time.Time{}, errInstant
		}
		zone = zone[digits:]
	}
	if zone != "Z" && !isOffset(zone) {
		return time.Time{}, errInstant
	}
	t, err := time.Parse(time.RFC3339Nano, s)
	if err != nil {
		return time.Time{}, errInstant
	}
	if t = t.UTC(); t.Year() < earliest {
		return time.Time{}, errors.New("must not be before the year 1900")
	}
	return t, nil
}

// isOffset reports whether s is a numeric offset of RFC 3339, such as +01:00.
func isOffset(s string) bool {
	return len(s) == len("+01:00") && (s[0] == '+' || s[0] == '-') && s[3] == ':' &&
		isDigit(s[1]) && isDigit(s[2]) && isDigit(s[4]) && isDigit(s[5]) &&
		s[1:3] <= "23" && s[4:6] <= "59"
}

func isDigit(b byte) bool { return '0' <= b && b <= '9' }

// instant reads a time.
func (r *reader) instant() time.Time {
	if !r.is('"') {
		r.mismatch("a string with a time")
		return time.Time{}
	}
	s := r.quoted()
	if r.err != nil {
		return time.Time{}
	}
	t, err := ParseInstant(s)
	if err != nil {
		r.wrong("%v", err)
	}
	return t
}
