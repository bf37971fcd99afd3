package policy

import (
	"maps"
	"slices"
	"strings"

	"github.com/open-policy-agent/opa/v1/ast"
)

// testPackage is how the package of the tests of a rule ends.
const testPackage = "_test"

// misplacedTests returns an error for each test file below local whose package the decision would take
// for a rule of its own, and for each reference below data.local in a test file that leads nowhere: OPA
// takes it for undefined, so that a test of what does not hold would pass whatever the rule says.
func misplacedTests(c *ast.Compiler, data map[string]any) ast.Errors {
	var problems ast.Errors
	for _, name := range slices.Sorted(maps.Keys(c.Modules)) {
		module := c.Modules[name]
		pkg := module.Package.Path
		if isTest(name) && isLocal(pkg) && len(pkg) > 2 && !isTestPackage(pkg) {
			problems = append(problems, ast.NewError(ast.CompileErr, module.Package.Location,
				"package %s has tests and counts as a rule; its name must end in _test, such as %s_test",
				strings.TrimPrefix(pkg.String(), "data."), strings.TrimSuffix(strings.TrimSuffix(strings.TrimPrefix(pkg.String(), "data."), "_tests"), "_"),
			))
		}
		if isTest(name) {
			problems = append(problems, danglingInTest(c, module, data)...)
		}
	}
	return problems
}

func isTestPackage(pkg ast.Ref) bool {
	return slices.ContainsFunc(words(pkg), func(step string) bool { return strings.HasSuffix(step, testPackage) })
}

// danglingInTest returns an error for each reference of a test file below data.local that leads neither
// to a rule nor into data. What a test puts in the place of data need not be there.
func danglingInTest(c *ast.Compiler, module *ast.Module, data map[string]any) ast.Errors {
	var mocked []ast.Ref
	ast.WalkWiths(module, func(with *ast.With) bool {
		if ref, ok := with.Target.Value.(ast.Ref); ok {
			mocked = append(mocked, ref.ConstantPrefix())
		}
		return false
	})
	var dangling ast.Errors
	ast.WalkRefs(module, func(ref ast.Ref) bool {
		prefix := ref.ConstantPrefix()
		if !isLocal(prefix) || isRule(c.RuleTree, prefix) || isData(data, prefix) ||
			slices.ContainsFunc(mocked, func(m ast.Ref) bool { return prefix.HasPrefix(m) || m.HasPrefix(prefix) }) {
			return false
		}
		dangling = append(dangling, ast.NewError(ast.CompileErr, ref[0].Location,
			"%s leads nowhere: no rule has this name", prefix))
		return false
	})
	return dangling
}

// isData reports whether a reference leads into data.
func isData(data map[string]any, ref ast.Ref) bool {
	var at any = data
	for _, step := range words(ref) {
		object, ok := at.(map[string]any)
		if !ok {
			return true
		}
		if at, ok = object[step]; !ok {
			return false
		}
	}
	return true
}
