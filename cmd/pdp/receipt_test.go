package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// receiptFiles are the receipts that their package pins, and the public key to them.
func receiptFiles(name string) string {
	return filepath.Join("..", "..", "decisionlog", "receipt", "testdata", name)
}

// TestReceiptVerify runs pdp receipt verify in a folder that has nothing but the files it names.
func TestReceiptVerify(t *testing.T) {
	jwks, key := receiptFiles("jwks.json"), receiptFiles("key.pem")
	decision, handoff := receiptFiles("decision.golden.json"), receiptFiles("handoff.golden.json")
	answer, err := os.ReadFile(decision)
	if err != nil {
		t.Fatal(err)
	}
	envelope := envelopeOf(t, answer, "bleed_detection_signature")
	changed := bytes.Replace(envelope, []byte(`"payload": "ey`), []byte(`"payload": "e_`), 1)
	longer := bytes.Replace(envelope, []byte(`"sig": "`), []byte(`"sig": "AAAA`), 1)
	damaged := bytes.Replace(answer, []byte(`"disclosures": [`), []byte(`"disclosures": ["x",`), 1)

	tests := map[string]struct {
		args   []string
		stdin  []byte
		status int
		says   []string // on standard output of a good one, or else on standard error
	}{
		"a decision by a set": {[]string{decision, "--jwks", jwks}, nil, 0, []string{
			"context_isolation_boundary_receipt 01931c5e", "context_provenance_attribution_signature 01931c5e",
			"cross_agent_inheritance_policy_receipt 01931c5e", "bleed_detection_signature 01931c5e",
			"decision  01931c5e-7d2a-7c1f-9a57-0c3d5be0a1f2, entry 41 of earshot.example/ledger/",
			"agent     agent:scribe", "Of 7 elements, 2 admitted and 5 excluded.", "Excluded for unattributed: 1.",
			"Verdict BLEED_DETECTED: not permitted.", "Directive HALT, 5 findings.", "subject   context_manifest sha256:",
			"subject   policy sha256:5b0c3e1f", "4 receipts verified, 12 disclosures open what they commit to",
		}},
		"a hand-off by a key":  {[]string{handoff, "--key", key}, nil, 0, []string{"Profile strict.", "4 receipts verified"}},
		"what is disclosed":    {[]string{decision, "--key", key, "--disclosures"}, nil, 0, []string{`tenant "acme"`, `"id":"m1"`}},
		"an envelope":          {[]string{"-", "--key", key}, envelope, 0, []string{"1 receipt verified\n"}},
		"another alphabet":     {[]string{"-", "--key", key}, changed, 1, []string{"standard input is not verified: /payload is no standard base64 at offset 1"}},
		"a longer signature":   {[]string{"-", "--key", key}, longer, 1, []string{"/signatures/0/sig"}},
		"cut":                  {[]string{"-", "--key", key}, envelope[:200], 1, []string{"is not verified: /payload"}},
		"no JSON":              {[]string{"-", "--key", key}, []byte("receipt"), 1, []string{"the envelope is no JSON, at byte 0"}},
		"another disclosure":   {[]string{"-", "--jwks", jwks}, damaged, 1, []string{"/disclosures/0 opens no commitment"}},
		"no disclosures":       {[]string{"-", "--key", key, "--disclosures"}, envelope, 2, []string{"standard input is no answer with receipts"}},
		"no key":               {[]string{decision}, nil, 2, []string{"--key", "--jwks"}},
		"two sorts of key":     {[]string{decision, "--key", key, "--jwks", jwks}, nil, 2, []string{"--key", "--jwks"}},
		"no such file":         {[]string{"missing.json", "--key", key}, nil, 2, []string{"missing.json"}},
		"no such key":          {[]string{decision, "--key", "missing.pem"}, nil, 2, []string{"missing.pem"}},
		"a key that is none":   {[]string{decision, "--key", jwks}, nil, 2, []string{"jwks.json: public key cannot be used"}},
		"a set that is none":   {[]string{decision, "--jwks", key}, nil, 2, []string{"key.pem: public key cannot be used"}},
		"a folder":             {[]string{".", "--key", key}, nil, 2, []string{". is a folder"}},
		"an answer of another": {[]string{"-", "--key", key}, []byte(`{"receipts":{}}`), 1, []string{"/receipts has none"}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			var stdout, stderr bytes.Buffer
			status := run(context.Background(), &process{
				args:  append([]string{"receipt", "verify"}, tt.args...),
				stdin: bytes.NewReader(tt.stdin), stdout: &stdout, stderr: &stderr,
				getenv: func(string) (string, bool) { return "", false },
			})
			said := stdout.String()
			if tt.status != 0 {
				if said != "" {
					t.Errorf("it prints %q and fails", said)
				}
				said = stderr.String()
			}
			if status != tt.status {
				t.Errorf("exit status %d, want %d\n%s", status, tt.status, said+stderr.String())
			}
			for _, want := range tt.says {
				if !strings.Contains(said, want) {
					t.Errorf("it does not say %q:\n%s", want, said)
				}
			}
		})
	}
}

// envelopeOf returns one envelope of an answer as it stands there.
func envelopeOf(t *testing.T, answer []byte, name string) []byte {
	t.Helper()
	var a struct {
		Receipts map[string]jsontext.Value `json:"receipts"`
	}
	if err := json.Unmarshal(answer, &a); err != nil {
		t.Fatal(err)
	}
	return a.Receipts[name]
}
