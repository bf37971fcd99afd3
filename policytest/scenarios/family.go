package scenarios

import "fmt"

// family is a kind of scenario. Its function fills the draft of the scenario at a position.
type family struct {
	name      string
	count     int
	ambiguous bool
	opaque    bool
	fill      func(d *draft, at int)
}

// scenario returns the name of the scenario at a position.
func (f *family) scenario(at int) string { return fmt.Sprintf("%s %d", f.name, at+1) }

// families returns the 13 families in the order of the report, with their counts.
func families() []family {
	return []family{
		{"owner-private", 8, false, false, ownerPrivate},
		{"exact-shared one-to-one", 8, false, false, sharedOneToOne},
		{"exact-shared group", 8, false, false, sharedGroup},
		{"directional cross-channel", 4, false, false, directional},
		{"trusted canonical shared", 4, false, false, canonical},
		{"ambiguous or unknown viewer", 6, true, false, unknownViewer},
		{"mixed-inbound inconsistent evidence", 6, true, false, inconsistentEvidence},
		{"adversarial boundary", 8, false, false, adversarial},
		{"negative control", 10, false, false, negativeControl},
		{"unresolved identity", 4, true, false, unresolvedIdentity},
		{"membership drift", 5, false, false, membershipDrift},
		{"derived and aggregate", 4, false, false, derivedAndAggregate},
		{"existence opacity and direct look-up", 4, false, true, directLookUp},
	}
}
