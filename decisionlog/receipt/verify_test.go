package receipt_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"earshot/decisionlog/keyring"
	"earshot/decisionlog/receipt"
)

const inTotoType = "application/vnd.in-toto+json"

// TestSingleByteChanges changes one byte of each envelope, a thousand times each, in the same way in
// every run. That the unchanged envelope verifies is the other half of it.
func TestSingleByteChanges(t *testing.T) {
	const changes = 1000
	for name, envelope := range issue(t).Envelopes {
		t.Run(name, func(t *testing.T) {
			random := rand.New(rand.NewPCG(7, uint64(len(envelope))))
			if _, err := receipt.Verify(envelope, keys()); err != nil {
				t.Fatal(err)
			}
			for range changes {
				at, by := random.IntN(len(envelope)), byte(1+random.IntN(255))
				changed := bytes.Clone(envelope)
				changed[at] ^= by
				mustRefuse(t, changed, fmt.Sprintf("byte %d from %q to %q", at, envelope[at], changed[at]))
			}
		})
	}
}

// TestCutsAndAdditions takes bytes away and puts some in, except white space, which is no part of an
// envelope.
func TestCutsAndAdditions(t *testing.T) {
	envelope := issue(t).Envelopes[receipt.BleedDetection]
	for n := range envelope {
		mustRefuse(t, envelope[:n], fmt.Sprintf("cut to %d bytes", n))
		mustRefuse(t, append(bytes.Clone(envelope[:n]), envelope[n+1:]...), fmt.Sprintf("without byte %d", n))
		mustRefuse(t, append(append(bytes.Clone(envelope[:n]), 'A'), envelope[n:]...), fmt.Sprintf("with an A at %d", n))
	}
	mustRefuse(t, append(bytes.Clone(envelope), '{', '}'), "followed by another value")
}

func mustRefuse(t *testing.T, envelope []byte, how string) {
	t.Helper()
	v, err := receipt.Verify(envelope, keys())
	place, ok := errors.AsType[*receipt.PlaceError](err)
	if v != nil || !ok || !errors.Is(err, receipt.ErrInvalid) || place.Problem == "" {
		t.Fatalf("%s: accepted, or refused without a place: %v", how, err)
	}
}

func TestWhiteSpaceAndOrderMakeNoDifference(t *testing.T) {
	envelope := issue(t).Envelopes[receipt.Provenance]
	want, err := receipt.Verify(envelope, keys())
	if err != nil {
		t.Fatal(err)
	}
	var parts struct {
		Signatures  json.RawMessage `json:"signatures"`
		PayloadType string          `json:"payloadType"`
		Payload     string          `json:"payload"`
	}
	if err := json.Unmarshal(envelope, &parts); err != nil {
		t.Fatal(err)
	}
	other, err := json.MarshalIndent(parts, "", "\t")
	if err != nil {
		t.Fatal(err)
	}
	got, err := receipt.Verify(other, keys())
	if err != nil {
		t.Fatal(err)
	}
	if got.EnvelopeDigest != want.EnvelopeDigest {
		t.Errorf("the digest of the same envelope is %s and %s", want.EnvelopeDigest, got.EnvelopeDigest)
	}
}

