package receipt_test

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"earshot/decisionlog/receipt"
)

func TestDisclosuresOpen(t *testing.T) {
	set := issue(t)
	all, err := receipt.OpenDisclosures(verifyAll(t, set), set.Disclosures)
	if err != nil {
		t.Fatal(err)
	}
	counts := map[string]int{}
	for i, d := range all {
		counts[d.Name]++
		// The rule of RFC 9901, section 4.2.3, spelled out.
		sum := sha256.Sum256([]byte(set.Disclosures[i]))
		if want := base64.RawURLEncoding.EncodeToString(sum[:]); string(d.Commitment) != want {
			t.Errorf("disclosure %d opens %s, want %s", i, d.Commitment, want)
		}
	}
	want := map[string]int{"element": 7, "principal": 1, "source": 2, "tenant": 1, "viewers": 1}
	if fmt.Sprint(counts) != fmt.Sprint(want) {
		t.Errorf("opened %v, want %v", counts, want)
	}
	var element map[string]any
	first := slices.IndexFunc(all, func(d receipt.Disclosure) bool { return d.Name == "element" })
	if err := json.Unmarshal(all[first].Value, &element); err != nil {
		t.Fatal(err)
	}
	if element["id"] != "m1" || element["position"] != 0.0 || element["channel"] != "slack:C042" ||
		element["digest"] != "sha256:"+strings.Repeat("1a", 32) {
		t.Errorf("the first element is %v", element)
	}
}

// TestWithheldDisclosures gives only some of them, and none.
func TestWithheldDisclosures(t *testing.T) {
	set := issue(t)
	for _, some := range [][]string{nil, set.Disclosures[2:4]} {
		if all, err := receipt.OpenDisclosures(verifyAll(t, set), some); err != nil || len(all) != len(some) {
			t.Errorf("opened %d of %d: %v", len(all), len(some), err)
		}
	}
}

func TestDisclosuresThatOpenNothing(t *testing.T) {
	set := issue(t)
	b64 := base64.RawURLEncoding.EncodeToString
	changed := func(text string) string {
		raw, err := base64.RawURLEncoding.DecodeString(text)
		if err != nil {
			t.Fatal(err)
		}
		return b64([]byte(strings.Replace(string(raw), "acme", "evil", 1)))
	}
	for name, list := range map[string][]string{
		"twice":           {set.Disclosures[0], set.Disclosures[0]},
		"padded":          {set.Disclosures[0] + "="},
		"changed":         {changed(set.Disclosures[0])},
		"made up":         {b64([]byte(`["AAAAAAAAAAAAAAAAAAAAAA","tenant","acme"]`))},
		"empty":           {""},
		"of another set":  otherSet(t),
		"good, then none": {set.Disclosures[0], "x"},
	} {
		t.Run(name, func(t *testing.T) {
			all, err := receipt.OpenDisclosures(verifyAll(t, set), list)
			if all != nil || !errors.Is(err, receipt.ErrInvalid) || !strings.HasPrefix(err.Error(), fmt.Sprintf("/disclosures/%d ", len(list)-1)) {
				t.Errorf("got %v and error %v", all, err)
			}
		})
	}
}

// TestDisclosureOfAnotherName has a statement, signed by the right key, whose tenant is the commitment to
// the viewers.
func TestDisclosureOfAnotherName(t *testing.T) {
	set := issue(t)
	all := verifyAll(t, set)
	tenant := string(all[0].Head().Tenant)
	viewers := string(all[0].Statement.Predicate.(*receipt.Isolation).Viewers.Commitment)
	payload := strings.Replace(string(payloadOf(t, set.Envelopes[receipt.BleedDetection])), tenant, viewers, 1)
	v, err := receipt.Verify(sign(testKey(), inTotoType, []byte(payload)), keys())
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range set.Disclosures {
		_, err := receipt.OpenDisclosures([]*receipt.Verified{v}, []string{d})
		if strings.Contains(fmt.Sprint(err), "is a viewers where the statement has a tenant") {
			return
		}
	}
	t.Error("the viewers were taken for the tenant")
}

func otherSet(t *testing.T) []string {
	t.Helper()
	set, err := issuer(t, func(c *receipt.Config) { c.Random = nil }).Decision(t.Context(), decision())
	if err != nil {
		t.Fatal(err)
	}
	return set.Disclosures[:1]
}
