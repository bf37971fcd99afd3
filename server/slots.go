package server

import (
	"errors"

	"earshot/policy"

	"github.com/labstack/echo/v4"
)

// slots bound how many requests of a sort are worked on at once.
type slots chan struct{}

// enter takes a slot, which leave gives back. Where none is free it refuses and does not wait: a
// caller knows better than this service whether the answer would still be of use.
func (s slots) enter() (leave func(), err error) {
	select {
	case s <- struct{}{}:
		return func() { <-s }, nil
	default:
		return nil, refuse(codeOverloaded, "")
	}
}

// receive has handle work on the body of a request while it holds a slot, and counts it where something
// could not be recorded. The body is read before the slot is taken, so that whoever sends slowly holds
// up nobody.
func (s *Server) receive(c echo.Context, slots slots, handle func(body []byte) error) error {
	body, release, err := s.readBody(c)
	defer release()
	if err != nil {
		return err
	}
	leave, err := slots.enter()
	if err != nil {
		return err
	}
	defer leave()
	err = handle(body)
	if errors.Is(err, policy.ErrNotRecorded) {
		s.metrics.logError()
	}
	return err
}

// reading bounds the requests that read decisions, and tells their failures apart from those of a
// decision.
func (s *Server) reading(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		leave, err := s.reads.enter()
		if err != nil {
			return err
		}
		defer leave()
		return readFailure(next(c))
	}
}
