package policy

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/rego"
	"github.com/open-policy-agent/opa/v1/storage"
	"github.com/open-policy-agent/opa/v1/storage/inmem"
	"github.com/open-policy-agent/opa/v1/topdown"
)

// The three documents of the policy that the engine asks for.
const (
	queryDecision  = "data.earshot.decision"
	queryViewers   = "data.earshot.viewers.report"
	queryProblems  = "data.earshot.selfcheck.problems"
	localNamespace = "local:"
)

// Engine is one compiled policy. It is immutable and safe for concurrent use.
type Engine struct {
	revision string
	decision rego.PreparedEvalQuery
	viewers  rego.PreparedEvalQuery
	rules    map[string]Rule

	// bots are the principals that the policy's data leaves out of every viewer set.
	bots map[string]bool
}

// NewEngine compiles a bundle, once, and checks it before it may decide: it must compile strictly
// against the schemas of input and data, call nothing that reads a clock, a network or chance,
// find no problem in its own settings, and refuse what everybody must refuse. The error matches
// ErrBundle and names file, line and reason.
func NewEngine(ctx context.Context, b *Bundle) (*Engine, error) {
	compiler, err := compile(b)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrBundle, err)
	}
	e := &Engine{revision: b.revision, rules: rulesOf(compiler)}
	store := inmem.NewFromObjectWithOpts(b.parsed.Data, inmem.OptReturnASTValuesOnRead(true))
	for _, q := range []struct {
		text     string
		prepared *rego.PreparedEvalQuery
	}{{queryDecision, &e.decision}, {queryViewers, &e.viewers}} {
		if *q.prepared, err = prepare(ctx, compiler, store, q.text); err != nil {
			return nil, fmt.Errorf("%w: %s: %w", ErrBundle, q.text, err)
		}
	}
	if e.bots, err = readBots(b.parsed.Data); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrBundle, err)
	}
	if err := checkSettings(ctx, compiler, store); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrBundle, err)
	}
	if err := e.checkCanaries(ctx); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrBundle, err)
	}
	return e, nil
}

// Revision returns the digest of the bundle that was compiled.
func (e *Engine) Revision() string { return e.revision }

func compile(b *Bundle) (*ast.Compiler, error) {
	schemas, err := loadSchemas()
	if err != nil {
		return nil, err
	}
	modules := b.parsed.ParsedModules("")
	compiler := ast.NewCompiler().
		WithStrict(true).
		WithSchemas(schemas).
		WithUseTypeCheckAnnotations(true).
		WithUnsafeBuiltins(impureBuiltins())
	if compiler.Compile(modules); compiler.Failed() {
		return nil, describe(compiler.Errors)
	}
	if dangling := danglingRefs(compiler); len(dangling) > 0 {
		return nil, describe(dangling)
	}
	return compiler, nil
}

// impureBuiltins are those whose answer depends on more than their arguments. A decision must be
// the same when it is made again from the log.
func impureBuiltins() map[string]struct{} {
	impure := map[string]struct{}{}
	for _, b := range ast.CapabilitiesForThisVersion().Builtins {
		if b.IsNondeterministic() {
			impure[b.Name] = struct{}{}
		}
	}
	return impure
}

// describe puts each error on a line of its own, as file:line: code: message.
func describe(all ast.Errors) error {
	lines := make([]string, len(all))
	for i, err := range all {
		if err.Location != nil {
			at := *err.Location
			at.File = inBundle(at.File)
			err = &ast.Error{Code: err.Code, Message: err.Message, Location: &at, Details: err.Details}
		}
		lines[i] = err.Error()
	}
	return errors.New(strings.Join(lines, "\n"))
}

// inBundle makes a path inside the bundle of a file name that OPA gives, which looks absolute.
func inBundle(file string) string { return strings.TrimPrefix(file, "/") }

func prepare(ctx context.Context, c *ast.Compiler, s storage.Store, query string) (rego.PreparedEvalQuery, error) {
	return rego.New(
		rego.Query(query),
		rego.Compiler(c),
		rego.Store(s),
		rego.StrictBuiltinErrors(true),
	).PrepareForEval(ctx)
}

// ask evaluates a prepared query and returns its one value. An undefined value is an error: the
// engine never takes silence for an answer.
func ask(ctx context.Context, q rego.PreparedEvalQuery, input ast.Value, cancel topdown.Cancel) (any, error) {
	rs, err := q.Eval(ctx, rego.EvalParsedInput(input), rego.EvalExternalCancel(cancel))
	if err != nil {
		return nil, err
	}
	if len(rs) != 1 || len(rs[0].Expressions) != 1 {
		return nil, errors.New("the policy gave no answer")
	}
	return rs[0].Expressions[0].Value, nil
}

// evaluate fills the viewers and the results of an entry whose request is in normal form.
func (e *Engine) evaluate(ctx context.Context, entry *Entry) error {
	cancel := topdown.NewCancel()
	defer context.AfterFunc(ctx, cancel.Cancel)()

	in := newInput(entry)
	report, err := ask(ctx, e.viewers, in.turnOnly(), cancel)
	if err != nil {
		return unavailable(ctx, err)
	}
	if entry.Viewers, err = e.readViewers(report, &entry.Request.Turn); err != nil {
		return unavailable(ctx, err)
	}

	entry.Results = make([]Result, len(entry.Request.Candidates))
	for i := range entry.Request.Candidates {
		answer, err := ask(ctx, e.decision, in.candidate(i), cancel)
		if ctx.Err() != nil {
			return unavailable(ctx, ctx.Err())
		}
		result := deny(CodePolicyError)
		if err == nil {
			result = readResult(answer)
		}
		if result.Admit && !covers(entry, i) {
			result = deny(CodeInvariantViolation)
		}
		result.ID = entry.Request.Candidates[i].ID
		entry.Results[i] = result
	}
	return nil
}

func unavailable(ctx context.Context, err error) error {
	if errors.Is(ctx.Err(), context.Canceled) {
		return ctx.Err()
	}
	return fmt.Errorf("%w: %w", ErrPolicyUnavailable, err)
}
