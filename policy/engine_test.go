package policy_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"earshot/policy"
)

const (
	knownReport = `{"known": true, "reasons": set(), "present": input.turn.viewers}`
	noProblems  = `set()`

	wantRevision = "78a0f4a5afcb8527bac578e06e2b7d0baa09165b023c5148ea2f6b3bc1c2fa52"
)

// TestIllFormedAnswersAreRefused gives the engine policies that answer in every wrong shape. A
// policy that always does is refused at load.
func TestIllFormedAnswersAreRefused(t *testing.T) {
	for name, decision := range map[string]string{
		"not an object":          `true`,
		"no permits":             `{"admit": true, "forbids": set(), "obligations": set()}`,
		"one field more":         `{"admit": true, "permits": {"public"}, "forbids": set(), "obligations": set(), "extra": 1}`,
		"admit is a string":      `{"admit": "true", "permits": {"public"}, "forbids": set(), "obligations": set()}`,
		"codes are numbers":      `{"admit": true, "permits": {1}, "forbids": set(), "obligations": set()}`,
		"an empty code":          `{"admit": true, "permits": {""}, "forbids": set(), "obligations": set()}`,
		"admit without a permit": `{"admit": true, "permits": set(), "forbids": set(), "obligations": set()}`,
		"admit despite a forbid": `{"admit": true, "permits": {"public"}, "forbids": {"expired"}, "obligations": set()}`,
		"deny without a reason":  `{"admit": false, "permits": set(), "forbids": set(), "obligations": set()}`,
		"undefined":              `input.candidate.no_such_field`,
		"an error":               `1 / (input.turn.attempt - input.turn.attempt)`,
		"admits a stranger":      `{"admit": true, "permits": {"public"}, "forbids": set(), "obligations": set()}`,
	} {
		t.Run(name, func(t *testing.T) {
			_, err := policy.NewEngine(t.Context(), bundleOf(t, decision, knownReport, noProblems))
			if !errors.Is(err, policy.ErrBundle) || !strings.Contains(err.Error(), "self-check") {
				t.Errorf("got %v", err)
			}
		})
	}
}

// TestIllFormedAnswersAreDenied is the same in use: a policy that is right at load and goes wrong
// for some candidates.
func TestIllFormedAnswersAreDenied(t *testing.T) {
	right := `{"admit": false, "permits": set(), "forbids": {"no"}, "obligations": set()}`
	for name, wrong := range map[string]string{
		"undefined":   `input.candidate.no_such_field`,
		"an error":    `1 / input.candidate.attributes.zero`,
		"wrong shape": `"yes"`,
	} {
		t.Run(name, func(t *testing.T) {
			decision := "_for(input.candidate.id)\n\n_for(id) := " + wrong + " if id == \"trap\"\n\n_for(id) := " + right + " if id != \"trap\""
			p := newPoint(t, bundleOf(t, decision, knownReport, noProblems), &memory{})
			trap := item("trap", policy.Everybody())
			trap.Attributes = []byte(`{"zero": 0}`)
			d := decide(t, p, turn("user:ann"), trap, item("next", policy.Everybody()))
			if r := d.Results[0]; r.Admit || r.Reasons[0] != policy.CodePolicyError {
				t.Errorf("trap: %+v", r)
			}
			if r := d.Results[1]; r.Reasons[0] != "no" {
				t.Errorf("its neighbour: %+v", r)
			}
		})
	}
}

func TestIllFormedViewersAreUnavailable(t *testing.T) {
	right := `{"admit": false, "permits": set(), "forbids": {"no"}, "obligations": set()}`
	for name, report := range map[string]string{
		"undefined":               `input.turn.no_such_field`,
		"not an object":           `"known"`,
		"known despite a reason":  `{"known": true, "reasons": {"viewers_empty"}, "present": set()}`,
		"ambiguous for no reason": `{"known": false, "reasons": set(), "present": set()}`,
	} {
		t.Run(name, func(t *testing.T) {
			_, err := policy.NewEngine(t.Context(), bundleOf(t, right, report, noProblems))
			if !errors.Is(err, policy.ErrBundle) || !errors.Is(err, policy.ErrPolicyUnavailable) {
				t.Errorf("got %v", err)
			}
		})
	}
}

func TestBundlesThatAreRefused(t *testing.T) {
	for name, test := range map[string]struct {
		files fstest.MapFS
		want  string
	}{
		"nothing in it":  {fstest.MapFS{"readme.txt": {Data: []byte("hello")}}, "no Rego"},
		"only tests":     {fstest.MapFS{"a_test.rego": {Data: []byte("package a\n")}}, "no Rego"},
		"does not parse": {fstest.MapFS{"a.rego": {Data: []byte("package a\n\nb := [\n")}}, ": a.rego:"},
		"calls a clock":  {fstest.MapFS{"a.rego": {Data: []byte("package a\n\nb := time.now_ns()\n")}}, "time.now_ns"},
		"reaches a network": {
			fstest.MapFS{"a.rego": {Data: []byte("package a\n\nb := http.send({\"url\": \"http://localhost\"})\n")}}, "http.send",
		},
		"unused import":    {fstest.MapFS{"a.rego": {Data: []byte("package a\n\nimport data.b\n\nc := 1\n")}}, ": a.rego:3"},
		"another package":  {fstest.MapFS{"a.rego": {Data: []byte("package a\n\nb := 1\n")}}, "package a is read by nobody"},
		"unknown built-in": {fstest.MapFS{"a.rego": {Data: []byte("package a\n\nb := nonsense(1)\n")}}, ": a.rego:3"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := engineOf(test.files)
			if !errors.Is(err, policy.ErrBundle) || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want %q in it", err, test.want)
			}
		})
	}
}

