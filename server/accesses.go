package server

import (
	"errors"
	"slices"
	"strings"

	"earshot/decisionlog"
	"earshot/policy"
	"earshot/server/wire"

	"github.com/labstack/echo/v4"
)

// listAccesses handles "GET /v1/log/accesses". The register is the service's own, of all tenants.
func (s *Server) listAccesses(c echo.Context) error {
	var query decisionlog.AccessQuery
	var span decisionlog.Query
	err := eachParameter(c, func(name, value string) error {
		switch name {
		case "requested_by":
			query.RequestedBy = value
			return policy.CheckLabel(value)
		case "kind":
			query.Kind = value
			if !slices.Contains(decisionlog.AccessKinds(), value) {
				return errors.New("must be one of " + strings.Join(decisionlog.AccessKinds(), ", "))
			}
			return nil
		}
		return readSpan(&span, name, value)
	})
	if err != nil {
		return err
	}
	if err := callerOf(c).ofAllTenants(); err != nil {
		return err
	}
	query.Span = decisionlog.Span{From: span.From, To: span.To, Limit: span.Limit, Cursor: span.Cursor}
	page, err := s.config.Decisions.Accesses(c.Request().Context(), query)
	if err != nil {
		return err
	}
	answer := wire.EncodeAccesses(&page)
	return s.answerQuestion(c, decisionlog.Access{
		Kind: decisionlog.AccessAccesses, Query: span, Results: len(answer.Accesses),
	}, answer)
}

// readSpan reads a parameter of a register.
func readSpan(q *decisionlog.Query, name, value string) error {
	switch name {
	case "from", "to", "limit", "cursor":
		return readFilter(q, name, value)
	default:
		return errUnknownParameter
	}
}

// ofAllTenants returns an error for a caller who is bound to a tenant.
func (from caller) ofAllTenants() error {
	if from.tenant == "" {
		return nil
	}
	return refuse(codeForbidden, "The credential is bound to a tenant, and the register is that of all tenants.")
}
