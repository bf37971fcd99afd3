package scenarios

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"earshot/policy"
)

// ErrUnknownScenario means that no scenario has the name.
var ErrUnknownScenario = errors.New("there is no such scenario")

// Decided is one scenario with what the point made of it.
type Decided struct {
	Scenario *Scenario
	Decision *policy.Decision

	// Misses say in a sentence each which assertion did not hold.
	Misses []string

	seed uint64
}

// Names returns the names of the scenarios, in the order of the suite.
func Names() []string {
	var names []string
	for _, f := range families() {
		for at := range f.count {
			names = append(names, f.scenario(at))
		}
	}
	return names
}

// RunOne is Run for the scenario with a name. The error matches ErrUnknownScenario where there is none.
func RunOne(ctx context.Context, seed uint64, name string, c Config) (*Decided, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	all, err := Generate(seed)
	if err != nil {
		return nil, err
	}
	at := slices.IndexFunc(all, func(s *Scenario) bool { return s.Name == name })
	if at < 0 {
		return nil, fmt.Errorf("%w: %q", ErrUnknownScenario, name)
	}
	s := all[at]
	d, o, err := decide(ctx, c, s)
	if err != nil {
		return nil, fmt.Errorf("run the scenario %s: %w", s.Name, err)
	}
	return &Decided{Scenario: s, Decision: d, Misses: new(Counts).add(s, o), seed: seed}, nil
}
