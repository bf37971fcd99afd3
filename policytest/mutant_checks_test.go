package policytest_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"earshot/policytest"
	"earshot/policytest/reading"
	"earshot/policytest/scenarios"
	"earshot/server/wire"
)

// checks are what a mutant is held against. They are made once and shared.
type checks struct {
	cases  []heldCase
	bodies [][]byte // of the scenarios, in order
	rooms  []question
	laws   []law
}

const (
	// everyNth candidate of the small rooms is held: a number that has nothing in common with how often
	// the loops that make them turn. Tests of their own hold all.
	everyNth = 7

	// examplesEach is how many questions are asked about each law.
	examplesEach = 200
)

// heldCase is a case with all that a Decider needs for it.
type heldCase struct {
	*policytest.Case
	settings reading.Settings
}

func newChecks(t *testing.T) *checks {
	t.Helper()
	c := &checks{laws: laws(t)}
	for _, q := range smallRooms() {
		var some []int
		for i := 0; i < len(q.Request.Candidates); i += everyNth {
			some = append(some, i)
		}
		c.rooms = append(c.rooms, q.at(some...))
	}
	for _, held := range readCases(t) {
		c.cases = append(c.cases, heldCase{held, settingsOfCase(t, held)})
	}
	all, err := scenarios.Generate(scenarios.Seed)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range all {
		body, err := s.World.Body()
		if err != nil {
			t.Fatal(err)
		}
		c.bodies = append(c.bodies, body)
	}
	return c
}

// hold holds a subject against the checks in the order of their cost, and returns the first that goes
// red and how; both are empty where none does. The error means that a check could not be made.
func (c *checks) hold(ctx context.Context, s subject, about string) (check, how string, err error) {
	for _, step := range []func(context.Context, subject, string) (check, how string, err error){
		c.holdCases, c.holdScenarios, c.holdRooms, c.holdLaws,
	} {
		if check, how, err = step(ctx, s, about); check != "" || err != nil {
			break
		}
	}
	return check, how, cmp.Or(ctx.Err(), err)
}

// holdCases holds the cases, those about the mistake first.
func (c *checks) holdCases(ctx context.Context, s subject, about string) (check, how string, err error) {
	order := slices.SortedStableFunc(slices.Values(c.cases), func(a, b heldCase) int {
		return cmp.Compare(a.misses(about), b.misses(about))
	})
	if order[0].misses(about) > 0 {
		return "", "", fmt.Errorf("no case is called %s…", about)
	}
	for _, h := range order {
		if how, err := h.hold(ctx, s); how != "" || err != nil {
			return "case " + h.Name, how, err
		}
	}
	return "", "", nil
}

// misses is 0 for a case about a mistake and 1 for any other.
func (h heldCase) misses(about string) int {
	if strings.HasPrefix(h.Name, about) {
		return 0
	}
	return 1
}

// hold returns how the answer of a subject differs from the wanted one; empty where it does not.
func (h heldCase) hold(ctx context.Context, s subject) (string, error) {
	body, err := s.body(h.Case)
	if err != nil {
		return "", err
	}
	var answer reading.Answer
	req, err := s.decode(body)
	if err == nil {
		answer, err = s.decide(ctx, h.Now, h.settings, factsOfCase(h.Case, req), req)
	}
	want, got := h.Want, wantOf(answer)
	if err != nil {
		refusal, ok := wire.AsError(err)
		if !ok {
			return "no answer: " + firstLine(err), nil
		}
		got = policytest.Want{Refused: &policytest.Refusal{Code: refusal.Code, Pointer: refusal.Pointer}}
	}
	if want.Verdict == "" {
		want.Verdict = got.Verdict
	}
	return tellApart(want, got), nil
}

// holdScenarios runs the published suite.
func (c *checks) holdScenarios(ctx context.Context, s subject, _ string) (check, how string, err error) {
	point := &stage{subject: s, bodies: c.bodies}
	report, err := scenarios.Run(ctx, scenarios.Seed, scenarios.Config{Point: point, Recorded: point.recorded})
	switch {
	case err != nil:
		return "scenarios", "no answer: " + firstLine(err), nil
	case !report.Passed():
		return "scenarios", report.Misses[0], nil
	default:
		return "", "", nil
	}
}

// holdRooms compares a part of the small worlds with the plain reading.
func (c *checks) holdRooms(ctx context.Context, s subject, _ string) (check, how string, err error) {
	for _, q := range c.rooms {
		got, err := q.decide(ctx, s.decide)
		if err != nil {
			return "small worlds", "no answer: " + firstLine(err), nil
		}
		want := reading.Decide(q.Now, q.Settings, q.Facts, q.Request)
		if how := tellApart(wantOf(want), wantOf(got)); how != "" {
			return "small worlds", how, nil
		}
	}
	return "", "", nil
}

// holdLaws asks the same questions in every run.
func (c *checks) holdLaws(ctx context.Context, s subject, _ string) (check, how string, err error) {
	for _, l := range c.laws {
		claims := rapid.Custom(l.draw)
		for seed := range examplesEach {
			err := claims.Example(seed)(ctx, s.decide)
			if errors.Is(err, errBroken) {
				return "law: " + l.name, fmt.Sprintf("broken in question %d", seed), nil
			}
			if err != nil {
				return "law: " + l.name, "no answer: " + firstLine(err), nil
			}
		}
	}
	return "", "", nil
}
