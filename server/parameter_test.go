package server_test

import (
	"strings"
	"testing"
)

// Of several wrong parameters the first in the alphabet is named, so that one request always has one answer.
func TestTheFirstWrongParameterIsNamed(t *testing.T) {
	h := newServer(t, nil)
	for range 20 {
		p := refused(t, h.do(t, call{path: "/v1/decisions?zeta=1&alpha=1&mid=1&beta=1"}), 400, "invalid_request")
		if detail, _ := p["detail"].(string); !strings.Contains(detail, "alpha") {
			t.Fatalf("detail %q, want it to name alpha", detail)
		}
	}
}

// A name is shown whole up to 64 signs, and otherwise its beginning.
func TestLongParameterNamesAreCut(t *testing.T) {
	h := newServer(t, nil)
	for name, want := range map[string]string{
		strings.Repeat("x", 64): strings.Repeat("x", 64),
		strings.Repeat("x", 65): strings.Repeat("x", 64) + "...",
	} {
		p := refused(t, h.do(t, call{path: "/v1/decisions?" + name + "=1"}), 400, "invalid_request")
		detail, _ := p["detail"].(string)
		if !strings.Contains(detail, want) || strings.Contains(detail, want+".") || strings.Contains(detail, want+"x") {
			t.Errorf("detail %q, want it to name %s", detail, want)
		}
	}
}
