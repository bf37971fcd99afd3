package policytest

import (
	"context"
	"time"

	"earshot/policy"
	"earshot/policytest/reading"
)

// Decider answers one request. The laws are stated about any of them: the decision point, the plain
// reading of the contract, and wrong ones that a law must tell apart from both.
type Decider func(ctx context.Context, now time.Time, s reading.Settings, facts policy.Facts, req policy.Request) (reading.Answer, error)

// Plain is the plain reading as a Decider. It returns no error.
func Plain(_ context.Context, now time.Time, s reading.Settings, facts policy.Facts, req policy.Request) (reading.Answer, error) {
	return reading.Decide(now, s, facts, req), nil
}

// Decide is the way of a request through a policy.Point of this bundle, as a Decider. The policy is
// compiled once for each settings. The errors are those of Record.
func (p *Policy) Decide(ctx context.Context, now time.Time, s reading.Settings, facts policy.Facts, req policy.Request) (reading.Answer, error) {
	decision, err := p.Record(ctx, forgetful{}, decisionID, now, s, facts, req)
	if err != nil {
		return reading.Answer{}, err
	}
	return AnswerOf(&decision.Entry), nil
}

// Record is Decide with a Recorder and the id of the decision. The error is that of
// policy.Point.Decide, or matches policy.ErrBundle where the bundle is refused.
func (p *Policy) Record(ctx context.Context, r policy.Recorder, id string, now time.Time, s reading.Settings, facts policy.Facts, req policy.Request) (*policy.Decision, error) {
	engine, err := p.Engine(ctx, settingsOf(s))
	if err != nil {
		return nil, err
	}
	point, err := policy.NewPoint(policy.Config{
		Engine:   engine,
		Recorder: r,
		Registry: fixed(facts),
		Clock:    func() time.Time { return now },
		NewID:    func() (string, error) { return id, nil },
	})
	if err != nil {
		return nil, err
	}
	return point.Decide(ctx, req)
}

// AnswerOf returns what an entry answers, in the words of the reading.
func AnswerOf(e *policy.Entry) reading.Answer {
	viewers := e.Viewers
	viewers.Digest = ""
	return reading.Answer{Viewers: viewers, Results: e.Results, Verdict: e.Verdict, Directive: e.Directive}
}

// settingsOf returns s as the data of a policy.
func settingsOf(s reading.Settings) map[string]any {
	inheritFrom := map[string][]string{}
	for agent, from := range s.InheritFrom {
		inheritFrom[agent] = list(from)
	}
	return map[string]any{
		"placeholders":       list(s.Placeholders),
		"evidence_max_age_s": int(s.EvidenceMaxAge / time.Second),
		"clock_skew_s":       int(s.ClockSkew / time.Second),
		"internal_bots":      list(s.InternalBots),
		"revoked":            list(s.Revoked),
		"inherit_from":       inheritFrom,
		"seal_required":      s.SealRequired,
	}
}

// list returns names as JSON writes a list: never null.
func list(names []string) []string { return append([]string{}, names...) }

// forgetful is a Recorder that keeps nothing.
type forgetful struct{}

// Record implements policy.Recorder.
func (forgetful) Record(context.Context, *policy.Entry) (policy.Position, error) {
	return policy.Position{}, nil
}

// fixed is a Registry that gives the same facts for every request.
type fixed policy.Facts

// Facts implements policy.Registry.
func (f fixed) Facts(context.Context, *policy.Request) (policy.Facts, error) {
	return policy.Facts(f), nil
}
