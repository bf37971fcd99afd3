package policy_test

import (
	"errors"
	"strings"
	"testing"
	"testing/fstest"

	"earshot/policy"
)

func TestReferencesThatLeadNowhereAreRefused(t *testing.T) {
	files := embeddedFiles(t)
	for ref, want := range map[string]bool{
		"data.earshot.viewers.known":         true,
		"data.earshot.viewers.report.known":  true,
		"data.earshot.settings.placeholders": true,
		"data.earshot.rules":                 true,
		"data.earshot.viewers.knwon":         false,
		"data.earshot.viewer.known":          false,
		"data.earshot.rules.revokd.forbid":   false,
		"data.local.nothing_there.forbid":    true,
	} {
		t.Run(ref, func(t *testing.T) {
			files["earshot/audiences_more/x.rego"] = file("package earshot.audiences_more\n\nx if " + ref + "\n")
			_, err := engineOf(files)
			if want && err != nil {
				t.Errorf("refused: %v", err)
			}
			if !want && (!errors.Is(err, policy.ErrBundle) || !strings.Contains(err.Error(), "x.rego:3: ")) {
				t.Errorf("got %v, want a refusal with file and line", err)
			}
		})
	}
}

const annotated = `
# METADATA
# title: Mine
# description: A rule of my own.
# custom:
#   code: mine
forbid contains rego.metadata.rule().custom.code if input.turn.channel == "mine"
`

// TestChangesThatAreRefused makes one change each to the embedded policy.
func TestChangesThatAreRefused(t *testing.T) {
	for name, test := range map[string]struct {
		change func(fstest.MapFS)
		want   string // empty for a change that is fine
	}{
		"a rule of one's own": {func(f fstest.MapFS) {
			f["local/mine/mine.rego"] = file("package local.mine\n" + annotated)
		}, ""},
		"no rules of one's own": {func(f fstest.MapFS) {
			delete(f, "local/local.rego")
			delete(f, "local/embargo/embargo.rego")
		}, ""},
		"a rule one folder too deep": {func(f fstest.MapFS) {
			f["local/embargo/mine/mine.rego"] = file("package local.embargo.mine\n" + annotated)
		}, "local/embargo/mine/mine.rego:8: "},
		"a permit of one's own": {func(f fstest.MapFS) {
			f["local/mine/mine.rego"] = file("package local.mine\n" + annotated + "\npermit contains \"mine\"\n")
		}, "permit in package local.mine is read by nobody"},
		"a package beside the roots": {func(f fstest.MapFS) {
			delete(f, ".manifest")
			f["mine/mine.rego"] = file("package mine\n" + annotated)
		}, "mine/mine.rego:1: "},
		"two rules of one code": {func(f fstest.MapFS) {
			f["local/mine/mine.rego"] = file("package local.mine\n" + annotated)
			f["local/yours/yours.rego"] = file("package local.yours\n" + annotated)
		}, `the code "local:mine" is that of`},
		"a code that is no code": {func(f fstest.MapFS) {
			f["local/mine/mine.rego"] = file("package local.mine\n" + strings.Replace(annotated, "code: mine", "code: My rule", 1))
		}, "snake_case"},
		"a rule without a title": {func(f fstest.MapFS) {
			f["local/mine/mine.rego"] = file("package local.mine\n" + strings.Replace(annotated, "# title: Mine\n", "", 1))
		}, "needs a title"},
		"a core rule taken away": {func(f fstest.MapFS) {
			delete(f, "earshot/rules/revoked/revoked.rego")
		}, `no rule states the code "revoked"`},
		"no settings": {func(f fstest.MapFS) {
			delete(f, "earshot/settings/data.json")
		}, "settings/data.json is missing"},
		"a rule under another's name": {func(f fstest.MapFS) {
			f["local/mine/mine.rego"] = file("package earshot.rules.public\n\npermit contains \"public\"\n")
		}, "folder and package must have the same path"},
		"a setting given twice": {func(f fstest.MapFS) {
			f["earshot/settings/data.json"] = file(strings.Replace(
				string(f["earshot/settings/data.json"].Data), "{", `{"placeholders": [],`, 1))
		}, "duplicate"},
		"a setting that can match nobody": {func(f fstest.MapFS) {
			f["earshot/settings/data.json"] = file(strings.Replace(
				string(f["earshot/settings/data.json"].Data), `"revoked": []`, `"revoked": ["user:eve "]`, 1))
		}, "can match nobody"},
		"a set taken for a list": {func(f fstest.MapFS) {
			f["local/mine/mine.rego"] = file("package local.mine\n" +
				strings.Replace(annotated, `input.turn.channel == "mine"`, `input.turn.viewers == {"user:eve"}`, 1))
		}, "local/mine/mine.rego:8: "},
	} {
		t.Run(name, func(t *testing.T) {
			files := embeddedFiles(t)
			test.change(files)
			_, err := engineOf(files)
			if test.want == "" {
				if err != nil {
					t.Errorf("refused: %v", err)
				}
				return
			}
			if !errors.Is(err, policy.ErrBundle) || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want %q in it", err, test.want)
			}
		})
	}
}
