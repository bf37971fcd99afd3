package server

import (
	"context"
	"net/http"

	"earshot/decisionlog"
	"earshot/server/wire"

	"github.com/labstack/echo/v4"
)

// Eraser forgets names.
type Eraser interface {
	// Erase does what decisionlog.Log.Erase does, with an ID and a time of its own.
	Erase(ctx context.Context, e decisionlog.Erasure) (done *decisionlog.StoredErasure, lingering bool, err error)
}

// erase handles "POST /v1/erasures".
func (s *Server) erase(c echo.Context) error {
	if err := eachParameter(c, noParameter); err != nil {
		return err
	}
	from := callerOf(c)
	if from.tenant != "" {
		return refuse(codeForbidden, "The credential is bound to a tenant, and a name is forgotten in every one. Use a credential without a tenant.")
	}
	return s.receive(c, s.decisions, func(body []byte) error {
		req, err := wire.DecodeErasure(body, s.config.Limits)
		if err != nil {
			return err
		}
		if s.config.Erasures == nil {
			return refuse(codeNotFound, "")
		}
		// Whoever hangs up does not leave an erasure half done: what was deleted is then to be overwritten.
		ctx := context.WithoutCancel(c.Request().Context())
		done, lingering, err := s.config.Erasures.Erase(ctx, decisionlog.Erasure{
			PolicyRevision: s.config.PolicyRevision(), Name: req.Name, RequestedBy: from.name, Reason: req.Reason,
		})
		if err != nil {
			return err
		}
		return s.send(c, http.StatusOK, typeJSON, wire.EncodeErasure(done, lingering))
	})
}
