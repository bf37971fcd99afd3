package server

import (
	"net/http"

	"earshot/decisionlog/receipt"
	"earshot/policy"
	"earshot/server/wire"

	"github.com/labstack/echo/v4"
)

// decide handles "POST /v1/decisions".
func (s *Server) decide(c echo.Context) error {
	from := callerOf(c)
	options, err := answerOptions(c, from)
	if err != nil {
		return err
	}
	return s.receive(c, s.decisions, func(body []byte) error {
		req, err := s.decoder.Decision(body)
		if err != nil {
			return err
		}
		if err := from.enter(req.Turn.Tenant); err != nil {
			return err
		}
		req.RequestedBy = from.name

		decision, err := s.config.Point.Decide(c.Request().Context(), req)
		if err != nil {
			return err
		}
		about(c).decisionID = decision.ID
		s.count(&counted{
			id: decision.ID, revision: decision.PolicyRevision, verdict: decision.Verdict,
			results: decision.Results, failures: decision.Failures,
		})

		var receipts receipt.Set
		if options.receipts {
			if receipts, err = s.config.Receipts.Decision(c.Request().Context(), decision); err != nil {
				return err
			}
		}
		var details []policy.Detail
		if options.explain {
			details = make([]policy.Detail, len(decision.Results))
			for i := range details {
				details[i] = s.config.Point.Explain(decision, i)
			}
		}
		answer := wire.EncodeDecision(decision, details)
		answer.Receipts = wire.EncodeReceipts(receipts)
		return s.send(c, http.StatusOK, typeJSON, answer)
	})
}

// options say what an answer has beside the decision.
type options struct {
	explain  bool
	receipts bool
}

// answerOptions reads the query parameters of a question. Only an auditor may have it explained.
func answerOptions(c echo.Context, from caller) (o options, err error) {
	err = eachParameter(c, func(name, value string) (err error) {
		switch name {
		case "explain":
			o.explain, err = wire.ReadBool(value)
		case "receipts":
			o.receipts, err = wire.ReadBool(value)
		default:
			return errUnknownParameter
		}
		return err
	})
	if err != nil || !o.explain {
		return o, err
	}
	return o, from.need(ScopeAudit)
}

// maxFailureLines is how many failures of the policy one decision puts into the log. The first ones
// say enough; the metric counts all.
const maxFailureLines = 5

// count puts a decision into the metrics. A policy that disagrees with the engine's own test, or gives
// no usable answer, is a broken policy, so it is also said in the log.
func (s *Server) count(d *counted) {
	if violations := s.metrics.decision(d); violations > 0 {
		s.config.Logger.Error().
			Str("decision_id", d.id).
			Str("policy_revision", d.revision).
			Int("candidates", violations).
			Msg("the policy admitted what the engine's own test refused")
	}
	for _, failure := range d.failures[:min(len(d.failures), maxFailureLines)] {
		s.config.Logger.Error().
			Str("decision_id", d.id).
			Str("policy_revision", d.revision).
			Int("position", failure.Position).
			AnErr("cause", failure.Cause).
			Int("failures", len(d.failures)).
			Msg("the policy gave no usable answer")
	}
}

// counted is what the metrics take of a decision or a hand-off.
type counted struct {
	id, revision string
	verdict      policy.Verdict
	results      []policy.Result
	failures     []policy.Failure
}
