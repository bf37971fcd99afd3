package policytest_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"regexp"
	"testing"
	"testing/fstest"
	"time"

	"earshot/policy"
	"earshot/policytest"
)

// FuzzParse reads arbitrary case files. What is refused is refused as a case, and what is not can
// be held: it gives a body, or says why not.
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
	f.Fuzz(func(t *testing.T, name string, text []byte) {
		c, err := policytest.Parse(name, text)
		switch {
		case err == nil:
			if _, err := c.Body(); err == nil && c.Want.Refused == nil && c.Want.Viewers == nil && c.Want.Verdict == "" {
				t.Error("a case was read that asserts nothing")
			}
		case !errors.Is(err, policytest.ErrCase):
			t.Errorf("the error is %v, want one that matches policytest.ErrCase", err)
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
	f.Fuzz(func(t *testing.T, rego, settings []byte) {
		out := fstest.MapFS{"local/added/added.rego": &fstest.MapFile{Data: rego}}
		if err := copyInto(out, shipped); err != nil {
			t.Fatal(err)
		}
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

func copyInto(out fstest.MapFS, from fs.FS) error {
	return fs.WalkDir(from, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := fs.ReadFile(from, name)
		out[name] = &fstest.MapFile{Data: text}
		return err
	})
}

// keepsASecret asks an engine for what one of two viewers did not hear.
func keepsASecret(t *testing.T, engine *policy.Engine) {
	t.Helper()
	point, err := policy.NewPoint(policy.Config{
		Engine: engine, Recorder: recorderFunc(recordNothing), Clock: func() time.Time { return now },
		NewID: func() (string, error) { return "01931c5e-7d2a-7c1f-9a57-0c3d5be0a1f2", nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	request := oneItem()
	request.Turn.Viewers = []string{"user:ann", "user:ben"}
	decision, err := point.Decide(t.Context(), request)
	if err != nil && !errors.Is(err, policy.ErrPolicyUnavailable) {
		t.Fatal(err)
	}
	if decision != nil && decision.Results[0].Admit {
		t.Errorf("an item that Ben did not hear is admitted before him: %v", decision.Results[0].Reasons)
	}
}
