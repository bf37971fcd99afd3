package server_test

import (
	"net/http"
	"strings"
	"testing"

	"earshot/server"
)

// guarded returns a server with a credential of each sort.
func guarded(t *testing.T) *house {
	return newServer(t, func(c *server.Config) {
		c.Auth = []server.Credential{
			credential("runtime", "token-runtime", "", server.ScopeDecide),
			credential("auditor", "token-auditor", "", server.ScopeAudit),
			credential("acme", "token-acme", "acme", server.ScopeDecide, server.ScopeAudit),
		}
	})
}

func inTenant(tenant string) string {
	return strings.Replace(four, `"id": "t-981",`, `"id": "t-981", "tenant": "`+tenant+`",`, 1)
}

func TestAuth(t *testing.T) {
	with := func(values ...string) http.Header {
		return http.Header{"Authorization": values, "Content-Type": {"application/json"}}
	}
	tests := map[string]struct {
		call   call
		status int
		code   string
	}{
		"no token":              {call{body: four, header: with()}, 401, "unauthenticated"},
		"wrong token":           {call{body: four, header: with("Bearer token-runtim")}, 401, "unauthenticated"},
		"empty token":           {call{body: four, header: with("Bearer ")}, 401, "unauthenticated"},
		"scheme alone":          {call{body: four, header: with("Bearer")}, 401, "unauthenticated"},
		"another scheme":        {call{body: four, header: with("Basic token-runtime")}, 401, "unauthenticated"},
		"undefined":             {call{body: four, header: with("undefined")}, 401, "unauthenticated"},
		"two tokens":            {call{body: four, header: with("Bearer token-runtime", "Bearer token-runtime")}, 401, "unauthenticated"},
		"the hash":              {call{body: four, header: with("Bearer " + credential("", "token-runtime", "").SHA256)}, 401, "unauthenticated"},
		"decide":                {call{body: four, header: with("Bearer token-runtime")}, 200, ""},
		"scheme in lower case":  {call{body: four, header: with("bearer token-runtime")}, 200, ""},
		"decide as auditor":     {call{body: four, header: with("Bearer token-auditor")}, 403, "forbidden"},
		"explain":               {call{path: "/v1/decisions?explain=true", body: four, header: with("Bearer token-runtime")}, 403, "forbidden"},
		"no explanation":        {call{path: "/v1/decisions?explain=false", body: four, header: with("Bearer token-runtime")}, 200, ""},
		"list":                  {call{header: with("Bearer token-auditor")}, 200, ""},
		"list without scope":    {call{header: with("Bearer token-runtime")}, 403, "forbidden"},
		"get without scope":     {call{path: "/v1/decisions/x", header: with("Bearer token-runtime")}, 403, "forbidden"},
		"list without token":    {call{}, 401, "unauthenticated"},
		"own tenant":            {call{path: "/v1/decisions?explain=true", body: inTenant("acme"), header: with("Bearer token-acme")}, 200, ""},
		"another tenant":        {call{body: inTenant("other"), header: with("Bearer token-acme")}, 403, "forbidden"},
		"no tenant":             {call{body: four, header: with("Bearer token-acme")}, 403, "forbidden"},
		"list own tenant":       {call{path: "/v1/decisions?tenant=acme", header: with("Bearer token-acme")}, 200, ""},
		"list another tenant":   {call{path: "/v1/decisions?tenant=other", header: with("Bearer token-acme")}, 403, "forbidden"},
		"health without token":  {call{path: "/healthz"}, 200, ""},
		"ready without token":   {call{path: "/readyz"}, 200, ""},
		"unknown without token": {call{path: "/x"}, 404, "not_found"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			h := guarded(t)
			w := h.do(t, test.call)
			if test.status == 200 {
				if w.Code != 200 {
					t.Fatalf("status %d: %s", w.Code, w.Body)
				}
				return
			}
			refused(t, w, test.status, test.code)
			if challenge := w.Header().Get("WWW-Authenticate"); (challenge == "Bearer") != (test.status == 401) {
				t.Errorf("WWW-Authenticate %q", challenge)
			}
			if len(h.ledger.records) > 0 {
				t.Error("a refused request was recorded")
			}
			if strings.Contains(h.log.String(), "token-") {
				t.Error("the log has a token")
			}
		})
	}
}

// To a credential of one tenant, a decision of another and one that does not exist are the same.
func TestTenantsDoNotSeeEachOther(t *testing.T) {
	h := newServer(t, nil)
	h.do(t, call{body: inTenant("other")})
	id := h.ledger.records[0].ID

	g := guarded(t)
	g.ledger.records = h.ledger.records
	foreign := g.do(t, call{path: "/v1/decisions/" + id, header: bearer("token-acme")})
	absent := g.do(t, call{path: "/v1/decisions/" + id + "0", header: bearer("token-acme")})
	refused(t, foreign, 404, "not_found")
	if foreign.Body.String() != absent.Body.String() {
		t.Errorf("another tenant's decision answers\n%s\na missing one\n%s", foreign.Body, absent.Body)
	}
	g.ledger.records[0].Pruned = true
	if pruned := g.do(t, call{path: "/v1/decisions/" + g.ledger.records[0].ID, header: bearer("token-acme")}); pruned.Body.String() != absent.Body.String() {
		t.Errorf("another tenant's pruned decision answers\n%s\na missing one\n%s", pruned.Body, absent.Body)
	}
	g.ledger.records[0].Pruned = false
	if w := g.do(t, call{path: "/v1/decisions/" + id, header: bearer("token-auditor")}); w.Code != 200 {
		t.Errorf("the auditor of all tenants: %s", w.Body)
	}
	g.do(t, call{header: bearer("token-acme")})
	if g.ledger.asked.Tenant != "acme" {
		t.Errorf("the list was asked for tenant %q", g.ledger.asked.Tenant)
	}
}

func TestCredentialsAreChecked(t *testing.T) {
	good := credential("a", "t", "", server.ScopeDecide)
	for name, auth := range map[string][]server.Credential{
		"no name":       {{SHA256: good.SHA256, Scopes: good.Scopes}},
		"no hash":       {{Name: "a", Scopes: good.Scopes}},
		"a short hash":  {{Name: "a", SHA256: "00", Scopes: good.Scopes}},
		"a plain token": {{Name: "a", SHA256: strings.Repeat("x", 64), Scopes: good.Scopes}},
		"no scope":      {{Name: "a", SHA256: good.SHA256}},
		"a new scope":   {{Name: "a", SHA256: good.SHA256, Scopes: []string{"root"}}},
		"a name twice":  {good, credential("a", "u", "", server.ScopeDecide)},
		"a token twice": {good, credential("b", "t", "", server.ScopeAudit)},
	} {
		t.Run(name, func(t *testing.T) {
			h := newServer(t, nil)
			_, err := server.New(server.Config{
				Point: broken{}, Decisions: h.ledger, PolicyRevision: func() string { return "" }, Auth: auth,
			})
			if err == nil {
				t.Error("taken")
			}
		})
	}
}
