package decisionlog

import (
	"context"
	"database/sql"
	"errors"
	"math"
	"time"
)

const (
	// spanBits is the binary logarithm of how many blocks of one level make a block of the next.
	spanBits = 8

	// topLevel has at most 256 blocks up to 2^32 decisions.
	topLevel = 3

	selectSpan = `SELECT block FROM span
		WHERE level = ? AND block BETWEEN ? AND ? AND latest >= ? AND earliest <= ?
		ORDER BY block DESC LIMIT 1`
)

// span is one block of ledger rows: 256^level of them.
type span struct {
	level, block int64
}

// timeRange is a range of clocks in microseconds since the epoch, both ends included.
type timeRange struct {
	earliest, latest int64
}

func addToSpans(spans map[span]timeRange, seq, at int64) {
	for level := range int64(topLevel + 1) {
		s := span{level, seq >> (spanBits * level)}
		r, ok := spans[s]
		if !ok {
			r = timeRange{at, at}
		}
		spans[s] = timeRange{min(r.earliest, at), max(r.latest, at)}
	}
}

// newTimeRange returns the range from from, included, to to, excluded; zero leaves an end open.
func newTimeRange(from, to time.Time) timeRange {
	r := timeRange{math.MinInt64, math.MaxInt64}
	if !from.IsZero() {
		r.earliest = microCeil(from)
	}
	if !to.IsZero() {
		r.latest = microCeil(to) - 1
	}
	return r
}

// microCeil returns the first whole microsecond that is not before t.
func microCeil(t time.Time) int64 {
	micro := t.UnixMicro()
	if t.Nanosecond()%int(time.Microsecond) > 0 {
		micro++
	}
	return micro
}

// seek returns the last decision up to row seq whose clock is in the range, or none. It climbs
// over blocks that have no such clock and looks at a bounded number of blocks on each level.
func (r timeRange) seek(ctx context.Context, from *view, seq int64) (int64, error) {
	if found := from.tail.between(r, seq); found != none {
		return found, nil
	}
	level, at := int64(0), seq
	for at >= 0 {
		parent := at >> spanBits
		first := parent << spanBits
		if level == topLevel {
			first = 0
		}
		var found int64
		err := lookUp(ctx, from.tx, "search by time", selectSpan, []any{level, first, at, r.earliest, r.latest}, &found)
		switch {
		case err == nil && level == 0:
			return found, nil
		case err == nil:
			level, at = level-1, found<<spanBits|(1<<spanBits-1)
		case !errors.Is(err, sql.ErrNoRows):
			return none, err
		case level == topLevel:
			return none, nil
		default:
			level, at = level+1, parent-1
		}
	}
	return none, nil
}
