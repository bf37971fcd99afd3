package server

import (
	"net/http"

	"earshot/server/wire"

	"github.com/labstack/echo/v4"
	"golang.org/x/sync/semaphore"
)

// Server serves the wire contract. It is safe for concurrent use.
type Server struct {
	config    Config
	keyring   *keyring
	metrics   *metrics
	decisions slots
	reads     slots
	bodies    *semaphore.Weighted // bytes
	decoder   *wire.Decoder
	echo      *echo.Echo
}

// New returns a Server. The error names what the configuration lacks.
func New(config Config) (*Server, error) {
	config, err := config.checked()
	if err != nil {
		return nil, err
	}
	keyring, err := newKeyring(config.Auth)
	if err != nil {
		return nil, err
	}
	metrics, err := newMetrics(config)
	if err != nil {
		return nil, err
	}
	decoder, err := wire.NewDecoder(config.Limits, audienceMemory)
	if err != nil {
		return nil, err
	}
	s := &Server{
		config:    config,
		keyring:   keyring,
		metrics:   metrics,
		decisions: make(slots, config.MaxInFlight),
		reads:     make(slots, maxReads),
		decoder:   decoder,
		bodies:    semaphore.NewWeighted(config.MaxBodyBytes),
		echo:      echo.New(),
	}
	s.echo.HTTPErrorHandler = s.writeProblem
	// Outermost first: the access log sees what every other one answered.
	s.echo.Use(s.identify, s.observe, s.recoverPanic, secureHeaders, s.checkHost)
	s.routes()
	return s, nil
}

// routes registers every route of the service; the OpenAPI document lists the same ones.
func (s *Server) routes() {
	s.get("/healthz", s.health)
	s.get("/readyz", s.ready)
	s.get("/metrics", s.scrape)
	s.get("/openapi.yaml", s.openAPI)
	s.get("/problems/:code", s.explainProblem)
	s.get("/.well-known/jwks.json", s.listKeys)

	s.echo.POST("/v1/decisions", s.decide, s.allow(ScopeDecide))
	s.echo.POST("/v1/contexts/verify", s.verifyContext, s.allow(ScopeDecide))
	s.echo.POST("/v1/seals", s.sealItems, s.allow(ScopeSeal))
	s.echo.POST("/v1/erasures", s.erase, s.allow(ScopeAdmin))
	s.echo.POST("/v1/handoffs", s.handOff, s.allow(ScopeDecide))
	s.get("/v1/decisions", s.listDecisions, s.allow(ScopeAudit), s.reading)
	s.get("/v1/decisions/:id", s.getDecision, s.allow(ScopeAudit), s.reading)
	s.get("/v1/export", s.export, s.allow(ScopeAudit), s.reading)
	s.routesOfTree()
	s.get("/v1/exposures", s.listExposures, s.allow(ScopeAudit), s.reading)
	s.get("/v1/log/stats", s.countDecisions, s.allow(ScopeAudit), s.reading)
	s.get("/v1/findings", s.listFindings, s.allow(ScopeAudit), s.reading)
	s.echo.POST("/v1/findings/:id/disposition", s.disposeOf, s.allow(ScopeAudit))
	s.get("/v1/log/erasures", s.listErasures, s.allow(ScopeAudit), s.reading)
	s.get("/v1/log/accesses", s.listAccesses, s.allow(ScopeAudit), s.reading)
}

// get registers a handler for GET and HEAD, which differ in the body alone (RFC 9110, section
// 9.3.2); net/http leaves it out.
func (s *Server) get(path string, h echo.HandlerFunc, m ...echo.MiddlewareFunc) {
	s.echo.GET(path, h, m...)
	s.echo.HEAD(path, h, m...)
}

// Handler returns the service as a handler, for a listener of the caller's own.
func (s *Server) Handler() http.Handler { return s.echo }
