package receipt

import (
	"fmt"
	"slices"
	"strings"
)

// decidedAs compares what the answer says was decided with the receipts of a decision.
func (a *answer) decidedAs(all []*Verified) error {
	for _, v := range all {
		switch p := v.Statement.Predicate.(type) {
		case *Bleed:
			if a.Directive != "" && !strings.HasPrefix(a.Directive, p.Directive+": ") {
				return wrong("/directive", "is not that of the receipts, which say %s", p.Directive)
			}
		case *Isolation:
			if err := a.separatedAs(p); err != nil {
				return err
			}
		}
	}
	return nil
}

// separatedAs compares the results with the elements that were let in and kept out, which stand in
// their order.
func (a *answer) separatedAs(p *Isolation) error {
	admitted, excluded := 0, 0
	for i, r := range a.Results {
		place := fmt.Sprintf("/results/%d", i)
		switch {
		case r.Admit:
			admitted++
		case excluded == len(p.Excluded) || !slices.Equal(r.Reasons, p.Excluded[excluded].Reasons):
			return wrong(place, "is not among what the receipts keep out")
		default:
			excluded++
		}
	}
	switch {
	case a.Results == nil: // It says nothing about them.
	case admitted != len(p.Admitted) || excluded != len(p.Excluded):
		return wrong("/results", "admit %d and deny %d, and the receipts let %d in and keep %d out",
			admitted, excluded, len(p.Admitted), len(p.Excluded))
	case a.Admitted != nil && len(a.Admitted) != len(p.Admitted):
		return wrong("/admitted", "has %d ids, and the receipts let %d in", len(a.Admitted), len(p.Admitted))
	case a.Viewers != nil && p.Viewers != nil &&
		(a.Viewers.Status != p.Viewers.Status || !slices.Equal(a.Viewers.Reasons, p.Viewers.Reasons)):
		return wrong("/viewers", "are not those of the receipts")
	}
	return nil
}
