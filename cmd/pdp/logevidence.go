package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"earshot/decisionlog"
	pack "earshot/decisionlog/evidence"
	"earshot/decisionlog/keyring"
	"earshot/server/wire"
)

type logEvidenceCmd struct {
	Data string `default:"./data" help:"Data folder, which holds the decision log and the keys."`
	spanFlags
	Names  bool   `help:"Add the decisions with the names of people and items."`
	Output string `short:"o" required:"" placeholder:"FILE" help:"Zip to write, which must not exist."`
	keyFlags
}

// Help is shown by pdp log evidence --help.
func (logEvidenceCmd) Help() string {
	return `A zip with the entries of a time, the proof that each is in the log, the checkpoints since and the proof that
each continues the one before, the receipts, the policies that decided, the public keys, and a manifest that is
signed. VERIFY.md in it says how to check all of that offline with openssl, sha256sum and python3.

Texts are numbers there, which mean nothing outside the log; policies and receipts name who they name. With
--names the decisions are there too as pdp log export has them, vouched for by the signature of the manifest.

That the package was made becomes an entry of the log first. A server on the folder must be stopped for the time.

Examples:
  pdp log evidence --from 2026-11-01T00:00:00Z --to 2026-12-01T00:00:00Z -o november.zip`
}

// Run writes the package.
func (c *logEvidenceCmd) Run(ctx context.Context, p *process) (err error) {
	q, err := readFilters(c.spanFlags.values())
	if err != nil {
		return err
	}
	if !q.From.IsZero() && !q.To.IsZero() && q.To.Before(q.From) {
		return misuse{errors.New("--to is before from")}
	}
	if err := needsLog(c.Data); err != nil {
		return err
	}
	e, err := openEvidence(ctx, c.Data, c.given())
	if errors.Is(err, decisionlog.ErrInUse) {
		return fmt.Errorf("%w\nif that is a server, stop it first", err)
	}
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, e.log.Close()) }()
	return writeNewFile(c.Output, func(w io.Writer) error {
		asked := decisionlog.Access{Kind: decisionlog.AccessEvidence, Query: q, Results: decisionlog.ResultsUnknown}
		if err := recordQuestion(ctx, e.log, asked); err != nil {
			return err
		}
		config := pack.Config{
			Log: e.log, Signer: e.keys.Signer(keyring.PurposeReceipt), From: q.From, To: q.To, MadeAt: time.Now(),
			Keys: append(e.keys.Keys(keyring.PurposeReceipt), e.keys.Keys(keyring.PurposeLog)...),
		}
		if c.Names {
			config.Names = func(w io.Writer) error { return exportAll(ctx, e.log, q, w) }
		}
		return pack.Write(ctx, w, config)
	})
}

// exportAll writes the decisions that a query selects as JSON lines.
func exportAll(ctx context.Context, log *decisionlog.Log, q decisionlog.Query, w io.Writer) error {
	out, err := wire.NewExporter(w, wire.ExportJSONL)
	if err != nil {
		return err
	}
	if err := log.Each(ctx, q, out.Write); err != nil {
		return err
	}
	return out.Finish()
}
