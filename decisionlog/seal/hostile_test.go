package seal_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"crypto/x509"
	"slices"
	"strings"
	"testing"
	"time"

	"earshot/policy"
)

// hostile is a candidate that is admitted as it is, and denied with what is done to it.
type hostile struct {
	do      func(t *testing.T, d *desk, c *policy.Candidate)
	differs string

	// also are further reasons than seal_invalid.
	also []string
}

// text changes nothing but the seal.
func text(change func(t *testing.T, d *desk, seal string) string) hostile {
	return hostile{differs: "signature", do: func(t *testing.T, d *desk, c *policy.Candidate) { c.Seal = change(t, d, c.Seal) }}
}

// label changes a label and leaves the seal alone.
func label(differs string, change func(*policy.Candidate), also ...string) hostile {
	return hostile{differs: differs, also: also, do: func(_ *testing.T, _ *desk, c *policy.Candidate) { change(c) }}
}

// resealed signs other claims with the key of the service.
func resealed(differs string, claims map[string]any) hostile {
	return hostile{differs: differs, do: func(t *testing.T, d *desk, c *policy.Candidate) {
		c.Seal = d.signer.signed(sealHeader(d.signer.key.ID), with(t, c.Seal, claims))
	}}
}

func hostiles() map[string]hostile {
	return map[string]hostile{
		"nothing but a word": text(func(*testing.T, *desk, string) string { return "made.up.here" }),
		"forged by another key that claims the id of ours": text(func(t *testing.T, d *desk, s string) string {
			return newSigner(t, 9).signed(sealHeader(d.signer.key.ID), with(t, s, nil))
		}),
		"signed by a key that nobody knows": text(func(t *testing.T, _ *desk, s string) string {
			stranger := newSigner(t, 9)
			return stranger.signed(sealHeader(stranger.key.ID), with(t, s, nil))
		}),
		"signed by a key after its time": text(func(t *testing.T, _ *desk, s string) string {
			return retired(t).signed(sealHeader(retired(t).key.ID), with(t, s, nil))
		}),
		"signed by a key for another purpose": text(func(t *testing.T, _ *desk, s string) string {
			return forLogs(t).signed(sealHeader(forLogs(t).key.ID), with(t, s, nil))
		}),
		"cut short by a byte":  text(func(_ *testing.T, _ *desk, s string) string { return s[:len(s)-1] }),
		"without a signature":  text(func(_ *testing.T, _ *desk, s string) string { return s[:strings.LastIndex(s, ".")+1] }),
		"without its end":      text(func(_ *testing.T, _ *desk, s string) string { return s[:strings.LastIndex(s, ".")] }),
		"payload of another":   text(func(t *testing.T, d *desk, s string) string { return swapped(s, d.issue(t, item("m9"))[0].Seal, 1) }),
		"signature of another": text(func(t *testing.T, d *desk, s string) string { return swapped(s, d.issue(t, item("m9"))[0].Seal, 2) }),
		"alg none": text(func(_ *testing.T, d *desk, s string) string {
			return withHeader(s, `{"alg":"none","kid":"`+d.signer.key.ID+`","typ":"context_provenance_attribution_signature+jws"}`, "")
		}),
		"alg none that keeps the signature": text(func(_ *testing.T, d *desk, s string) string {
			return swapped(s, withHeader(s, `{"alg":"none","kid":"`+d.signer.key.ID+`","typ":"context_provenance_attribution_signature+jws"}`, ""), 0)
		}),
		"HS256 with the public key": text(func(t *testing.T, d *desk, s string) string {
			return hmacSigned(s, d.signer.key.ID, d.signer.key.Public)
		}),
		"HS256 with the public key in DER": text(func(t *testing.T, d *desk, s string) string {
			der, err := x509.MarshalPKIXPublicKey(d.signer.key.Public)
			if err != nil {
				t.Fatal(err)
			}
			return hmacSigned(s, d.signer.key.ID, der)
		}),
		"a header in another order, signed": text(func(t *testing.T, d *desk, s string) string {
			return d.signer.signed(`{"kid":"`+d.signer.key.ID+`","alg":"EdDSA","typ":"context_provenance_attribution_signature+jws"}`, with(t, s, nil))
		}),
		"a header with crit, signed": text(func(t *testing.T, d *desk, s string) string {
			return d.signer.signed(strings.Replace(sealHeader(d.signer.key.ID), "{", `{"crit":["b64"],"b64":false,`, 1), with(t, s, nil))
		}),
		"a header that names its own key, signed": text(func(t *testing.T, _ *desk, s string) string {
			stranger := newSigner(t, 9)
			return stranger.signed(strings.Replace(sealHeader(stranger.key.ID), "{", `{"jwk":{"kty":"OKP","crv":"Ed25519","x":"`+encode(string(stranger.key.Public))+`"},`, 1), with(t, s, nil))
		}),
		"a header with a kid twice, signed": text(func(t *testing.T, d *desk, s string) string {
			return d.signer.signed(strings.Replace(sealHeader(d.signer.key.ID), "{", `{"kid":"x",`, 1), with(t, s, nil))
		}),
		"another typ, signed": text(func(t *testing.T, d *desk, s string) string {
			return d.signer.signed(strings.Replace(sealHeader(d.signer.key.ID), "+jws", "+jwt", 1), with(t, s, nil))
		}),
		"a payload with a claim twice, signed": text(func(t *testing.T, d *desk, s string) string {
			return d.signer.signed(sealHeader(d.signer.key.ID), strings.Replace(with(t, s, nil), "{", `{"shared":true,`, 1))
		}),
		"an unknown claim, signed":      resealed("signature", map[string]any{"also": "this"}),
		"a later version, signed":       resealed("signature", map[string]any{"v": 2}),
		"for nobody, signed":            resealed("signature", map[string]any{"audience": map[string]any{"kind": "none", "digest": digestOf("0")}}),
		"without an item, signed":       resealed("signature", map[string]any{"item": nil}),
		"a segment more":                text(func(_ *testing.T, _ *desk, s string) string { return s + ".e30" }),
		"a dot more":                    text(func(_ *testing.T, _ *desk, s string) string { return s + "." }),
		"a space behind it":             text(func(_ *testing.T, _ *desk, s string) string { return s + " " }),
		"a line break in its header":    text(func(_ *testing.T, _ *desk, s string) string { return s[:90] + "\n" + s[90:] }),
		"a line break in its signature": text(func(_ *testing.T, _ *desk, s string) string { return s[:len(s)-9] + "\r\n" + s[len(s)-9:] }),
		"a line break behind it":        text(func(_ *testing.T, _ *desk, s string) string { return s + "\n" }),
		"padded":                        text(func(_ *testing.T, _ *desk, s string) string { return s + "==" }),
		"in the other alphabet": text(func(_ *testing.T, _ *desk, s string) string {
			if other := strings.NewReplacer("-", "+", "_", "/").Replace(s); other != s {
				return other
			}
			return s + "+"
		}),
		"in JSON":                      text(func(_ *testing.T, _ *desk, s string) string { return `"` + s + `"` }),
		"longer than any":              text(func(_ *testing.T, _ *desk, s string) string { return s + strings.Repeat("A", 1<<20) }),
		"the seal of another":          {differs: "id", do: func(t *testing.T, d *desk, c *policy.Candidate) { c.Seal = d.issue(t, item("m9"))[0].Seal }},
		"of another tenant":            {differs: "tenant", also: []string{"tenant_mismatch"}, do: func(t *testing.T, d *desk, c *policy.Candidate) { *c = elsewhere(t, d); c.Tenant = "" }},
		"moved to this tenant":         {differs: "tenant", do: func(t *testing.T, d *desk, c *policy.Candidate) { *c = elsewhere(t, d); c.Tenant = "acme" }},
		"expired":                      resealed("expires_at", map[string]any{"exp": noon.Unix()}),
		"issued in the future":         resealed("issued_at", map[string]any{"iat": noon.Add(31 * time.Second).Unix()}),
		"issued before the key":        resealed("signature", map[string]any{"iat": noon.Add(-time.Hour - time.Second).Unix()}),
		"a wider audience":             label("audience", func(c *policy.Candidate) { c.Audience = policy.Principals("user:ann", "user:ben", "user:eve") }),
		"a narrower audience":          label("audience", func(c *policy.Candidate) { c.Audience = policy.Principals("user:ann") }),
		"public":                       label("audience", func(c *policy.Candidate) { c.Audience = policy.Everybody() }),
		"an audience of null":          label("audience", func(c *policy.Candidate) { c.Audience = policy.Audience{} }, "audience_missing"),
		"that of its sources":          label("audience", func(c *policy.Candidate) { c.Audience = policy.Audience{Kind: policy.AudienceInherited} }),
		"without a source":             label("sources", func(c *policy.Candidate) { c.Sources = c.Sources[:1] }),
		"without sources":              label("sources", func(c *policy.Candidate) { c.Sources = nil }),
		"sources swapped":              label("sources", func(c *policy.Candidate) { slices.Reverse(c.Sources) }),
		"a source widened":             label("sources", func(c *policy.Candidate) { c.Sources[1].Audience = policy.Everybody() }),
		"a source of another":          label("sources", func(c *policy.Candidate) { c.Sources[1].Agent = "" }),
		"a source that is open":        label("sources", func(c *policy.Candidate) { c.Sources[1].Confidential = policy.NotConfidential }),
		"a source that expires":        label("sources", func(c *policy.Candidate) { c.Sources[1].ExpiresAt = noon.Add(time.Hour) }),
		"shared":                       label("shared", func(c *policy.Candidate) { c.Shared = true }),
		"confidential":                 label("confidential", func(c *policy.Candidate) { c.Confidential = policy.Confidential }),
		"of another kind":              label("kind", func(c *policy.Candidate) { c.Kind = "document" }),
		"of another agent":             label("agent", func(c *policy.Candidate) { c.Agent = "agent:other" }, "agent_not_authorized", "unshared_from_other_agent"),
		"of another channel":           label("channel", func(c *policy.Candidate) { c.Channel = "slack:C043" }),
		"recorded at another":          label("recorded_at", func(c *policy.Candidate) { c.RecordedAt = c.RecordedAt.Add(1) }),
		"on another basis":             label("audience_basis", func(c *policy.Candidate) { c.AudienceBasis = "guessed" }, "audience_not_recorded"),
		"said to be of elsewhere":      label("tenant", func(c *policy.Candidate) { c.Tenant = "globex" }, "tenant_mismatch"),
		"sealed without a tenant":      sealedAs("tenant", func(c *policy.Candidate) { c.Tenant = "" }),
		"under another id":             label("id", func(c *policy.Candidate) { c.ID = "m10" }),
		"an order called a fact":       sealedAs("kind", func(c *policy.Candidate) { c.Kind = "directive" }),
		"a secret called none":         sealedAs("confidential", func(c *policy.Candidate) { c.Confidential = policy.Confidential }),
		"an unmarked item called open": sealedAs("confidential", func(c *policy.Candidate) { c.Confidential = policy.ConfidentialityUnstated }),
		"a guess called recorded":      sealedAs("audience_basis", func(c *policy.Candidate) { c.AudienceBasis = "guessed" }),
		"expiring later": {differs: "expires_at", do: func(t *testing.T, d *desk, c *policy.Candidate) {
			c.ExpiresAt = noon.Add(time.Hour)
			*c = d.issue(t, *unsealed(c))[0]
			c.ExpiresAt = noon.Add(2 * time.Hour)
		}},
	}
}

