package server_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"earshot/decisionlog"

	"github.com/google/go-cmp/cmp"
)

func TestQuery(t *testing.T) {
	h := newServer(t, nil)
	w := h.do(t, call{path: "/v1/decisions?item=m1&viewer=user%3Aann&agent=agent:scribe&channel=slack:C042&tenant=acme" +
		"&verdict=BLEED_DETECTED&reason=revoked&policy_revision=sha256:" + strings.Repeat("0", 64) + "&admit=false" +
		"&from=2026-11-30T21:00:00%2B01:00&to=2026-12-01T00:00:00.5Z&limit=7&cursor=abc"})
	if w.Code != 200 {
		t.Fatal(w.Body)
	}
	want := decisionlog.Query{
		Item: "m1", Viewer: "user:ann", Agent: "agent:scribe", Channel: "slack:C042", Tenant: "acme",
		Verdict: "BLEED_DETECTED", Reason: "revoked", PolicyRevision: "sha256:" + strings.Repeat("0", 64), Admit: new(false),
		From: time.Date(2026, 11, 30, 20, 0, 0, 0, time.UTC), To: time.Date(2026, 12, 1, 0, 0, 0, 5e8, time.UTC),
		Limit: 7, Cursor: "abc",
	}
	if diff := cmp.Diff(want, h.ledger.asked); diff != "" {
		t.Errorf("query (-want +got):\n%s", diff)
	}
}

func TestQueryRefusals(t *testing.T) {
	long := strings.Repeat("x", 200)
	for query, parameter := range map[string]string{
		"?items=m1":                       "items",
		"?Item=m1":                        "Item",
		"?item=m1&item=m2":                "item",
		"?item=":                          "item",
		"?viewer":                         "viewer",
		"?verdict=bleed":                  "verdict",
		"?admit=1":                        "admit",
		"?admit=True":                     "admit",
		"?from=2026-11-30":                "from",
		"?to=2026-11-30T20:00:00":         "to",
		"?from=2026-11-30T20:00:00+01:00": "from", // a plus sign that is not encoded is a space
		"?limit=0":                        "limit",
		"?limit=-1":                       "limit",
		"?limit=ten":                      "limit",
		"?limit=99999999999":              "limit",
		"?explain=true":                   "explain",
		"?viewer=ann+smith":               "viewer",
		"?viewer=public":                  "viewer",
		"?agent=*":                        "agent",
		"?agent=" + long + long:           "agent",
		"?channel=%07":                    "channel",
		"?tenant=%e2%80%8b":               "tenant",
		"?item=" + long + long:            "item",
		"?item=%ff":                       "item",
		"?reason=Revoked":                 "reason",
		"?reason=revoked,expired":         "reason",
		"?reason=local:":                  "reason",
		"?policy_revision=17cf47":         "policy_revision",
		"?policy_revision=sha256:00":      "policy_revision",
		"?" + long + "=1":                 long[:64] + "...",
		"?%00=1":                          `\x00`,
	} {
		t.Run(query, func(t *testing.T) {
			p := refused(t, newServer(t, nil).do(t, call{path: "/v1/decisions" + query}), 400, "invalid_request")
			if p["parameter"] != parameter {
				t.Errorf("parameter %q, want %q", p["parameter"], parameter)
			}
			if _, ok := p["pointer"]; ok {
				t.Error("a query has no JSON pointer")
			}
		})
	}
	h := newServer(t, nil)
	refused(t, h.do(t, call{path: "/v1/decisions?item=%zz"}), 400, "invalid_request")
	refused(t, h.do(t, call{path: "/v1/decisions/x?item=m1"}), 400, "invalid_request")
	refused(t, h.do(t, call{path: "/v1/decisions?explain=yes", body: four}), 400, "invalid_request")
	refused(t, h.do(t, call{path: "/v1/decisions?item=m1", body: four}), 400, "invalid_request")
	if len(h.ledger.records) > 0 {
		t.Error("a refused request was recorded")
	}
}

// What only the log can judge is answered with the parameter's name too.
func TestQueryRefusedByTheLog(t *testing.T) {
	h := newServer(t, nil)
	h.ledger.fail = &decisionlog.QueryError{Parameter: "cursor", Problem: "was not made here"}
	p := refused(t, h.do(t, call{path: "/v1/decisions?cursor=x"}), 400, "invalid_request")
	if p["parameter"] != "cursor" || p["detail"] != "The query parameter cursor was not made here." {
		t.Errorf("problem %v", p)
	}
	h.ledger.fail = errors.Join(decisionlog.ErrUnavailable)
	for _, path := range []string{"/v1/decisions", "/v1/decisions/x"} {
		p := refused(t, h.do(t, call{path: path}), 503, "log_unavailable")
		if detail := p["detail"].(string); !strings.Contains(detail, "could not be read") || strings.Contains(detail, "admitted") {
			t.Errorf("%s: detail %q", path, detail)
		}
	}
}

// A time in a query loses the plus sign of its zone, which is said to whoever sends one.
func TestQueryTimesSayHowToSendAZone(t *testing.T) {
	h := newServer(t, nil)
	for _, query := range []string{"?from=2026-11-30T20:00:00+01:00", "?to=2026-11-30T20:00:00"} {
		p := refused(t, h.do(t, call{path: "/v1/decisions" + query}), 400, "invalid_request")
		if detail := p["detail"].(string); !strings.HasSuffix(detail, "send + as %2B in a query.") {
			t.Errorf("%s: detail %q", query, detail)
		}
	}
	// What can stand in the log can be asked for.
	for _, query := range []string{"?reason=local:embargo", "?reason=viewers_missing", "?item=an%20id%20of%20a%20wrong%20form"} {
		if w := h.do(t, call{path: "/v1/decisions" + query}); w.Code != 200 {
			t.Errorf("%s: %s", query, w.Body)
		}
	}
}
