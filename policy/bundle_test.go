package policy_test

import (
	"context"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"earshot/policy"
)

// embeddedFiles returns a copy of the embedded policy that a test may change.
func embeddedFiles(t *testing.T) fstest.MapFS {
	t.Helper()
	files := fstest.MapFS{}
	err := fs.WalkDir(policy.EmbeddedFS(), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := fs.ReadFile(policy.EmbeddedFS(), name)
		files[name] = &fstest.MapFile{Data: content}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func file(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text)} }

// engineOf compiles files.
func engineOf(files fs.FS) (*policy.Engine, error) {
	b, err := policy.BundleFromFS(files)
	if err != nil {
		return nil, err
	}
	return policy.NewEngine(context.Background(), b)
}

// bundleOf makes a bundle whose three entry documents are given as Rego terms. Its rules have the
// words of the embedded ones and never hold; the gates of a hand-off are the embedded ones.
func bundleOf(t *testing.T, decision, report, problems string) *policy.Bundle {
	t.Helper()
	shipped, err := engineOf(policy.EmbeddedFS())
	if err != nil {
		t.Fatal(err)
	}
	files := fstest.MapFS{
		"earshot/decision.rego":      file("package earshot\n\ndecision := " + decision + "\n"),
		"earshot/viewers/v.rego":     file("package earshot.viewers\n\nknown := true\n\npresent := set()\n\nreport := " + report + "\n"),
		"earshot/selfcheck/s.rego":   file("package earshot.selfcheck\n\nproblems := " + problems + "\n"),
		"earshot/settings/data.json": file(`{"internal_bots": [], "revoked": []}`),
	}
	for name, content := range embeddedFiles(t) {
		if strings.HasPrefix(name, "earshot/handoff/") {
			files[name] = content
		}
	}
	for _, rule := range shipped.Rules() {
		if strings.HasPrefix(rule.Code, "local:") || strings.HasPrefix(rule.File, "earshot/handoff/") {
			continue
		}
		files["earshot/rules/"+rule.Code+"/r.rego"] = file("package earshot.rules." + rule.Code + `

# METADATA
# title: One
# description: Never holds.
# custom:
#   code: ` + rule.Code + `
forbid contains rego.metadata.rule().custom.code if input.turn.attempt < 0
`)
	}
	b, err := policy.BundleFromFS(files)
	if err != nil {
		t.Fatal(err)
	}
	return b
}
