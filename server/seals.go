package server

import (
	"context"
	"net/http"

	"earshot/decisionlog/seal"
	"earshot/server/wire"

	"github.com/labstack/echo/v4"
)

// Sealer seals the labels of items that this service did not record itself: a *seal.Service.
type Sealer interface {
	// Issue returns one seal an item, after all of them are recorded. Its errors are those of
	// seal.Service.
	Issue(ctx context.Context, r seal.Request) (seal.Answer, error)
}

// Fingerprints remembers texts, so that they are found again inside of others: a *decisionlog.Log.
type Fingerprints interface {
	Fingerprints(text string) []uint64
	KeepFingerprints(ctx context.Context, tenant, itemID string, prints []uint64) error
}

// sealItems handles "POST /v1/seals".
func (s *Server) sealItems(c echo.Context) error {
	if err := eachParameter(c, noParameter); err != nil {
		return err
	}
	from := callerOf(c)
	return s.receive(c, s.decisions, func(body []byte) error {
		req, err := wire.DecodeSealing(body, s.config.Limits)
		if err != nil {
			return err
		}
		if err := from.enter(req.Tenant); err != nil {
			return err
		}
		if s.config.Seals == nil {
			return refuse(codeNotFound, "")
		}
		ctx := c.Request().Context()
		answer, err := s.config.Seals.Issue(ctx, seal.Request{
			Tenant: req.Tenant, RequestedBy: from.name, PolicyRevision: s.config.PolicyRevision(), Items: req.Labels(),
		})
		if err == nil {
			err = s.keepFingerprints(ctx, &req)
		}
		if err != nil {
			return err
		}
		return s.send(c, http.StatusOK, typeJSON, wire.EncodeSealing(&answer))
	})
}

// keepFingerprints remembers the items whose text came along.
func (s *Server) keepFingerprints(ctx context.Context, req *wire.SealRequest) error {
	if s.config.Fingerprints == nil {
		return nil
	}
	for i := range req.Items {
		item := &req.Items[i]
		if item.Content == "" {
			continue
		}
		prints := s.config.Fingerprints.Fingerprints(item.Content)
		if err := s.config.Fingerprints.KeepFingerprints(ctx, req.Tenant, item.Labels.ID, prints); err != nil {
			return err
		}
	}
	return nil
}
