package server_test

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"

	"earshot/server"
)

func TestHost(t *testing.T) {
	own := func(address string) *net.TCPAddr { return &net.TCPAddr{IP: net.ParseIP(address), Port: 8181} }
	tests := map[string]struct {
		host  string
		hosts []string
		auth  []server.Credential
		local *net.TCPAddr // nil: not known
		taken bool
	}{
		"localhost":                    {host: "localhost", taken: true},
		"localhost with a port":        {host: "localhost:9999", taken: true},
		"localhost in capitals":        {host: "LocalHost.:8181", taken: true},
		"IPv4":                         {host: "127.0.0.1:8181", taken: true},
		"another loopback address":     {host: "127.8.9.10", taken: true},
		"IPv6":                         {host: "[::1]:8181", taken: true},
		"IPv6 without a port":          {host: "[::1]", taken: true},
		"IPv4 in IPv6":                 {host: "[::ffff:127.0.0.1]:8181", taken: true},
		"another name":                 {host: "evil.example:8181"},
		"a name that begins well":      {host: "localhost.evil.example"},
		"a name that ends well":        {host: "evil-localhost"},
		"an address as part of a name": {host: "127.0.0.1.evil.example"},
		"another address":              {host: "192.0.2.7:8181"},
		"another, on its own":          {host: "192.0.2.7:8181", local: own("192.0.2.7"), taken: true},
		"another, on IPv6":             {host: "192.0.2.7:8181", local: own("::ffff:192.0.2.7"), taken: true},
		"a third":                      {host: "192.0.2.8:8181", local: own("192.0.2.7")},
		"a name, on its own address":   {host: "evil.example:8181", local: own("192.0.2.7")},
		"every address":                {host: "0.0.0.0:8181"},
		"a configured name":            {host: "PDP.example:8181", hosts: []string{"pdp.example"}, taken: true},
		"a configured address":         {host: "192.0.2.7", hosts: []string{"192.0.2.7"}, taken: true},
		"beside a configured name":     {host: "evil.example", hosts: []string{"pdp.example"}},
		"localhost beside one":         {host: "localhost", hosts: []string{"pdp.example"}, taken: true},
		"any":                          {host: "evil.example", hosts: []string{"*"}, taken: true},
		"with a token":                 {host: "pdp.example", auth: []server.Credential{credential("a", "t", "", server.ScopeAudit)}, taken: true},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			h := newServer(t, func(c *server.Config) { c.Hosts, c.Auth = test.hosts, test.auth })
			for _, path := range []string{"/v1/decisions", "/healthz", "/readyz", "/metrics", "/openapi.yaml", "/problems/forbidden", "/nowhere"} {
				c := call{path: path, host: test.host, header: bearer("t")}
				r := c.request(t)
				if test.local != nil {
					r = r.WithContext(context.WithValue(r.Context(), http.LocalAddrContextKey, net.Addr(test.local)))
				}
				w := httptest.NewRecorder()
				h.Handler().ServeHTTP(w, r)
				conforms(t, c, w)
				if !test.taken {
					refused(t, w, 403, "forbidden")
				} else if w.Code == 403 {
					t.Errorf("%s: %s", path, w.Body)
				}
			}
		})
	}
}

// HTTP/1.0 knows requests without a host. No browser sends one, and nothing says that it is for us.
func TestHostLeftOut(t *testing.T) {
	r := call{path: "/healthz"}.request(t)
	r.Host = ""
	w := httptest.NewRecorder()
	newServer(t, nil).Handler().ServeHTTP(w, r)
	refused(t, w, 403, "forbidden")
}

// A real connection knows the address it came in on.
func TestHostOfAConnection(t *testing.T) {
	url, _, _ := start(t, newServer(t, nil))
	for host, want := range map[string]int{"": 200, "evil.example": 403} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url+"/healthz", nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Host = host
		response, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		if err := response.Body.Close(); err != nil || response.StatusCode != want {
			t.Errorf("host %q: status %d, %v, want %d", host, response.StatusCode, err, want)
		}
	}
}
