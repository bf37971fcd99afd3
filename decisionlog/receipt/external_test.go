package receipt_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"earshot/decisionlog/keyring"
	"earshot/decisionlog/receipt"
)

// verifier is a program that knows nothing of this one.
type verifier struct {
	// probe says whether the program is on the machine.
	probe []string

	// run has KEY and ENVELOPE for the names of the files; it ends with status 0 where the receipt is good.
	run []string

	// says is what it prints then; %s is the type of the predicate.
	says string
}

// TestOtherPrograms verifies each receipt by programs of others, and shows that each of them refuses
// one with another payload, another signature, or of another key.
func TestOtherPrograms(t *testing.T) {
	script := func(name string) string {
		path, err := filepath.Abs(filepath.Join("testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		return path
	}
	verifiers := map[string]verifier{
		"openssl": {[]string{"openssl", "version"}, []string{"sh", "-e", openssl(t)}, "Signature Verified Successfully"},
		"python":  {[]string{python(), "-c", "import cryptography"}, []string{python(), script("verify.py"), "KEY", "ENVELOPE"}, "verified %s"},
		"node":    {[]string{"node", "--version"}, []string{"node", script("verify.js"), "KEY", "ENVELOPE"}, "verified %s"},
	}
	set := issue(t)
	for name, v := range verifiers {
		t.Run(name, func(t *testing.T) {
			if out, err := exec.Command(v.probe[0], v.probe[1:]...).CombinedOutput(); err != nil {
				t.Skipf("NOT RUN: %s is not on this machine: %v %s", strings.Join(v.probe, " "), err, out)
			}
			for statement, envelope := range set.Envelopes {
				uri := "https://earshot.example/" + statement + "/v1"
				out, err := v.verify(t, testKey().key(), envelope)
				if want := strings.ReplaceAll(v.says, "%s", uri); err != nil || !strings.Contains(out, want) {
					t.Errorf("%s: %v\n%s\nwant %q", statement, err, out, want)
				}
				if statement != receipt.BleedDetection { // To start these programs takes long.
					continue
				}
				for how, changed := range spoiled(t, envelope) {
					if out, err := v.verify(t, testKey().key(), changed); !refusedWithStatus(err) {
						t.Errorf("%s with %s: %v\n%s", statement, how, err, out)
					}
				}
				if out, err := v.verify(t, newSigner('o').key(), envelope); !refusedWithStatus(err) {
					t.Errorf("%s by another key: %v\n%s", statement, err, out)
				}
			}
		})
	}
}

func (v verifier) verify(t *testing.T, key keyring.Key, envelope []byte) (string, error) {
	t.Helper()
	dir := t.TempDir()
	files := map[string][]byte{"key.pem": keyring.MarshalPublicPEM(key), "receipt.json": envelope}
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	args := make([]string, len(v.run))
	for i, arg := range v.run {
		args[i] = strings.NewReplacer("KEY", "key.pem", "ENVELOPE", "receipt.json").Replace(arg)
	}
	cmd := exec.CommandContext(t.Context(), args[0], args[1:]...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// refusedWithStatus tells a program that refused from one that did not start.
func refusedWithStatus(err error) bool {
	exit, ok := err.(*exec.ExitError)
	return ok && exit.ExitCode() > 0
}

// spoiled returns envelopes of the right form that nobody signed.
func spoiled(t *testing.T, envelope []byte) map[string][]byte {
	t.Helper()
	change := func(edit func(payload, sig []byte) ([]byte, []byte)) []byte {
		var e struct {
			Payload     []byte `json:"payload"`
			PayloadType string `json:"payloadType"`
			Signatures  []struct {
				KeyID string `json:"keyid"`
				Sig   []byte `json:"sig"`
			} `json:"signatures"`
		}
		if err := json.Unmarshal(envelope, &e); err != nil {
			t.Fatal(err)
		}
		e.Payload, e.Signatures[0].Sig = edit(e.Payload, e.Signatures[0].Sig)
		text, err := json.Marshal(e)
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Equal(text, envelope) {
			t.Fatal("nothing changed")
		}
		return text
	}
	return map[string][]byte{
		"another decision": change(func(payload, sig []byte) ([]byte, []byte) {
			return bytes.Replace(payload, []byte(`a1f2"`), []byte(`a1f9"`), 1), sig
		}),
		"a bit of the signature": change(func(payload, sig []byte) ([]byte, []byte) {
			sig[3] ^= 1
			return payload, sig
		}),
		"a shorter payload": change(func(payload, sig []byte) ([]byte, []byte) { return payload[:len(payload)-1], sig }),
	}
}

// python returns the Python that has the package cryptography: another one may stand before that of the
// system.
func python() string {
	const system = "/usr/bin/python3"
	if exec.Command("python3", "-c", "import cryptography").Run() != nil && exec.Command(system, "-c", "import cryptography").Run() == nil {
		return system
	}
	return "python3"
}

// openssl writes the commands of the documentation into a script.
func openssl(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "receipts.md"))
	if err != nil {
		t.Fatal(err)
	}
	block := regexp.MustCompile("(?s)```sh\n(.*?)```").FindSubmatch(text)
	if block == nil {
		t.Fatal("the documentation has no commands")
	}
	commands := bytes.Split(bytes.TrimSpace(block[1]), []byte("\n"))
	if len(commands) != 5 || !bytes.Contains(block[1], []byte("openssl pkeyutl -verify")) {
		t.Fatalf("the documentation has %d commands, want the five that verify:\n%s", len(commands), block[1])
	}
	script := filepath.Join(t.TempDir(), "verify.sh")
	if err := os.WriteFile(script, block[1], 0o600); err != nil {
		t.Fatal(err)
	}
	return script
}

// TestPublicKeyIsWhatOthersRead pins the key of the fixture to its SubjectPublicKeyInfo (RFC 8410,
// section 4), so that a key ID is that of any other program.
func TestPublicKeyIsWhatOthersRead(t *testing.T) {
	text := string(keyring.MarshalPublicPEM(testKey().key()))
	der := append([]byte{0x30, 0x2a, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x03, 0x21, 0x00}, testKey().public()...)
	want := "-----BEGIN PUBLIC KEY-----\n" + base64.StdEncoding.EncodeToString(der) + "\n-----END PUBLIC KEY-----\n"
	if text != want {
		t.Errorf("got\n%s\nwant\n%s", text, want)
	}
	if v := verifyAll(t, issue(t))[0]; v.Key.ID != testKey().KeyID() || v.Key.Purpose != keyring.PurposeReceipt ||
		v.Statement.Predicate.Name() != receipt.IsolationBoundary {
		t.Errorf("verified by %+v", v.Key)
	}
}
