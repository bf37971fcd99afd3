package policy

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/storage/inmem"

	"earshot/policy/residual"
)

// Interpret makes OPA decide, whatever could.
func Interpret(e *Engine) { e.use(interpreted{e}) }

// Prober makes up entries.
type Prober = prober

// NewProber returns a prober that aims at what the policy of e mentions.
func NewProber(e *Engine, seed uint64) *Prober {
	p := newProber(seed, nil)
	if c, ok := (*e.tier.Load()).(*compiled); ok {
		p.mentions = c.mentions
	}
	return p
}

// Entry returns an entry of n candidates.
func (p *prober) Entry(n int) (*Entry, error) { return p.entry(n) }

// Both decides an entry by OPA and by the tier in use, and returns the first difference.
func Both(ctx context.Context, e *Engine, entry *Entry) error {
	return agreeOn(ctx, interpreted{e}, *e.tier.Load(), entry)
}

// Admits returns how many candidates of an entry the tier in use admits.
func Admits(ctx context.Context, e *Engine, entry *Entry) (int, error) {
	one := *entry
	_, err := e.evaluate(ctx, &one)
	admitted := 0
	for i := range one.Results {
		if one.Results[i].Admit {
			admitted++
		}
	}
	return admitted, err
}

// WithoutRule are the closures of a policy from which one rule was dropped.
type WithoutRule struct {
	Name     string
	closures *compiled
}

// Without returns closures without one rule, for each rule there is.
func Without(ctx context.Context, b *Bundle) (*Engine, []WithoutRule, error) {
	e, err := NewEngine(ctx, b)
	if err != nil {
		return nil, nil, err
	}
	compiler, err := compile(b)
	if err != nil {
		return nil, nil, err
	}
	store := inmem.NewFromObjectWithOpts(b.parsed.Data, inmem.OptReturnASTValuesOnRead(true))
	whole, err := takeApart(ctx, compiler, store)
	if err != nil {
		return nil, nil, err
	}
	var out []WithoutRule
	drop := func(set string, rules []residual.Rule, put func(*apart, []residual.Rule)) error {
		for i, rule := range rules {
			less := *whole
			put(&less, slices.Delete(slices.Clone(rules), i, i+1))
			closures, err := newCompiled(ctx, e, b, &less, store)
			if err != nil {
				return err
			}
			closures.mentions = residual.MentionsOf(append(whole.sets[:], whole.doubts)...)
			out = append(out, WithoutRule{Name: fmt.Sprintf("%s/%s/%d where %s", set, rule.Code, i, rule.When), closures: closures})
		}
		return nil
	}
	err = drop("doubts", whole.doubts, func(a *apart, rules []residual.Rule) { a.doubts = rules })
	for i, set := range []string{"permits", "forbids", "obligations"} {
		err = errors.Join(err, drop(set, whole.sets[i], func(a *apart, rules []residual.Rule) { a.sets[i] = rules }))
	}
	return e, out, err
}

// Check is the check before closures go live.
func (w WithoutRule) Check(ctx context.Context) error { return w.closures.check(ctx, 4*probeTurns) }

// Use puts the closures to use without a check.
func (w WithoutRule) Use(e *Engine) { e.use(w.closures) }

// Fields returns what the closures read of an entry at a position, by path.
func Fields(entry *Entry, position int) map[string]ast.Value {
	f := &frame{}
	f.turnOf(entry)
	f.candidateOf(entry, position)
	f.known, f.present = entry.Viewers.Known, entry.Viewers.Present
	out := map[string]ast.Value{}
	for path, a := range fields() {
		switch {
		case a.Text != nil:
			out[path] = ast.String(a.Text(f))
		case a.Int != nil:
			out[path] = numberOf(a.Int(f))
		case a.Bool != nil:
			out[path] = ast.Boolean(a.Bool(f))
		case a.Scalar != nil:
			out[path] = valueOf(a.Scalar(f))
		case a.Names != nil && a.IsSet:
			out[path] = set(a.Names(f)).Value
		case a.Names != nil:
			out[path] = list(a.Names(f)).Value
		case a.JSON != nil:
			out[path] = a.JSON(f)
		}
		for i := range lengthOf(a, f) {
			for name, e := range a.Elements {
				at := fmt.Sprintf("%s.%d.%s", path, i, name)
				switch {
				case e.Text != nil:
					out[at] = ast.String(e.Text(f, i))
				case e.Int != nil:
					out[at] = numberOf(e.Int(f, i))
				case e.Bool != nil:
					out[at] = ast.Boolean(e.Bool(f, i))
				case e.Scalar != nil:
					out[at] = valueOf(e.Scalar(f, i))
				case e.Names != nil:
					out[at] = list(e.Names(f, i)).Value
				}
			}
		}
	}
	return out
}

func lengthOf(a residual.Accessor[frame], f *frame) int {
	if a.Len == nil {
		return 0
	}
	return a.Len(f)
}

func numberOf(n int64) ast.Value { return instantTerm(time.Unix(0, n)).Value }

func valueOf(s residual.Scalar) ast.Value {
	switch s.Kind {
	case residual.Bool:
		return ast.Boolean(s.Int != 0)
	case residual.Int:
		return numberOf(s.Int)
	case residual.String:
		return ast.String(s.Text)
	default:
		return ast.Null{}
	}
}

// InputOf returns what OPA is given of an entry at a position.
func InputOf(entry *Entry, position int) ast.Value {
	in := newInput(entry)
	in.resolve(&entry.Viewers)
	return in.candidate(position)
}
