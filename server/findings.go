package server

import (
	"errors"
	"fmt"
	"net/http"
	"time"

	"earshot/decisionlog"
	"earshot/server/wire"

	"github.com/google/uuid"
	"github.com/labstack/echo/v4"
)

// listFindings handles "GET /v1/findings".
func (s *Server) listFindings(c echo.Context) error {
	var query decisionlog.FindingQuery
	var span decisionlog.Query
	err := eachParameter(c, func(name, value string) error {
		switch name {
		case "state":
			query.State = value
			if value != decisionlog.FindingOpen && value != decisionlog.FindingClosed {
				return errors.New("must be open or closed")
			}
			return nil
		case "tenant":
			return readFilter(&span, name, value)
		}
		return readSpan(&span, name, value)
	})
	if err != nil {
		return err
	}
	if err := callerOf(c).ofTenant(&span); err != nil {
		return err
	}
	query.Span = decisionlog.Span{From: span.From, To: span.To, Limit: span.Limit, Cursor: span.Cursor}
	query.Tenant = span.Tenant
	page, err := s.config.Decisions.Findings(c.Request().Context(), query)
	if err != nil {
		return err
	}
	answer := wire.EncodeFindings(&page)
	return s.answerQuestion(c, decisionlog.Access{
		Kind: decisionlog.AccessFindings, Query: span, Results: len(answer.Findings),
	}, answer)
}

// disposeOf handles "POST /v1/findings/:id/disposition".
func (s *Server) disposeOf(c echo.Context) error {
	if err := eachParameter(c, noParameter); err != nil {
		return err
	}
	from := callerOf(c)
	return s.receive(c, s.reads, func(body []byte) error {
		said, err := wire.DecodeDisposition(body, s.config.Limits)
		if err != nil {
			return err
		}
		finding, err := s.config.Decisions.Finding(c.Request().Context(), c.Param("id"))
		if err != nil {
			return readFailure(err)
		}
		if from.enter(finding.Tenant) != nil {
			return decisionlog.ErrNotFound
		}
		id, err := uuid.NewV7()
		if err != nil {
			return fmt.Errorf("make the id of a disposition: %w", err)
		}
		d := decisionlog.Disposition{
			ID: id.String(), At: s.config.Clock().UTC().Truncate(time.Microsecond), PolicyRevision: s.config.PolicyRevision(),
			FindingID: finding.ID, Disposition: said.Disposition, Note: said.Note, RequestedBy: from.name,
		}
		position, err := s.config.Decisions.RecordDisposition(c.Request().Context(), &d)
		if err != nil {
			return err
		}
		return s.send(c, http.StatusOK, typeJSON, wire.EncodeDisposition(&d, position))
	})
}

// listErasures handles "GET /v1/log/erasures". The register is the service's own, of all tenants.
func (s *Server) listErasures(c echo.Context) error {
	var span decisionlog.Query
	err := eachParameter(c, func(name, value string) error { return readSpan(&span, name, value) })
	if err != nil {
		return err
	}
	if err := callerOf(c).ofAllTenants(); err != nil {
		return err
	}
	page, err := s.config.Decisions.ErasureRegister(c.Request().Context(),
		decisionlog.Span{From: span.From, To: span.To, Limit: span.Limit, Cursor: span.Cursor})
	if err != nil {
		return err
	}
	answer := wire.EncodeErasures(&page)
	return s.answerQuestion(c, decisionlog.Access{
		Kind: decisionlog.AccessErasures, Query: span, Results: len(answer.Erasures),
	}, answer)
}
