package server_test

import (
	"bufio"
	"context"
	"encoding/csv"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"earshot/decisionlog"
	"earshot/server"
)

// Each gives what was recorded, then fails as List does.
func (l *ledger) Each(_ context.Context, _ decisionlog.Query, take func(*decisionlog.Record) error) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, r := range l.records {
		if err := take(r); err != nil {
			return err
		}
	}
	return l.fail
}

func TestExportJSONL(t *testing.T) {
	h := newAudit(t, nil, annAndBen, cat)
	w := h.do(t, call{path: "/v1/export?format=jsonl"})
	if got := w.Header().Get("Content-Type"); w.Code != http.StatusOK || got != "application/jsonl" {
		t.Fatalf("%d %s", w.Code, got)
	}
	var exported []string
	for lines := bufio.NewScanner(w.Body); lines.Scan(); {
		exported = append(exported, lines.Text()+"\n")
	}
	var want []string
	for _, id := range []string{"01931c5e-7d2a-7c1f-9a57-000000000001", "01931c5e-7d2a-7c1f-9a57-000000000002"} {
		want = append(want, h.do(t, call{path: "/v1/decisions/" + id}).Body.String())
	}
	if diff := cmp.Diff(want, exported); diff != "" {
		t.Errorf("(-by id +exported):\n%s", diff)
	}
}

func TestExportCSV(t *testing.T) {
	h := newAudit(t, nil, annAndBen, cat)
	w := h.do(t, call{path: "/v1/export?format=csv&item=m1&admit=true"})
	if !strings.HasPrefix(w.Header().Get("Content-Type"), "text/csv") {
		t.Errorf("type %s", w.Header().Get("Content-Type"))
	}
	rows, err := csv.NewReader(w.Body).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if len(rows) != 4 { // the heading, two results of one decision, one of the other
		t.Fatalf("%d rows: %v", len(rows), rows)
	}
	doc, err := load()
	if err != nil {
		t.Fatal(err)
	}
	for _, column := range rows[0] {
		if !strings.Contains(doc.Paths.Value("/v1/export").Get.Description, "`"+column+"`") {
			t.Errorf("the document does not know the column %s", column)
		}
	}
}

func TestExportRefusesABadQuestion(t *testing.T) {
	h := newAudit(t, nil, annAndBen)
	for query, parameter := range map[string]string{
		"":                         "format",
		"format=xml":               "format",
		"format=csv&limit=3":       "limit",
		"format=csv&cursor=x":      "cursor",
		"format=csv&persons=x":     "persons",
		"format=csv&admit=perhaps": "admit",
		"format=csv&from=2026-12-02T00:00:00Z&to=2026-12-01T00:00:00Z": "to",
	} {
		p := refused(t, h.do(t, call{path: "/v1/export?" + query}), http.StatusBadRequest, "invalid_request")
		if p["parameter"] != parameter {
			t.Errorf("%s: the parameter is %v, want %s", query, p["parameter"], parameter)
		}
	}
}

func TestExportStaysInTheTenant(t *testing.T) {
	h := newAudit(t, func(c *server.Config) {
		c.Auth = []server.Credential{
			credential("acme-audit", "acme-token", "acme", server.ScopeAudit),
			credential("runtime", "runtime-token", "", server.ScopeDecide),
		}
	}, annAndBen, cat)
	body := h.do(t, call{path: "/v1/export?format=jsonl", header: bearer("acme-token")}).Body.String()
	if strings.Contains(body, "umbrella") || strings.Count(body, "\n") != 1 {
		t.Errorf("a credential of acme sees %s", body)
	}
	for _, form := range []string{"jsonl", "csv", "opa"} {
		path := "/v1/export?format=" + form
		refused(t, h.do(t, call{path: path + "&tenant=umbrella", header: bearer("acme-token")}), http.StatusForbidden, "forbidden")
		refused(t, h.do(t, call{path: path, header: bearer("runtime-token")}), http.StatusForbidden, "forbidden")
		refused(t, h.do(t, call{path: path}), http.StatusUnauthorized, "unauthenticated")
	}
}

func TestExportForTheHeaderAlone(t *testing.T) {
	h := newAudit(t, nil, annAndBen)
	w := h.do(t, call{method: http.MethodHead, path: "/v1/export?format=csv"})
	if w.Code != http.StatusOK || w.Body.Len() != 0 || !strings.HasPrefix(w.Header().Get("Content-Type"), "text/csv") {
		t.Errorf("%d %v %s", w.Code, w.Header(), w.Body)
	}
}

// An export that breaks off must not look whole, however little of it there was.
func TestExportThatBreaksOffIsCut(t *testing.T) {
	for _, form := range []string{"jsonl", "csv", "opa"} {
		if whole, _, err := exportOver(t, form, nil); err != nil || len(whole) == 0 {
			t.Fatalf("%s: %d bytes, %v", form, len(whole), err)
		}
		part, said, err := exportOver(t, form, errors.New("the disk is gone"))
		if err == nil {
			t.Errorf("%s: an export that broke off was read to its end: %s", form, part)
		}
		if !strings.Contains(said, "the disk is gone") {
			t.Errorf("%s: the log of the service says %s", form, said)
		}
	}
}

// exportOver exports one decision over a connection from a ledger that then fails, unless fail is nil. It
// returns what arrived, and what the service says when it has ended.
func exportOver(t *testing.T, form string, fail error) (body []byte, said string, err error) {
	t.Helper()
	h := newServer(t, nil)
	if w := h.do(t, call{body: annAndBen}); w.Code != http.StatusOK {
		t.Fatal(w.Body)
	}
	h.ledger.fail = fail
	listener := httptest.NewServer(h.Handler())
	answer, err := http.Get(listener.URL + "/v1/export?format=" + form)
	if err == nil {
		if answer.StatusCode != http.StatusOK {
			t.Errorf("%s: status %d", form, answer.StatusCode)
		}
		body, err = io.ReadAll(answer.Body)
		answer.Body.Close()
	}
	listener.Close() // It waits for the handler.
	return body, h.log.String(), err
}

// connection is the writer of a request, as a connection is one: it has a deadline.
type connection struct {
	*httptest.ResponseRecorder
	deadlines []time.Time
}

// SetWriteDeadline is what http.ResponseController looks for.
func (c *connection) SetWriteDeadline(at time.Time) error {
	c.deadlines = append(c.deadlines, at)
	return nil
}

// A long export is not cut by the time limit of an answer: each decision moves it.
func TestExportMovesItsDeadline(t *testing.T) {
	h := newAudit(t, nil, annAndBen, cat)
	w := &connection{ResponseRecorder: httptest.NewRecorder()}
	h.Handler().ServeHTTP(w, call{path: "/v1/export?format=jsonl"}.request(t))
	if w.Code != http.StatusOK || len(w.deadlines) != 2 {
		t.Fatalf("%d, %d deadlines for two decisions", w.Code, len(w.deadlines))
	}
	for _, at := range w.deadlines {
		if !at.After(time.Now()) {
			t.Errorf("the deadline %v is past", at)
		}
	}
}

// What fails before the first byte is a problem.
func TestExportThatDoesNotBegin(t *testing.T) {
	h := newServer(t, nil)
	h.ledger.fail = decisionlog.ErrDamaged
	refused(t, h.do(t, call{path: "/v1/export?format=jsonl"}), http.StatusInternalServerError, "internal")
	if asked := h.ledger.questions(); len(asked) != 0 {
		t.Errorf("a question without an answer is recorded: %+v", asked)
	}
}
