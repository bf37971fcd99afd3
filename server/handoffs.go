package server

import (
	"net/http"

	"earshot/policy"
	"earshot/server/wire"

	"github.com/labstack/echo/v4"
)

// handOff handles "POST /v1/handoffs".
func (s *Server) handOff(c echo.Context) error {
	from := callerOf(c)
	options, err := answerOptions(c, from)
	if err != nil {
		return err
	}
	return s.receive(c, s.decisions, func(body []byte) error {
		h, err := wire.DecodeHandoff(body, s.config.Limits)
		if err != nil {
			return err
		}
		h.RequestedBy, h.Tenant = from.name, from.tenant

		decision, err := s.config.Point.HandOff(c.Request().Context(), h)
		if err != nil {
			return err
		}
		about(c).decisionID = decision.ID
		s.count(&counted{
			id: decision.ID, revision: decision.PolicyRevision, verdict: decision.Verdict,
			results: decision.Results, failures: decision.Failures,
		})

		// A hand-off always comes with its receipts, so to ask for them changes nothing.
		receipts, err := s.config.Receipts.Handoff(c.Request().Context(), decision)
		if err != nil {
			return err
		}
		var details []policy.Detail
		if options.explain {
			details = make([]policy.Detail, len(decision.Results))
			for i := range details {
				details[i] = s.config.Point.ExplainHandoff(decision, i)
			}
		}
		answer := wire.EncodeHandoff(decision, details)
		answer.Receipts = wire.EncodeReceipts(receipts)
		return s.send(c, http.StatusOK, typeJSON, answer)
	})
}
