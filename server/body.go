package server

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strings"

	"earshot/server/wire"

	"github.com/labstack/echo/v4"
	"golang.org/x/sync/semaphore"
)

// readBody returns the whole body of a JSON request, before anything is answered. The caller must call
// release, error or not, when nothing of the body is needed any more. It does not use
// http.MaxBytesReader, which closes the connection from inside the read and so races with the answer.
func (s *Server) readBody(c echo.Context) (body []byte, release func(), err error) {
	r, limit := c.Request(), s.config.Limits.Body
	metered := &meteredReader{from: r.Body, budget: s.bodies}
	if err := checkMediaType(r.Header); err != nil {
		return nil, metered.release, err
	}
	if r.ContentLength > limit {
		return nil, metered.release, wire.TooLarge(limit)
	}
	about(c).bodyBegun = true
	var buffer bytes.Buffer
	if known := r.ContentLength; known > 0 {
		// What the caller announces is believed only for as much as costs nothing.
		buffer.Grow(int(min(known+bytes.MinRead, 64<<10)))
	}
	_, err = buffer.ReadFrom(io.LimitReader(metered, limit+1))
	switch refused := (*refusal)(nil); {
	case errors.As(err, &refused):
	case err != nil:
		err = refuse(wire.CodeInvalidJSON, "The body could not be read to its end. Send it whole.")
	case int64(buffer.Len()) > limit:
		err = wire.TooLarge(limit)
	default:
		return buffer.Bytes(), metered.release, nil
	}
	return nil, metered.release, err
}

// meteredReader takes what it has read out of a budget. It counts bytes when they are there and not
// when they are announced: a body that comes slowly holds no room for what it has yet to send.
type meteredReader struct {
	from   io.Reader
	budget *semaphore.Weighted
	taken  int64
}

// Read refuses as overloaded where the budget is used up.
func (m *meteredReader) Read(p []byte) (int, error) {
	n, err := m.from.Read(p)
	if n > 0 && !m.budget.TryAcquire(int64(n)) {
		return 0, refuse(codeOverloaded, "")
	}
	m.taken += int64(n)
	return n, err
}

// release gives everything back, once.
func (m *meteredReader) release() {
	m.budget.Release(m.taken)
	m.taken = 0
}

// checkMediaType returns nil for uncompressed JSON in UTF-8.
func checkMediaType(h http.Header) error {
	given := h.Get("Content-Type")
	mediaType, params, err := mime.ParseMediaType(given)
	if err != nil || mediaType != typeJSON {
		return refuse(codeUnsupportedMedia, "Send the body with Content-Type: application/json.")
	}
	if charset, ok := params["charset"]; ok && !strings.EqualFold(charset, "utf-8") {
		return refuse(codeUnsupportedMedia, "Send the body in UTF-8; JSON has no other encoding (RFC 8259, section 8.1).")
	}
	for _, encoding := range h.Values("Content-Encoding") {
		if encoding != "" && !strings.EqualFold(encoding, "identity") {
			return refuse(codeUnsupportedMedia, fmt.Sprintf("Send the body without Content-Encoding; %.32q is not supported.", encoding))
		}
	}
	return nil
}
