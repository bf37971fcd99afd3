package policytest_test

import (
	"testing"
)

// The small worlds: four people, two agents, two tenants, every audience, at most one source. All that
// a slice lets vary is counted, in every combination. Names have no meaning but to be equal or not (the
// law "other names change nothing" holds the decision point to that), so of those that differ in names
// alone one is decided, under two namings. How many they stand for must add up to the count. A slice in
// which all are decided needs no second naming.
//
// Every slice holds this fixed: the viewers come from the platform, with no reading of the room and no
// roster; nothing is granted, sealed or expired; each item is live and its audience was recorded; the
// settings are the shipped ones, which name none of the people, agents and tenants. A combination that
// two slices share is counted in both.
var smallWorlds = []struct {
	name string
	fill func(*sweep)

	counted, decided int
}{
	// 17 viewers × 2 agents × 3 tenants, × (18 audiences × 3 agents × 3 tenants without a source, and
	// 19 × 3 × 3 × 18 × 3 × 3 with one).
	{"rooms", (*sweep).everyRoom, 17 * 2 * 3 * (18*3*3 + 19*3*3*18*3*3), 76_506},

	// 81 sets of viewers with guests among them, and unknown ones; 16 sets of withdrawals; 18 audiences
	// without a source, and 19 × 18 with one.
	{"guests and withdrawals", (*sweep).withdrawals, (81 + 1) * 16 * (18 + 19*18), 27_328},

	// The same viewers, × 3 tenants of the turn × 3 of the item, × 4 audiences without a source, and
	// 5 × 4 × 3 tenants of the source with one.
	{"guests and tenants", (*sweep).guests, (81 + 1) * 3 * 3 * (4 + 5*4*3), 4_800},

	// 4 authorisations × 2 × 2 switches × 9 kinds × 3 agents × 2 × 3 confidentialities, with no source
	// or one of 3 agents × 3 confidentialities.
	{"sharing", (*sweep).sharings, 4 * 2 * 2 * 9 * 3 * 2 * 3 * (1 + 3*3), 4 * 2 * 2 * 9 * 3 * 2 * 3 * (1 + 3*3)},
}

// smallWorldsCounted is the sum over the slices.
const smallWorldsCounted = 3_387_600

// TestSmallWorlds decides every slice and compares each answer with the plain reading.
func TestSmallWorlds(t *testing.T) {
	counted, decided := 0, 0
	for _, slice := range smallWorlds {
		var s sweep
		slice.fill(&s)
		counted += s.counted
		decided += s.decided
		t.Run(slice.name, func(t *testing.T) {
			s.check(t, slice.counted, slice.decided)
			s.run(t)
		})
	}
	t.Logf("%d turns with a candidate in all; %d were decided and stand for the rest", counted, decided)
	if counted != smallWorldsCounted {
		t.Errorf("%d counted in all, want %d", counted, smallWorldsCounted)
	}
}
