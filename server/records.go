package server

import (
	"errors"
	"net/http"

	"earshot/decisionlog"
	"earshot/server/wire"

	"github.com/labstack/echo/v4"
)

// getDecision handles "GET /v1/decisions/:id". What the caller may not see does not exist. A damaged
// record belongs to no tenant that could be told, and holds nothing that could be shown.
func (s *Server) getDecision(c echo.Context) error {
	if err := eachParameter(c, noParameter); err != nil {
		return err
	}
	record, err := s.config.Decisions.Get(c.Request().Context(), c.Param("id"))
	if err != nil {
		return err
	}
	tenant := record.Request.Turn.Tenant
	if record.Handoff != nil {
		tenant = record.Handoff.Request.Tenant
	}
	if from := callerOf(c); from.enter(tenant) != nil {
		return decisionlog.ErrNotFound
	}
	if record.Pruned {
		return refuse(codeNotFound, "Retention has emptied this decision. Its commitment in the log is all that is left.")
	}
	about(c).decisionID = record.ID
	if record.Handoff != nil {
		return s.send(c, http.StatusOK, typeJSON, wire.EncodeHandoffRecord(record.Handoff, record.Log))
	}
	return s.send(c, http.StatusOK, typeJSON, wire.EncodeRecord(&record.Entry, record.Log))
}

// listDecisions handles "GET /v1/decisions".
func (s *Server) listDecisions(c echo.Context) error {
	query, err := parseQuery(c)
	if err != nil {
		return err
	}
	if from := callerOf(c); from.tenant != "" {
		if query.Tenant != "" && query.Tenant != from.tenant {
			return refuse(codeForbidden, "The credential is bound to another tenant. Leave the query parameter tenant out.")
		}
		query.Tenant = from.tenant
	}
	page, err := s.config.Decisions.List(c.Request().Context(), query)
	if err != nil {
		return err
	}
	answer := wire.Page{Decisions: []wire.Line{}}
	for i := range page.Summaries {
		summary := &page.Summaries[i]
		if summary.Damage != nil {
			s.config.Logger.Error().Uint64("index", summary.Log.Index).AnErr("cause", summary.Damage).
				Msg("a record of the decision log is damaged")
		}
		if !summary.Pruned || summary.Damage != nil { // of a pruned one nothing is left to list
			answer.Decisions = append(answer.Decisions, wire.EncodeSummary(summary))
		}
	}
	if page.Next != "" {
		answer.NextCursor = &page.Next
	}
	return s.send(c, http.StatusOK, typeJSON, answer)
}

// readFailure gives the failures of a read words of their own: nothing was to be admitted.
func readFailure(err error) error {
	switch {
	case errors.Is(err, decisionlog.ErrDamaged):
		return &refusal{
			code:   codeInternal,
			detail: "The record of the decision is damaged; other decisions are not affected. Have the operator run pdp log verify and restore the data folder from a backup.",
			cause:  err,
		}
	case errors.Is(err, decisionlog.ErrUnavailable), errors.Is(err, decisionlog.ErrClosed):
		return &refusal{
			code:   codeLogUnavailable,
			detail: "The decision could not be read. Try again after the time in Retry-After.",
			cause:  err,
		}
	default:
		return err
	}
}
