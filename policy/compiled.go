package policy

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/storage"

	"earshot/policy/residual"
)

// The sets of a compiled policy's programs, in this order.
const (
	permitSet = iota
	forbidSet
	obligationSet

	doubtSet = 0
)

// compiled is the policy as closures. What a rule says outside of the fragment of package residual, it
// asks OPA. It is immutable and safe for concurrent use.
type compiled struct {
	*Engine
	viewers  *residual.Program[frame]
	decision *residual.Program[frame]
	outside  *outside // nil where every rule is inside of the fragment
	mentions residual.Mentions

	states sync.Pool // of *states
	lists  sync.Map  // by residual.Mask, the codes of decision: few sets of reasons make up many results
}

// states are what one evaluation needs.
type states struct {
	viewers, decision *residual.State[frame]
}

// newCompiled makes closures of a policy. An error says why there can be none; the policy is good all
// the same.
func newCompiled(ctx context.Context, e *Engine, c *ast.Compiler, s storage.Store) (*compiled, error) {
	out := &compiled{Engine: e}
	doubts, err := doubtsOf(ctx, c, s)
	if err != nil {
		return nil, err
	}
	if out.viewers, err = residual.Compile(fields(), doubts); err != nil {
		return nil, err
	}
	pq, err := partial(ctx, c, s, "x = data.earshot.decision", pathKnown, pathPresent)
	if err != nil {
		return nil, err
	}
	parts, err := partsOf(pq)
	if err != nil {
		return nil, err
	}
	var sets [3][]residual.Rule
	var left [3][]residual.Outside
	for i, ref := range []ast.Ref{parts.permits, parts.forbids, parts.obligations} {
		if sets[i], left[i], err = parts.Set(ref); err != nil {
			return nil, err
		}
	}
	if out.decision, err = residual.Compile(fields(), sets[:]...); err != nil {
		return nil, err
	}
	if out.outside, err = newOutside(ctx, e, parts, left, s); err != nil {
		return nil, err
	}
	out.mentions = residual.MentionsOf(append(sets[:], doubts)...)
	out.states.New = func() any {
		return &states{viewers: out.viewers.NewState(), decision: out.decision.NewState()}
	}
	return out, nil
}

// doubtsOf returns the rules that make viewers ambiguous, as the report has them.
func doubtsOf(ctx context.Context, c *ast.Compiler, s storage.Store) ([]residual.Rule, error) {
	pq, err := partial(ctx, c, s, "x = data.earshot.viewers.report", pathPresent)
	if err != nil {
		return nil, err
	}
	report, err := theObject(pq, 3)
	if err != nil {
		return nil, err
	}
	set, ok := partOf(report, "reasons")
	if !ok {
		return nil, fmt.Errorf("the reasons to doubt the viewers are not a rule: %v", report)
	}
	if err := knownAsUsual(ctx, c, s); err != nil {
		return nil, err
	}
	rules, left, err := residual.New(pq.Support, fields()).Set(set)
	if err == nil && len(left) > 0 {
		err = left[0].Err
	}
	return rules, err
}

// knownAsUsual returns an error unless viewers are known exactly where there is no reason to doubt them.
func knownAsUsual(ctx context.Context, c *ast.Compiler, s storage.Store) error {
	const reasons = "data.earshot.viewers.ambiguous"
	pq, err := partial(ctx, c, s, "x = data.earshot.viewers.report", pathPresent, reasons)
	if err != nil {
		return err
	}
	var bodies []string
	for _, module := range pq.Support {
		for _, rule := range module.Rules {
			if !rule.Default || rule.Head.Value.Value.Compare(ast.Boolean(false)) != 0 {
				bodies = append(bodies, rule.Body.String())
			}
		}
	}
	if !slices.Equal(bodies, []string{fmt.Sprintf("count(%s, 0)", reasons)}) {
		return fmt.Errorf("viewers are known otherwise than where nothing makes them ambiguous: %v", bodies)
	}
	return nil
}

var errNoReason = errors.New("no permit holds and no forbid says why")