// TestEnvelopePlaces changes an envelope in one way each, and has where the change must be found.
func TestEnvelopePlaces(t *testing.T) {
	envelope := string(issue(t).Envelopes[receipt.IsolationBoundary])
	payload := string(payloadOf(t, []byte(envelope)))
	var parts struct {
		Payload    string
		Signatures []struct{ Sig, KeyID string }
	}
	if err := json.Unmarshal([]byte(envelope), &parts); err != nil {
		t.Fatal(err)
	}
	sig, id := parts.Signatures[0].Sig, parts.Signatures[0].KeyID
	replace := func(old, by string) string {
		if !strings.Contains(envelope, old) {
			t.Fatalf("the envelope has no %s", old)
		}
		return strings.Replace(envelope, old, by, 1)
	}
	tests := map[string]struct{ envelope, place string }{
		"no JSON":                    {"receipt", ""},
		"nothing":                    {"", ""},
		"null":                       {"null", "/payloadType"},
		"a list":                     {"[]", ""},
		"a member twice":             {replace(`{"payload"`, `{"payloadType":"`+inTotoType+`","payload"`), "/payloadType"},
		"another member":             {replace(`{"payload"`, `{"extra":1,"payload"`), "/extra"},
		"another case":               {replace(`"payloadType"`, `"payloadtype"`), "/payloadtype"},
		"another type":               {replace(inTotoType, "application/json"), "/payloadType"},
		"no signature":               {replace(`"signatures":[`, `"signatures":[],"x":[`), "/x"},
		"an empty list":              {envelope[:strings.Index(envelope, `"signatures"`)] + `"signatures":[]}`, "/signatures"},
		"two signatures":             {replace(`"signatures":[`, `"signatures":[{"keyid":"","sig":""},`), "/signatures"},
		"another member of one":      {replace(`"keyid"`, `"alg":"none","keyid"`), "/signatures/0/alg"},
		"the key in capitals":        {replace(id, strings.ToUpper(id)), "/signatures/0/keyid"},
		"no key":                     {replace(id, ""), "/signatures/0/keyid"},
		"another known key":          {replace(id, newSigner('o').KeyID()), "/signatures/0/sig"},
		"no padding":                 {replace(sig, strings.TrimRight(sig, "=")), "/signatures/0/sig"},
		"another alphabet":           {replace(parts.Payload, "-_"+parts.Payload[2:]), "/payload"},
		"a line break in the base64": {replace(parts.Payload, parts.Payload[:8]+`\n`+parts.Payload[8:]), "/payload"},
		"loose bits":                 {replace(sig, sig[:len(sig)-3]+string(sig[len(sig)-3]+1)+"=="), "/signatures/0/sig"},
		"no signature bytes":         {replace(sig, ""), "/signatures/0/sig"},
		"a signature of zeros":       {replace(sig, strings.Repeat("A", len(sig)-2)+"=="), "/signatures/0/sig"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) { refusedAt(t, []byte(tt.envelope), keys(), tt.place) })
	}
	// The fixture must be one that all of these change.
	if _, err := receipt.Verify(sign(testKey(), inTotoType, []byte(payload)), keys()); err != nil {
		t.Fatal(err)
	}
}

