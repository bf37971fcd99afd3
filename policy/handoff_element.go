package policy

// Element is the label of one piece of a context that is handed over.
type Element struct {
	// ID is the caller's id of the element. The same id twice is legal; results answer by position.
	ID string

	// Source is the agent that introduced it; empty when nobody is named.
	Source string

	Shared       bool
	Confidential Confidentiality

	// Kind is one of Kinds.
	Kind string

	// Digest is of the content, as "sha256:" and 64 lower-case hex digits; empty when absent.
	Digest string

	// InheritedVia are the agents through whose hands it went after Source, in order. The one that is
	// to inherit it now is not among them, unless it had it before. At most MaxHands.
	InheritedVia []string

	// Sources are what it was derived from. Summary, node and edge must name theirs; at most MaxSources,
	// nested ones included, nested at most MaxSourceDepth deep.
	Sources []ElementSource

	// Seal is a provenance signature as the caller handed it in; empty when absent.
	Seal string

	// Unstated are the labels that the caller left to the seal: LabelShared, LabelKind, LabelSources.
	// Without a seal it says nothing, and in a HandoffEntry it is zero.
	Unstated Labels
}

// ElementSource is the label of something an element was derived from.
type ElementSource struct {
	ID           string
	Source       string
	Shared       bool
	Confidential Confidentiality

	// Kind is one of Kinds, or empty when it is not stated.
	Kind   string
	Digest string

	// InheritedVia are the agents through whose hands it went before it came to the agent that derived
	// something from it. In a HandoffEntry, where sources are flat, they lead up to the agent that
	// derived the element, and whoever derived something in between is among them. At most MaxHands.
	InheritedVia []string

	// Sources are what it was itself derived from. The decision point flattens them, each source before
	// its own; a HandoffEntry has none.
	Sources []ElementSource
}

// MaxHands is how many hands an element or a source may have gone through. It is above every limit
// that settings can have.
const MaxHands = 64
