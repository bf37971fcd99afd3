package main

import (
	"context"
	"errors"
	"fmt"

	"earshot/decisionlog"
	"earshot/decisionlog/keyring"
)

type logCheckpointCmd struct {
	Data string `default:"./data" help:"Data folder, which holds the decision log and the keys."`
	Keys bool   `help:"Print the keys that verify checkpoints instead, one a line, the newest first."`
	keyFlags
}

// Help is shown by pdp log checkpoint --help.
func (logCheckpointCmd) Help() string {
	return `A checkpoint is a signed note (C2SP tlog-checkpoint) with the number of entries and the hash of the
Merkle tree over them. Keep it where nobody who can write to the data folder can write: pdp log verify
--against shows later that nothing was changed or taken away. The tree is compared with the last checkpoint
before one is signed. A server on the folder must be stopped for the time; it makes checkpoints itself and
has the newest at /v1/log/checkpoint.

Examples:
  pdp log checkpoint >checkpoint.txt
  pdp log checkpoint --keys`
}

// Run prints a checkpoint of the log as it is, or the keys.
func (c *logCheckpointCmd) Run(ctx context.Context, p *process) (err error) {
	if err := needsLog(c.Data); err != nil {
		return err
	}
	e, err := openEvidence(ctx, c.Data, c.given())
	if errors.Is(err, decisionlog.ErrInUse) {
		return fmt.Errorf("%w\nif that is a server, ask it: GET /v1/log/checkpoint", err)
	}
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, e.log.Close()) }()
	if c.Keys {
		for _, key := range e.keys.Keys(keyring.PurposeLog) {
			text, err := decisionlog.VerifierKey(e.log.Origin(), key)
			if err != nil {
				return err
			}
			if _, err := fmt.Fprintln(p.stdout, text); err != nil {
				return err
			}
		}
		return nil
	}
	text, err := e.log.NewCheckpoint(ctx)
	if err != nil {
		return err
	}
	_, err = p.stdout.Write(text)
	return err
}
