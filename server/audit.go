package server

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"earshot/decisionlog"
	"earshot/policy"

	"github.com/google/uuid"
	"github.com/labstack/echo/v4"
)

// Audit answers what compliance people ask, and keeps a record of who asked: a *decisionlog.Log.
type Audit interface {
	// Exposures returns one page of what a person's turns were shown, or of whom an item reached.
	Exposures(ctx context.Context, q decisionlog.ExposureQuery) (decisionlog.ExposurePage, error)

	// Stats returns how decisions came out in a window.
	Stats(ctx context.Context, q decisionlog.StatsQuery) (*decisionlog.Stats, error)

	// Findings returns one page of findings, Finding one of them or decisionlog.ErrNotFound.
	Findings(ctx context.Context, q decisionlog.FindingQuery) (decisionlog.FindingPage, error)
	Finding(ctx context.Context, id string) (*decisionlog.Finding, error)

	// RecordDisposition returns once what a reviewer said is in the log.
	RecordDisposition(ctx context.Context, d *decisionlog.Disposition) (policy.Position, error)

	// ErasureRegister returns one page of the erasures.
	ErasureRegister(ctx context.Context, span decisionlog.Span) (decisionlog.ErasurePage, error)

	// Accesses returns one page of the questions that were asked.
	Accesses(ctx context.Context, q decisionlog.AccessQuery) (decisionlog.AccessPage, error)

	// RecordAccess returns once a question is in the log.
	RecordAccess(ctx context.Context, a *decisionlog.Access) (policy.Position, error)
}

// recordQuestion puts a question into the log. With an error it must not be answered.
func (s *Server) recordQuestion(c echo.Context, asked decisionlog.Access) error {
	id, err := uuid.NewV7()
	if err != nil {
		return fmt.Errorf("make the id of a question: %w", err)
	}
	asked.ID = id.String()
	asked.At = s.config.Clock().UTC().Truncate(time.Microsecond)
	asked.PolicyRevision = s.config.PolicyRevision()
	asked.RequestedBy = callerOf(c).name
	asked.Door = decisionlog.DoorHTTP
	_, err = s.config.Decisions.RecordAccess(c.Request().Context(), &asked)
	switch {
	case err == nil, errors.Is(err, decisionlog.ErrOverloaded), errors.Is(err, context.Canceled):
		return err
	}
	s.metrics.logError()
	return &refusal{
		code:   codeLogUnavailable,
		detail: "The question could not be recorded, so it is not answered. Try again after the time in Retry-After.",
		cause:  err,
	}
}

// answerQuestion records a question and then answers it.
func (s *Server) answerQuestion(c echo.Context, asked decisionlog.Access, answer any) error {
	if err := s.recordQuestion(c, asked); err != nil {
		return err
	}
	return s.send(c, http.StatusOK, typeJSON, answer)
}
