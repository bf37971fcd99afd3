package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"earshot/decisionlog"
	"earshot/decisionlog/keyring"
)

// eraser is the log with the ID and the time that an erasure needs.
type eraser struct{ log *decisionlog.Log }

// Erase forgets a name.
func (e eraser) Erase(ctx context.Context, order decisionlog.Erasure) (*decisionlog.StoredErasure, bool, error) {
	id, err := newID()
	if err != nil {
		return nil, false, err
	}
	order.ID, order.At = id, time.Now().UTC().Truncate(time.Microsecond)
	return e.log.Erase(ctx, order)
}

type logEraseCmd struct {
	dataFlag
	Principal   string `placeholder:"NAME" xor:"name" required:"" help:"The person or agent to forget; - reads the name from standard input."`
	Item        string `placeholder:"ID" xor:"name" required:"" help:"The item to forget; - reads its id from standard input."`
	Reason      string `default:"data_subject_request" enum:"data_subject_request,no_longer_needed,consent_withdrawn,objection,unlawful_processing,legal_obligation,child_consent" help:"Ground of the erasure, as the log records it: ${enum}."`
	RequestedBy string `placeholder:"WHO" help:"Who asked for it, as the log records it; not the person."`
	Compact     bool   `help:"Write the database anew afterwards, which takes away keyed hashes too."`
	Yes         bool   `help:"Do not ask."`
}

// Help is shown by pdp log erase --help.
func (logEraseCmd) Help() string {
	return `The name is deleted from the log, with every text that contains it or can be compared with guesses of it:
attributes, seals, digests of sets of viewers, and receipts that say it; of an item its fingerprints and
the digest of its content too. Its bytes are overwritten in the files. Every decision stays, with "erased-"
and a number in place of the name; every proof still holds, and the act is an entry of the log that
names nobody. It cannot be taken back.

What was handed out before is out of reach: receipts, exports, evidence packages, and backups, from which
a restore brings the name back. Blocks that a disk or a file system has put elsewhere are too. The name on
a command line stays in the history of the shell, unless it is read from standard input.

Exit status 0 means that it is done, 1 that it failed or the log does not have the name. A server that
runs on the folder does it itself: POST /v1/erasures, with the scope admin.

Examples:
  pdp log erase --principal user:ann@example.org --reason objection
  printf %s "$NAME" | pdp log erase --principal - --yes
  pdp log erase --item note-17 --data /var/lib/earshot --compact`
}

// Run forgets a name and prints what is gone.
func (c *logEraseCmd) Run(ctx context.Context, p *process) (err error) {
	name, err := c.name(p)
	if err != nil {
		return err
	}
	if err := needLedger(c.Data); err != nil {
		return err
	}
	e, err := openEvidence(ctx, c.Data, keyring.Given{})
	if errors.Is(err, decisionlog.ErrInUse) {
		return fmt.Errorf("%w\nif that is a server, ask it: POST /v1/erasures, with the scope admin", err)
	}
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, e.log.Close()) }()

	done, lingering, err := eraser{e.log}.Erase(ctx, decisionlog.Erasure{Name: name, RequestedBy: c.RequestedBy, Reason: c.Reason})
	switch {
	case errors.Is(err, decisionlog.ErrNotFound):
		return errors.New("the log does not have this name, or not any more; nothing was recorded")
	case err != nil:
		return err
	case lingering:
		return errors.New("the name is erased, and old frames of the write-ahead log linger; start the server or any command on the folder to cut it")
	}
	if c.Compact {
		if err := e.log.Compact(ctx); err != nil {
			return err
		}
	}
	_, err = fmt.Fprintf(p.stdout, "erased %s, %s and %s; entry %d of the log\n", count(len(done.Handles), "text"),
		count(int(done.Fingerprints), "fingerprint"), count(int(done.Receipts), "receipt"), done.Log.Index)
	return err
}

// name returns the name to forget, once the caller has said yes.
func (c *logEraseCmd) name(p *process) (string, error) {
	name := c.Principal + c.Item
	if name == "-" {
		if !c.Yes {
			return "", misuse{errors.New("standard input has the name and cannot be asked; say --yes")}
		}
		text, err := io.ReadAll(io.LimitReader(p.stdin, 1<<16))
		if err != nil {
			return "", fmt.Errorf("read standard input: %w", err)
		}
		if name = strings.TrimRight(string(text), "\r\n"); name == "" {
			return "", misuse{errors.New("standard input has no name")}
		}
		return name, nil
	}
	if c.Yes {
		return name, nil
	}
	if in, ok := p.stdin.(*os.File); !ok || !isTerminal(in) {
		return "", misuse{errors.New("an erasure cannot be taken back; say --yes")}
	}
	fmt.Fprintf(p.stderr, "This cannot be taken back. Erase %q? Type yes: ", name)
	line, err := bufio.NewReader(p.stdin).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return "", fmt.Errorf("read standard input: %w", err)
	}
	if strings.TrimSpace(line) != "yes" {
		return "", errors.New("nothing was erased")
	}
	return name, nil
}

// needLedger returns an error where a folder has no log: to open one would make it.
func needLedger(dir string) error {
	if _, err := os.Stat(filepath.Join(dir, "decisions.db")); err != nil {
		return misuse{fmt.Errorf("there is no decision log in %s: %w; name its folder with --data", dir, err)}
	}
	return nil
}
