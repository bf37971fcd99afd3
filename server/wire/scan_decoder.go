package wire

import "earshot/policy"

// Decoder reads requests for a decision and remembers the audiences they state, since most come again
// from one request to the next. It is safe for concurrent use. A server has one.
type Decoder struct {
	limits    Limits
	audiences *audienceCache
}

// NewDecoder returns a decoder that holds every body against limits and remembers audiences in at most
// about memory bytes; it remembers none where memory is zero or less.
func NewDecoder(limits Limits, memory int) (*Decoder, error) {
	d := &Decoder{limits: limits.WithDefaults()}
	if memory <= 0 {
		return d, nil
	}
	audiences, err := newAudienceCache(memory)
	if err != nil {
		return nil, err
	}
	d.audiences = audiences
	return d, nil
}

// Decision reads the body of a request for a decision, with the result that DecodeDecision has. The
// members of audiences may be shared with other requests: nothing may write to them.
func (d *Decoder) Decision(body []byte) (policy.Request, error) {
	if req, ok := scan(body, d.limits, d.audiences); ok {
		return req, nil
	}
	return decode(body, d.limits, (*reader).decision)
}
