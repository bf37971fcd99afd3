package server

import (
	"bytes"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strings"

	"earshot/server/wire"
)

// readBody returns the whole body of a JSON request of at most limit bytes, before anything is
// answered. It does not use http.MaxBytesReader, which closes the connection from inside the read
// and so races with the answer.
func readBody(r *http.Request, limit int64) ([]byte, error) {
	if err := checkMediaType(r.Header); err != nil {
		return nil, err
	}
	if r.ContentLength > limit {
		return nil, wire.TooLarge(limit)
	}
	var body bytes.Buffer
	if known := r.ContentLength; known > 0 {
		// What the caller announces is believed only for as much as costs nothing.
		body.Grow(int(min(known+bytes.MinRead, 64<<10)))
	}
	switch _, err := body.ReadFrom(io.LimitReader(r.Body, limit+1)); {
	case err != nil:
		return nil, refuse(wire.CodeInvalidJSON, "The body could not be read to its end. Send it whole.")
	case int64(body.Len()) > limit:
		return nil, wire.TooLarge(limit)
	default:
		return body.Bytes(), nil
	}
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
