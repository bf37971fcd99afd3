package server

import (
	"fmt"

	"earshot/decisionlog"
	"earshot/server/wire"

	"github.com/labstack/echo/v4"
)

// parseQuery reads the filters of a list of decisions.
func parseQuery(c echo.Context) (decisionlog.Query, error) {
	var q decisionlog.Query
	err := eachParameter(c, func(name, value string) error { return readFilter(&q, name, value) })
	return q, err
}

// readFilter reads one filter. In a query string a plus sign is a blank, so that the zone of a time that
// is right everywhere else is lost here.
func readFilter(q *decisionlog.Query, name, value string) error {
	err := wire.ReadFilter(q, name, value)
	if err != nil && (name == "from" || name == "to") {
		err = fmt.Errorf("%w; send + as %%2B in a query", err)
	}
	return err
}

// ofTenant binds a question to the tenant of its caller.
func (from caller) ofTenant(q *decisionlog.Query) error {
	if from.tenant == "" {
		return nil
	}
	if q.Tenant != "" && q.Tenant != from.tenant {
		return refuse(codeForbidden, "The credential is bound to another tenant. Leave the query parameter tenant out.")
	}
	q.Tenant = from.tenant
	return nil
}
