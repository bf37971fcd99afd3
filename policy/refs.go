package policy

import (
	"slices"

	"github.com/open-policy-agent/opa/v1/ast"
)

// danglingRefs returns an error for each reference below data.earshot that leads nowhere. OPA takes
// such a reference for undefined, so that a slip in a rule's name would quietly switch off whatever
// reads it. References below data.local are left alone, since authors may have no rules of their
// own, and settings, for which there is a schema.
func danglingRefs(c *ast.Compiler) ast.Errors {
	var dangling ast.Errors
	for _, name := range sortedModules(c) {
		ast.WalkRefs(c.Modules[name], func(ref ast.Ref) bool {
			path := ref.ConstantPrefix()
			if len(path) < 2 || !path[0].Equal(ast.DefaultRootDocument) || !path[1].Equal(ast.StringTerm("earshot")) {
				return false
			}
			if !isRule(c.RuleTree, path) && !isSetting(path) {
				dangling = append(dangling, ast.NewError(ast.CompileErr, ref[0].Location,
					"%s leads nowhere: no rule has this name", path))
			}
			return false
		})
	}
	return dangling
}

func sortedModules(c *ast.Compiler) []string {
	names := make([]string, 0, len(c.Modules))
	for name := range c.Modules {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// isRule reports whether path leads to a rule, into the value of one, or to a package.
func isRule(tree *ast.TreeNode, path ast.Ref) bool {
	for _, step := range path {
		child := tree.Child(step.Value)
		if child == nil {
			return len(tree.Values) > 0
		}
		tree = child
	}
	return true
}

// isSetting reports whether path leads into earshot/settings/data.json.
func isSetting(path ast.Ref) bool { return len(path) > 2 && path[2].Equal(ast.StringTerm("settings")) }