func TestProblemsInSettingsRefuseTheBundle(t *testing.T) {
	decision := `{"admit": false, "permits": set(), "forbids": {"no"}, "obligations": set()}`
	for name, problems := range map[string]string{
		"a problem": `{"evidence_max_age_s must be a number"}`,
		"undefined": `input.nothing`,
		"not a set": `"fine"`,
	} {
		t.Run(name, func(t *testing.T) {
			_, err := policy.NewEngine(t.Context(), bundleOf(t, decision, knownReport, problems))
			if !errors.Is(err, policy.ErrBundle) {
				t.Errorf("got %v", err)
			}
		})
	}
}

func TestRevisionIsTheDigestOfWhatDecides(t *testing.T) {
	files := fstest.MapFS{
		"a.rego":      {Data: []byte("package a\n\nb := 1\n")},
		"c/data.json": {Data: []byte(`{"d": 1}`)},
	}
	revision := func(change func()) string {
		change()
		b, err := policy.BundleFromFS(files)
		if err != nil {
			t.Fatal(err)
		}
		return b.Revision()
	}
	first := revision(func() {})
	// sha256sum a.rego c/data.json | sha256sum
	if want := "sha256:" + wantRevision; first != want {
		t.Errorf("revision %s, sha256sum says %s", first, want)
	}
	if got := revision(func() { files["a_test.rego"] = &fstest.MapFile{Data: []byte("package a_test\n")} }); got != first {
		t.Error("a test changed the revision")
	}
	if got := revision(func() { files["c/data.json"] = &fstest.MapFile{Data: []byte(`{"d": 2}`)} }); got == first {
		t.Error("changed data left the revision alone")
	}
}

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

func TestLinksAreRefused(t *testing.T) {
	dir := t.TempDir()
	if err := os.CopyFS(dir, policy.EmbeddedFS()); err != nil {
		t.Fatal(err)
	}
	if _, err := policy.BundleFromDir(dir); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(dir, "local", "embargo"), filepath.Join(dir, "local", "mine")); err != nil {
		t.Fatal(err)
	}
	if _, err := policy.BundleFromDir(dir); !errors.Is(err, policy.ErrBundle) || !strings.Contains(err.Error(), "local/mine is a link") {
		t.Errorf("got %v", err)
	}
}

func TestAFailureNamesItsCause(t *testing.T) {
	files := embeddedFiles(t)
	files["local/mine/mine.rego"] = file("package local.mine\n" +
		strings.Replace(annotated, `input.turn.channel == "mine"`, `1 / input.candidate.attributes.n > 1`, 1))
	b, err := policy.BundleFromFS(files)
	if err != nil {
		t.Fatal(err)
	}
	p := newPoint(t, b, &memory{})
	zero := item("zero", policy.Everybody())
	zero.Attributes = []byte(`{"n": 0}`)
	d := decide(t, p, turn("user:ann"), item("plain", policy.Everybody()), zero)
	if !d.Results[0].Admit || d.Results[1].Admit || d.Results[1].Reasons[0] != policy.CodePolicyError {
		t.Errorf("results: %+v", d.Results)
	}
	if len(d.Failures) != 1 || d.Failures[0].Position != 1 {
		t.Fatalf("failures: %+v", d.Failures)
	}
	const want = "local/mine/mine.rego:8: eval_builtin_error: div: divide by zero"
	if got := d.Failures[0].Cause.Error(); got != want {
		t.Errorf("cause %q, want %q", got, want)
	}
	if got := p.Explain(d, 1).Failure; got != want {
		t.Errorf("explained as %q, want %q", got, want)
	}
}

func TestAPolicyThatTakesTooLongIsUnavailable(t *testing.T) {
	files := embeddedFiles(t)
	files["local/mine/mine.rego"] = file("package local.mine\n" + strings.Replace(annotated, `input.turn.channel == "mine"`,
		`{
	input.turn.channel == "slow"
	some a in numbers.range(1, 1000)
	some b in numbers.range(1, 1000)
	some c in numbers.range(1, 1000)
	a + b + c == 0
}`, 1))
	engine, err := engineOf(files)
	if err != nil {
		t.Fatal(err)
	}
	log := &memory{}
	p, err := policy.NewPoint(policy.Config{
		Engine: engine, Recorder: log, DecideTimeout: 50 * time.Millisecond,
		Clock: func() time.Time { return noon },
		NewID: func() (string, error) { return "1", nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	slow := turn("user:ann")
	slow.Channel = "slow"
	d, err := p.Decide(t.Context(), policy.Request{Turn: slow, Candidates: []policy.Candidate{item("m1", policy.Everybody())}})
	if d != nil || !errors.Is(err, policy.ErrPolicyUnavailable) || len(log.entries) != 0 {
		t.Errorf("got %v, %v with %d entries", d, err, len(log.entries))
	}
}
