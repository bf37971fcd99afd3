package scenarios

// family is a kind of scenario. Its function fills the draft of the scenario at a position.
type family struct {
	name      string
	count     int
	ambiguous bool
	fill      func(d *draft, at int)
}

// families returns the 13 families in the order of the report, with their counts.
func families() []family {
	return []family{
		{"owner-private", 8, false, ownerPrivate},
		{"exact-shared one-to-one", 8, false, sharedOneToOne},
		{"exact-shared group", 8, false, sharedGroup},
		{"directional cross-channel", 4, false, directional},
		{"trusted canonical shared", 4, false, canonical},
		{"ambiguous or unknown viewer", 6, true, unknownViewer},
		{"mixed-inbound inconsistent evidence", 6, true, inconsistentEvidence},
		{"adversarial boundary", 8, false, adversarial},
		{"negative control", 10, false, negativeControl},
		{"unresolved identity", 4, true, unresolvedIdentity},
		{"membership drift", 5, false, membershipDrift},
		{"derived and aggregate", 4, false, derivedAndAggregate},
		{"existence opacity and direct look-up", 4, false, directLookUp},
	}
}
