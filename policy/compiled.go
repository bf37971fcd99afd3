package policy

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"

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
	listed atomic.Int64
}

// states are what one evaluation needs.
type states struct {
	viewers, decision *residual.State[frame]
}

// newCompiled makes closures of a policy that was taken apart.
func newCompiled(ctx context.Context, e *Engine, b *Bundle, a *apart, s storage.Store) (*compiled, error) {
	out := &compiled{Engine: e}
	var err error
	if out.viewers, err = residual.Compile(turnFields(), a.doubts); err != nil {
		return nil, err
	}
	if out.decision, err = residual.Compile(fields(), a.sets[:]...); err != nil {
		return nil, err
	}
	if out.outside, err = newOutside(ctx, e, b, a.answer, a.left, s); err != nil {
		return nil, err
	}
	out.mentions = residual.MentionsOf(append(a.sets[:], a.doubts)...)
	out.states.New = func() any {
		return &states{viewers: out.viewers.NewState(), decision: out.decision.NewState()}
	}
	return out, nil
}

var errNoReason = errors.New("no permit holds and no forbid says why")

// evaluate does what Engine.interpret does.
func (p *compiled) evaluate(ctx context.Context, entry *Entry) ([]Failure, error) {
	if ctx.Err() != nil {
		return nil, unavailable(ctx, ctx.Err())
	}
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
	p.viewers.Begin(s)
	reasons := s.Set(doubtSet)
	entry.Viewers = Viewers{
		Known:   reasons.Empty(),
		Reasons: codesOf(p.viewers.Codes(), reasons),
		Present: p.withoutBots(turn.Viewers),
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
		// What is left of a policy can fail where the whole does not, and has lost its places. So the
		// policy itself answers.
		return ask.engine.one(ask.ctx, ask.input, position, ask.cancel)
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

// maxLists is how many sets of codes are kept.
const maxLists = 4096

// list returns the codes of a set, sorted. Callers share the list and do not change it.
func (p *compiled) list(m residual.Mask) []string {
	if known, ok := p.lists.Load(m); ok {
		return known.([]string)
	}
	codes := codesOf(p.decision.Codes(), m)
	if p.listed.Load() < maxLists { // A caller who makes up labels can make up sets of reasons.
		if _, known := p.lists.LoadOrStore(m, codes); !known {
			p.listed.Add(1)
		}
	}
	return codes
}

func codesOf(all []string, m residual.Mask) []string {
	codes := []string{}
	for i, code := range all {
		if m.Has(i) {
			codes = append(codes, code)
		}
	}
	return slices.Clip(codes) // It is shared: who appends to it must not write into it.
}

func union(a, b []string) []string {
	if len(b) == 0 {
		return a
	}
	return sortedSet(append(slices.Clone(a), b...))
}
