package policy_test

import (
	"testing"
	"testing/fstest"

	"earshot/policy"
)

const wantRevision = "78a0f4a5afcb8527bac578e06e2b7d0baa09165b023c5148ea2f6b3bc1c2fa52"

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
