package scenarios_test

import (
	"context"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"earshot/policy"
	"earshot/policytest/scenarios"
)

// TestRunSeesEveryKindOfMiss gives the suite decision points that are wrong in one way each.
func TestRunSeesEveryKindOfMiss(t *testing.T) {
	admitted := policy.Result{Admit: true, Reasons: []string{"public"}}
	denied := policy.Result{Reasons: []string{"viewers_ambiguous"}}
	shipped := shipped()
	for _, test := range []struct {
		name  string
		spoil func(*policy.Decision)
		want  scenarios.Counts
	}{
		{"everything is admitted", func(d *policy.Decision) { answerAll(d, admitted) },
			scenarios.Counts{Scenarios: 79, ForbiddenAdmitted: 79, PermittedKept: 79, Assertions: 79, Ambiguous: 16}},
		{"nothing is admitted", func(d *policy.Decision) { answerAll(d, denied) },
			scenarios.Counts{Scenarios: 79, FailedClosed: 16, Assertions: 95, Ambiguous: 16}},
		{"no doubt is reported", func(d *policy.Decision) {
			if !d.Viewers.Known {
				d.Viewers.Known, d.Viewers.Reasons = true, nil
			}
		},
			scenarios.Counts{Scenarios: 79, DecisionsAgreed: 63, PermittedKept: 79, Assertions: 79 + 63 + 79, Ambiguous: 16}},
		{"another reason is given", func(d *policy.Decision) { d.Results[0].Reasons = []string{"granted"} },
			scenarios.Counts{Scenarios: 79, PermittedKept: 79, FailedClosed: 16, Assertions: 174, Ambiguous: 16}},
		{"something else is logged", func(d *policy.Decision) { d.Directive += " " },
			scenarios.Counts{Scenarios: 79, PermittedKept: 79, FailedClosed: 16, Assertions: 174, Ambiguous: 16}},
	} {
		t.Run(test.name, func(t *testing.T) {
			config := newConfig(t, shipped)
			point := config.Point
			config.Point = deciderFunc(func(ctx context.Context, req policy.Request) (*policy.Decision, error) {
				d, err := point.Decide(ctx, req)
				if err == nil {
					test.spoil(d)
				}
				return d, err
			})
			report, err := scenarios.Run(t.Context(), scenarios.Seed, config)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, report.Counts); diff != "" {
				t.Errorf("the counts (-want +got):\n%s", diff)
			}
			if report.Passed() || len(report.Misses) == 0 {
				t.Error("the run passed without a word")
			}
		})
	}
}

// TestRunStops covers what is no outcome at all.
func TestRunStops(t *testing.T) {
	broken := errors.New("disk full")
	shipped := shipped()
	for _, test := range []struct {
		name  string
		spoil func(*scenarios.Config)
		want  error
	}{
		{"no point", func(c *scenarios.Config) { c.Point = nil }, nil},
		{"no log", func(c *scenarios.Config) { c.Recorded = nil }, nil},
		{"no decision", func(c *scenarios.Config) {
			c.Point = deciderFunc(func(context.Context, policy.Request) (*policy.Decision, error) { return nil, broken })
		}, broken},
		{"no results", func(c *scenarios.Config) {
			c.Point = deciderFunc(func(context.Context, policy.Request) (*policy.Decision, error) { return &policy.Decision{}, nil })
		}, nil},
		{"no entry", func(c *scenarios.Config) {
			c.Recorded = func(context.Context, string) (*policy.Entry, error) { return nil, broken }
		}, broken},
	} {
		t.Run(test.name, func(t *testing.T) {
			config := newConfig(t, shipped)
			test.spoil(&config)
			report, err := scenarios.Run(t.Context(), scenarios.Seed, config)
			if err == nil || report != nil || test.want != nil && !errors.Is(err, test.want) {
				t.Errorf("the report is %v, the error %v", report, err)
			}
		})
	}
}

type deciderFunc func(context.Context, policy.Request) (*policy.Decision, error)

// Decide implements scenarios.Decider.
func (f deciderFunc) Decide(ctx context.Context, req policy.Request) (*policy.Decision, error) {
	return f(ctx, req)
}

func answerAll(d *policy.Decision, with policy.Result) {
	for i := range d.Results {
		with.ID = d.Results[i].ID
		d.Results[i] = with
	}
}
