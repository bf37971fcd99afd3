package server

import (
	"errors"

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
	asked := decisionlog.Access{Kind: decisionlog.AccessGet, DecisionID: c.Param("id")}
	record, err := s.visibleDecision(c)
	switch {
	case errors.Is(err, decisionlog.ErrNotFound):
		// Who looks for what is not there, or not theirs, has asked too.
		if failed := s.recordQuestion(c, asked); failed != nil {
			return failed
		}
		return err
	case err != nil:
		return err
	}
	about(c).decisionID = record.ID
	asked.Results = 1
	if record.Handoff != nil {
		return s.answerQuestion(c, asked, wire.EncodeHandoffRecord(record.Handoff, record.Log))
	}
	return s.answerQuestion(c, asked, wire.EncodeRecord(&record.Entry, record.Log))
}

// visibleDecision returns the decision that a request names. Where the caller may not see it, or nothing
// is left of it, the error matches decisionlog.ErrNotFound.
func (s *Server) visibleDecision(c echo.Context) (*decisionlog.Record, error) {
	record, err := s.config.Decisions.Get(c.Request().Context(), c.Param("id"))
	if err != nil {
		return nil, err
	}
	tenant := record.Request.Turn.Tenant
	if record.Handoff != nil {
		tenant = record.Handoff.Request.Tenant
	}
	if callerOf(c).enter(tenant) != nil {
		return nil, decisionlog.ErrNotFound
	}
	if record.Pruned {
		return nil, &refusal{
			code:   codeNotFound,
			detail: "Retention has emptied this decision. Its commitment in the log is all that is left.",
			cause:  decisionlog.ErrNotFound,
		}
	}
	return record, nil
}

// listDecisions handles "GET /v1/decisions".
func (s *Server) listDecisions(c echo.Context) error {
	query, err := parseQuery(c)
	if err != nil {
		return err
	}
	if err := callerOf(c).ofTenant(&query); err != nil {
		return err
	}
	page, err := s.config.Decisions.List(c.Request().Context(), query)
	if err != nil {
		return err
	}
	for i := range page.Summaries {
		s.tellDamage(&page.Summaries[i])
	}
	answer := wire.EncodePage(&page)
	asked := decisionlog.Access{Kind: decisionlog.AccessList, Query: query, Results: len(answer.Decisions)}
	return s.answerQuestion(c, asked, answer)
}

// tellDamage has the log of the service say what is wrong with a record.
func (s *Server) tellDamage(summary *decisionlog.Summary) {
	if summary.Damage != nil {
		s.config.Logger.Error().Uint64("index", summary.Log.Index).AnErr("cause", summary.Damage).
			Msg("a record of the decision log is damaged")
	}
}

// readFailure gives the failures of a read words of their own: nothing was to be admitted.
func readFailure(err error) error {
	if _, ok := errors.AsType[*refusal](err); ok {
		return err // It has them already.
	}
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
