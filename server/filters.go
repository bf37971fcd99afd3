package server

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"earshot/decisionlog"
	"earshot/policy"
	"earshot/server/wire"

	"github.com/labstack/echo/v4"
)

// parseQuery reads the filters of a list of decisions. One that could never match is an error: an
// empty list would say that there is no such decision.
func parseQuery(c echo.Context) (decisionlog.Query, error) {
	var q decisionlog.Query
	err := eachParameter(c, func(name, value string) (err error) {
		switch name {
		case "item":
			q.Item, err = value, checkItem(value)
		case "viewer":
			q.Viewer, err = value, checkPrincipal(value)
		case "agent":
			q.Agent, err = value, checkPrincipal(value)
		case "channel":
			q.Channel, err = value, policy.CheckLabel(value)
		case "tenant":
			q.Tenant, err = value, policy.CheckLabel(value)
		case "reason":
			q.Reason, err = value, checkReason(value)
		case "policy_revision":
			q.PolicyRevision, err = value, checkRevision(value)
		case "verdict":
			q.Verdict = value
			if !isVerdict(value) {
				err = errors.New("must be one of " + verdictList())
			}
		case "admit":
			var admit bool
			admit, err = parseBool(value)
			q.Admit = &admit
		case "from":
			q.From, err = parseMoment(value)
		case "to":
			q.To, err = parseMoment(value)
		case "limit":
			q.Limit, err = parseLimit(value)
		case "cursor":
			q.Cursor = value
		default:
			err = errUnknownParameter
		}
		return err
	})
	return q, err
}

// parseBool reads true or false and nothing that only looks like it.
func parseBool(s string) (bool, error) {
	switch s {
	case "true":
		return true, nil
	case "false":
		return false, nil
	default:
		return false, errors.New("must be true or false")
	}
}

// parseLimit reads the number of entries of a page. How many are too many is for the log to say.
func parseLimit(s string) (int, error) {
	n, err := strconv.ParseUint(s, 10, 31)
	if err != nil || n == 0 {
		return 0, errors.New("must be a whole number of at least 1")
	}
	return int(n), nil
}

// parseMoment reads a time. In a query string a plus sign is a blank, so that the zone of a time that is
// right everywhere else is lost here.
func parseMoment(s string) (time.Time, error) {
	t, err := wire.ParseInstant(s)
	if err != nil {
		err = fmt.Errorf("%w; send + as %%2B in a query", err)
	}
	return t, err
}

func checkPrincipal(s string) error {
	if err := policy.CheckPrincipal(s); err != nil {
		return fmt.Errorf("must be a principal: %w", err)
	}
	return nil
}

// checkItem returns nil for what can stand in the log as the id of a candidate. Candidates with an id
// of a wrong form are there too, as denied.
func checkItem(s string) error {
	if len(s) > policy.MaxName || !utf8.ValidString(s) {
		return fmt.Errorf("must be at most %d bytes of UTF-8", policy.MaxName)
	}
	return nil
}

// checkReason returns nil for a code of the policy, or of a rule that authors added.
func checkReason(s string) error {
	if local, ok := strings.CutPrefix(s, "local:"); ok {
		return policy.CheckLabel(local)
	}
	if strings.Trim(s, "abcdefghijklmnopqrstuvwxyz0123456789_") != "" {
		return errors.New("must be a code such as revoked, or local: and the code of a rule of your own")
	}
	return nil
}

// checkRevision returns nil for the digest of a policy.
func checkRevision(s string) error {
	digits, ok := strings.CutPrefix(s, "sha256:")
	if !ok || len(digits) != 64 || strings.Trim(digits, "0123456789abcdef") != "" {
		return errors.New(`must be "sha256:" and 64 lower-case hex digits`)
	}
	return nil
}
