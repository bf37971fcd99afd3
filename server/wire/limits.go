package wire

// Limits bound one request. Whatever is over a limit refuses the whole request with CodeTooLarge;
// nothing is ever cut. A zero field has the value of DefaultLimits.
type Limits struct {
	// Body is the size of the request body, in bytes.
	Body int64

	// Candidates is the number of candidates.
	Candidates int

	// Members is the number of members of one audience, and of every other list of principals.
	Members int

	// Sources is the number of sources of all candidates together, nested ones included.
	Sources int
}

// DefaultLimits returns the limits of the wire contract. The limit on sources keeps the memory of
// one request in proportion to its body, since a source can be two bytes long.
func DefaultLimits() Limits {
	return Limits{Body: 32 << 20, Candidates: 10_000, Members: 100_000, Sources: 100_000}
}

// WithDefaults returns l with every zero field filled from DefaultLimits.
func (l Limits) WithDefaults() Limits {
	d := DefaultLimits()
	if l.Body == 0 {
		l.Body = d.Body
	}
	if l.Candidates == 0 {
		l.Candidates = d.Candidates
	}
	if l.Members == 0 {
		l.Members = d.Members
	}
	if l.Sources == 0 {
		l.Sources = d.Sources
	}
	return l
}

// maxDepth is how deep a body may be nested. It bounds the stack and is far more than the contract
// needs: sources may be nested 32 levels deep.
const maxDepth = 128

// tooDeep reports whether brackets in body are nested deeper than maxDepth. It needs no valid JSON,
// so that it can stand before every recursive reader.
func tooDeep(body []byte) bool {
	depth := 0
	inString := false
	for i := 0; i < len(body); i++ {
		switch b := body[i]; {
		case inString && b == '\\':
			i++
		case b == '"':
			inString = !inString
		case inString:
		case b == '{' || b == '[':
			if depth++; depth > maxDepth {
				return true
			}
		case b == '}' || b == ']':
			depth--
		}
	}
	return false
}
