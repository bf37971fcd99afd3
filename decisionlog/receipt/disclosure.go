package receipt

import (
	"encoding/base64"
	"fmt"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Disclosure is what a commitment stands for.
type Disclosure struct {
	Commitment Commitment

	// Name says what it is: element, item, principal, segment, source, tenant or viewers.
	Name string

	// Value is the JSON that was committed to.
	Value jsontext.Value
}

// OpenDisclosures returns what the disclosures say, in their order. Each must open a commitment in one
// of the statements and be there once. Commitments that stay closed are no error: a disclosure can be
// withheld.
//
// Its error is a *PlaceError below /disclosures.
func OpenDisclosures(statements []*Verified, disclosures []string) ([]Disclosure, error) {
	names := map[Commitment]string{}
	for _, v := range statements {
		v.Statement.Predicate.head().committedHead(func(name string, c Commitment) { names[c] = name })
		v.Statement.Predicate.committed(func(name string, c Commitment) { names[c] = name })
	}
	opened := make([]Disclosure, 0, len(disclosures))
	seen := map[Commitment]bool{}
	for i, text := range disclosures {
		place := fmt.Sprintf("/disclosures/%d", i)
		c := commitmentOf(text)
		name, ok := names[c]
		switch {
		case !ok:
			return nil, wrong(place, "opens no commitment of the statements")
		case seen[c]:
			return nil, wrong(place, "is there twice")
		}
		seen[c] = true
		d, err := parseDisclosure(text)
		if err != nil {
			return nil, wrong(place, "%v", err)
		}
		if d.Name != name {
			return nil, wrong(place, "is a %s where the statement has a %s", d.Name, name)
		}
		d.Commitment = c
		opened = append(opened, d)
	}
	return opened, nil
}

func parseDisclosure(text string) (Disclosure, error) {
	raw, err := base64.RawURLEncoding.Strict().DecodeString(text)
	if err != nil {
		return Disclosure{}, fmt.Errorf("is not base64url without padding")
	}
	var parts []jsontext.Value
	var salt string
	var d Disclosure
	if json.Unmarshal(raw, &parts) != nil || len(parts) != 3 ||
		json.Unmarshal(parts[0], &salt) != nil || json.Unmarshal(parts[1], &d.Name) != nil {
		return Disclosure{}, fmt.Errorf("is not an array of salt, name and value in JSON")
	}
	if drawn, err := base64.RawURLEncoding.DecodeString(salt); err != nil || len(drawn) != saltBytes {
		return Disclosure{}, fmt.Errorf("has no salt of %d bytes", saltBytes)
	}
	d.Value = parts[2]
	return d, nil
}
