package server

import (
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/labstack/echo/v4"
)

const (
	// drainBytes and drainTime are how much is read, and for how long, of a body that was refused.
	drainBytes = 64 << 20
	drainTime  = 2 * time.Second
)

// drain reads what a refused request still sends. Many clients listen only once they have sent
// everything, and would see a broken connection in place of the refusal.
func drain(c echo.Context) {
	r := c.Request()
	if strings.EqualFold(r.Header.Get("Expect"), "100-continue") && !about(c).bodyBegun {
		return // It asked before it sends, and the refusal is the answer (RFC 9110, section 10.1.1).
	}
	// A writer that has no deadline is not a connection, so nothing can be slow. The deadline goes
	// with the request: net/http sets another one for the next.
	_ = http.NewResponseController(c.Response()).SetReadDeadline(time.Now().Add(drainTime))
	// What cannot be read is not needed: the connection is closed then, as it would have been anyway.
	_, _ = io.CopyN(io.Discard, r.Body, drainBytes)
}