// sealedAs seals an item with another label than the candidate states.
func sealedAs(differs string, change func(*policy.Candidate)) hostile {
	return hostile{differs: differs, do: func(t *testing.T, d *desk, c *policy.Candidate) {
		other := *unsealed(c)
		change(&other)
		c.Seal = d.issue(t, other)[0].Seal
	}}
}

func unsealed(c *policy.Candidate) *policy.Candidate {
	other := *c
	other.Seal = ""
	return &other
}

// retired is a key that signed until a minute before noon.
func retired(t *testing.T) signer {
	s := newSigner(t, 2)
	s.key.NotAfter = noon.Add(-time.Minute)
	return s
}

// forLogs is a key of the service that signs no seals.
func forLogs(t *testing.T) signer {
	s := newSigner(t, 3)
	s.key.Purpose = "log"
	return s
}

func elsewhere(t *testing.T, d *desk) policy.Candidate {
	c := item("m1")
	c.Tenant = "globex"
	return d.issue(t, c)[0]
}

// swapped returns seal with one segment of another.
func swapped(seal, other string, segment int) string {
	parts := strings.Split(seal, ".")
	parts[segment] = strings.Split(other, ".")[segment]
	return strings.Join(parts, ".")
}

func withHeader(seal, header, signature string) string {
	return encode(header) + "." + strings.Split(seal, ".")[1] + "." + signature
}

