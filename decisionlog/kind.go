package decisionlog

// The types of leaf. Each has a form of payload of its own.
const (
	leafDecision     = "decision"
	leafHandoff      = "handoff"
	leafReceipt      = "receipt"
	leafSealing      = "sealing"
	leafVerification = "verification"
	leafErasure      = "erasure"
	leafRetention    = "retention"
	leafAccess       = "access"
	leafDisposition  = "disposition"
)

// entryKind is how entries of one type of leaf are read.
type entryKind interface {
	// check reads a payload and all that it refers to, for its errors.
	check(v *values, l *leaf, stored []byte) error

	// postings returns what the payload gives the index, sorted and distinct. It needs documents, but
	// no name, so it gives the same after any erasure.
	postings(v *values, seq int64, l *leaf, stored []byte) ([]posting, error)
}

// decisionKind is an entryKind that List and Get show.
type decisionKind interface {
	entryKind

	// record fills in what the payload says.
	record(v *values, r *Record, l *leaf, stored []byte) error

	// summarize fills in what the payload says beside the items, or nothing.
	summarize(v *values, s *Summary, l *leaf, stored []byte) error
}

// kindOf returns the kind of a type of leaf; nil for one that is unknown.
func kindOf(typ string) entryKind {
	switch typ {
	case leafDecision:
		return askedKind{}
	case leafHandoff:
		return handoffKind{}
	case leafReceipt:
		return receiptKind{}
	case leafSealing:
		return sealingKind{}
	case leafVerification:
		return verificationKind{}
	case leafErasure:
		return erasureKind{}
	case leafRetention:
		return retentionKind{}
	case leafAccess:
		return accessKind{}
	case leafDisposition:
		return dispositionKind{}
	default:
		return nil
	}
}

// isDecision reports whether List and Get show entries of this type.
func isDecision(typ string) bool {
	_, ok := kindOf(typ).(decisionKind)
	return ok
}

// askedKind is how entries of the type "decision" are read.
type askedKind struct{}

func (askedKind) check(v *values, l *leaf, stored []byte) error {
	_, err := v.entry(l, stored)
	return err
}

func (askedKind) postings(v *values, seq int64, l *leaf, stored []byte) ([]posting, error) {
	return v.postings(seq, l, stored)
}

func (askedKind) record(v *values, r *Record, l *leaf, stored []byte) (err error) {
	r.Entry, err = v.entry(l, stored)
	return err
}

func (askedKind) summarize(v *values, s *Summary, l *leaf, stored []byte) error {
	return v.summarizeDecision(s, l, stored)
}

// handoffKind is how entries of the type "handoff" are read.
type handoffKind struct{}

func (handoffKind) check(v *values, l *leaf, stored []byte) error {
	_, err := v.handoff(l, stored)
	return err
}

func (handoffKind) postings(v *values, seq int64, l *leaf, stored []byte) ([]posting, error) {
	return v.handoffPostings(seq, l, stored)
}

func (handoffKind) record(v *values, r *Record, l *leaf, stored []byte) (err error) {
	r.Handoff, err = v.handoff(l, stored)
	return err
}

func (handoffKind) summarize(v *values, s *Summary, l *leaf, stored []byte) error {
	return v.summarizeHandoff(s, l, stored)
}
