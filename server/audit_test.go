package server_test

import (
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"earshot/decisionlog"
	"earshot/server"
)

// audit is a server whose questions go to a log on disk.
type audit struct {
	*house
	log *decisionlog.Log
}

// newAudit returns a server on a log with the decisions that the bodies ask for. Change may edit its
// configuration.
func newAudit(t *testing.T, change func(*server.Config), bodies ...string) *audit {
	t.Helper()
	log, err := decisionlog.Open(t.Context(), decisionlog.Config{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := log.Close(); err != nil {
			t.Error(err)
		}
	})
	deciding := newServer(t, nil)
	for _, body := range bodies {
		if w := deciding.do(t, call{body: body}); w.Code != http.StatusOK {
			t.Fatalf("%d %s", w.Code, w.Body)
		}
	}
	for _, r := range deciding.ledger.records {
		if _, err := log.Record(t.Context(), &r.Entry); err != nil {
			t.Fatal(err)
		}
	}
	return &audit{log: log, house: newServer(t, func(c *server.Config) {
		c.Decisions = log
		c.Clock = func() time.Time { return decidedAt }
		if change != nil {
			change(c)
		}
	})}
}

const (
	annAndBen = `{"turn": {"agent": "agent:scribe", "channel": "slack:C1", "tenant": "acme", "viewers": ["user:ann", "user:ben"]}, "candidates": [
		{"id": "m1", "audience": ["user:ann", "user:ben"], "agent": "agent:scribe", "tenant": "acme"},
		{"id": "m2", "audience": ["user:ann"], "agent": "agent:scribe", "tenant": "acme"}]}`
	cat = `{"turn": {"agent": "agent:clerk", "tenant": "umbrella", "viewers": ["user:cat"]}, "candidates": [
		{"id": "m1", "audience": "public", "agent": "agent:clerk"}]}`
)

func TestExposures(t *testing.T) {
	h := newAudit(t, nil, annAndBen, cat)
	of := fields(t, h.do(t, call{path: "/v1/exposures?principal=user:ann"}))["exposures"].([]any)
	if len(of) != 1 {
		t.Fatalf("ann's turns were shown %v, want m1 alone", of)
	}
	line := of[0].(map[string]any)
	if _, ok := line["viewers"].(map[string]any)["present"]; ok || line["item_id"] != "m1" || line["channel"] != "slack:C1" {
		t.Errorf("exposure %v", line)
	}
	item := h.do(t, call{path: "/v1/exposures?item=m1&limit=1"})
	first := fields(t, item)
	if lines := first["exposures"].([]any); len(lines) != 1 || lines[0].(map[string]any)["agent"] != "agent:clerk" {
		t.Fatalf("the newest exposure of m1 is %s", item.Body)
	}
	item = h.do(t, call{path: "/v1/exposures?item=m1&limit=1&cursor=" + first["next_cursor"].(string)})
	if !strings.Contains(item.Body.String(), `"present":["user:ann","user:ben"]`) || fields(t, item)["next_cursor"] != nil {
		t.Errorf("the second page is %s", item.Body)
	}
}

func TestExposuresRefuseABadQuestion(t *testing.T) {
	h := newAudit(t, nil, annAndBen)
	for query, parameter := range map[string]string{
		"":                               "principal",
		"principal=user:ann&item=m1":     "item",
		"principal=user:ann&admit=true":  "admit",
		"principal=user:ann&persons=x":   "persons",
		"principal=user:ann&cursor=AAAA": "cursor",
		"principal=public":               "principal",
		"principal=user:ann&limit=0":     "limit",
		"item=m1&from=2026-12-02T00:00:00Z&to=2026-12-01T00:00:00Z": "to",
		"principal=user:ann&principal=b":                            "principal",
	} {
		p := refused(t, h.do(t, call{path: "/v1/exposures?" + query}), http.StatusBadRequest, "invalid_request")
		if p["parameter"] != parameter {
			t.Errorf("%s: the parameter is %v, want %s", query, p["parameter"], parameter)
		}
	}
}

