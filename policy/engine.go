package policy

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/rego"
	"github.com/open-policy-agent/opa/v1/storage"
	"github.com/open-policy-agent/opa/v1/storage/inmem"
	"github.com/open-policy-agent/opa/v1/topdown"
)

// The documents of the policy that the engine asks for. The viewers are resolved once a turn, and
// each candidate is decided with that answer in place of working it out again.
const (
	queryDecision  = `data.earshot.decision with data.earshot.viewers.known as input.resolved.known with data.earshot.viewers.present as input.resolved.present`
	queryHandoff   = "data.earshot.handoff.decision"
	queryHalts     = "data.earshot.handoff.halts"
	queryViewers   = "data.earshot.viewers.report"
	queryProblems  = "data.earshot.selfcheck.problems"
	localNamespace = "local:"
)

// checkTimeout is how long a bundle may take to be compiled and checked.
const checkTimeout = time.Minute

// Engine is one compiled policy. It is safe for concurrent use. What it answers never changes; how it
// works that out may.
type Engine struct {
	// tier decides. It is closures where they can be made and agree with OPA, and OPA otherwise.
	tier atomic.Pointer[evaluator]
	why  atomic.Pointer[error] // of its not being closures

	revision string
	archive  []byte
	decision rego.PreparedEvalQuery
	viewers  rego.PreparedEvalQuery
	handoff  rego.PreparedEvalQuery
	halts    rego.PreparedEvalQuery

	// By code: the rules of a decision, and the gates of a hand-off.
	rules map[string]Rule
	gates map[string]Rule

	// bots are the principals that the policy's data leaves out of every viewer set, revoked those
	// whose access it withdraws.
	bots    map[string]bool
	revoked map[string]bool

	// chainLimit is through how many hands the element of another may have gone, and sealRequired
	// whether it needs a seal.
	chainLimit   int
	sealRequired bool

	// overlap is from how many shared fingerprints on a text counts as that of a denied item.
	overlap int
}

// NewEngine compiles a bundle, once, and checks it before it may decide: it must compile strictly
// against the schemas of input and data, call nothing that reads a clock, a network or chance,
// find no problem in its own settings, and refuse what everybody must refuse. The error matches
// ErrBundle and names file, line and reason.
func NewEngine(ctx context.Context, b *Bundle) (*Engine, error) {
	ctx, cancel := context.WithTimeout(ctx, checkTimeout)
	defer cancel()
	compiler, err := compile(b)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrBundle, err)
	}
	e := &Engine{revision: b.revision, archive: b.archive}
	e.use(interpreted{e})
	if e.rules, e.gates, err = readRules(compiler); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrBundle, err)
	}
	store := inmem.NewFromObjectWithOpts(b.parsed.Data, inmem.OptReturnASTValuesOnRead(true))
	for _, q := range []struct {
		text     string
		prepared *rego.PreparedEvalQuery
	}{{queryDecision, &e.decision}, {queryViewers, &e.viewers}, {queryHandoff, &e.handoff}, {queryHalts, &e.halts}} {
		if *q.prepared, err = prepare(ctx, compiler, store, q.text); err != nil {
			return nil, fmt.Errorf("%w: %s: %w", ErrBundle, q.text, err)
		}
	}
	if e.bots, err = readNames(b.parsed.Data, "internal_bots"); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrBundle, err)
	}
	if e.revoked, err = readNames(b.parsed.Data, "revoked"); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrBundle, err)
	}
	if err := checkSettings(ctx, compiler, store); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrBundle, err)
	}
	e.chainLimit, e.sealRequired = readHandoffSettings(b.parsed.Data)
	e.overlap = readOverlap(b.parsed.Data)
	if err := e.checkCanaries(ctx); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrBundle, err)
	}
	if err := e.checkHandoffCanaries(ctx); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrBundle, err)
	}
	e.chooseTier(ctx, b, compiler, store)
	return e, nil
}

// Revision returns the digest of the bundle that was compiled.
func (e *Engine) Revision() string { return e.revision }

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

// evaluate does what an evaluator does, by the tier that is in use.
func (e *Engine) evaluate(ctx context.Context, entry *Entry) ([]Failure, error) {
	return (*e.tier.Load()).evaluate(ctx, entry)
}

// interpreted is a policy as OPA evaluates it. It is the reference for every other evaluator.
type interpreted struct{ *Engine }

func (e interpreted) evaluate(ctx context.Context, entry *Entry) ([]Failure, error) {
	cancel := topdown.NewCancel()
	defer context.AfterFunc(ctx, cancel.Cancel)()

	in := newInput(entry)
	report, err := ask(ctx, e.viewers, in.turnOnly(), cancel)
	if err != nil {
		return nil, unavailable(ctx, err)
	}
	if entry.Viewers, err = e.readViewers(report, &entry.Request.Turn); err != nil {
		return nil, unavailable(ctx, err)
	}

	in.resolve(&entry.Viewers)

	var failures []Failure
	entry.Results = make([]Result, len(entry.Request.Candidates))
	for i := range entry.Request.Candidates {
		result, err := e.one(ctx, in, i, cancel)
		if ctx.Err() != nil {
			return nil, unavailable(ctx, ctx.Err())
		}
		if err != nil {
			failures = append(failures, Failure{Position: i, Cause: err})
			result = deny(CodePolicyError)
		}
		if result.Admit && !e.covers(entry, i) {
			result = deny(CodeInvariantViolation)
		}
		result.ID = entry.Request.Candidates[i].ID
		entry.Results[i] = result
	}
	return failures, nil
}

// one asks the policy about the candidate at position.
func (e interpreted) one(ctx context.Context, in *input, position int, cancel topdown.Cancel) (Result, error) {
	answer, err := ask(ctx, e.decision, in.candidate(position), cancel)
	if err != nil {
		return Result{}, inBundleError(err)
	}
	return readResult(answer)
}

func unavailable(ctx context.Context, err error) error {
	if errors.Is(ctx.Err(), context.Canceled) {
		return ctx.Err()
	}
	return fmt.Errorf("%w: %w", ErrPolicyUnavailable, err)
}
