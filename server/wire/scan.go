package wire

import (
	"slices"

	"earshot/policy"
)

// scanner reads an ordinary body of a request for a decision, which is nearly every one, much faster than
// reader does. It knows no faults: whatever it does not read exactly as reader would is not ordinary, and
// reader reads the whole body instead. So it must never take what reader refuses or notes a fault of, and
// may leave as much as it likes.
//
// Ordinary are the members of the contract, none twice, each with a value of the right type; strings of
// printable ASCII without a backslash; counts within the limits. White space between tokens is ordinary.
type scanner struct {
	data   []byte
	at     int // of the next byte
	limits Limits

	// audiences has audiences that were read before; nil for none.
	audiences *audienceCache

	// texts has names of the body once, up to maxTexts.
	texts map[string]string

	// last has the text that each member had last.
	last [members]string

	// names is where the members of an audience are gathered.
	names []string

	// sources counts the sources read so far.
	sources int

	// odd is set once the body is known not to be ordinary. All that was read is then void.
	odd bool
}

// scan reads body under limits, which have no zero field. It returns false where body is not ordinary.
// The audiences of the request may be shared with other requests; nothing may write to them.
func scan(body []byte, limits Limits, audiences *audienceCache) (policy.Request, bool) {
	if int64(len(body)) > limits.Body {
		return policy.Request{}, false
	}
	s := scanner{data: body, limits: limits, audiences: audiences, texts: make(map[string]string)}
	req := s.decision()
	if s.peek(); s.odd || s.at != len(body) {
		return policy.Request{}, false
	}
	return req, true
}

// stop says that the body is not ordinary. Nothing is found behind the end, so that every loop ends.
func (s *scanner) stop() {
	s.odd = true
	s.at = len(s.data)
}

func (s *scanner) decision() policy.Request {
	var req policy.Request
	var seen member
	s.open('{')
	for m := s.field(&seen); m != 0; m = s.field(&seen) {
		switch m {
		case memberTurn:
			req.Turn = s.turn()
		case memberInheritance:
			req.Inheritance = s.inheritance()
		case memberCandidates:
			req.Candidates = s.candidates()
		default:
			s.stop()
		}
	}
	s.need(seen, memberTurn|memberCandidates)
	return req
}

func (s *scanner) candidates() []policy.Candidate {
	list := []policy.Candidate{}
	s.open('[')
	start := s.at
	for s.next(']', len(list) == 0) {
		switch len(list) {
		case s.limits.Candidates:
			s.stop()
			return nil
		case 1:
			// The others are about as long as the first one. To grow step by step would copy every
			// candidate more than once.
			others := (len(s.data)-s.at)/(s.at-start) + 1
			list = slices.Grow(list, max(0, min(others, s.limits.Candidates-1)))
		}
		list = append(list, policy.Candidate{
			AudienceBasis: policy.BasisRecorded, Kind: policy.KindFact, State: policy.StateLive,
		})
		s.candidate(&list[len(list)-1])
	}
	return list
}
