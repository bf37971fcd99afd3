package server_test

import (
	"net/http"
	"strings"
	"testing"

	"earshot/server"
)

// A credential does what its scopes say, in the tenant it names, under the token it was given.
func TestACredentialIsNoWiderThanItSays(t *testing.T) {
	scopes := []string{server.ScopeDecide}
	h := newServer(t, func(c *server.Config) {
		c.Auth = []server.Credential{
			credential("other", "token-other", "", server.ScopeAudit),
			credential("runtime", "token-runtime", "", scopes...),
			credential("admin", "token-admin", "", server.ScopeAdmin),
			credential("acme", "token-acme", "acme", server.ScopeDecide, server.ScopeAudit),
		}
	})
	scopes[0] = server.ScopeAudit // after the server was made, so it changes nothing

	with := func(value string) http.Header {
		return http.Header{"Authorization": {value}, "Content-Type": {"application/json"}}
	}
	for name, test := range map[string]struct {
		call   call
		status int
	}{
		"decides":                        {call{body: four, header: with("Bearer token-runtime")}, 200},
		"the scheme in capitals":         {call{body: four, header: with("BEARER token-runtime")}, 200},
		"more than one space":            {call{body: four, header: with("Bearer  token-runtime")}, 200},
		"a token and a space":            {call{body: four, header: with("Bearer token-runtime ")}, 401},
		"a token and another":            {call{body: four, header: with("Bearer token-runtime token-admin")}, 401},
		"another scheme":                 {call{body: four, header: with("Digest token-runtime")}, 401},
		"a scheme that only begins so":   {call{body: four, header: with("Bearers token-runtime")}, 401},
		"a token without a scheme":       {call{body: four, header: with("token-runtime")}, 401},
		"does not audit":                 {call{header: with("Bearer token-runtime")}, 403},
		"the first of all":               {call{header: with("Bearer token-other")}, 200},
		"the first of all decides not":   {call{body: four, header: with("Bearer token-other")}, 403},
		"admin does not decide":          {call{body: four, header: with("Bearer token-admin")}, 403},
		"admin does not audit":           {call{header: with("Bearer token-admin")}, 403},
		"its tenant":                     {call{body: inTenant("acme"), header: with("Bearer token-acme")}, 200},
		"its tenant in capitals":         {call{body: inTenant("ACME"), header: with("Bearer token-acme")}, 403},
		"a tenant that begins so":        {call{body: inTenant("acme-eu"), header: with("Bearer token-acme")}, 403},
		"any tenant, where none is said": {call{body: inTenant("acme"), header: with("Bearer token-runtime")}, 200},
	} {
		t.Run(name, func(t *testing.T) {
			if w := h.do(t, test.call); w.Code != test.status {
				t.Errorf("status %d, want %d: %s", w.Code, test.status, w.Body)
			}
		})
	}
}

// The hash of a token is 64 hex digits, no fewer and no more.
func TestHashesOfTokensAreChecked(t *testing.T) {
	whole := credential("a", "t", "", server.ScopeDecide)
	for name, hash := range map[string]string{
		"empty": "", "a digit short": whole.SHA256[1:], "a byte short": whole.SHA256[2:], "a digit long": whole.SHA256 + "0",
		"a byte long": whole.SHA256 + "00", "no hex in the middle": whole.SHA256[:32] + strings.Repeat("g", 32),
	} {
		c := whole
		c.SHA256 = hash
		h := newServer(t, nil)
		_, err := server.New(server.Config{
			Point: broken{}, Decisions: h.ledger, Receipts: unsigned{}, PolicyRevision: func() string { return "" }, Auth: []server.Credential{c},
		})
		if err == nil || !strings.Contains(err.Error(), "64 hex digits") {
			t.Errorf("%s: %v, want a refusal that says how long", name, err)
		}
	}
}
