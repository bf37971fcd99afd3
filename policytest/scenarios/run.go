package scenarios

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"earshot/policy"
	"earshot/policytest/world"
)

// Decider is the decision point under test. *policy.Point is one.
type Decider interface {
	Decide(ctx context.Context, req policy.Request) (*policy.Decision, error)
}

// Config has what a run needs. Point and Recorded are required.
type Config struct {
	// Point decides, with its clock at Now.
	Point Decider

	// Recorded returns the entry that the log of the point has under an id.
	Recorded func(ctx context.Context, id string) (*policy.Entry, error)

	// Progress, unless nil, is called after each scenario.
	Progress func(done, all int)
}

func (c *Config) check() error {
	if c.Point == nil || c.Recorded == nil {
		return errors.New("scenarios: Config.Point and Config.Recorded are required")
	}
	return nil
}

// Run draws the scenarios of a seed, lets the point decide each, and counts. A decision that the
// log does not have as it was answered counts as one that does not agree. The error means that a
// scenario could not be run; then there is no report.
func Run(ctx context.Context, seed uint64, c Config) (*Report, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	all, err := Generate(seed)
	if err != nil {
		return nil, err
	}
	report := &Report{Seed: seed}
	for i, s := range all {
		_, o, err := decide(ctx, c, s)
		if err != nil {
			return nil, fmt.Errorf("run the scenario %s: %w", s.Name, err)
		}
		report.Misses = append(report.Misses, report.add(s, o)...)
		if len(report.Families) == 0 || report.Families[len(report.Families)-1].Name != s.Family {
			report.Families = append(report.Families, Row{Name: s.Family})
		}
		report.Families[len(report.Families)-1].add(s, o)
		if c.Progress != nil {
			c.Progress(i+1, len(all))
		}
	}
	report.Baselines = baselines(all)
	return report, nil
}

// decide lets the point decide one scenario.
func decide(ctx context.Context, c Config, s *Scenario) (d *policy.Decision, o outcome, err error) {
	d, err = c.Point.Decide(ctx, s.Request)
	if err != nil {
		return nil, outcome{}, err
	}
	if len(d.Results) != len(s.Facts) {
		return nil, outcome{}, fmt.Errorf("%d candidates have %d results", len(s.Facts), len(d.Results))
	}
	for _, r := range d.Results {
		o.read = append(o.read, r.Admit)
	}
	o.answered = o.read
	o.doubted = !d.Viewers.Known
	if o.differs, err = disagreement(ctx, c, s, d); err != nil || o.differs != "" || !s.Opaque {
		return d, o, err
	}
	o.differs, err = trace(ctx, c, s, d)
	return d, o, err
}

// disagreement returns in what the decision differs from the ledger of the world or from the log;
// empty where it does not.
func disagreement(ctx context.Context, c Config, s *Scenario, d *policy.Decision) (string, error) {
	for i, want := range s.World.Expect() {
		got := world.Expected(d.Results[i])
		if want.ID != got.ID || want.Admit != got.Admit ||
			!slices.Equal(want.Reasons, got.Reasons) || !slices.Equal(want.Obligations, got.Obligations) {
			return fmt.Sprintf("the ledger expects %s, the answer is %s", sentence(want), sentence(got)), nil
		}
	}
	if want := s.World.Doubts(); !slices.Equal(want, d.Viewers.Reasons) {
		return fmt.Sprintf("the ledger doubts %v, the answer %v", want, d.Viewers.Reasons), nil
	}
	recorded, err := c.Recorded(ctx, d.ID)
	if err != nil {
		return "", fmt.Errorf("read the decision back: %w", err)
	}
	answered, err := json.Marshal(d.Entry)
	if err != nil {
		return "", err
	}
	logged, err := json.Marshal(recorded)
	if err != nil {
		return "", err
	}
	if string(answered) != string(logged) {
		return fmt.Sprintf("the log has another decision than was answered: %s, not %s", logged, answered), nil
	}
	return "", nil
}

// trace returns what an answer shows of the forbidden facts beyond their own results; empty where it
// shows nothing. It asks again as if they had not been found.
func trace(ctx context.Context, c Config, s *Scenario, d *policy.Decision) (string, error) {
	without := s.Request
	without.Candidates = nil
	for i := range s.Facts {
		if !s.Facts[i].Forbidden {
			without.Candidates = append(without.Candidates, s.Request.Candidates[i])
		}
	}
	other, err := c.Point.Decide(ctx, without)
	if err != nil {
		return "", err
	}
	if with, without := shown(d), shown(other); with != without {
		return fmt.Sprintf("what is denied leaves a trace: the answer shows %s, and without it %s", with, without), nil
	}
	return "", nil
}

// shown is what an answer says apart from the results of what it denies.
func shown(d *policy.Decision) string {
	var admitted []policy.Result
	for _, r := range d.Results {
		if r.Admit {
			admitted = append(admitted, r)
		}
	}
	return fmt.Sprintf("%v, %s, %q", admitted, d.Verdict, d.Directive)
}

func sentence(e world.Expected) string {
	word := "denied"
	if e.Admit {
		word = "admitted"
	}
	return fmt.Sprintf("%s %s for %v", e.ID, word, e.Reasons)
}
