package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"earshot/decisionlog"
	"earshot/decisionlog/keyring"
	"earshot/decisionlog/receipt"
)

type logVerifyCmd struct {
	Data    string   `default:"./data" help:"Data folder, which holds the decision log."`
	Against []string `placeholder:"FILE" help:"Checkpoint, .tlog-proof, receipt or answer that was handed out; - is standard input. May be repeated."`
}

// Help is shown by pdp log verify --help.
func (logVerifyCmd) Help() string {
	return `Every entry, and every name and list that it refers to, is compared with the digests that were
recorded with it; the Merkle tree is built anew from the entries and compared with the stored one and with
every checkpoint; signatures of checkpoints and receipts are verified by the public keys in the folder. What
retention emptied and what was erased is in order.

Nobody can see in a log alone that a whole older copy was put in its place. Whatever was handed out since
shows it: give it by --against. The log must then have what was said of it.

Exit status 0 means that all is in order, 1 that something is not; the first such entry is named. A server
that runs on the folder must be stopped for the time, or its folder be copied.

Examples:
  pdp log verify
  pdp log verify --data /var/lib/earshot --against checkpoint.txt
  curl -s $ADDR/v1/log/proof?index=17 >17.tlog-proof  # and later
  pdp log verify --against 17.tlog-proof --against answer.json`
}

// Run verifies the log and prints what it found in order.
func (c *logVerifyCmd) Run(ctx context.Context, p *process) (err error) {
	if err := needsLog(c.Data); err != nil {
		return err
	}
	config := decisionlog.VerifyConfig{Progress: entryProgress(p.stderr)}
	for _, path := range c.Against {
		text, name, err := readWhole(p, path)
		if err != nil {
			return err
		}
		references, err := decisionlog.ParseReferences(text)
		if err != nil {
			return misuse{fmt.Errorf("%s: %w", name, err)}
		}
		config.Against = append(config.Against, references...)
	}
	if config.Receipt, err = receiptVerifier(c.Data); err != nil {
		return err
	}
	// Unchecked, since to say where a log is damaged is what this is for.
	log, err := decisionlog.Open(ctx, decisionlog.Config{Dir: c.Data, Unchecked: true})
	if errors.Is(err, decisionlog.ErrInUse) {
		return fmt.Errorf("%w\nif that is a server, stop it first, or verify a copy of the folder", err)
	}
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, log.Close()) }()

	found, err := log.VerifyBy(ctx, config)
	if errors.Is(err, decisionlog.ErrDamaged) {
		return fmt.Errorf("%w; %s before it in order", err, count(int(found.Entries), "entry"))
	}
	if err != nil {
		return err
	}
	_, err = fmt.Fprint(p.stdout, sayVerified(found, len(config.Against)))
	return err
}

// sayVerified says what was found in order, a line for each sort of it.
func sayVerified(found decisionlog.Verified, statements int) string {
	said := count(int(found.Entries), "entry") + ", all in order\n"
	if found.Checkpoints > 0 {
		said += "the last checkpoint is of " + count(int(found.Covered), "entry") + "\n"
	}
	if found.Receipts > 0 {
		said += "the signatures of " + count(int(found.Receipts), "receipt") + " are verified\n"
	}
	if statements > 0 {
		said += count(statements, "statement") + " handed out before: the log holds to them\n"
	}
	return said
}

// needsLog returns a misuse where a folder has no decision log: to open one makes it.
func needsLog(dir string) error {
	const database = "decisions.db"
	if _, err := os.Stat(filepath.Join(dir, database)); err != nil {
		return misuse{fmt.Errorf("there is no decision log in %s: %w; name its folder with --data", dir, err)}
	}
	return nil
}

// receiptVerifier returns what verifies a receipt by the keys in a data folder. Without keys none is.
func receiptVerifier(dir string) (func(envelope []byte) error, error) {
	keys, err := keyring.List(dir)
	if err != nil && !errors.Is(err, keyring.ErrNoKeys) {
		return nil, err
	}
	var receipts []keyring.Key
	for _, k := range keys {
		if k.Purpose == keyring.PurposeReceipt {
			receipts = append(receipts, k)
		}
	}
	return func(envelope []byte) error {
		_, err := receipt.Verify(envelope, receipts)
		return err
	}, nil
}

// entryProgress returns a function that shows on a terminal how far a reading of the log is; nil
// where w is none.
func entryProgress(w io.Writer) func(entries uint64) {
	if !isTerminal(w) {
		return nil
	}
	return func(entries uint64) {
		fmt.Fprintf(w, "\r%d entries\r", entries) // The next line writes over it.
	}
}
