package server_test

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"earshot/decisionlog"
	"earshot/policy"
	"earshot/server"
)

// register is an Eraser that knows one name.
type register struct{ asked []decisionlog.Erasure }

func (r *register) Erase(_ context.Context, e decisionlog.Erasure) (*decisionlog.StoredErasure, bool, error) {
	r.asked = append(r.asked, e)
	if e.Name != "user:ann" {
		return nil, false, decisionlog.ErrNotFound
	}
	return &decisionlog.StoredErasure{
		ID: "01931c5e-7d2a-7c1f-9a58-000000000001", At: decidedAt, RequestedBy: e.RequestedBy, Reason: e.Reason,
		Handles: []uint64{4, 9}, Asked: 1, Log: policy.Position{Index: 3},
	}, false, nil
}

func TestErase(t *testing.T) {
	names := &register{}
	h := newServer(t, func(c *server.Config) {
		c.Erasures = names
		c.Auth = []server.Credential{
			credential("desk", "t-admin", "", server.ScopeAdmin),
			credential("auditor", "t-audit", "", server.ScopeAudit, server.ScopeDecide, server.ScopeSeal),
			credential("tenant-desk", "t-bound", "acme", server.ScopeAdmin),
		}
	})
	ask := func(token, body string) call {
		return call{path: "/v1/erasures", body: body, header: bearer(token)}
	}
	w := h.do(t, ask("t-admin", `{"principal": "user:ann", "reason": "objection"}`))
	if w.Code != http.StatusOK {
		t.Fatal(w.Code, w.Body)
	}
	got := fields(t, w)
	for name, want := range map[string]any{"pseudonym": "erased-9", "names": 2.0, "reason": "objection", "requested_by": "desk"} {
		if got[name] != want {
			t.Errorf("%s is %v, want %v", name, got[name], want)
		}
	}
	if strings.Contains(w.Body.String()+h.log.String(), "user:ann") {
		t.Errorf("the answer or the access log names the person: %s %s", w.Body, h.log)
	}
	refused(t, h.do(t, ask("t-admin", `{"item": "user:bob"}`)), http.StatusNotFound, "not_found")
	refused(t, h.do(t, ask("t-audit", `{"principal": "user:ann"}`)), http.StatusForbidden, "forbidden")
	refused(t, h.do(t, ask("t-bound", `{"principal": "user:ann"}`)), http.StatusForbidden, "forbidden")
	for name, body := range map[string]string{
		"nobody": `{}`, "two": `{"principal": "a", "item": "b"}`, "empty": `{"principal": ""}`,
		"a reason that is none": `{"principal": "user:ann", "reason": "user:ann"}`, "a field too many": `{"principal": "a", "x": 1}`,
	} {
		t.Run(name, func(t *testing.T) {
			refused(t, h.do(t, ask("t-admin", body)), http.StatusBadRequest, "invalid_request")
		})
	}
	want := []decisionlog.Erasure{
		{Name: "user:ann", RequestedBy: "desk", Reason: "objection", PolicyRevision: names.asked[0].PolicyRevision},
		{Name: "user:bob", RequestedBy: "desk", Reason: decisionlog.ErasureReasons()[0], PolicyRevision: names.asked[0].PolicyRevision},
	}
	if diff := cmp.Diff(want, names.asked); diff != "" {
		t.Errorf("what was asked of the log (-want +got):\n%s", diff)
	}
}
