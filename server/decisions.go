package server

import (
	"errors"
	"net/http"
	"slices"
	"strings"

	"earshot/decisionlog"
	"earshot/policy"
	"earshot/server/wire"

	"github.com/labstack/echo/v4"
)

// decide handles "POST /v1/decisions".
func (s *Server) decide(c echo.Context) error {
	from := callerOf(c)
	explain, err := explainAsked(c, from)
	if err != nil {
		return err
	}
	body, err := readBody(c.Request(), s.config.Limits.Body)
	if err != nil {
		return err
	}
	req, err := wire.DecodeDecision(body, s.config.Limits)
	if err != nil {
		return err
	}
	if err := from.enter(req.Turn.Tenant); err != nil {
		return err
	}
	req.RequestedBy = from.name

	decision, err := s.config.Point.Decide(c.Request().Context(), req)
	if err != nil {
		if errors.Is(err, policy.ErrNotRecorded) {
			s.metrics.logError()
		}
		return err
	}
	about(c).decisionID = decision.ID
	s.count(decision)

	var details []policy.Detail
	if explain {
		details = make([]policy.Detail, len(decision.Results))
		for i := range details {
			details[i] = s.config.Point.Explain(&decision.Entry, i)
		}
	}
	return s.send(c, http.StatusOK, typeJSON, wire.EncodeDecision(decision, details))
}

// explainAsked reports whether the answer is to be explained, which only an auditor may ask for.
func explainAsked(c echo.Context, from caller) (bool, error) {
	asked := false
	err := eachParameter(c, func(name, value string) (err error) {
		if name != "explain" {
			return errUnknownParameter
		}
		asked, err = parseBool(value)
		return err
	})
	if err != nil || !asked {
		return false, err
	}
	return true, from.need(ScopeAudit)
}

// count puts a decision into the metrics. A policy that disagrees with the engine's own test is a
// broken policy, so it is also said in the log.
func (s *Server) count(d *policy.Decision) {
	violations := s.metrics.decision(&d.Entry)
	if violations > 0 {
		s.config.Logger.Error().
			Str("decision_id", d.ID).
			Str("policy_revision", d.PolicyRevision).
			Int("candidates", violations).
			Msg("the policy admitted what the engine's own subset test refused")
	}
}

// getDecision handles "GET /v1/decisions/:id". What the caller may not see does not exist.
func (s *Server) getDecision(c echo.Context) error {
	if err := eachParameter(c, noParameter); err != nil {
		return err
	}
	record, err := s.config.Decisions.Get(c.Request().Context(), c.Param("id"))
	if err != nil {
		return err
	}
	if from := callerOf(c); from.enter(record.Request.Turn.Tenant) != nil {
		return decisionlog.ErrNotFound
	}
	if record.Pruned {
		return refuse(codeNotFound, "Retention has emptied this decision. Its commitment in the log is all that is left.")
	}
	about(c).decisionID = record.ID
	return s.send(c, http.StatusOK, typeJSON, wire.EncodeRecord(&record.Entry, record.Log))
}

// listDecisions handles "GET /v1/decisions".
func (s *Server) listDecisions(c echo.Context) error {
	query, err := parseQuery(c)
	if err != nil {
		return err
	}
	if from := callerOf(c); from.tenant != "" {
		if query.Tenant != "" && query.Tenant != from.tenant {
			return refuse(codeForbidden, "The credential is bound to another tenant. Leave the query parameter tenant out.")
		}
		query.Tenant = from.tenant
	}
	page, err := s.config.Decisions.List(c.Request().Context(), query)
	if err != nil {
		return err
	}
	answer := wire.Page{Decisions: []wire.Summary{}}
	for _, record := range page.Records {
		if !record.Pruned { // nothing is left to list
			answer.Decisions = append(answer.Decisions, wire.EncodeSummary(&record.Entry, record.Log))
		}
	}
	if page.Next != "" {
		answer.NextCursor = &page.Next
	}
	return s.send(c, http.StatusOK, typeJSON, answer)
}

func isVerdict(s string) bool { return slices.Contains(verdicts(), policy.Verdict(s)) }

func verdictList() string {
	words := make([]string, 0, len(verdicts()))
	for _, v := range verdicts() {
		words = append(words, string(v))
	}
	return strings.Join(words, ", ")
}

func verdicts() []policy.Verdict {
	return []policy.Verdict{
		policy.IsolatedContext, policy.AuthorizedSharing, policy.BleedDetected, policy.UnattributedContext,
	}
}