func TestExposuresStayInTheTenant(t *testing.T) {
	h := newAudit(t, func(c *server.Config) {
		c.Auth = []server.Credential{
			credential("acme-audit", "acme-token", "acme", server.ScopeAudit),
			credential("runtime", "runtime-token", "", server.ScopeDecide),
		}
	}, annAndBen, cat)
	of := fields(t, h.do(t, call{path: "/v1/exposures?item=m1", header: bearer("acme-token")}))["exposures"].([]any)
	if len(of) != 1 || of[0].(map[string]any)["tenant"] != "acme" {
		t.Errorf("a credential of acme sees %v", of)
	}
	refused(t, h.do(t, call{path: "/v1/exposures?item=m1&tenant=umbrella", header: bearer("acme-token")}), http.StatusForbidden, "forbidden")
	refused(t, h.do(t, call{path: "/v1/log/accesses", header: bearer("acme-token")}), http.StatusForbidden, "forbidden")
	for _, path := range []string{"/v1/exposures?item=m1", "/v1/log/accesses"} {
		refused(t, h.do(t, call{path: path, header: bearer("runtime-token")}), http.StatusForbidden, "forbidden")
		refused(t, h.do(t, call{path: path}), http.StatusUnauthorized, "unauthenticated")
	}
}

// questions are the routes that must leave a trace, each with what the register has to say of it.
func questions(id string) map[string]decisionlog.Access {
	return map[string]decisionlog.Access{
		"/v1/decisions?viewer=user:ann":    {Kind: "list", Query: decisionlog.Query{Viewer: "user:ann"}, Results: 1},
		"/v1/decisions/" + id:              {Kind: "get", DecisionID: id, Results: 1},
		"/v1/exposures?principal=user:ann": {Kind: "exposures", Principal: "user:ann", Results: 1},
		"/v1/log/stats?from=2026-11-30T00:00:00Z&to=2026-12-01T00:00:00Z": {
			Kind: "stats", Results: 1,
			Query: decisionlog.Query{From: decidedAt.Truncate(24 * time.Hour), To: decidedAt.Truncate(24 * time.Hour).Add(24 * time.Hour)},
		},
		"/v1/findings?state=open&tenant=acme": {Kind: "findings", Query: decisionlog.Query{Tenant: "acme"}},
		"/v1/log/erasures?limit=7":            {Kind: "erasures", Query: decisionlog.Query{Limit: 7}},
		"/v1/log/accesses?limit=7":            {Kind: "accesses", Query: decisionlog.Query{Limit: 7}},
		"/v1/export?format=csv&viewer=user:ann": {
			Kind: "export", Query: decisionlog.Query{Viewer: "user:ann"}, Results: decisionlog.ResultsUnknown,
		},
		"/v1/export?format=jsonl&viewer=user:nobody": {
			Kind: "export", Query: decisionlog.Query{Viewer: decisionlog.NotInLedger}, Results: decisionlog.ResultsUnknown,
		},
	}
}

