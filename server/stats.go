package server

import (
	"fmt"

	"earshot/decisionlog"
	"earshot/server/wire"

	"github.com/labstack/echo/v4"
)

// countDecisions handles "GET /v1/log/stats".
func (s *Server) countDecisions(c echo.Context) error {
	query := decisionlog.DefaultStats(s.config.Clock())
	given := map[string]bool{}
	err := eachParameter(c, func(name, value string) error {
		given[name] = true
		err := wire.ReadStatsFilter(&query, name, value)
		if err != nil && (name == "from" || name == "to") {
			err = fmt.Errorf("%w; send + as %%2B in a query", err)
		}
		return err
	})
	if err != nil {
		return err
	}
	if given["to"] && !given["from"] {
		query.From = query.To.Add(-decisionlog.DefaultWindow)
	}
	bound := decisionlog.Query{Tenant: query.Tenant, From: query.From, To: query.To}
	if err := callerOf(c).ofTenant(&bound); err != nil {
		return err
	}
	query.Tenant = bound.Tenant
	stats, err := s.config.Decisions.Stats(c.Request().Context(), query)
	if err != nil {
		return err
	}
	return s.answerQuestion(c, decisionlog.Access{Kind: decisionlog.AccessStats, Query: bound, Results: 1}, wire.EncodeStats(stats))
}
