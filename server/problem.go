package server

import (
	"context"
	"errors"
	"net/http"
	"strings"

	"earshot/decisionlog"
	"earshot/policy"
	"earshot/server/wire"

	"github.com/labstack/echo/v4"
)

// problem is one kind of refusal: a row of the wire contract's table.
type problem struct {
	code   string
	status int
	title  string

	// detail says what to do where the occasion has nothing more exact to say.
	detail string

	// retryAfter is the value of the Retry-After header, in seconds; empty for none.
	retryAfter string
}

// The codes that this package answers. Those of package wire are the same words.
const (
	codeUnauthenticated   = "unauthenticated"
	codeForbidden         = "forbidden"
	codeNotFound          = "not_found"
	codeMethodNotAllowed  = "method_not_allowed"
	codeEmptyAudience     = "empty_audience"
	codeConflict          = "conflict"
	codeNotExpressible    = "not_expressible"
	codeUnsupportedMedia  = "unsupported_media_type"
	codeOverloaded        = "overloaded"
	codeLogUnavailable    = "log_unavailable"
	codePolicyUnavailable = "policy_unavailable"
	codeInternal          = "internal"
)

// problems returns the table of every refusal there is, in the order of the contract.
func problems() []problem {
	return []problem{
		{wire.CodeInvalidJSON, 400, "The body is not valid JSON", "Send one JSON object in UTF-8 in which each name is given once.", ""},
		{wire.CodeInvalidRequest, 400, "The request does not fit the contract", "Correct the place that is named and send the request again.", ""},
		{codeUnauthenticated, 401, "The caller is not known", "Send a valid token in the header Authorization: Bearer.", ""},
		{codeForbidden, 403, "The credential does not allow this", "Use a credential with the scope and the tenant that the request needs.", ""},
		{codeNotFound, 404, "There is no such thing", "Check the path and the id. What does not exist and what may not be seen answer alike.", ""},
		{codeMethodNotAllowed, 405, "The path does not take this method", "Use a method that the header Allow lists.", ""},
		{codeEmptyAudience, 409, "The audience would be nobody", "Derive the item from sources that have an audience in common.", ""},
		{codeConflict, 409, "The request conflicts with what is recorded", "Read what is recorded and decide whether the request still makes sense.", ""},
		{wire.CodeTooLarge, 413, "The request is too large", "Split the request. Nothing was decided and nothing was cut.", ""},
		{codeUnsupportedMedia, 415, "The body has an unsupported form", "Send Content-Type: application/json without a Content-Encoding.", ""},
		{codeNotExpressible, 422, "The policy cannot be expressed in this form", "Choose another dialect, or decide the candidates one by one.", ""},
		{codeOverloaded, 429, "The service is busy", "Nothing was admitted. Try again after the time in Retry-After.", "1"},
		{codeInternal, 500, "The service failed", "Nothing was admitted. Look for the X-Request-ID of this answer in the log of the service.", ""},
		{codeLogUnavailable, 503, "The decision log cannot be used", "Nothing was admitted. Try again after the time in Retry-After, as a new attempt.", "5"},
		{codePolicyUnavailable, 503, "The policy cannot be evaluated", "Nothing was admitted. Try again after the time in Retry-After.", "5"},
	}
}

// problemOf returns the row of a code, and that of "internal" for a code without one.
func problemOf(code string) problem {
	fallback := problem{code: codeInternal, status: http.StatusInternalServerError}
	for _, p := range problems() {
		switch p.code {
		case code:
			return p
		case codeInternal:
			fallback = p
		}
	}
	return fallback
}

// refusal is an error with a problem of its own.
type refusal struct {
	code   string
	detail string // instead of the table's

	// pointer is a JSON pointer into the body, parameter the name of a query parameter; at most one
	// is set.
	pointer   string
	parameter string

	// cause is for the log; nil where the detail says all.
	cause error
}

// Error returns the code, the detail and the cause.
func (r *refusal) Error() string {
	if r.cause != nil {
		return r.code + ": " + r.cause.Error()
	}
	return r.code + ": " + r.detail
}

// Unwrap returns the cause.
func (r *refusal) Unwrap() error { return r.cause }

// refuse returns an error that is answered with code.
func refuse(code, detail string) error { return &refusal{code: code, detail: detail} }

// refuseParameter returns the error for a query parameter that does not fit.
func refuseParameter(name, problem string) error {
	return &refusal{code: wire.CodeInvalidRequest, parameter: name, detail: "The query parameter " + name + " " + problem + "."}
}

// refusalOf maps an error of any layer to what the caller is told. Whatever is not known here is
// internal: its text stays inside.
func refusalOf(err error) *refusal {
	if own, ok := errors.AsType[*refusal](err); ok {
		return own
	}
	if bad, ok := wire.AsError(err); ok {
		return &refusal{code: bad.Code, pointer: bad.Pointer, detail: sentence(bad)}
	}
	if query, ok := errors.AsType[*decisionlog.QueryError](err); ok {
		own, _ := errors.AsType[*refusal](refuseParameter(query.Parameter, query.Problem))
		return own
	}
	if routing, ok := errors.AsType[*echo.HTTPError](err); ok {
		return &refusal{code: codeOfStatus(routing.Code)}
	}
	switch {
	// Looked for first, since it comes wrapped in policy.ErrNotRecorded.
	case errors.Is(err, decisionlog.ErrOverloaded):
		return &refusal{code: codeOverloaded}
	case errors.Is(err, policy.ErrNotRecorded),
		errors.Is(err, decisionlog.ErrUnavailable),
		errors.Is(err, decisionlog.ErrClosed):
		return &refusal{code: codeLogUnavailable}
	case errors.Is(err, policy.ErrPolicyUnavailable),
		errors.Is(err, context.Canceled),
		errors.Is(err, context.DeadlineExceeded):
		return &refusal{code: codePolicyUnavailable}
	case errors.Is(err, decisionlog.ErrNotFound):
		return &refusal{code: codeNotFound}
	default:
		return &refusal{code: codeInternal}
	}
}

// codeOfStatus maps the errors that the router makes itself.
func codeOfStatus(status int) string {
	switch status {
	case http.StatusNotFound:
		return codeNotFound
	case http.StatusMethodNotAllowed:
		return codeMethodNotAllowed
	default:
		return codeInternal
	}
}

// sentence puts a refusal of the decoder into words that stand alone.
func sentence(e *wire.Error) string {
	if e.Pointer == "" {
		return strings.ToUpper(e.Detail[:1]) + e.Detail[1:] + "."
	}
	return e.Pointer + " " + e.Detail + "."
}