// TestStatementPlaces has statements that the right key signed, in forms that are never signed.
func TestStatementPlaces(t *testing.T) {
	set := issue(t)
	isolation := string(payloadOf(t, set.Envelopes[receipt.IsolationBoundary]))
	provenance := string(payloadOf(t, set.Envelopes[receipt.Provenance]))
	rules := string(payloadOf(t, set.Envelopes[receipt.InheritancePolicy]))
	bleed := string(payloadOf(t, set.Envelopes[receipt.BleedDetection]))
	tests := map[string]struct{ payload, old, by, place string }{
		"no JSON":                  {bleed, `{"_type"`, `"_type"`, ""},
		"another statement type":   {bleed, "Statement/v1", "Statement/v0.1", "/_type"},
		"another predicate type":   {bleed, "bleed_detection_signature/v1", "bleed_detection_signature/v2", "/predicateType"},
		"a predicate of another":   {bleed, "bleed_detection_signature/v1", "context_isolation_boundary_receipt/v1", "/predicate/directive"},
		"another member":           {bleed, `"decision_id"`, `"approved":true,"decision_id"`, "/predicate/approved"},
		"a member twice":           {bleed, `"decision_id"`, `"decision_id":"x","decision_id"`, "/predicate/decision_id"},
		"another case":             {bleed, `"decision_id"`, `"Decision_id"`, "/predicate/Decision_id"},
		"white space":              {bleed, `"directive":`, `"directive": `, ""},
		"an escape":                {bleed, `"HALT"`, `"\u0048ALT"`, ""},
		"a time of another zone":   {bleed, "20:00:01.623456Z", "21:00:01.623456+01:00", "/predicate/issued_at"},
		"no time":                  {bleed, "2026-11-30T20:00:01.623456Z", "0001-01-01T00:00:00Z", "/predicate/issued_at"},
		"no subject":               {bleed, `"subject":[`, `"subject":[],"x":[`, "/x"},
		"a digest in capitals":     {bleed, `"sha256":"`, `"sha256":"F`, "/subject/0/digest/sha256"},
		"another subject":          {bleed, `"name":"context_manifest"`, `"name":"context"`, "/subject"},
		"no origin":                {bleed, `"origin":"` + origin + `"`, `"origin":""`, "/predicate/ledger/origin"},
		"an index beyond numbers":  {bleed, `"index":41`, `"index":9007199254740993`, "/predicate/ledger/index"},
		"an agent that is none":    {bleed, `"agent":"agent:scribe"`, `"agent":"user:ann"`, "/predicate/agent"},
		"a kind that is none":      {bleed, `"kind":"unattributed"`, `"kind":"fine"`, "/predicate/findings/2/kind"},
		"a severity that is none":  {bleed, `"severity":"high"`, `"severity":"none"`, "/predicate/findings/3/severity"},
		"a verdict that is none":   {bleed, `"verdict":"BLEED_DETECTED"`, `"verdict":"FINE"`, "/predicate/verdict"},
		"no list":                  {bleed, `"reasons":["unattributed"]`, `"reasons":null`, ""},
		"a wrong count":            {isolation, `"malformed":1`, `"malformed":2`, "/predicate/excluded_by_reason"},
		"a rule that is none":      {isolation, `"rule":"An element`, `"rule":"No element`, "/predicate/rule"},
		"a viewer status":          {isolation, `"status":"known"`, `"status":"certain"`, "/predicate/viewers"},
		"permitted after all":      {rules, `"permitted":false`, `"permitted":true`, "/predicate/permitted"},
		"another revision":         {rules, revision, "sha256:" + strings.Repeat("0", 64), "/subject/0/digest/sha256"},
		"another agent that takes": {rules, `"to":"agent:scribe"`, `"to":"agent:other"`, "/predicate/to"},
		"a basis that is none":     {provenance, `"basis":"sealed"`, `"basis":"trusted"`, "/predicate/attributions/2/basis"},
		"other elements":           {provenance, `"subject":[`, `"subject":[{"digest":{"sha256":"` + strings.Repeat("0", 64) + `"},"name":"x"},`, "/subject"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if !strings.Contains(tt.payload, tt.old) {
				t.Fatalf("the statement has no %s:\n%s", tt.old, tt.payload)
			}
			payload := []byte(strings.Replace(tt.payload, tt.old, tt.by, 1))
			refusedAt(t, sign(testKey(), inTotoType, payload), keys(), "/payload: "+tt.place)
		})
	}
}

func refusedAt(t *testing.T, envelope []byte, keys []keyring.Key, want string) {
	t.Helper()
	v, err := receipt.Verify(envelope, keys)
	place, ok := errors.AsType[*receipt.PlaceError](err)
	switch {
	case v != nil || !ok:
		t.Errorf("accepted, or refused without a place: %v", err)
	case place.Place != want:
		t.Errorf("refused at %q (%v), want %q", place.Place, err, want)
	}
}

// FuzzVerify has no envelope but those of the fixture, which verify; whatever else is accepted must be
// the same envelope.
func FuzzVerify(f *testing.F) {
	digests := map[string]bool{}
	for _, envelope := range issue(f).Envelopes {
		v, err := receipt.Verify(envelope, keys())
		if err != nil {
			f.Fatal(err)
		}
		digests[v.EnvelopeDigest] = true
		f.Add([]byte(envelope))
	}
	f.Fuzz(func(t *testing.T, envelope []byte) {
		if v, err := receipt.Verify(envelope, keys()); err == nil && !digests[v.EnvelopeDigest] {
			t.Errorf("accepted %q", envelope)
		}
	})
}
