package server

import (
	"context"
	"net/http"

	"earshot/decisionlog/contextcheck"
	"earshot/server/wire"

	"github.com/labstack/echo/v4"
)

// ContextChecker holds contexts against decisions: a *contextcheck.Service.
type ContextChecker interface {
	// Check returns a check that is recorded. Its errors are those of contextcheck.Service.
	Check(ctx context.Context, req contextcheck.Request) (*contextcheck.Answer, error)
}

// verifyContext handles "POST /v1/contexts/verify".
func (s *Server) verifyContext(c echo.Context) error {
	if err := eachParameter(c, noParameter); err != nil {
		return err
	}
	from := callerOf(c)
	return s.receive(c, s.decisions, func(body []byte) error {
		req, err := wire.DecodeContextCheck(body, s.config.Limits)
		if err != nil {
			return err
		}
		if err := from.enter(req.Check.Turn.Tenant); err != nil {
			return err
		}
		if s.config.Contexts == nil || req.ContextID != "" {
			return refuse(codeNotFound, "")
		}
		req.Check.RequestedBy = from.name

		answer, err := s.config.Contexts.Check(c.Request().Context(), req.Check)
		if err != nil {
			return err
		}
		about(c).decisionID = answer.DecisionID
		return s.send(c, http.StatusOK, typeJSON, wire.EncodeContextCheck(answer))
	})
}