func hmacSigned(seal, kid string, secret []byte) string {
	input := strings.TrimSuffix(withHeader(seal, strings.Replace(sealHeader(kid), "EdDSA", "HS256", 1), ""), ".")
	mac := hmac.New(sha256.New, secret)
	mac.Write([]byte(input))
	return input + "." + encode(string(mac.Sum(nil)))
}

// TestAHostileSealDeniesItsItemAlone puts each hostile candidate between two honest ones.
func TestAHostileSealDeniesItsItemAlone(t *testing.T) {
	d := newDesk(t, retired(t).key, forLogs(t).key)
	honest := d.issue(t, item("m1"), item("m2"), item("m3"))
	d.ledger.asked.Store(0)
	if admitted, _ := d.decide(t, honest...).Counts(); admitted != 3 {
		t.Fatalf("only %d of the honest ones are admitted", admitted)
	}
	if asked := d.ledger.asked.Load(); asked != 0 {
		t.Errorf("the log was asked %d times about labels that were stated", asked)
	}
	for name, h := range hostiles() {
		t.Run(name, func(t *testing.T) {
			c := honest[1]
			c.Sources = slices.Clone(c.Sources)
			h.do(t, d, &c)
			decision := d.decide(t, honest[0], c, honest[2])
			for _, i := range []int{0, 2} {
				if !decision.Results[i].Admit {
					t.Errorf("the neighbour is denied: %+v", decision.Results[i])
				}
			}
			got := decision.Results[1]
			want := append(slices.Clone(h.also), "seal_invalid")
			slices.Sort(want)
			if got.Admit || !slices.Equal(got.Reasons, want) {
				t.Errorf("got %+v, want %v", got, want)
			}
			check := decision.Facts.Seals[1]
			if check.Status != policy.SealInvalid || check.Differs != h.differs {
				t.Errorf("got %+v, want %s", check, h.differs)
			}
			if detail := d.point.Explain(decision, 1); detail.SealDiffers != h.differs {
				t.Errorf("the explanation says %q", detail.SealDiffers)
			}
			if h.differs == "signature" {
				d.refuses(t, c.Seal)
			}
		})
	}
}
