package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"earshot/decisionlog"
)

// logCmd groups what is done with a decision log beside recording.
type logCmd struct {
	Verify logVerifyCmd `cmd:"" help:"Read the whole log and check that it is as it was recorded."`
}

type logVerifyCmd struct {
	Data string `default:"./data" help:"Data folder, which holds the decision log."`
}

// Help is shown by pdp log verify --help.
func (logVerifyCmd) Help() string {
	return `Every entry, and every name and list that it refers to, is compared with the digests that were
recorded with it. What retention emptied and what was erased is in order. A log that was replaced as
a whole is not found out: its entries are digested, and not signed.

Exit status 0 means that all entries are in order, 1 that one is not; the first one is named. A server
that runs on the folder must be stopped for the time, or its folder be copied.

Examples:
  pdp log verify
  pdp log verify --data /var/lib/earshot`
}

// Run verifies the log and prints how many entries it has.
func (c *logVerifyCmd) Run(ctx context.Context, p *process) (err error) {
	// To open a log makes one where there is none.
	const database = "decisions.db"
	if _, err := os.Stat(filepath.Join(c.Data, database)); err != nil {
		return misuse{fmt.Errorf("there is no decision log in %s: %w; name its folder with --data", c.Data, err)}
	}
	log, err := decisionlog.Open(ctx, decisionlog.Config{Dir: c.Data})
	if errors.Is(err, decisionlog.ErrInUse) {
		return fmt.Errorf("%w\nif that is a server, stop it first, or verify a copy of the folder", err)
	}
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, log.Close()) }()

	entries, err := log.Verify(ctx, entryProgress(p.stderr))
	if errors.Is(err, decisionlog.ErrDamaged) {
		return fmt.Errorf("%w; %s before it in order", err, count(int(entries), "entry"))
	}
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(p.stdout, "%s, all in order\n", count(int(entries), "entry"))
	return err
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
