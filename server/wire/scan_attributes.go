package wire

import (
	"bytes"
	"encoding/json"
)

// maxScanAttributes is how many members an ordinary free object has. Each name is compared with those
// before it.
const maxScanAttributes = 16

// free reads an object of scalars and returns it without white space. Numbers are integers of few
// digits, which every reader keeps; they and the strings stay as they are written.
func (s *scanner) free() json.RawMessage {
	object := []byte{'{'}
	names := make([][]byte, 0, maxScanAttributes)
	s.open('{')
	for s.next('}', len(names) == 0) {
		name := s.quoted()
		if len(names) == maxScanAttributes || has(names, name) {
			s.stop()
			return nil
		}
		if len(names) > 0 {
			object = append(object, ',')
		}
		names = append(names, name)
		object = append(append(append(object, '"'), name...), '"', ':')
		s.colon()
		object = append(object, s.scalar()...)
	}
	return append(object, '}')
}

func has(names [][]byte, name []byte) bool {
	for _, n := range names {
		if bytes.Equal(n, name) {
			return true
		}
	}
	return false
}

// scalar reads a value that is no object and no list, and returns it as it is written.
func (s *scanner) scalar() []byte {
	b := s.peek()
	start := s.at
	switch {
	case b == '"':
		s.quoted()
	case s.word("true"), s.word("false"), s.word("null"):
	default:
		s.digits()
	}
	return s.data[start:s.at]
}
