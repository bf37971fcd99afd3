package server

import (
	"fmt"
	"net/http"
	"runtime/debug"
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
	requestID  string
	decisionID string
	code       string // of the refusal
	cause      error  // of a refusal that is not the caller's fault
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

// observe answers the error of a request, then counts the request and logs one line about it. The
// route stands for the path, which may hold names.
func (s *Server) observe(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		began := time.Now()
		if err := next(c); err != nil {
			c.Error(err)
		}
		took := time.Since(began)
		route, status, told := routeOf(c), c.Response().Status, about(c)
		s.metrics.request(c.Request().Method, route, status, took)

		level := zerolog.InfoLevel
		if status >= http.StatusInternalServerError {
			level = zerolog.ErrorLevel
		}
		line := s.config.Logger.WithLevel(level).
			Str("method", methodLabel(c.Request().Method)).
			Str("route", route).
			Int("status", status).
			Dur("duration_ms", took).
			Str("request_id", told.requestID)
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
		return nil
	}
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

// bounded refuses what is more than Config.MaxInFlight, before its body is read.
func (s *Server) bounded(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		select {
		case s.inFlight <- struct{}{}:
			defer func() { <-s.inFlight }()
			return next(c)
		default:
			return refuse(codeOverloaded, "")
		}
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
