package policy_test

import (
	"errors"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

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
		"no entrypoint":    {fstest.MapFS{"a.rego": {Data: []byte("package a\n\nb := 1\n")}}, "settings/data.json is missing"},
		"unknown built-in": {fstest.MapFS{"a.rego": {Data: []byte("package a\n\nb := nonsense(1)\n")}}, ": a.rego:3"},
	} {
		t.Run(name, func(t *testing.T) {
			b, err := policy.BundleFromFS(test.files)
			if err == nil {
				_, err = policy.NewEngine(t.Context(), b)
			}
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
			text := "package earshot.audiences_more\n\nx if " + ref + "\n"
			files["earshot/audiences_more/x.rego"] = &fstest.MapFile{Data: []byte(text)}
			b, err := policy.BundleFromFS(files)
			if err != nil {
				t.Fatal(err)
			}
			_, err = policy.NewEngine(t.Context(), b)
			if want && err != nil {
				t.Errorf("refused: %v", err)
			}
			if !want && (!errors.Is(err, policy.ErrBundle) || !strings.Contains(err.Error(), "x.rego:3: ")) {
				t.Errorf("got %v, want a refusal with file and line", err)
			}
		})
	}
}
