package server_test

import (
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"earshot/server"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/legacy"
	"github.com/google/go-cmp/cmp"
)

// document is the OpenAPI document, validated, with a router over it.
var document = sync.OnceValues(func() (routers.Router, error) {
	doc, err := load()
	if err != nil {
		return nil, err
	}
	doc.Servers = nil // the tests have no address
	return legacy.NewRouter(doc)
})

func load() (*openapi3.T, error) {
	raw, err := os.ReadFile("openapi.yaml")
	if err != nil {
		return nil, err
	}
	return openapi3.NewLoader().LoadFromData(raw)
}

func TestDocumentIsValid(t *testing.T) {
	doc, err := load()
	if err != nil {
		t.Fatal(err)
	}
	if err := doc.Validate(t.Context(), openapi3.EnableExamplesValidation()); err != nil {
		t.Fatal(err)
	}
}

// conforms fails the test unless the answer is one that the document announces for the request. What
// the document does not have as a path or a method must be a problem.
func conforms(t *testing.T, c call, w *httptest.ResponseRecorder) {
	t.Helper()
	router, err := document()
	if err != nil {
		t.Fatal(err)
	}
	r := c.request(t)
	method := r.Method
	if method == http.MethodHead {
		return // The body that the document describes is left out.
	}
	route, params, err := router.FindRoute(r)
	if err == nil && strings.HasSuffix(r.URL.Path, "/") {
		err = routers.ErrPathNotFound // that router takes a trailing slash for nothing; the service does not
	}
	if err != nil {
		if w.Code != http.StatusNoContent && w.Header().Get("Content-Type") != "application/problem+json" {
			t.Errorf("%s %s is not in the document and answers %d %s", method, r.URL.Path, w.Code, w.Header().Get("Content-Type"))
		}
		return
	}
	options := &openapi3filter.Options{IncludeResponseStatus: true}
	err = openapi3filter.ValidateResponse(t.Context(), (&openapi3filter.ResponseValidationInput{
		RequestValidationInput: &openapi3filter.RequestValidationInput{
			Request: r, PathParams: params, Route: route, Options: options,
		},
		Status:  w.Code,
		Header:  w.Header(),
		Options: options,
	}).SetBodyBytes(w.Body.Bytes()))
	if err != nil {
		t.Errorf("%s %s: the answer does not conform: %v\n%s", method, r.URL.Path, err, w.Body)
	}
}

// requestConforms returns whether the document takes a request.
func requestConforms(t *testing.T, c call) error {
	t.Helper()
	router, err := document()
	if err != nil {
		t.Fatal(err)
	}
	r := c.request(t)
	route, params, err := router.FindRoute(r)
	if err != nil {
		t.Fatal(err)
	}
	return openapi3filter.ValidateRequest(t.Context(), &openapi3filter.RequestValidationInput{
		Request: r, PathParams: params, Route: route,
		Options: &openapi3filter.Options{AuthenticationFunc: openapi3filter.NoopAuthenticationFunc},
	})
}

// The check of conformity must be able to fail.
func TestConformityCanFail(t *testing.T) {
	for name, body := range map[string]string{
		"a field too many":    `{"turn": {"agent": "a"}, "candidates": [], "x": 1}`,
		"a candidate's field": `{"turn": {"agent": "a"}, "candidates": [{"id": "m", "text": "x"}]}`,
		"a wrong type":        `{"turn": {"agent": "a", "viewers": "b"}, "candidates": []}`,
		"a missing agent":     `{"turn": {}, "candidates": []}`,
		"a wrong kind":        `{"turn": {"agent": "a"}, "candidates": [{"id": "m", "kind": "x"}]}`,
	} {
		t.Run(name, func(t *testing.T) {
			if requestConforms(t, call{body: body}) == nil {
				t.Error("the document takes a request that is wrong")
			}
		})
	}
}

func TestDocumentHasEveryRoute(t *testing.T) {
	doc, err := load()
	if err != nil {
		t.Fatal(err)
	}
	var documented []string
	for path, item := range doc.Paths.Map() {
		for method := range item.Operations() {
			documented = append(documented, method+" "+path)
			if method == http.MethodGet {
				documented = append(documented, http.MethodHead+" "+path)
			}
		}
	}
	parameter := regexp.MustCompile(`:([a-z_]+)`)
	var served []string
	for _, route := range newServer(t, nil).Routes() {
		served = append(served, strings.Replace(parameter.ReplaceAllString(route, "{$1}"), "/*", "/{path}", 1))
	}
	slices.Sort(documented)
	slices.Sort(served)
	if diff := cmp.Diff(documented, served); diff != "" {
		t.Errorf("routes (-documented +served):\n%s", diff)
	}
}

func TestDocumentHasEveryCode(t *testing.T) {
	doc, err := load()
	if err != nil {
		t.Fatal(err)
	}
	var documented []string
	for _, code := range doc.Components.Schemas["Problem"].Value.Properties["code"].Value.Enum {
		documented = append(documented, code.(string))
	}
	if diff := cmp.Diff(documented, server.ProblemCodes()); diff != "" {
		t.Errorf("codes (-documented +served):\n%s", diff)
	}
}

func TestDocumentHasEveryParameter(t *testing.T) {
	doc, err := load()
	if err != nil {
		t.Fatal(err)
	}
	h := newServer(t, nil)
	values := map[string]string{
		"admit": "true", "from": "2026-11-30T20:00:00Z", "to": "2026-11-30T21:00:00Z", "limit": "3",
		"verdict": "BLEED_DETECTED", "policy_revision": "sha256:" + strings.Repeat("0", 64),
	}
	names := map[string]bool{}
	for _, p := range doc.Paths.Value("/v1/decisions").Get.Parameters {
		name := p.Value.Name
		names[name] = true
		value, ok := values[name]
		if !ok {
			value = "x"
		}
		if w := h.do(t, call{path: "/v1/decisions?" + name + "=" + value}); w.Code != http.StatusOK {
			t.Errorf("parameter %s: %s", name, w.Body)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if !names[name] {
			t.Errorf("parameter %s is not in the document", name)
		}
	}
}
