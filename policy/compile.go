package policy

import (
	"errors"
	"slices"
	"strings"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/topdown"
)

// compile compiles a bundle strictly, against the schemas of input and data. Its error has a line for
// each fault.
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
		WithCapabilities(pureCapabilities())
	if compiler.Compile(modules); compiler.Failed() {
		return nil, describe(compiler.Errors)
	}
	if dangling := danglingRefs(compiler); len(dangling) > 0 {
		return nil, describe(dangling)
	}
	return compiler, nil
}

// pureCapabilities are those of this OPA without the functions whose answer depends on more than
// their arguments. A decision must be the same when it is made again from the log.
func pureCapabilities() *ast.Capabilities {
	c := ast.CapabilitiesForThisVersion()
	c.Builtins = slices.DeleteFunc(c.Builtins, (*ast.Builtin).IsNondeterministic)
	return c
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

// inBundleError returns err as describe would write it, where it is an error of the evaluation.
func inBundleError(err error) error {
	e, ok := errors.AsType[*topdown.Error](err)
	if !ok || e.Location == nil {
		return err
	}
	return describe(ast.Errors{ast.NewError(e.Code, e.Location, "%s", e.Message)})
}

// inBundle makes a path inside the bundle of a file name that OPA gives, which looks absolute.
func inBundle(file string) string { return strings.TrimPrefix(file, "/") }
