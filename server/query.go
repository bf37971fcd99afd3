package server

import (
	"net/url"
	"slices"
	"strconv"

	"earshot/server/wire"

	"github.com/labstack/echo/v4"
)

// errUnknownParameter is what a reader of a parameter returns for a name it does not know.
var errUnknownParameter = wire.ErrUnknownFilter

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
