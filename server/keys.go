package server

import (
	"net/http"

	keys "earshot/decisionlog/keyring"

	"github.com/labstack/echo/v4"
)

// typeJWKSet is the media type of a JWK set (RFC 7517, section 8.5.2).
const typeJWKSet = "application/jwk-set+json"

// listKeys handles "GET /.well-known/jwks.json". The keys are public, and change only when the service
// starts.
func (s *Server) listKeys(c echo.Context) error {
	var published []keys.Key
	if s.config.Keys != nil {
		published = s.config.Keys()
	}
	body, err := keys.MarshalJWKS(published)
	if err != nil {
		return err
	}
	c.Response().Header().Set("Cache-Control", "public, max-age=300")
	return c.Blob(http.StatusOK, typeJWKSet, append(body, '\n'))
}
