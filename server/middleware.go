package server

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"runtime/debug"
	"strconv"
	"time"

	"github.com/google/uuid"
	"github.com/labstack/echo/v4"
	"github.com/rs/zerolog"
)

// headerRequestID carries the name of a request, from the caller or from here.
const headerRequestID = "X-Request-ID"

const keyStory = "earshot.story"

// story is what the log tells about one request: nothing that a caller wrote save the request id.
type story struct {
	requestID   string
	requestedBy string // the name of the credential
	decisionID  string
	code        string // of the refusal
	cause       error  // of a refusal that is not the caller's fault

	// bodyBegun is set once the body is being read.
	bodyBegun bool
}

// about returns the story of the request; a new one outside the chain, so that it is never nil.
func about(c echo.Context) *story {
	if told, ok := c.Get(keyStory).(*story); ok {
		return told
	}
	told := &story{}
	c.Set(keyStory, told)
	return told
}

// fail notes why the request was refused. Causes of refusals below 500 may repeat what the caller
// wrote, so they are left out.
func (t *story) fail(code string, cause error) {
	t.code = code
	if problemOf(code).status >= http.StatusInternalServerError {
		t.cause = cause
	}
}

// identify gives the request an id: the caller's, where it is fit to be logged and sent back, or a
// UUID version 7.
func (s *Server) identify(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		id := c.Request().Header.Get(headerRequestID)
		if !isRequestID(id) {
			fresh, err := uuid.NewV7()
			if err != nil {
				return fmt.Errorf("make a request id: %w", err)
			}
			id = fresh.String()
		}
		about(c).requestID = id
		c.Response().Header().Set(headerRequestID, id)
		return next(c)
	}
}

// isRequestID reports whether s is 1–128 visible characters of ASCII.
func isRequestID(s string) bool {
	if s == "" || len(s) > 128 {
		return false
	}
	for i := range len(s) {
		if s[i] <= ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}

// clientClosed stands for the status of a request whose caller hung up before there was an answer.
const clientClosed = "client_closed"

// observe answers the error of a request, then counts the request and logs one line about it. The
// route stands for the path, which may hold names.
func (s *Server) observe(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		began := time.Now()
		err := next(c)
		if err != nil && hungUp(c, err) {
			s.record(c, clientClosed, zerolog.InfoLevel, time.Since(began))
			return nil
		}
		if err != nil {
			c.Error(err)
		}
		level := zerolog.InfoLevel
		if c.Response().Status >= http.StatusInternalServerError {
			level = zerolog.ErrorLevel
		}
		s.record(c, strconv.Itoa(c.Response().Status), level, time.Since(began))
		return nil
	}
}

// hungUp reports whether err is only that the caller has gone.
func hungUp(c echo.Context, err error) bool {
	return errors.Is(err, context.Canceled) && !c.Response().Committed &&
		errors.Is(c.Request().Context().Err(), context.Canceled)
}

// record counts a request and logs its line.
func (s *Server) record(c echo.Context, outcome string, level zerolog.Level, took time.Duration) {
	method, route, told := methodLabel(c.Request().Method), routeOf(c), about(c)
	s.metrics.request(method, route, outcome, took)

	line := s.config.Logger.WithLevel(level).Str("method", method).Str("route", route)
	status := c.Response().Status
	if outcome == clientClosed {
		line.Str("outcome", outcome)
	} else {
		line.Int("status", status)
	}
	line.Dur("duration_ms", took).Str("request_id", told.requestID)
	if told.requestedBy != "" {
		line.Str("requested_by", told.requestedBy)
	}
	if outcome != clientClosed && (status == http.StatusUnauthorized || status == http.StatusForbidden) {
		line.Str("peer", hostOf(c.Request().RemoteAddr))
	}
	if told.decisionID != "" {
		line.Str("decision_id", told.decisionID)
	}
	if told.code != "" {
		line.Str("code", told.code)
	}
	if told.cause != nil {
		line.AnErr("cause", told.cause)
	}
	line.Msg("request")
}

// unmatched stands for the path of a request that no route took.
const unmatched = "unmatched"

func routeOf(c echo.Context) string {
	if path := c.Path(); path != "" {
		return path
	}
	return unmatched
}

// recoverPanic makes an error of a panic. Nothing was answered before it, as handlers write last.
func (s *Server) recoverPanic(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) (err error) {
		defer func() {
			switch p := recover(); p {
			case nil:
			case http.ErrAbortHandler:
				panic(p) // the agreed way to cut a connection
			default:
				err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
			}
		}()
		return next(c)
	}
}

// secureHeaders keeps answers out of caches and pages: they name people.
func secureHeaders(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		h := c.Response().Header()
		h.Set("Cache-Control", "no-store")
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
		return next(c)
	}
}
