package server_test

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"earshot/server"
	"earshot/server/wire"
)

func TestBodyRefusals(t *testing.T) {
	json := func(typ string) http.Header { return http.Header{"Content-Type": {typ}} }
	const small = `{"turn": {"agent": "a"}, "candidates": []}`
	tests := map[string]struct {
		call   call
		status int
		code   string
	}{
		"broken":            {call{body: `{`}, 400, "invalid_json"},
		"repeated name":     {call{body: `{"turn": {}, "turn": {}}`}, 400, "invalid_json"},
		"trailing data":     {call{body: small + `{}`}, 400, "invalid_json"},
		"empty":             {call{method: "POST", header: json("application/json")}, 400, "invalid_json"},
		"a list":            {call{body: `[]`}, 400, "invalid_json"},
		"unknown field":     {call{body: `{"turn": {"agent": "a"}, "candidates": [], "x": 1}`}, 400, "invalid_request"},
		"a viewer's name":   {call{body: `{"turn": {"agent": "a", "viewers": ["*"]}, "candidates": []}`}, 400, "invalid_request"},
		"text":              {call{body: small, header: json("text/plain")}, 415, "unsupported_media_type"},
		"no type":           {call{body: small, header: http.Header{"Content-Type": nil}}, 415, "unsupported_media_type"},
		"JSON of a kind":    {call{body: small, header: json("application/ld+json")}, 415, "unsupported_media_type"},
		"another charset":   {call{body: small, header: json("application/json; charset=utf-16")}, 415, "unsupported_media_type"},
		"compressed":        {call{body: small, header: http.Header{"Content-Type": {"application/json"}, "Content-Encoding": {"gzip"}}}, 415, "unsupported_media_type"},
		"too large":         {call{body: small + strings.Repeat(" ", 1000)}, 413, "too_large"},
		"charset UTF-8":     {call{body: small, header: json("application/json; charset=UTF-8")}, 200, ""},
		"encoding identity": {call{body: small, header: http.Header{"Content-Type": {"application/json"}, "Content-Encoding": {"identity"}}}, 200, ""},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			h := newServer(t, func(c *server.Config) { c.Limits.Body = 1000 })
			w := h.do(t, test.call)
			if test.status == 200 {
				if w.Code != 200 {
					t.Fatal(w.Body)
				}
				return
			}
			p := refused(t, w, test.status, test.code)
			if _, ok := p["pointer"]; ok != (test.code == "invalid_request") {
				t.Errorf("pointer in %v", p)
			}
			if len(h.ledger.records) > 0 {
				t.Error("a refused request was recorded")
			}
		})
	}
}

func TestBodyThatBreaksOff(t *testing.T) {
	r := httptest.NewRequest(http.MethodPost, "http://localhost/v1/decisions", io.MultiReader(strings.NewReader(`{"turn"`), &failing{}))
	r.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	newServer(t, nil).Handler().ServeHTTP(w, r)
	refused(t, w, 400, "invalid_json")
}

type failing struct{}

func (failing) Read([]byte) (int, error) { return 0, errors.New("connection reset") }

func TestCandidatesOverTheLimit(t *testing.T) {
	h := newServer(t, func(c *server.Config) { c.Limits = wire.Limits{Candidates: 3} })
	p := refused(t, h.do(t, call{body: four}), 413, "too_large")
	if !strings.Contains(p["detail"].(string), "3") || len(h.ledger.records) > 0 {
		t.Errorf("problem %v, %d decisions recorded", p, len(h.ledger.records))
	}
}
