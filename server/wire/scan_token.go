package wire

import (
	"bytes"
	"math/bits"
	"time"
)

// peek passes over white space and returns the byte that follows; zero at the end.
func (s *scanner) peek() byte {
	for ; s.at < len(s.data); s.at++ {
		switch b := s.data[s.at]; b {
		case ' ', '\t', '\r', '\n':
		default:
			return b
		}
	}
	return 0
}

// open passes over a bracket.
func (s *scanner) open(bracket byte) {
	if s.peek() != bracket {
		s.stop()
		return
	}
	s.at++
}

// colon passes over what stands between a name and its value.
func (s *scanner) colon() { s.open(':') }

// next moves to the next value of a list or name of an object; first says that none was read yet. It
// returns false behind the last one, whose bracket it passes over. What reads the value refuses a
// bracket that follows a comma.
func (s *scanner) next(bracket byte, first bool) bool {
	switch b := s.peek(); {
	case b == bracket:
		s.at++
		return false
	case first:
		return !s.odd
	case b == ',':
		s.at++
		return true
	default:
		s.stop()
		return false
	}
}

// quoted reads a string and returns what is between its quotes, which is its value.
func (s *scanner) quoted() []byte {
	s.open('"')
	for i := s.at; i < len(s.data); i++ {
		switch b := s.data[i]; {
		case b == '"':
			text := s.data[s.at:i]
			s.at = i + 1
			return text
		case b < ' ' || b > '~' || b == '\\':
			s.stop()
			return nil
		}
	}
	s.stop()
	return nil
}

// text reads a string that often comes again in one body.
func (s *scanner) text() string { return s.single(s.quoted()) }

// single returns raw as a string, the same one each time.
func (s *scanner) single(raw []byte) string {
	if t, ok := s.texts[string(raw)]; ok {
		return t
	}
	// A copy of its own: what keeps one name must not keep the body.
	t := string(raw)
	if len(s.texts) < maxTexts {
		s.texts[t] = t
	}
	return t
}

// value reads the text of member m. Neighbours mostly agree on it, and to compare costs less than to
// look up.
func (s *scanner) value(m member) string {
	last := &s.last[bits.TrailingZeros64(uint64(m))%len(s.last)]
	if raw := s.quoted(); string(raw) != *last {
		*last = s.single(raw)
	}
	return *last
}

// label reads the text of member m, which must not be empty.
func (s *scanner) label(m member) string {
	t := s.value(m)
	if t == "" {
		s.stop()
	}
	return t
}

// rare reads a string that must not be empty and seldom comes again.
func (s *scanner) rare() string {
	raw := s.quoted()
	if len(raw) == 0 {
		s.stop()
	}
	return string(raw)
}

// word passes over the literal w where it is next.
func (s *scanner) word(w string) bool {
	s.peek()
	if !bytes.HasPrefix(s.data[s.at:], []byte(w)) {
		return false
	}
	s.at += len(w)
	return true
}

// flag reads a boolean.
func (s *scanner) flag() bool {
	if s.word("true") {
		return true
	}
	if !s.word("false") {
		s.stop()
	}
	return false
}

// maxDigits is how long an ordinary integer is: all of that many digits are at most maxInteger.
const maxDigits = 15

// digits reads an integer that is not negative, and returns its digits.
func (s *scanner) digits() []byte {
	s.peek()
	start := s.at
	for s.at < len(s.data) && isDigit(s.data[s.at]) {
		s.at++
	}
	number := s.data[start:s.at]
	if len(number) == 0 || len(number) > maxDigits || number[0] == '0' && len(number) > 1 {
		s.stop()
		return nil
	}
	return number
}

// ordinal reads an integer of at least 1. A fraction or an exponent stays behind it, where nothing
// takes it.
func (s *scanner) ordinal() int {
	n := 0
	for _, digit := range s.digits() {
		n = 10*n + int(digit-'0')
	}
	if n < 1 {
		s.stop()
	}
	return n
}

// instant reads a time.
func (s *scanner) instant() time.Time {
	t, err := ParseInstant(string(s.quoted()))
	if err != nil {
		s.stop()
	}
	return t
}
