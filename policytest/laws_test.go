package policytest_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"earshot/policy"
	"earshot/policytest"
	"earshot/policytest/reading"
)

// law is a statement about every question, which no single case can make.
type law struct {
	name string

	// draw draws a question, and what the law does to it, and returns what must then hold.
	draw func(*rapid.T) claim

	// subject is the Decider that must obey the law.
	subject policytest.Decider

	// wrong is a Decider that breaks the law, to show that it can be broken.
	wrong policytest.Decider
}

// claim is what a law says of one question. Its error matches errBroken where the Decider answers
// otherwise; any other error means that there was no answer.
type claim func(context.Context, policytest.Decider) error

var errBroken = errors.New("the law is broken")

// broken returns an error that matches errBroken and tells of the questions that show it.
func broken(questions []question, format string, args ...any) error {
	message := fmt.Sprintf(format, args...)
	for _, q := range questions {
		message += "\n" + q.String()
	}
	return fmt.Errorf("%w: %s", errBroken, message)
}

// laws returns every law. Each call makes new wrong Deciders, some of which remember.
func laws(t *testing.T) []law {
	t.Helper()
	shipped := policytest.NewPolicy(policy.EmbeddedFS())
	return append(lawsOfTheContract(t, shipped), lawsOfForbids(t, shipped)...)
}

// lawsOfTheContract returns the laws about the policy that ships.
func lawsOfTheContract(t *testing.T, shipped *policytest.Policy) []law {
	t.Helper()
	point := policytest.Decider(shipped.Decide)
	return []law{
		{"the decision point answers as the contract reads", equality, point, misheard(expiringLate)},
		{"what a smaller room heard stays there", confinement, point, misheard(anyOverlap)},
		{"one more viewer admits nothing more", antiMonotonicity, point, misheard(everyMemberIsHere)},
		{"a narrower audience admits nothing more", narrowing, point, misheard(exactlyThese)},
		{"a doubt about the viewers admits what is public alone", failClosed, point, misheard(trusting)},
		{"a planted item reaches only those who were there", containment, point, misheard(withoutSources)},
		{"order and repetition change nothing", shuffled, point, misheard(firstViewer)},
		{"a candidate's answer does not depend on its neighbours", neighbours, point, answering(policytest.Plain, allOrNothing)},
		{"other names change nothing", renamed, point, misheard(operatorLooksOn)},
		{"the caller's own names for things change nothing", ownNames, point, attemptKeepsFresh(t)},
		{"the same question has the same answer", repeated, point, moody(policytest.Plain)},
		{"a recorded decision can be made again", madeAgain(t, shipped), point, moody(policytest.Plain)},
	}
}

// checksEach is how many times rapid checks a law, each time with as many questions as -rapid.checks
// says: 100 unless it is given.
const checksEach = 5

// TestLaws holds the decision point to every law.
func TestLaws(t *testing.T) {
	for _, l := range laws(t) {
		t.Run(l.name, func(t *testing.T) {
			t.Parallel()
			for range checksEach {
				rapid.Check(t, func(rt *rapid.T) {
					if err := l.draw(rt)(t.Context(), l.subject); err != nil {
						rt.Fatal(err)
					}
				})
			}
		})
	}
}

// TestTheReadingObeysTheLaws holds the plain reading to the same laws: should it be wrong in the
// same way as the decision point, a law still sees it. It has no rules of authors, and so no law about
// them.
func TestTheReadingObeysTheLaws(t *testing.T) {
	for _, l := range lawsOfTheContract(t, policytest.NewPolicy(policy.EmbeddedFS())) {
		t.Run(l.name, func(t *testing.T) {
			rapid.Check(t, func(rt *rapid.T) {
				if err := l.draw(rt)(t.Context(), policytest.Plain); err != nil {
					rt.Fatal(err)
				}
			})
		})
	}
}

// TestLawsCanBeBroken shows each law a Decider that breaks it, with questions that are the same in
// every run. A law that holds for a wrong Decider says nothing.
func TestLawsCanBeBroken(t *testing.T) {
	const questions = 100 * checksEach
	for _, l := range laws(t) {
		t.Run(l.name, func(t *testing.T) {
			claims := rapid.Custom(l.draw)
			for seed := range questions {
				err := claims.Example(seed)(t.Context(), l.wrong)
				if errors.Is(err, errBroken) {
					t.Logf("broken in question %d", seed)
					return
				}
				if err != nil {
					t.Fatal(err)
				}
			}
			t.Errorf("a Decider that breaks the law passed in %d questions", questions)
		})
	}
}

// equality: the answer is the one of the plain reading, in every part.
func equality(t *rapid.T) claim {
	q := anyQuestion(t)
	want := reading.Decide(q.Now, q.Settings, q.Facts, q.Request)
	return func(ctx context.Context, decide policytest.Decider) error {
		got, err := q.decide(ctx, decide)
		if err != nil {
			return err
		}
		return same([]question{q}, want, got)
	}
}

// same returns an error where two answers, or parts of them, differ.
func same(questions []question, want, got any) error {
	if diff := gocmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
		return broken(questions, "the answers differ (-want +got):\n%s", diff)
	}
	return nil
}

// alike says that two questions have the same answer, with others asked in between.
func alike(before, after question, between ...question) claim {
	return func(ctx context.Context, decide policytest.Decider) error {
		first, err := before.decide(ctx, decide)
		if err != nil {
			return err
		}
		for _, other := range between {
			if _, err := other.decide(ctx, decide); err != nil {
				return err
			}
		}
		second, err := after.decide(ctx, decide)
		if err != nil {
			return err
		}
		return same([]question{before, after}, first, second)
	}
}

// noMore asks two questions and returns an error where the second one admits more.
func noMore(ctx context.Context, decide policytest.Decider, before, after question) error {
	first, err := before.decide(ctx, decide)
	if err != nil {
		return err
	}
	second, err := after.decide(ctx, decide)
	if err != nil {
		return err
	}
	return notMoreThan([]question{before, after}, first, second)
}

// notMoreThan returns an error where after admits a position that before does not.
func notMoreThan(questions []question, before, after reading.Answer) error {
	for i := range after.Results {
		if after.Results[i].Admit && !before.Results[i].Admit {
			return broken(questions, "candidate %d is admitted as %v, and was denied before as %v",
				i, after.Results[i].Reasons, before.Results[i].Reasons)
		}
	}
	return nil
}
