package server

import (
	_ "embed"
	"net/http"

	"github.com/labstack/echo/v4"
)

// openAPIDocument is the reference of the wire contract (OpenAPI 3.1).
//
//go:embed openapi.yaml
var openAPIDocument []byte

// openAPI handles "GET /openapi.yaml". The media type is that of RFC 9512.
func (s *Server) openAPI(c echo.Context) error {
	return c.Blob(http.StatusOK, "application/yaml", openAPIDocument)
}
