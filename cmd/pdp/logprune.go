package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"earshot/decisionlog"
	"earshot/decisionlog/keyring"
)

type logPruneCmd struct {
	dataFlag
	Config string `required:"" placeholder:"FILE" help:"Configuration with log.retention and log.holds."`
}

// Help is shown by pdp log prune --help.
func (logPruneCmd) Help() string {
	return `What decisions say is emptied where it is older than log.retention and matches none of log.holds. What
commits to it stays, and every proof still holds. What was emptied is recorded. Names that nothing refers
to any more stay until they are erased. A server does the same by itself, so this is for a folder without
one.

Examples:
  pdp log prune --config earshot.yaml --data /var/lib/earshot`
}

// Run prunes the log and prints how much.
func (c *logPruneCmd) Run(ctx context.Context, p *process) (err error) {
	file, err := readConfig(c.Config)
	if err != nil {
		return misuse{err}
	}
	retention, err := file.Log.retention(nil)
	if err != nil {
		return misuse{err}
	}
	if retention.Age == 0 {
		return misuse{fmt.Errorf("%s has no log.retention, so everything is kept", c.Config)}
	}
	if err := needLedger(c.Data); err != nil {
		return err
	}
	e, err := openEvidence(ctx, c.Data, keyring.Given{ReceiptKey: file.ReceiptKey, LogKey: file.LogKey})
	if errors.Is(err, decisionlog.ErrInUse) {
		return fmt.Errorf("%w\nif that is a server, it prunes by itself where its configuration has log.retention", err)
	}
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, e.log.Close()) }()
	done, err := e.log.Prune(ctx, retention.At(time.Now(), newID))
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(p.stdout, "%s emptied, %s held\n", count(int(done.Pruned), "entry"), count(int(done.Held), "entry"))
	return err
}
