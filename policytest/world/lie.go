package world

// Lie is how a memory system misrepresents an item. Every lie here is one that the labels give
// away: a decision point that sees labels alone cannot know that a label is false and consistent.
type Lie string

// The lies.
const (
	// ClaimsPublic says of a derived item that it is for everybody, whatever it was made from.
	ClaimsPublic Lie = "claims_public"

	// HidesSources says of a derived item that it is for everybody, and names no sources.
	HidesSources Lie = "hides_sources"

	// LosesAudience sends null for who heard the item.
	LosesAudience Lie = "loses_audience"

	// AssumesPublic says of a said item that it is for everybody, and that this was assumed.
	AssumesPublic Lie = "assumes_public"

	// JoinsNames sends those who heard the item as one text with commas.
	JoinsNames Lie = "joins_names"

	// AddsField adds a field that the contract does not have.
	AddsField Lie = "adds_field"

	// ClaimsInAttributes repeats in the free attributes that the item is for everybody.
	ClaimsInAttributes Lie = "claims_in_attributes"

	// HidesAgent does not say which agent introduced the item.
	HidesAgent Lie = "hides_agent"
)

// Lies are all lies, in the order above.
func Lies() []Lie {
	return []Lie{
		ClaimsPublic, HidesSources, LosesAudience, AssumesPublic, JoinsNames, AddsField, ClaimsInAttributes, HidesAgent,
	}
}

// fits returns what is wrong with the lie about it; empty where it can be told.
func (l Lie) fits(it *item) string {
	derived := len(it.from) > 0
	switch l {
	case "", LosesAudience, AddsField, ClaimsInAttributes, HidesAgent:
		return ""
	case ClaimsPublic, HidesSources:
		if !derived || l == HidesSources && !isDerivedKind(it.Kind) {
			return "only what was derived can be told this way: the labels of anything else would not give the lie away"
		}
		return ""
	case AssumesPublic, JoinsNames:
		if derived || it.scope == forNobody {
			return "only what was said can be told this way"
		}
		return ""
	default:
		return "is not a lie that this world knows"
	}
}
