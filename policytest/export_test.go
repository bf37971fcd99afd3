package policytest

import (
	"context"
	"time"

	"earshot/policy"
)

// CheckNames finds one of names in the text of an answer.
func CheckNames(text string, names []string) string {
	return checkNames(&told{text: text, names: names}).text
}

// CheckHandoff returns how a hand-off is answered otherwise than c wants by a decision point that hears and
// answers wrongly; empty where it is not. Nil hears or answers rightly.
func CheckHandoff(ctx context.Context, engine *policy.Engine, c *Case, hears func(*policy.Handoff), answers func(*policy.HandoffEntry)) (string, error) {
	body, err := c.Body()
	if err != nil {
		return "", err
	}
	var recorder memory
	point, err := policy.NewPoint(policy.Config{
		Engine: engine, Recorder: &recorder, HandoffRecorder: &recorder, Registry: registry{of: c},
		Seals: elementSeals{of: c, body: body},
		Clock: func() time.Time { return c.Now },
		NewID: func() (string, error) { return decisionID, nil },
	})
	if err != nil {
		return "", err
	}
	got, err := handOff(ctx, wrongPoint{point, hears, answers}, body)
	if err != nil {
		if got, err = refusal(err, body); err != nil {
			return err.Error(), nil
		}
	}
	return compare("the answer is not the wanted one", c.Want.outcome(&got.outcome), got.outcome).text, nil
}

// wrongPoint is a decision point that hears another question than the one it was asked, or answers it
// wrongly.
type wrongPoint struct {
	*policy.Point
	hears   func(*policy.Handoff)
	answers func(*policy.HandoffEntry)
}

// HandOff implements heir.
func (p wrongPoint) HandOff(ctx context.Context, h policy.Handoff) (*policy.HandoffDecision, error) {
	if p.hears != nil {
		p.hears(&h)
	}
	d, err := p.Point.HandOff(ctx, h)
	if err == nil && p.answers != nil {
		p.answers(&d.HandoffEntry)
	}
	return d, err
}

// KeysOfCase are the keys of each mapping in a case file, by what the mapping is called. They are those
// that the reader takes; any other is refused.
func KeysOfCase() map[string][]string {
	keys := map[string][]string{}
	for _, p := range parts() {
		keys[p.name] = keysOf(p.shape)
	}
	return keys
}
