package receipt

import (
	"maps"
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"earshot/decisionlog/keyring"
)

// Answer is what was verified of a whole answer of the service.
type Answer struct {
	// Receipts are in the order of Statements.
	Receipts    []*Verified
	Disclosures []Disclosure

	// Whole is true where the receipts came in an answer of the service, and were compared with it.
	Whole bool
}

// answer has the members of an answer that receipts speak of. Others are passed over.
type answer struct {
	Receipts       map[string]jsontext.Value `json:"receipts"`
	Disclosures    []string                  `json:"disclosures"`
	Manifest       jsontext.Value            `json:"manifest"`
	DecisionID     string                    `json:"decision_id"`
	PolicyRevision string                    `json:"policy_revision"`
	ManifestDigest string                    `json:"manifest_digest"`
	Verdict        string                    `json:"verdict"`
	Directive      string                    `json:"directive"`
	Admitted       []string                  `json:"admitted"`
	Results        []answeredResult          `json:"results"`
	Viewers        *struct {
		Status  string   `json:"status"`
		Reasons []string `json:"reasons"`
	} `json:"viewers"`
	Log *struct {
		Index uint64 `json:"index"`
		Leaf  string `json:"leaf"`
	} `json:"log"`
}

// answeredResult is one result of an answer, as far as receipts speak of it.
type answeredResult struct {
	Admit   bool     `json:"admit"`
	Reasons []string `json:"reasons"`
}

// IsAnswer reports whether text is an object with receipts, and not an envelope.
func IsAnswer(text []byte) bool {
	var members map[string]jsontext.Value
	return json.Unmarshal(text, &members) == nil && members["receipts"] != nil
}

// VerifyAnswer verifies all receipts of an answer as Verify does, that they are of one decision and all
// that it has, and that what the answer has beside them fits: disclosures, manifest, the ids and the
// digest of the decision, verdict and directive, what was admitted and why the rest was not, the state
// of the viewers, and its place in the log. What else the answer says is not covered by receipts.
//
// Its error is a *PlaceError whose places are in the answer.
func VerifyAnswer(text []byte, keys []keyring.Key) (*Answer, error) {
	var a answer
	if err := json.Unmarshal(text, &a); err != nil {
		return nil, misread("", err)
	}
	if len(a.Receipts) == 0 {
		return nil, wrong("/receipts", "has none")
	}
	verified := map[string]*Verified{}
	for _, name := range slices.Sorted(maps.Keys(a.Receipts)) {
		place := "/receipts/" + string(jsontext.Pointer("").AppendToken(name))[1:]
		v, err := Verify(a.Receipts[name], keys)
		if inner, ok := asPlace(err); ok {
			return nil, wrong(place+inner.Place, "%s", inner.Problem)
		}
		if got := v.Statement.Predicate.Name(); got != name {
			return nil, wrong(place, "is a %s", got)
		}
		verified[name] = v
	}
	all, err := whole(verified)
	if err != nil {
		return nil, err
	}
	if err := a.fits(all); err != nil {
		return nil, err
	}
	opened, err := OpenDisclosures(all, a.Disclosures)
	if err != nil {
		return nil, err
	}
	return &Answer{all, opened, true}, nil
}

// whole returns the receipts in order where they are all of one decision, or the one of a check.
func whole(verified map[string]*Verified) ([]*Verified, error) {
	var all []*Verified
	for _, name := range Statements() {
		if v := verified[name]; v != nil {
			all = append(all, v)
		}
	}
	if b, ok := all[0].Statement.Predicate.(*Bleed); ok && b.VerificationID != "" {
		return all, nil
	}
	contexts := map[Subject]bool{}
	first := all[0].Head()
	for _, name := range Statements() {
		place := "/receipts/" + name
		v := verified[name]
		if v == nil {
			return nil, wrong(place, "is missing: a decision has %d receipts", len(Statements()))
		}
		h := v.Head()
		if h.DecisionID != first.DecisionID || h.Ledger != first.Ledger || h.Policy != first.Policy ||
			h.Agent != first.Agent || h.Tenant != first.Tenant || v.Key.ID != all[0].Key.ID {
			return nil, wrong(place, "is of another decision than the others")
		}
		for _, s := range v.Statement.Subject {
			if s.Name == subjectManifest {
				contexts[s] = true
			}
		}
	}
	if len(contexts) > 1 {
		return nil, wrong("/receipts", "are of several contexts")
	}
	return all, nil
}

// fits compares what the answer says beside the receipts with what they state.
func (a *answer) fits(all []*Verified) error {
	h := all[0].Head()
	manifest := subjectOf(all)
	switch {
	case a.DecisionID != "" && a.DecisionID != h.DecisionID:
		return wrong("/decision_id", "is not that of the receipts")
	case a.PolicyRevision != "" && a.PolicyRevision != h.Policy.Revision:
		return wrong("/policy_revision", "is not that of the receipts")
	case a.ManifestDigest != "" && a.ManifestDigest != manifest:
		return wrong("/manifest_digest", "is not that of the receipts")
	case a.Log != nil && (a.Log.Index != h.Ledger.Index || a.Log.Leaf != h.Ledger.Leaf):
		return wrong("/log", "is not that of the receipts")
	}
	for _, v := range all {
		if b, ok := v.Statement.Predicate.(*Bleed); ok && a.Verdict != "" && a.Verdict != string(b.Verdict) {
			return wrong("/verdict", "is not that of the receipts")
		}
	}
	if err := a.decidedAs(all); err != nil {
		return err
	}
	if a.Manifest == nil || a.Manifest.Kind() == 'n' {
		return nil
	}
	digest, err := ManifestDigest(a.Manifest)
	if err == nil && digest != manifest {
		err = wrong("/manifest", "has the digest %s, and the receipts are of %s", digest, manifest)
	}
	return err
}

// subjectOf returns the digest of the context that the receipts are about.
func subjectOf(all []*Verified) string {
	for _, v := range all {
		for _, s := range v.Statement.Subject {
			if s.Name == subjectManifest {
				return s.Digest.SHA256
			}
		}
	}
	return ""
}