func TestEveryQuestionIsRecorded(t *testing.T) {
	for path, want := range questions("01931c5e-7d2a-7c1f-9a57-000000000001") {
		t.Run(path, func(t *testing.T) {
			h := newAudit(t, func(c *server.Config) {
				c.Auth = []server.Credential{credential("auditor", "audit-token", "", server.ScopeAudit)}
			}, annAndBen)
			if w := h.do(t, call{path: path, header: bearer("audit-token")}); w.Code != http.StatusOK {
				t.Fatalf("%d %s", w.Code, w.Body)
			}
			page, err := h.log.Accesses(t.Context(), decisionlog.AccessQuery{})
			if err != nil || len(page.Accesses) != 1 {
				t.Fatalf("the register has %+v, %v, want one question", page.Accesses, err)
			}
			got := page.Accesses[0].Access
			want.ID, want.At, want.PolicyRevision = got.ID, decidedAt.Truncate(time.Microsecond), h.revision(t)
			want.RequestedBy, want.Door = "auditor", decisionlog.DoorHTTP
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func (a *audit) revision(t *testing.T) string {
	t.Helper()
	e, err := engine()
	if err != nil {
		t.Fatal(err)
	}
	return e.Revision()
}

func TestAQuestionThatIsNotRecordedIsNotAnswered(t *testing.T) {
	for path := range questions("01931c5e-7d2a-7c1f-9a57-000000000001") {
		for _, tt := range []struct {
			cause  error
			status int
			code   string
		}{
			{decisionlog.ErrUnavailable, http.StatusServiceUnavailable, "log_unavailable"},
			{decisionlog.ErrDamaged, http.StatusServiceUnavailable, "log_unavailable"},
			{errors.New("another"), http.StatusServiceUnavailable, "log_unavailable"},
			{decisionlog.ErrOverloaded, http.StatusTooManyRequests, "overloaded"},
		} {
			h := newServer(t, nil)
			if w := h.do(t, call{body: annAndBen}); w.Code != http.StatusOK {
				t.Fatal(w.Body)
			}
			h.ledger.refused = tt.cause
			w := h.do(t, call{path: path})
			refused(t, w, tt.status, tt.code)
			if strings.Contains(w.Body.String(), "user:ann") {
				t.Errorf("%s: the refusal says %s", path, w.Body)
			}
		}
	}
}

func TestAskingForWhatIsNotThereIsRecorded(t *testing.T) {
	h := newServer(t, nil)
	const id = "01931c5e-7d2a-7c1f-9a57-0000000000ff"
	refused(t, h.do(t, call{path: "/v1/decisions/" + id}), http.StatusNotFound, "not_found")
	asked := h.ledger.questions()
	if len(asked) != 1 || asked[0].DecisionID != id || asked[0].Results != 0 {
		t.Errorf("recorded %+v", asked)
	}
}

func TestAccesses(t *testing.T) {
	h := newAudit(t, nil, annAndBen)
	h.do(t, call{path: "/v1/decisions?viewer=user:ann&admit=true&from=2026-11-30T20:00:00Z"})
	h.do(t, call{path: "/v1/exposures?principal=user:stranger"})
	lines := fields(t, h.do(t, call{path: "/v1/log/accesses"}))["accesses"].([]any)
	if len(lines) != 2 {
		t.Fatalf("the register has %v", lines)
	}
	if got := lines[0].(map[string]any)["filters"].(map[string]any)["principal"]; got != decisionlog.NotInLedger {
		t.Errorf("the name of a stranger reads %v", got)
	}
	want := map[string]any{"viewer": "user:ann", "admit": true, "from": "2026-11-30T20:00:00Z"}
	if diff := cmp.Diff(want, lines[1].(map[string]any)["filters"]); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	one := fields(t, h.do(t, call{path: "/v1/log/accesses?kind=exposures"}))["accesses"].([]any)
	if len(one) != 1 {
		t.Errorf("of the kind exposures there are %v", one)
	}
	for query, parameter := range map[string]string{"kind=reads": "kind", "viewer=user:ann": "viewer", "cursor=x": "cursor"} {
		p := refused(t, h.do(t, call{path: "/v1/log/accesses?" + query}), http.StatusBadRequest, "invalid_request")
		if p["parameter"] != parameter {
			t.Errorf("%s: %v", query, p)
		}
	}
}

func TestStats(t *testing.T) {
	h := newAudit(t, nil, annAndBen, cat)
	stats := fields(t, h.do(t, call{path: "/v1/log/stats?from=2026-11-30T20:00:00Z&to=2026-11-30T21:00:00Z&tenant=acme"}))
	if w := stats["window"].(map[string]any); w["decisions"] != float64(1) || w["admitted"] != float64(1) || w["denied"] != float64(1) {
		t.Errorf("window %v", w)
	}
	if r := stats["revisions"].([]any); len(r) != 1 || r[0].(map[string]any)["policy_revision"] != h.revision(t) {
		t.Errorf("revisions %v", r)
	}
	if n := stats["new_channels"].(map[string]any); n["count"] != float64(1) {
		t.Errorf("new channels %v", n)
	}
	// The default is the day up to now, which leaves out this very moment.
	stats = fields(t, h.do(t, call{path: "/v1/log/stats"}))
	if stats["to"] != "2026-11-30T20:00:01.123456789Z" || stats["from"] != "2026-11-29T20:00:01.123456789Z" || stats["baseline"] != float64(7) {
		t.Errorf("the default is from %v to %v, against %v", stats["from"], stats["to"], stats["baseline"])
	}
	for query, parameter := range map[string]string{
		"from=2026-12-02T00:00:00Z&to=2026-12-01T00:00:00Z": "to", "baseline=367": "baseline", "baseline=-1": "baseline", "agent=a": "agent",
	} {
		p := refused(t, h.do(t, call{path: "/v1/log/stats?" + query}), http.StatusBadRequest, "invalid_request")
		if p["parameter"] != parameter {
			t.Errorf("%s: %v", query, p)
		}
	}
}

const bleeding = `{"turn": {"agent": "agent:scribe", "tenant": "acme", "viewers": ["user:ann"]}, "candidates": [
	{"id": "m9", "audience": ["user:ann"], "agent": "agent:other", "shared": true, "confidential": true, "tenant": "acme"}]}`

func TestFindingsAndDispositions(t *testing.T) {
	h := newAudit(t, func(c *server.Config) {
		c.Auth = []server.Credential{
			credential("reviewer", "audit-token", "", server.ScopeAudit),
			credential("umbrella-audit", "umbrella-token", "umbrella", server.ScopeAudit),
		}
	}, annAndBen, bleeding)
	list := func(query, token string) []any {
		return fields(t, h.do(t, call{path: "/v1/findings?" + query, header: bearer(token)}))["findings"].([]any)
	}
	open := list("state=open", "audit-token")
	if len(open) != 1 || open[0].(map[string]any)["verdict"] != "BLEED_DETECTED" {
		t.Fatalf("open are %v", open)
	}
	if got := list("", "umbrella-token"); len(got) != 0 {
		t.Errorf("another tenant sees %v", got)
	}
	path := "/v1/findings/" + open[0].(map[string]any)["finding_id"].(string) + "/disposition"
	said := call{path: path, body: `{"disposition": "fixed", "note": "label corrected"}`}
	said.header = bearer("umbrella-token")
	refused(t, h.do(t, said), http.StatusNotFound, "not_found")
	said.header = bearer("audit-token")
	if w := h.do(t, said); w.Code != http.StatusOK {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	closed := list("state=closed", "audit-token")
	if len(closed) != 1 || len(list("state=open", "audit-token")) != 0 {
		t.Fatalf("closed are %v", closed)
	}
	d := closed[0].(map[string]any)["dispositions"].([]any)[0].(map[string]any)
	if d["disposition"] != "fixed" || d["note"] != "label corrected" || d["requested_by"] != "reviewer" {
		t.Errorf("disposition %v", d)
	}
	none := call{path: "/v1/findings/01931c5e-7d2a-7c1f-9a57-000000000001/disposition", body: said.body, header: said.header}
	refused(t, h.do(t, none), http.StatusNotFound, "not_found") // a decision that is no finding
}

func TestADispositionIsReadStrictly(t *testing.T) {
	h := newAudit(t, nil, bleeding)
	for body, pointer := range map[string]string{
		`{"disposition": "ignored"}`:                       "/disposition",
		`{"note": "x"}`:                                    "/disposition",
		`{"disposition": "fixed", "note": "a\u0007b"}`:     "/note",
		`{"disposition": "fixed", "reviewer": "user:ann"}`: "/reviewer",
	} {
		p := refused(t, h.do(t, call{path: "/v1/findings/x/disposition", body: body}), http.StatusBadRequest, "invalid_request")
		if p["pointer"] != pointer {
			t.Errorf("%s: %v, want %s", body, p, pointer)
		}
	}
}

func TestErasures(t *testing.T) {
	h := newAudit(t, nil, annAndBen)
	if _, _, err := h.log.Erase(t.Context(), decisionlog.Erasure{
		ID: "01931c5e-7d2a-7c1f-9a57-0000000000e1", At: decidedAt.Truncate(time.Microsecond), Name: "user:ann",
		RequestedBy: "privacy-desk", Reason: decisionlog.ErasureReasons()[0],
	}); err != nil {
		t.Fatal(err)
	}
	w := h.do(t, call{path: "/v1/log/erasures"})
	lines := fields(t, w)["erasures"].([]any)
	if len(lines) != 1 || lines[0].(map[string]any)["requested_by"] != "privacy-desk" || strings.Contains(w.Body.String(), "user:ann") {
		t.Fatalf("the register has %s", w.Body)
	}
	pseudonym := lines[0].(map[string]any)["pseudonym"].(string)
	if item := h.do(t, call{path: "/v1/exposures?item=m1"}); !strings.Contains(item.Body.String(), pseudonym) {
		t.Errorf("%s is not among %s", pseudonym, item.Body)
	}
	p := refused(t, h.do(t, call{path: "/v1/log/erasures?cursor=forged"}), http.StatusBadRequest, "invalid_request")
	if p["parameter"] != "cursor" {
		t.Errorf("%v", p)
	}
}
