package policy_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"earshot/policy"
)

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
