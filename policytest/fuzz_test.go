package policytest_test

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"maps"
	"os"
	"regexp"
	"testing"
	"testing/fstest"
	"time"

	"earshot/policy"
	"earshot/policytest"
)

// FuzzParse reads arbitrary case files. What is refused is refused as a case, and what is not gives a
// body and is held against the shipped policy, whose settings stay as they are: it holds, it differs, or it
// is refused as a case after all.
func FuzzParse(f *testing.F) {
	cases := os.DirFS(casesDir)
	err := fs.WalkDir(cases, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := fs.ReadFile(cases, name)
		f.Add(name, text)
		return err
	})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(goodName, []byte(good))
	f.Add(goodWorldName, []byte(goodWorld))
	f.Add(goodHandoffName, []byte(goodHandoff))
	engine, err := policytest.NewPolicy(policy.EmbeddedFS()).Engine(f.Context(), nil)
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, name string, text []byte) {
		c, err := policytest.Parse(name, text)
		if err != nil {
			if !errors.Is(err, policytest.ErrCase) {
				t.Errorf("the error is %v, want one that matches policytest.ErrCase", err)
			}
			return
		}
		if c.Want.Refused == nil && c.Want.Viewers == nil && c.Want.Verdict == "" {
			t.Error("a case was read that asserts nothing")
		}
		if _, err := c.Body(); err != nil {
			t.Fatalf("a case was read that gives no body: %v", err)
		}
		diff, err := policytest.Check(t.Context(), engine, c)
		switch {
		case err != nil && !errors.Is(err, policytest.ErrCase):
			t.Errorf("the case is held with the error %v, want none or one that matches policytest.ErrCase", err)
		case err != nil && !diff.Holds():
			t.Error("a case could not be held and differs")
		case !diff.Holds() && (diff.Line < 1 || diff.Line > bytes.Count(text, []byte("\n"))+1):
			t.Errorf("the difference is in line %d, which the file does not have", diff.Line)
		}
	})
}

// packageClause is where a module says where it belongs. Text in another place is refused for that
// alone.
var packageClause = regexp.MustCompile(`(?m)^package .*$`)

// FuzzBundle puts arbitrary text beside the shipped rules and in the place of their settings. What
// does not load is refused as a bundle, and what does load still keeps a secret.
func FuzzBundle(f *testing.F) {
	shipped := policy.EmbeddedFS()
	settings, err := fs.ReadFile(shipped, "earshot/settings/data.json")
	if err != nil {
		f.Fatal(err)
	}
	walk := func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := fs.ReadFile(shipped, name)
		f.Add(text, settings)
		f.Add(packageClause.ReplaceAll(text, []byte("package local.added")), settings)
		return err
	}
	for _, root := range []string{"local", "earshot/rules/public", "earshot/viewers"} {
		if err := fs.WalkDir(shipped, root, walk); err != nil {
			f.Fatal(err)
		}
	}
	for _, text := range []string{"", "{", "[]", "null", `{"placeholders": 1}`, `{"internal_bots": ["user:ben"]}`, `{"a": {"b": [1e400]}}`} {
		f.Add([]byte("package local.added\n\nforbid contains 1 if input.candidate.id == 2"), []byte(text))
	}
	for _, text := range []string{
		"", "package", "package earshot.rules.x\n\npermit contains \"public\"", "package earshot\n\ndecision := 1",
		"package earshot.rules.x\n\npermit contains \"x\" if {", "package a\n\nimport data.earshot\n\nx := data[_]",
		"package local.added\n\nforbid contains 1 if {", "package local.added\n\nforbid contains x if some x in data.local[_].forbid",
		"package local.added\n\nforbid := true", "package local.added\n\nforbid contains {} if input.candidate.audience.members[_]",
	} {
		f.Add([]byte(text), settings)
	}
	files := fstest.MapFS{}
	err = fs.WalkDir(shipped, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := fs.ReadFile(shipped, name)
		files[name] = &fstest.MapFile{Data: text}
		return err
	})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, rego, settings []byte) {
		out := maps.Clone(files)
		out["local/added/added.rego"] = &fstest.MapFile{Data: rego}
		out["earshot/settings/data.json"] = &fstest.MapFile{Data: settings}
		// A rule may be slow without being wrong; the load then ends with the context.
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		bundle, err := policy.BundleFromFS(out)
		var engine *policy.Engine
		if err == nil {
			engine, err = policy.NewEngine(ctx, bundle)
		}
		switch {
		case err == nil:
			keepsASecret(t, engine)
		case !errors.Is(err, policy.ErrBundle):
			t.Errorf("the error is %v, want one that matches policy.ErrBundle", err)
		}
	})
}

// keepsASecret asks an engine for what one of two viewers did not hear.
func keepsASecret(t *testing.T, engine *policy.Engine) {
	t.Helper()
	request := oneItem()
	request.Turn.Viewers = []string{"user:ann", "user:ben"}
	decision, err := pointOf(t, engine, recorderFunc(recordNothing)).Decide(t.Context(), request)
	if err != nil && !errors.Is(err, policy.ErrPolicyUnavailable) {
		t.Fatal(err)
	}
	if decision != nil && decision.Results[0].Admit {
		t.Errorf("an item that Ben did not hear is admitted before him: %v", decision.Results[0].Reasons)
	}
}
