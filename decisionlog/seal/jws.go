package seal

import (
	"encoding/base64"
	"errors"
	"strings"
)

// A general JWS library takes many forms of a signature and is then told to refuse most of them, and
// the ones at hand read base64url that is not canonical. Here one form is written, so one form is read:
// the header is compared byte by byte, and its alg is never asked.

// Type is the typ of a seal's header (RFC 7515, section 4.1.9).
const Type = "context_provenance_attribution_signature+jws"

// MaxLength is the longest seal that is read, in bytes. Labels of the greatest length fit.
const MaxLength = 16 << 10

var errForm = errors.New("not in the form of a seal")

// The protected header of a seal is the id of the key between these.
const (
	beforeKID = `{"alg":"EdDSA","kid":"`
	afterKID  = `","typ":"` + Type + `"}`
)

// signingInput returns what is signed: header and payload (RFC 7515, section 5.1).
func signingInput(kid string, payload []byte) string {
	return encode([]byte(beforeKID+kid+afterKID)) + "." + encode(payload)
}

// parts are a seal taken apart. Nothing in it is verified but its form.
type parts struct {
	kid       string
	input     string
	payload   []byte
	signature []byte
}

// take takes a seal apart. There is one seal for each parts and no other way to write it.
func take(seal string) (parts, error) {
	if len(seal) > MaxLength {
		return parts{}, errForm
	}
	segments := strings.Split(seal, ".")
	if len(segments) != 3 {
		return parts{}, errForm
	}
	var decoded [3][]byte
	for i, segment := range segments {
		var err error
		if decoded[i], err = decode(segment); err != nil {
			return parts{}, err
		}
	}
	// Whatever stands between the two is looked up, and names a key or does not.
	kid, ok := strings.CutPrefix(string(decoded[0]), beforeKID)
	if ok {
		kid, ok = strings.CutSuffix(kid, afterKID)
	}
	if !ok {
		return parts{}, errForm
	}
	return parts{
		kid:       kid,
		input:     seal[:len(segments[0])+1+len(segments[1])],
		payload:   decoded[1],
		signature: decoded[2],
	}, nil
}

func encode(b []byte) string { return base64.RawURLEncoding.EncodeToString(b) }

// decode reads base64url without padding, in the one way in which encode writes it. The decoder of the
// standard library passes over line breaks and, unless it is strict, over bits that count for nothing.
func decode(s string) ([]byte, error) {
	if strings.ContainsAny(s, "\r\n") {
		return nil, errForm
	}
	b, err := base64.RawURLEncoding.Strict().DecodeString(s)
	if err != nil {
		return nil, errForm
	}
	return b, nil
}
