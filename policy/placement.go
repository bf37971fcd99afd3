package policy

import (
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/open-policy-agent/opa/v1/ast"
)

// danglingRefs returns an error for each reference below data.earshot that leads nowhere. OPA takes
// such a reference for undefined, so that a slip in a rule's name would quietly switch off whatever
// reads it. References below data.local are left alone, since authors may have no rules of their
// own, and settings, for which there is a schema.
func danglingRefs(c *ast.Compiler) ast.Errors {
	var dangling ast.Errors
	for _, name := range slices.Sorted(maps.Keys(c.Modules)) {
		ast.WalkRefs(c.Modules[name], func(ref ast.Ref) bool {
			prefix := ref.ConstantPrefix()
			if len(prefix) < 2 || !prefix[0].Equal(ast.DefaultRootDocument) || !prefix[1].Equal(ast.StringTerm("earshot")) {
				return false
			}
			if !isRule(c.RuleTree, prefix) && !isSetting(prefix) {
				dangling = append(dangling, ast.NewError(ast.CompileErr, ref[0].Location,
					"%s leads nowhere: no rule has this name", prefix))
			}
			return false
		})
	}
	return dangling
}

// isRule reports whether ref leads to a rule, into the value of one, or to a package.
func isRule(tree *ast.TreeNode, ref ast.Ref) bool {
	for _, step := range ref {
		child := tree.Child(step.Value)
		if child == nil {
			return len(tree.Values) > 0
		}
		tree = child
	}
	return true
}

// isSetting reports whether ref leads into earshot/settings/data.json.
func isSetting(ref ast.Ref) bool { return len(ref) > 2 && ref[2].Equal(ast.StringTerm("settings")) }

// strayRules returns an error for each package outside the bundle's roots or in a folder of another
// name, and for each set of codes in a package where no decision looks.
func strayRules(c *ast.Compiler) ast.Errors {
	homes := map[string][]string{
		"forbid": {"data.earshot.rules", "data.earshot.handoff.gates", "data.local"},
		"permit": {"data.earshot.rules", "data.earshot.handoff.gates"},
		"oblige": {"data.earshot.obligations", "data.earshot.handoff.obligations"},
		"halt":   {"data.earshot.handoff.gates"},
	}
	var stray ast.Errors
	for _, name := range slices.Sorted(maps.Keys(c.Modules)) {
		module := c.Modules[name]
		pkg := module.Package.Path
		if len(pkg) < 2 || !isRoot(pkg[1]) {
			stray = append(stray, ast.NewError(ast.CompileErr, module.Package.Location,
				"package %s is read by nobody; rules of your own belong in a package local.NAME", strings.TrimPrefix(pkg.String(), "data.")))
			continue
		}
		if want := path.Dir(inBundle(name)); want != strings.Join(words(pkg), "/") {
			stray = append(stray, ast.NewError(ast.CompileErr, module.Package.Location,
				"package %s stands in folder %s; folder and package must have the same path", strings.Join(words(pkg), "."), want))
			continue
		}
		home := pkg[:len(pkg)-1].String()
		for _, rule := range module.Rules {
			set := rule.Head.Name.String()
			at, reserved := homes[set]
			if !reserved || slices.Contains(at, home) {
				continue
			}
			stray = append(stray, ast.NewError(ast.CompileErr, rule.Location,
				"%s in package %s is read by nobody; its package must be one level below %s",
				set, strings.TrimPrefix(pkg.String(), "data."), strings.ReplaceAll(strings.Join(at, " or "), "data.", "")))
		}
	}
	return stray
}

// words returns the steps of a package path after data.
func words(pkg ast.Ref) []string {
	steps := make([]string, 0, len(pkg))
	for _, step := range pkg[1:] {
		word, _ := step.Value.(ast.String)
		steps = append(steps, string(word))
	}
	return steps
}

// isRoot reports whether step is one of the two roots of a bundle.
func isRoot(step *ast.Term) bool {
	return step.Equal(ast.StringTerm("earshot")) || step.Equal(ast.StringTerm("local"))
}