// evaluate does what Engine.interpret does.
func (p *compiled) evaluate(ctx context.Context, entry *Entry) ([]Failure, error) {
	s := p.states.Get().(*states)
	defer p.states.Put(s)
	p.resolve(s.viewers, entry)

	d := s.decision
	d.Fields.turnOf(entry)
	d.Fields.known, d.Fields.present = entry.Viewers.Known, entry.Viewers.Present
	p.decision.Begin(d)

	var ask *asking
	if p.outside != nil {
		ask = p.outside.begin(ctx, entry)
		defer ask.end()
	}
	var failures []Failure
	entry.Results = make([]Result, len(entry.Request.Candidates))
	for i := range entry.Request.Candidates {
		if i%checkEvery == 0 && ctx.Err() != nil {
			return nil, unavailable(ctx, ctx.Err())
		}
		d.Fields.candidateOf(entry, i)
		d.Next()
		result, err := p.one(d, ask, i)
		if err != nil {
			if ctx.Err() != nil {
				return nil, unavailable(ctx, ctx.Err())
			}
			failures = append(failures, Failure{Position: i, Cause: err})
			result = deny(CodePolicyError)
		}
		if result.Admit && !p.covers(entry, i) {
			result = deny(CodeInvariantViolation)
		}
		result.ID = entry.Request.Candidates[i].ID
		entry.Results[i] = result
	}
	d.Fields = frame{}
	return failures, nil
}

// checkEvery is after how many candidates the deadline is looked at.
const checkEvery = 256

// resolve fills in the viewers of an entry.
func (p *compiled) resolve(s *residual.State[frame], entry *Entry) {
	turn := &entry.Request.Turn
	s.Fields.turnOf(entry)
	s.Fields.present = p.withoutBots(turn.Viewers)
	p.viewers.Begin(s)
	reasons := s.Set(doubtSet)
	entry.Viewers = Viewers{
		Known:   reasons.Empty(),
		Reasons: codesOf(p.viewers.Codes(), reasons),
		Present: s.Fields.present,
		Digest:  ViewersDigest(turn.Viewers),
	}
	s.Fields = frame{}
}

// one decides the candidate that is in the state.
func (p *compiled) one(d *residual.State[frame], ask *asking, position int) (Result, error) {
	permits, forbids := d.Set(permitSet), d.Set(forbidSet)
	if ask != nil {
		return p.together(d, ask, position, permits, forbids)
	}
	switch {
	case !forbids.Empty():
		return Result{Reasons: p.list(forbids)}, nil
	case permits.Empty():
		return Result{}, errNoReason
	default:
		return Result{Admit: true, Reasons: p.list(permits), Obligations: p.list(d.Set(obligationSet))}, nil
	}
}

// together decides with what the rules outside of the fragment say.
func (p *compiled) together(d *residual.State[frame], ask *asking, position int, permits, forbids residual.Mask) (Result, error) {
	codes, err := ask.about(position)
	if err != nil {
		return Result{}, err
	}
	permitted := union(p.list(permits), codes[permitSet])
	forbidden := union(p.list(forbids), codes[forbidSet])
	switch {
	case len(forbidden) > 0:
		return Result{Reasons: forbidden}, nil
	case len(permitted) == 0:
		return Result{}, errNoReason
	default:
		return Result{Admit: true, Reasons: permitted, Obligations: union(p.list(d.Set(obligationSet)), codes[obligationSet])}, nil
	}
}

// list returns the codes of a set, sorted. Callers share the list and do not change it.
func (p *compiled) list(m residual.Mask) []string {
	if known, ok := p.lists.Load(m); ok {
		return known.([]string)
	}
	known, _ := p.lists.LoadOrStore(m, codesOf(p.decision.Codes(), m))
	return known.([]string)
}

func codesOf(all []string, m residual.Mask) []string {
	codes := []string{}
	for i, code := range all {
		if m.Has(i) {
			codes = append(codes, code)
		}
	}
	return codes
}

func union(a, b []string) []string {
	if len(b) == 0 {
		return a
	}
	return sortedSet(append(slices.Clone(a), b...))
}
