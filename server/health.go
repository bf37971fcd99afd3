package server

import (
	"net/http"

	"github.com/labstack/echo/v4"
)

// health handles "GET /healthz": the process answers.
func (s *Server) health(c echo.Context) error {
	return s.send(c, http.StatusOK, typeJSON, struct {
		Status string `json:"status"`
	}{"ok"})
}

// readiness is the answer of "GET /readyz".
type readiness struct {
	Status         string   `json:"status"` // ready or unready
	PolicyRevision string   `json:"policy_revision"`
	PolicyTier     string   `json:"policy_tier,omitzero"` // compiled or interpreted
	Failing        []string `json:"failing,omitzero"`     // names of the checks that fail
}

// ready handles "GET /readyz": decisions can be made and recorded now. It names the checks that
// fail; why they do is for the log, since anybody may ask.
func (s *Server) ready(c echo.Context) error {
	answer := readiness{Status: "ready", PolicyRevision: s.config.PolicyRevision()}
	if s.config.Tier != nil {
		answer.PolicyTier = "interpreted"
		if s.config.Tier().Compiled {
			answer.PolicyTier = "compiled"
		}
	}
	for _, check := range s.config.Ready {
		if err := check.Ready(c.Request().Context()); err != nil {
			answer.Failing = append(answer.Failing, check.Name)
			s.config.Logger.Warn().Str("check", check.Name).AnErr("cause", err).Msg("not ready")
		}
	}
	if answer.Failing == nil {
		return s.send(c, http.StatusOK, typeJSON, answer)
	}
	answer.Status = "unready"
	return s.send(c, http.StatusServiceUnavailable, typeJSON, answer)
}
