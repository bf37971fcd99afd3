package policy_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"earshot/policy"
)

// The revision of a policy can be computed from its archive alone, and equal policies are equal bytes.
func TestArchiveHasTheRevision(t *testing.T) {
	bundle, err := policy.EmbeddedBundle()
	if err != nil {
		t.Fatal(err)
	}
	engine, err := policy.NewEngine(context.Background(), bundle)
	if err != nil {
		t.Fatal(err)
	}
	again, err := policy.EmbeddedBundle()
	if err != nil {
		t.Fatal(err)
	}
	second, err := policy.NewEngine(context.Background(), again)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(engine.Archive(), second.Archive()) {
		t.Error("the same policy makes two archives")
	}
	packed, err := gzip.NewReader(bytes.NewReader(engine.Archive()))
	if err != nil {
		t.Fatal(err)
	}
	sums := sha256.New()
	for archive := tar.NewReader(packed); ; {
		head, err := archive.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(archive)
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(head.Name, "_test.rego") {
			t.Errorf("%s decides nothing", head.Name)
		}
		fmt.Fprintf(sums, "%x  %s\n", sha256.Sum256(content), head.Name)
	}
	if got := fmt.Sprintf("sha256:%x", sums.Sum(nil)); got != engine.Revision() {
		t.Errorf("the archive has the revision %s, want %s", got, engine.Revision())
	}
}
