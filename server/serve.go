package server

import (
	"context"
	"errors"
	"fmt"
	"log"
	"net"
	"net/http"
	"time"
)

// Time limits of a connection. A body of the greatest size must arrive within readTimeout.
const (
	readHeaderTimeout = 10 * time.Second
	readTimeout       = 60 * time.Second
	writeTimeout      = 120 * time.Second // counts from the end of the header, so it spans the work
	idleTimeout       = 120 * time.Second
	maxHeaderBytes    = 64 << 10
)

// Serve answers on listener until ctx ends. Then it takes no new connection, finishes what was
// accepted, and returns nil. It returns an error if the listener fails, or if requests were still
// running when Config.Grace was over; their connections are then cut. It closes listener.
func (s *Server) Serve(ctx context.Context, listener net.Listener) error {
	server := &http.Server{
		Handler:           s.Handler(),
		ReadHeaderTimeout: readHeaderTimeout,
		ReadTimeout:       readTimeout,
		WriteTimeout:      writeTimeout,
		IdleTimeout:       idleTimeout,
		MaxHeaderBytes:    maxHeaderBytes,
		ErrorLog:          log.New(s.config.Logger, "", 0),
	}
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()

	select {
	case err := <-served:
		return fmt.Errorf("serve: %w", err)
	case <-ctx.Done():
	}
	// ctx has ended and must not end the grace time with it.
	grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), s.config.Grace)
	defer cancel()
	if err := server.Shutdown(grace); err != nil {
		return fmt.Errorf("stop: requests were cut after %s: %w", s.config.Grace, errors.Join(err, server.Close()))
	}
	return nil
}
