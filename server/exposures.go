package server

import (
	"earshot/decisionlog"
	"earshot/server/wire"

	"github.com/labstack/echo/v4"
)

// listExposures handles "GET /v1/exposures".
func (s *Server) listExposures(c echo.Context) error {
	var query decisionlog.ExposureQuery
	err := eachParameter(c, func(name, value string) error {
		if name == "principal" {
			query.Principal = value
			return wire.CheckPrincipal(value)
		}
		return readFilter(&query.Query, name, value)
	})
	if err != nil {
		return err
	}
	if err := callerOf(c).ofTenant(&query.Query); err != nil {
		return err
	}
	page, err := s.config.Decisions.Exposures(c.Request().Context(), query)
	if err != nil {
		return err
	}
	for i := range page.Exposures {
		s.tellDamage(&page.Exposures[i].Summary)
	}
	answer := wire.EncodeExposures(&page)
	return s.answerQuestion(c, decisionlog.Access{
		Kind: decisionlog.AccessExposures, Principal: query.Principal, Query: query.Query, Results: len(answer.Exposures),
	}, answer)
}
