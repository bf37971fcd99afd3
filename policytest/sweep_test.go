package policytest_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"earshot/policy"
	"earshot/policytest"
	"earshot/policytest/reading"
)

// sweep gathers questions to hold a Decider against the plain reading, turn by turn.
type sweep struct {
	// counted is how many questions there are, and decided how many of them are asked. They differ
	// where a question stands for all that differ from it in names alone; stood adds up for how many.
	counted, stood, decided int

	turn    question // the one that add adds to
	batches []question
}

// namings say which of the other names the people of a batch bear. Under the second, agents and tenants
// bear each other's of the first, and somebody else comes first among the people.
var namings = []func(batch int) int{
	func(batch int) int { return batch % allNames },
	func(batch int) int { return allNames - 1 - batch%allNames },
}

// questions returns the batches, each under other names: where one question stands for all that
// differ in names, it must not always be the one in which the names are in order.
func (s *sweep) questions(naming func(batch int) int) []question {
	all := make([]question, len(s.batches))
	for i, q := range s.batches {
		all[i] = q.clone()
		all[i].rename(otherNames(naming(i)))
	}
	return all
}

// batch is how many candidates are decided in one turn.
const batch = 500

// enter goes on with another turn, which has no candidates yet.
func (s *sweep) enter(turn question) {
	s.turn = turn
	s.batches = append(s.batches, turn)
}

// add counts the candidates that make returns before the turn, of which there are orbit, and has the
// first of them decided. An orbit of 0 means that another question stands for this one.
func (s *sweep) add(orbit int, make func() policy.Candidate) {
	s.counted++
	if orbit == 0 {
		return
	}
	s.stood += orbit
	s.decided++
	if len(s.batches[len(s.batches)-1].Request.Candidates) == batch {
		s.batches = append(s.batches, s.turn)
	}
	candidates := &s.batches[len(s.batches)-1].Request.Candidates
	*candidates = append(*candidates, make())
}

// check compares the numbers with what they must be: a loop that lost a part would change them.
func (s *sweep) check(t *testing.T, counted, decided int) {
	t.Helper()
	t.Logf("%d turns with a candidate, of which %d were decided and stand for the rest", s.counted, s.decided)
	if s.counted != counted || s.decided != decided {
		t.Errorf("%d counted and %d decided, want %d and %d", s.counted, s.decided, counted, decided)
	}
	if s.stood != s.counted {
		t.Errorf("those decided stand for %d, want %d", s.stood, s.counted)
	}
}

// run asks every question of the decision point, under each naming where one stands for others, and
// compares the answers with the plain reading.
func (s *sweep) run(t *testing.T) {
	t.Helper()
	shipped := policytest.NewPolicy(policy.EmbeddedFS())
	under := namings
	if s.decided == s.counted {
		under = namings[:1]
	}
	for i := range under {
		for j, q := range s.questions(under[i]) {
			t.Run(fmt.Sprintf("naming %d, batch %d", i, j), func(t *testing.T) {
				t.Parallel()
				if err := q.compare(t.Context(), shipped.Decide); err != nil {
					t.Error(err)
				}
			})
		}
	}
}

// compare returns an error that matches errBroken where a Decider and the plain reading differ, about
// the first candidate where they do.
func (q question) compare(ctx context.Context, decide policytest.Decider) error {
	want := reading.Decide(q.Now, q.Settings, q.Facts, q.Request)
	got, err := q.decide(ctx, decide)
	if err != nil {
		return err
	}
	for i := range want.Results {
		if !equalResults(want.Results[i], got.Results[i]) {
			return same([]question{q.at(i)}, want.Results[i], got.Results[i])
		}
	}
	want.Results, got.Results = nil, nil
	return same([]question{q.at()}, want, got)
}

// equalResults spares hundreds of thousands of results the slower comparison that tells differences.
func equalResults(a, b policy.Result) bool {
	return a.ID == b.ID && a.Admit == b.Admit && slices.Equal(a.Reasons, b.Reasons) && slices.Equal(a.Obligations, b.Obligations)
}
