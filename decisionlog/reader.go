package decisionlog

import (
	"encoding/binary"
	"math"
	"time"
)

// reader takes numbers off the bytes of a payload or of a document's body. After the first error
// it gives zeros.
type reader struct {
	rest []byte

	// below bounds the handles: a document refers to older handles only, so no chain of
	// references can be endless.
	below uint64

	err error
}

func (r *reader) fail(format string, args ...any) {
	if r.err == nil {
		r.err = damaged(format, args...)
	}
	r.rest = nil
}

func (r *reader) number() uint64 {
	v, n := binary.Uvarint(r.rest)
	if n <= 0 {
		r.fail("a value ends too early")
		return 0
	}
	r.rest = r.rest[n:]
	return v
}

func (r *reader) handle() uint64 {
	v := r.number()
	if v >= r.below && v != 0 {
		r.fail("a value refers to handle %d, which is younger than itself", v)
		return 0
	}
	return v
}

func (r *reader) integer() int64 {
	v := r.number()
	return int64(v>>1) ^ -int64(v&1)
}

// small reads a number that is kept in one byte.
func (r *reader) small() uint8 {
	v := r.number()
	if v > math.MaxUint8 {
		r.fail("a small number is %d", v)
		return 0
	}
	return uint8(v)
}

func (r *reader) flag() bool {
	switch v := r.number(); v {
	case 0, 1:
		return v == 1
	default:
		r.fail("a flag is %d", v)
		return false
	}
}

// count reads a number of elements, of which each takes at least one byte.
func (r *reader) count() int {
	v := r.number()
	if v > uint64(len(r.rest)) {
		r.fail("a list of %d elements is longer than its value", v)
		return 0
	}
	return int(v)
}

// end returns the first error, or an error if bytes are left over.
func (r *reader) end() error {
	if len(r.rest) > 0 {
		r.fail("%d bytes too many in a value", len(r.rest))
	}
	return r.err
}

// instant is a time relative to some base.
type instant struct {
	stated  bool
	seconds int64
	nanos   int64
}

func (r *reader) moment() instant {
	if !r.flag() {
		return instant{}
	}
	return instant{stated: true, seconds: r.integer(), nanos: int64(r.number())}
}

// after returns the instant as a time in UTC; zero where none was stated.
func (i instant) after(base time.Time) time.Time {
	if !i.stated {
		return time.Time{}
	}
	return time.Unix(base.Unix()+i.seconds, i.nanos).UTC()
}

// readList reads what writeList wrote.
func readList[T any](r *reader, read func() T) []T {
	n := r.number()
	if n == 0 {
		return nil
	}
	if n-1 > uint64(len(r.rest)) {
		r.fail("a list of %d elements is longer than its value", n-1)
		return nil
	}
	list := make([]T, 0, n-1)
	for range n - 1 {
		if r.err != nil {
			return nil
		}
		list = append(list, read())
	}
	return list
}
