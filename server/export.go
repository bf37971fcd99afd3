package server

import (
	"context"
	"errors"
	"net/http"
	"time"

	"earshot/decisionlog"
	"earshot/server/wire"

	"github.com/labstack/echo/v4"
)

// Exporter gives all decisions that filters select: a *decisionlog.Log.
type Exporter interface {
	// Each calls take with each of them in the order of the log, and ends with the first error.
	Each(ctx context.Context, q decisionlog.Query, take func(*decisionlog.Record) error) error
}

// errHeadOnly ends an export whose caller wants no body.
var errHeadOnly = errors.New("server: the request is for the header alone")

// export handles "GET /v1/export". What fails before the first byte is answered as a problem; later the
// connection is cut, since an export that only ends early looks whole.
func (s *Server) export(c echo.Context) error {
	form, query, err := exportQuery(c)
	if err != nil {
		return err
	}
	e := export{server: s, c: c, form: form}
	e.asked = decisionlog.Access{Kind: decisionlog.AccessExport, Query: query, Results: decisionlog.ResultsUnknown}
	err = s.config.Decisions.Each(c.Request().Context(), query, e.take)
	if err == nil && e.out == nil {
		err = e.begin() // Nothing was selected.
	}
	if err == nil {
		err = e.out.Finish()
	}
	switch {
	case errors.Is(err, errHeadOnly):
		return nil
	case err != nil && c.Response().Committed:
		s.cut(c, err)
	}
	return err
}

// exportQuery reads the form and the filters, and binds them to the tenant of the caller.
func exportQuery(c echo.Context) (form string, q decisionlog.Query, err error) {
	err = eachParameter(c, func(name, value string) error {
		switch name {
		case "format":
			form = value
			return wire.ReadExportForm(value)
		case "limit", "cursor":
			return errUnknownParameter
		default:
			return readFilter(&q, name, value)
		}
	})
	if err == nil && form == "" {
		err = refuseParameter("format", "is missing; give jsonl, csv or opa")
	}
	if err == nil {
		err = callerOf(c).ofTenant(&q)
	}
	return form, q, err
}

// export is the answer to one request, as far as it has come.
type export struct {
	server *Server
	c      echo.Context
	form   string
	asked  decisionlog.Access

	// out is nil until the header is sent.
	out *wire.Exporter
}

// begin records the question and sends the header.
func (e *export) begin() (err error) {
	if err := e.server.recordQuestion(e.c, e.asked); err != nil {
		return err
	}
	header := e.c.Response().Header()
	header.Set(echo.HeaderContentType, wire.ExportType(e.form))
	header.Set(echo.HeaderContentDisposition, `attachment; filename="decisions.`+exportExtension(e.form)+`"`)
	e.c.Response().WriteHeader(http.StatusOK)
	if e.c.Request().Method == http.MethodHead {
		return errHeadOnly
	}
	e.out, err = wire.NewExporter(e.c.Response(), e.form)
	return err
}

// take sends one decision. A reader that takes none for writeTimeout is given up.
func (e *export) take(r *decisionlog.Record) error {
	if e.out == nil {
		if err := e.begin(); err != nil {
			return err
		}
	}
	// Only a connection has a deadline: a test's recorder has none.
	deadline := time.Now().Add(writeTimeout)
	err := http.NewResponseController(e.c.Response()).SetWriteDeadline(deadline)
	if err != nil && !errors.Is(err, http.ErrNotSupported) {
		return err
	}
	return e.out.Write(r)
}

func exportExtension(form string) string {
	if form == wire.ExportCSV {
		return "csv"
	}
	return "jsonl"
}

// cut ends the connection in the middle of an answer, and has the log of the service say why: the access
// log never sees the end of such a request.
func (s *Server) cut(c echo.Context, cause error) {
	line := s.config.Logger.Error()
	if c.Request().Context().Err() != nil {
		line = s.config.Logger.Info() // The caller has gone.
	}
	line.Str("route", routeOf(c)).Str("request_id", about(c).requestID).Str("requested_by", about(c).requestedBy).
		AnErr("cause", cause).Msg("an answer was cut off in the middle")
	panic(http.ErrAbortHandler)
}
