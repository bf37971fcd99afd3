package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"
	"unicode"

	"earshot/decisionlog/keyring"
	"earshot/decisionlog/receipt"
)

// receiptCmd groups what is done with receipts.
type receiptCmd struct {
	Verify receiptVerifyCmd `cmd:"" help:"Verify a receipt, or all of an answer, and say what was stated."`
}

type receiptVerifyCmd struct {
	File        string `arg:"" help:"File with one envelope, or with a whole answer; - is standard input."`
	Key         string `required:"" xor:"keys" placeholder:"FILE" help:"Public key of the service, in PEM."`
	JWKS        string `name:"jwks" required:"" xor:"keys" placeholder:"FILE" help:"Public keys of the service, as a JWK set."`
	Disclosures bool   `help:"Print what the disclosures of the answer reveal."`
}

// maxReceiptFile bounds a file that is read, in bytes: an answer about the largest request fits.
const maxReceiptFile = 256 << 20

// Help is shown by pdp receipt verify --help.
func (receiptVerifyCmd) Help() string {
	return `Give the public keys with --key or with --jwks, not both.

Of an answer all receipts are verified, that they are of one decision, and that the disclosures and
the manifest beside them fit. Nothing else is needed: no server, no data folder, no network. A JWK set has
the time in which each key signed; a key in PEM has none, so that a receipt of any time is taken.

Exit status 0 means that all is in order, 1 that it is not, with the place, 2 a file that cannot be used.

Examples:
  pdp receipt verify answer.json --jwks jwks.json
  pdp receipt verify answer.json --jwks jwks.json --disclosures
  pdp receipt verify - --key key.pem <receipt.json`
}

// Run verifies and prints what was stated.
func (c *receiptVerifyCmd) Run(p *process) error {
	keys, err := c.keys()
	if err != nil {
		return err
	}
	text, name, err := readWhole(p, c.File)
	if err != nil {
		return err
	}
	answer := &receipt.Answer{}
	if receipt.IsAnswer(text) {
		answer, err = receipt.VerifyAnswer(text, keys)
	} else if c.Disclosures {
		return misuse{fmt.Errorf("%s is no answer with receipts, so it has no disclosures", name)}
	} else {
		answer.Receipts = make([]*receipt.Verified, 1)
		answer.Receipts[0], err = receipt.Verify(text, keys)
	}
	if err != nil {
		return fmt.Errorf("%s is not verified: %w", name, err)
	}
	return c.print(p.stdout, answer)
}

func (c *receiptVerifyCmd) keys() ([]keyring.Key, error) {
	file := c.Key + c.JWKS // There is one of them.
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, misuse{err}
	}
	if c.JWKS != "" {
		keys, err := keyring.ParseJWKS(text)
		if err == nil && len(keys) == 0 {
			err = errors.New("the set has no Ed25519 key")
		}
		if err != nil {
			return nil, misuse{fmt.Errorf("%s: %w", file, err)}
		}
		return keys, nil
	}
	key, err := keyring.ParsePublicPEM(text)
	if err != nil {
		return nil, misuse{fmt.Errorf("%s: %w", file, err)}
	}
	return []keyring.Key{key}, nil
}

// readWhole reads a file, or standard input, and returns what to call it.
func readWhole(p *process, path string) (text []byte, name string, err error) {
	source, name := p.stdin, "standard input"
	if path != "-" {
		file, err := os.Open(path)
		if err != nil {
			return nil, path, misuse{err}
		}
		defer file.Close()
		if info, err := file.Stat(); err == nil && info.IsDir() {
			return nil, path, misuse{fmt.Errorf("%s is a folder; name a file with a receipt", path)}
		}
		source, name = file, path
	}
	text, err = io.ReadAll(io.LimitReader(source, maxReceiptFile+1))
	switch {
	case err != nil:
		return nil, name, fmt.Errorf("read %s: %w", name, err)
	case len(text) > maxReceiptFile:
		return nil, name, misuse{fmt.Errorf("%s is larger than %d bytes", name, maxReceiptFile)}
	}
	return text, name, nil
}

func (c *receiptVerifyCmd) print(w io.Writer, answer *receipt.Answer) error {
	var b strings.Builder
	for _, v := range answer.Receipts {
		sayReceipt(&b, v)
	}
	if c.Disclosures {
		for _, d := range answer.Disclosures {
			fmt.Fprintf(&b, "%s %s %s\n", d.Commitment, d.Name, printable(string(d.Value)))
		}
	}
	fmt.Fprintf(&b, "%s verified", count(len(answer.Receipts), "receipt"))
	if n := len(answer.Disclosures); n > 0 {
		fmt.Fprintf(&b, ", %s open what they commit to", count(n, "disclosure"))
	}
	if answer.Whole {
		b.WriteString("\nThe answer fits them in its ids, verdict, directive and results; its other members are not signed.")
	}
	_, err := fmt.Fprintln(w, b.String())
	return err
}

// sayReceipt writes what one receipt states.
func sayReceipt(w io.Writer, v *receipt.Verified) {
	h := v.Head()
	fmt.Fprintf(w, "%s %s\n", v.Statement.Predicate.Name(), h.ReceiptID)
	line := func(name, format string, args ...any) {
		fmt.Fprintf(w, "  %-9s %s\n", name, printable(fmt.Sprintf(format, args...)))
	}
	line("issued", "%s", h.IssuedAt.Format(time.RFC3339Nano))
	line("decision", "%s, entry %d of %s, leaf %s", h.DecisionID, h.Ledger.Index, h.Ledger.Origin, h.Ledger.Leaf)
	line("policy", "%s", h.Policy.Revision)
	line("agent", "%s", h.Agent)
	for _, sentence := range v.Statement.Predicate.Sentences() {
		line("states", "%s", sentence)
	}
	for _, s := range v.Statement.Subject {
		line("subject", "%s sha256:%s", s.Name, s.Digest.SHA256)
	}
	line("key", "%s", v.Key.ID)
	line("envelope", "%s", v.EnvelopeDigest)
	fmt.Fprintln(w)
}

// printable keeps text that a caller chose from steering a terminal.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return unicode.ReplacementChar
		}
		return r
	}, text)
}
