package server

import (
	"errors"
	"net/url"
	"slices"
	"strconv"

	"earshot/decisionlog"
	"earshot/server/wire"

	"github.com/labstack/echo/v4"
)

// errUnknownParameter is what a reader of a parameter returns for a name it does not know.
var errUnknownParameter = errors.New("is not known here; leave it out")

// eachParameter calls read with each parameter of the query string, in alphabetic order. A
// parameter must be given once and have a value: an empty filter would match everything. An error
// of read is a sentence fragment about the parameter.
func eachParameter(c echo.Context, read func(name, value string) error) error {
	values, err := url.ParseQuery(c.Request().URL.RawQuery)
	if err != nil {
		return refuse(wire.CodeInvalidRequest, "The query string cannot be read. Percent-encode names and values.")
	}
	for _, name := range sortedNames(values) {
		shown := shorten(name)
		switch given := values[name]; {
		case len(given) > 1:
			return refuseParameter(shown, "is given more than once; give it once")
		case given[0] == "":
			return refuseParameter(shown, "is empty; give it a value or leave it out")
		default:
			if err := read(name, given[0]); err != nil {
				return refuseParameter(shown, err.Error())
			}
		}
	}
	return nil
}

func sortedNames(values url.Values) []string {
	names := make([]string, 0, len(values))
	for name := range values {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// shorten returns the beginning of what a caller named a parameter, in printable ASCII.
func shorten(name string) string {
	quoted := strconv.QuoteToASCII(name)
	if plain := quoted[1 : len(quoted)-1]; len(plain) <= 64 {
		return plain
	}
	return quoted[1:65] + "..."
}

// noParameter is the reader of a route without parameters.
func noParameter(string, string) error { return errUnknownParameter }

// parseQuery reads the filters of a list of decisions.
func parseQuery(c echo.Context) (decisionlog.Query, error) {
	var q decisionlog.Query
	err := eachParameter(c, func(name, value string) (err error) {
		switch name {
		case "item":
			q.Item = value
		case "viewer":
			q.Viewer = value
		case "agent":
			q.Agent = value
		case "channel":
			q.Channel = value
		case "tenant":
			q.Tenant = value
		case "reason":
			q.Reason = value
		case "policy_revision":
			q.PolicyRevision = value
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
			q.From, err = wire.ParseInstant(value)
		case "to":
			q.To, err = wire.ParseInstant(value)
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
