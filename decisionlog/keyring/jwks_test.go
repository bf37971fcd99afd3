package keyring_test

import (
	"crypto/ed25519"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/lestrrat-go/jwx/v3/jwk"

	"earshot/decisionlog/keyring"
)

// rfcX is the public key of RFC 8037, appendix A.2.
const rfcX = "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"

func someKeys(t *testing.T) []keyring.Key {
	t.Helper()
	dir := t.TempDir()
	openRing(t, dir, keyring.Given{}, began)
	if _, err := keyring.Rotate(dir, receipt, began.Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	return list(t, dir)
}

func TestJWKSGoesBothWays(t *testing.T) {
	keys := someKeys(t)
	text, err := keyring.MarshalJWKS(keys)
	if err != nil {
		t.Fatal(err)
	}
	got, err := keyring.ParseJWKS(text)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(keys, got); diff != "" {
		t.Errorf("written and read (-want +got):\n%s", diff)
	}
}

func TestJWKSForm(t *testing.T) {
	x, err := base64.RawURLEncoding.DecodeString(rfcX)
	if err != nil {
		t.Fatal(err)
	}
	id, err := keyring.KeyID(x)
	if err != nil {
		t.Fatal(err)
	}
	k := keyring.Key{ID: id, Purpose: receipt, Public: x, NotBefore: time.Unix(1796068801, 0), NotAfter: time.Unix(1796072401, 0)}
	text, err := keyring.MarshalJWKS([]keyring.Key{k})
	if err != nil {
		t.Fatal(err)
	}
	want := `{"keys":[{"kty":"OKP","crv":"Ed25519","x":"` + rfcX + `","kid":"` + id + `","alg":"EdDSA","use":"sig",` +
		`"nbf":1796068801,"exp":1796072401,"purpose":"receipt"}]}`
	if string(text) != want {
		t.Errorf("got  %s\nwant %s", text, want)
	}
	k.NotAfter = time.Time{}
	if text, err = keyring.MarshalJWKS([]keyring.Key{k}); err != nil || strings.Contains(string(text), "exp") {
		t.Errorf("in force: %s, %v", text, err)
	}
	if text, err = keyring.MarshalJWKS(nil); err != nil || string(text) != `{"keys":[]}` {
		t.Errorf("without keys: %s, %v", text, err)
	}
}

// What is published is read by a library of others, to the same keys.
func TestJWKSIsReadByOthers(t *testing.T) {
	keys := someKeys(t)
	text, err := keyring.MarshalJWKS(keys)
	if err != nil {
		t.Fatal(err)
	}
	set, err := jwk.Parse(text)
	if err != nil || set.Len() != len(keys) {
		t.Fatalf("%v, %v", set, err)
	}
	for _, k := range keys {
		found, ok := set.LookupKeyID(k.ID)
		if !ok {
			t.Fatalf("%s is not found", k.ID)
		}
		var public ed25519.PublicKey
		if err := jwk.Export(found, &public); err != nil {
			t.Fatal(err)
		}
		if !public.Equal(k.Public) {
			t.Errorf("%s is another key there", k.ID)
		}
	}
}

func TestJWKSPassesOverWhatItDoesNotUse(t *testing.T) {
	for name, text := range map[string]string{
		"none":           `{"keys":[]}`,
		"RSA":            `{"keys":[{"kty":"RSA","n":7,"kid":1}]}`,
		"X25519":         `{"keys":[{"kty":"OKP","crv":"X25519","x":"AA"}]}`,
		"a key of types": `{"keys":[{"kty":7,"crv":{}}]}`,
	} {
		if keys, err := keyring.ParseJWKS([]byte(text)); err != nil || len(keys) != 0 {
			t.Errorf("%s: %v, %v", name, keys, err)
		}
	}
	text := `{"x":1,"keys":[{"kty":"RSA"},{"kty":"OKP","crv":"Ed25519","x":"` + rfcX + `","alg":"Ed25519","x5t":1}]}`
	keys, err := keyring.ParseJWKS([]byte(text))
	if err != nil || len(keys) != 1 || keys[0].Purpose != "" || !keys[0].NotBefore.IsZero() || !keys[0].InForce() {
		t.Errorf("%v, %v", keys, err)
	}
}

func TestJWKSThatIsRefused(t *testing.T) {
	with := func(members string) string {
		return `{"keys":[{"kty":"OKP","crv":"Ed25519","x":"` + rfcX + `"` + members + `}]}`
	}
	if _, err := keyring.ParseJWKS([]byte(with(""))); err != nil {
		t.Fatal(err)
	}
	x := func(x string) string { return strings.Replace(with(""), rfcX, x, 1) }
	for name, text := range map[string]string{
		"nothing":              ``,
		"no set":               `[]`,
		"no keys":              `{}`,
		"null":                 `{"keys":null}`,
		"a number":             `{"keys":[1]}`,
		"trailing":             with("") + "{}",
		"keys twice":           `{"keys":[],"keys":[]}`,
		"a member twice":       with(`,"kty":"OKP"`),
		"the same key twice":   fmt.Sprintf(`{"keys":[%s,%[1]s]}`, strings.TrimSuffix(strings.TrimPrefix(with(""), `{"keys":[`), `]}`)),
		"private":              with(`,"d":"nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A"`),
		"another alg":          with(`,"alg":"none"`),
		"for encryption":       with(`,"use":"enc"`),
		"another purpose":      with(`,"purpose":"x"`),
		"another kid":          with(`,"kid":"x"`),
		"kid in upper case":    with(`,"kid":"` + strings.ToUpper(rfcID) + `"`),
		"nbf as text":          with(`,"nbf":"1"`),
		"nbf with a fraction":  with(`,"nbf":1.5`),
		"nbf of 0":             with(`,"nbf":0`),
		"exp of 0":             with(`,"exp":0`),
		"exp before 1970":      with(`,"exp":-1`),
		"exp after all years":  with(`,"exp":253402300800`),
		"exp before nbf":       with(`,"nbf":2,"exp":1`),
		"x missing":            x(""),
		"x short":              x(rfcX[:42]),
		"x long":               x(rfcX + "AA"),
		"x padded":             x(rfcX + "="),
		"x in the wrong base":  x(strings.ReplaceAll(rfcX, "_", "/")),
		"x with a line break":  x(rfcX[:10] + `\n` + rfcX[10:]),
		"x with bits left":     x(rfcX[:42] + "p"),
		"x of another type":    strings.Replace(with(""), `"`+rfcX+`"`, "7", 1),
		"a PEM and not a JWKS": rfcPublic,
	} {
		t.Run(name, func(t *testing.T) {
			keys, err := keyring.ParseJWKS([]byte(text))
			if !errors.Is(err, keyring.ErrPublicKey) || keys != nil {
				t.Errorf("got %v, %v", keys, err)
			}
			if err != nil && strings.Contains(err.Error(), "nWGxne") {
				t.Error("the error quotes a private key")
			}
		})
	}
}

func TestMarshalJWKSRefuses(t *testing.T) {
	k := someKeys(t)[0]
	another := k
	another.ID = rfcID
	for name, keys := range map[string][]keyring.Key{
		"no key": {{}}, "the ID of another": {another}, "a key twice": {k, k},
	} {
		if text, err := keyring.MarshalJWKS(keys); !errors.Is(err, keyring.ErrPublicKey) || text != nil {
			t.Errorf("%s: %s, %v", name, text, err)
		}
	}
}

func FuzzParseJWKS(f *testing.F) {
	f.Add([]byte(`{"keys":[{"kty":"OKP","crv":"Ed25519","x":"` + rfcX + `","nbf":1,"exp":2,"purpose":"log"}]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		keys, err := keyring.ParseJWKS(text)
		if err != nil {
			return
		}
		again, err := keyring.MarshalJWKS(keys)
		if err != nil {
			t.Fatal(err)
		}
		got, err := keyring.ParseJWKS(again)
		if err != nil || !cmp.Equal(got, keys) {
			t.Fatalf("read, written and read again: %v, %v", got, err)
		}
	})
}
