package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"earshot/decisionlog"
)

// keysSuffix is what the name of the public keys beside a backup ends with.
const keysSuffix = ".jwks"

type logBackupCmd struct {
	dataFlag
	File string `arg:"" help:"File to write, which must not exist."`
}

// Help is shown by pdp log backup --help.
func (logBackupCmd) Help() string {
	return `The log is copied as it is at one moment, while a server runs on the folder and goes on recording. The
public keys that verify its checkpoints and receipts are written beside it, to FILE.jwks. Private keys
are not copied: whoever had the copy could then sign. Keep those of the folder keys apart, or give a
server after a restore new ones.

The copy holds personal data as the log does, and keeps what is erased from the log later.

Examples:
  pdp log backup /backup/earshot-monday.db
  pdp log backup copy.db --data /var/lib/earshot`
}

// Run backs the log up.
func (c *logBackupCmd) Run(ctx context.Context, p *process) error {
	if err := needLedger(c.Data); err != nil {
		return err
	}
	err := decisionlog.Backup(ctx, c.Data, c.File, pageProgress(p.stderr))
	if errors.Is(err, fs.ErrExist) {
		return misuse{err}
	}
	if err != nil {
		return err
	}
	if err := copyPublicKeys(c.Data, c.File+keysSuffix); err != nil {
		return fmt.Errorf("the log is backed up, its public keys are not: %w", err)
	}
	_, err = fmt.Fprintf(p.stdout, "backed up to %s; pdp log restore verifies it\n", c.File)
	return err
}

// copyPublicKeys copies the public keys of a data folder, if it has any.
func copyPublicKeys(data, to string) error {
	keys, err := os.ReadFile(filepath.Join(data, "keys", "index.jwks"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return os.WriteFile(to, keys, 0o600)
}

// pageProgress returns a function that shows on a terminal how far a copy is; nil where w is none.
func pageProgress(w io.Writer) func(done, all int) {
	if !isTerminal(w) {
		return nil
	}
	return func(done, all int) { fmt.Fprintf(w, "\r%d of %d pages\r", done, all) }
}

type logRestoreCmd struct {
	dataFlag
	File string `arg:"" type:"existingfile" help:"File that pdp log backup wrote."`
	Keys string `placeholder:"FILE" help:"Public keys of the log; FILE.jwks beside the backup if absent."`
}

// Help is shown by pdp log restore --help.
func (logRestoreCmd) Help() string {
	return `The backup is copied beside its place, every entry in it is verified as pdp log verify does, and only then
is it put in place. The data folder must have no log. It may have the folder keys: put the private keys
there first, and a server goes on with them. Without private keys, start the server with --receipt-key and
--log-key.

What was erased after the backup is in the log again: repeat those erasures. Entries that were recorded
after it are missing, which whoever has a later checkpoint or receipt can prove.

Exit status 0 means that the log is in place, 1 that it is not, 2 that the folder has one.

Examples:
  pdp log restore /backup/earshot-monday.db --data /var/lib/earshot`
}

// Run restores a backup.
func (c *logRestoreCmd) Run(ctx context.Context, p *process) error {
	keys := c.Keys
	if beside := c.File + keysSuffix; keys == "" {
		if _, err := os.Stat(beside); err == nil {
			keys = beside
		}
	}
	found, err := decisionlog.Restore{
		File: c.File, Keys: keys, Dir: c.Data,
		Verify: decisionlog.VerifyConfig{Progress: entryProgress(p.stderr)},
	}.Run(ctx)
	if errors.Is(err, fs.ErrExist) {
		return misuse{err}
	}
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(p.stdout, "%s, all in order, restored to %s\n", count(int(found.Entries), "entry"), c.Data)
	return err
}
