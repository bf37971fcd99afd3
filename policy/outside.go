package policy

import (
	"context"
	"fmt"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/rego"
	"github.com/open-policy-agent/opa/v1/storage"
	"github.com/open-policy-agent/opa/v1/topdown"

	"earshot/policy/residual"
)

// outside asks OPA what the rules say that are outside of the fragment, and those alone.
type outside struct {
	engine interpreted
	query  rego.PreparedEvalQuery

	// problems says of each rule what is outside of the fragment.
	problems []string
}

// newOutside returns nil where there is no such rule. The rules come from the residual: of its sets of
// codes they alone are left, beside what they refer to.
func newOutside(ctx context.Context, e *Engine, b *Bundle, a *answer, left [3][]residual.Outside, s storage.Store) (*outside, error) {
	out := &outside{engine: interpreted{e}}
	keep := map[*ast.Rule]bool{}
	for _, rules := range left {
		for _, rule := range rules {
			keep[rule.Rule] = true
			out.problems = append(out.problems, e.problemOf(rule))
		}
	}
	if len(keep) == 0 {
		return nil, nil
	}
	refs := []ast.Ref{a.permits, a.forbids, a.obligations}
	isSet := func(ref ast.Ref) bool {
		for _, set := range refs {
			if set.Equal(ref) {
				return true
			}
		}
		return false
	}
	modules := map[string]*ast.Module{}
	for i, module := range a.support {
		module = module.Copy()
		original := a.support[i].Rules
		rules := module.Rules[:0]
		for j, rule := range module.Rules {
			if keep[original[j]] || !isSet(module.Package.Path.Extend(rule.Head.Ref().GroundPrefix())) {
				rules = append(rules, rule)
			}
		}
		module.Rules = rules
		modules[fmt.Sprintf("residual/%d.rego", i)] = module
		if err := readsNone(module, refs, a.admit); err != nil {
			return nil, err
		}
	}
	query := queryOf(modules, refs, a.admit)
	// What partial evaluation does not take apart it leaves where it is, in the policy.
	for name, module := range b.parsed.ParsedModules("") {
		modules[name] = module
	}
	compiler := ast.NewCompiler()
	if compiler.Compile(modules); compiler.Failed() {
		return nil, fmt.Errorf("compile the rules that closures cannot be made of: %w", compiler.Errors)
	}
	var err error
	if out.query, err = prepare(ctx, compiler, s, query); err != nil {
		return nil, fmt.Errorf("prepare the rules that closures cannot be made of: %w", err)
	}
	return out, nil
}

// readsNone returns an error where a rule of a module, but for admit, reads one of the sets, of which
// only a part is left.
func readsNone(module *ast.Module, sets []ast.Ref, admit ast.Ref) (err error) {
	for _, rule := range module.Rules {
		if module.Package.Path.Extend(rule.Head.Ref().GroundPrefix()).Equal(admit) {
			continue
		}
		ast.WalkRefs(rule.Body, func(ref ast.Ref) bool {
			for _, set := range sets {
				if ref.HasPrefix(set) {
					err = fmt.Errorf("%s reads %s, and OPA evaluates some of its rules", rule.Head, set)
				}
			}
			return err != nil
		})
	}
	return err
}

// problemOf says which rule is outside of the fragment, where it stands, and why.
func (e *Engine) problemOf(left residual.Outside) string {
	code, ok := left.Rule.Head.Key.Value.(ast.String)
	if !ok {
		return left.Err.Error()
	}
	if rule, ok := e.rules[string(code)]; ok {
		return fmt.Sprintf("%s:%d: %s: %v", rule.File, rule.Row, string(code), left.Err)
	}
	return fmt.Sprintf("%s: %v", string(code), left.Err)
}

// queryOf asks for the sets of which something is left. An obligation is asked for as if the candidate
// were admitted, since only then it counts.
func queryOf(modules map[string]*ast.Module, sets []ast.Ref, admit ast.Ref) string {
	left := map[string]bool{}
	for _, module := range modules {
		for _, rule := range module.Rules {
			left[module.Package.Path.Extend(rule.Head.Ref().GroundPrefix()).String()] = true
		}
	}
	texts := make([]any, len(sets))
	for i, set := range sets {
		texts[i] = "set()"
		if left[set.String()] {
			texts[i] = set.String()
		}
	}
	return fmt.Sprintf(`{"permits": %s, "forbids": %s, "obligations": %s}`, texts...) +
		" with " + pathKnown + " as input.resolved.known with " + pathPresent + " as input.resolved.present" +
		" with " + admit.String() + " as true"
}

// asking is one request's questions.
type asking struct {
	*outside
	ctx    context.Context
	input  *input
	cancel topdown.Cancel
	stop   func() bool
}

func (o *outside) begin(ctx context.Context, entry *Entry) *asking {
	a := &asking{outside: o, ctx: ctx, input: newInput(entry), cancel: topdown.NewCancel()}
	a.stop = context.AfterFunc(ctx, a.cancel.Cancel)
	a.input.resolve(&entry.Viewers)
	return a
}

func (a *asking) end() { a.stop() }

// about returns the permits, forbids and obligations that the rules give the candidate at position.
func (a *asking) about(position int) (codes [3][]string, err error) {
	value, err := ask(a.ctx, a.query, a.input.candidate(position), a.cancel)
	if err != nil {
		return codes, err
	}
	doc, ok := value.(map[string]any)
	if !ok {
		return codes, errNoSets
	}
	for i, name := range []string{"permits", "forbids", "obligations"} {
		if codes[i], ok = readCodes(doc[name]); !ok {
			return codes, errNoSets
		}
	}
	return codes, nil
}

var errNoSets = fmt.Errorf("a rule gave no set of codes")
