package decisionlog_test

import (
	"errors"
	"path/filepath"
	"testing"

	"earshot/decisionlog"
)

func TestLockKeepsALogOut(t *testing.T) {
	dir := t.TempDir()
	release, err := decisionlog.Lock(dir)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := decisionlog.Open(t.Context(), decisionlog.Config{Dir: dir}); !errors.Is(err, decisionlog.ErrInUse) {
		t.Errorf("open: got %v, want %v", err, decisionlog.ErrInUse)
	}
	if _, err := decisionlog.Lock(dir); !errors.Is(err, decisionlog.ErrInUse) {
		t.Errorf("lock: got %v, want %v", err, decisionlog.ErrInUse)
	}
	if err := release(); err != nil {
		t.Fatal(err)
	}
	l := open(t, decisionlog.Config{Dir: dir})
	if _, err := decisionlog.Lock(dir); !errors.Is(err, decisionlog.ErrInUse) {
		t.Errorf("with an open log: got %v, want %v", err, decisionlog.ErrInUse)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := decisionlog.Lock(filepath.Join(dir, "nowhere")); !errors.Is(err, decisionlog.ErrUnavailable) {
		t.Errorf("a folder that is missing: got %v, want %v", err, decisionlog.ErrUnavailable)
	}
}
