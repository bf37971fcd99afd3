package server

import (
	"errors"
	"net/http"

	"earshot/server/wire"

	"github.com/labstack/echo/v4"
)

// typeProblem is the media type of a problem document (RFC 9457, section 3).
const typeProblem = "application/problem+json"

// problemDocument is the body of a refusal.
type problemDocument struct {
	Type      string  `json:"type"`
	Title     string  `json:"title"`
	Status    int     `json:"status"`
	Detail    string  `json:"detail"`
	Code      string  `json:"code"`
	Pointer   *string `json:"pointer,omitzero"` // of every invalid_request about a body
	Parameter string  `json:"parameter,omitzero"`
}

// writeProblem answers err. It is the one place where a refusal is written.
func (s *Server) writeProblem(err error, c echo.Context) {
	if c.Response().Committed {
		return // The answer is on its way; there is nothing left to say.
	}
	drain(c)
	told := refusalOf(err)
	row := problemOf(told.code)
	about(c).fail(row.code, err)

	document := problemDocument{
		Type:      "/problems/" + row.code,
		Title:     row.title,
		Status:    row.status,
		Detail:    told.detail,
		Code:      row.code,
		Parameter: told.parameter,
	}
	if document.Detail == "" {
		document.Detail = row.detail
	}
	if row.code == wire.CodeInvalidRequest && told.parameter == "" {
		document.Pointer = &told.pointer
	}
	header := c.Response().Header()
	if row.retryAfter != "" {
		header.Set("Retry-After", row.retryAfter)
	}
	if row.status == http.StatusUnauthorized {
		header.Set("WWW-Authenticate", "Bearer")
	}
	if err := s.send(c, row.status, typeProblem, document); err != nil && !c.Response().Committed {
		// Without a body the status must at least not be 200.
		about(c).fail(codeInternal, errors.Join(err, c.NoContent(http.StatusInternalServerError)))
	}
}

// explainProblem handles "GET /problems/:code": what the type of a problem document leads to.
func (s *Server) explainProblem(c echo.Context) error {
	code := c.Param("code")
	row := problemOf(code)
	if row.code != code {
		return refuse(codeNotFound, "There is no problem of this name.")
	}
	return s.send(c, http.StatusOK, typeJSON, problemDocument{
		Type:   "/problems/" + row.code,
		Title:  row.title,
		Status: row.status,
		Detail: row.detail,
		Code:   row.code,
	})
}

const typeJSON = "application/json"

// send encodes v whole and then writes it, with a line feed at the end for the reader at a terminal.
func (s *Server) send(c echo.Context, status int, mediaType string, v any) error {
	body, err := wire.Marshal(v)
	if err != nil {
		return err
	}
	return c.Blob(status, mediaType, append(body, '\n'))
}
