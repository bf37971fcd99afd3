package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"earshot/decisionlog"
	"earshot/server/wire"
)

type logExportCmd struct {
	Data   string `default:"./data" help:"Data folder, which holds the decision log."`
	Format string `default:"jsonl" enum:"jsonl,csv,opa" help:"Form of the export: jsonl, csv, or opa for events of OPA's decision log."`
	Output string `short:"o" placeholder:"FILE" help:"Write to this file, which must not exist, instead of standard output."`
	Item   string `placeholder:"ID" help:"An item among the candidates."`
	Admit  string `enum:",true,false" default:"" placeholder:"BOOL" help:"Something was admitted (true) or denied (false); with --item, that very item."`
	matchFlags
}

// Help is shown by pdp log export --help.
func (logExportCmd) Help() string {
	return `All decisions and hand-offs that the filters select, in the order of the log, the oldest first. As jsonl a
line is what pdp log show prints. As csv a line is one result, and a list is a JSON array in one cell; a cell
that a spreadsheet would take for a formula begins with an apostrophe. As opa a line is an event of OPA's
decision log (EventV1). Of what retention has emptied there is a line that says so.

The question itself becomes an entry of the log before it is answered. Exit status 1 means that the export
is not whole, as where a decision is damaged; a FILE is then not made.

Examples:
  pdp log export --format csv --from 2026-11-01T00:00:00Z -o november.csv
  pdp log export --viewer user:ann | jq .decided_at`
}

// Run writes the export.
func (c *logExportCmd) Run(ctx context.Context, p *process) (err error) {
	q, err := readFilters(append(c.values(), flagValue{"item", c.Item}, flagValue{"admit", c.Admit}))
	if err != nil {
		return err
	}
	log, err := openForQuestions(ctx, c.Data)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, log.Close()) }()
	if c.Output == "" {
		return c.write(ctx, log, q, p.stdout)
	}
	return writeNewFile(c.Output, func(w io.Writer) error { return c.write(ctx, log, q, w) })
}

// write records the question and writes the answer. Nothing is written that was not recorded.
func (c *logExportCmd) write(ctx context.Context, log *decisionlog.Log, q decisionlog.Query, w io.Writer) error {
	buffered := bufio.NewWriter(w)
	var out *wire.Exporter
	begin := func() (err error) {
		asked := decisionlog.Access{Kind: decisionlog.AccessExport, Query: q, Results: decisionlog.ResultsUnknown}
		if err := recordQuestion(ctx, log, asked); err != nil {
			return err
		}
		out, err = wire.NewExporter(buffered, c.Format)
		return err
	}
	err := log.Each(ctx, q, func(r *decisionlog.Record) error {
		if out == nil {
			if err := begin(); err != nil {
				return err
			}
		}
		return out.Write(r)
	})
	if err == nil && out == nil {
		err = begin() // Nothing was selected.
	}
	if err == nil {
		err = out.Finish()
	}
	if failed := buffered.Flush(); err == nil {
		err = failed
	}
	if err != nil && out != nil {
		return fmt.Errorf("the export is not whole: %w", explainQuery(err))
	}
	return explainQuery(err)
}

// writeNewFile makes a file with what write writes, readable for its owner alone. It is there whole or not
// at all. A file that is there already is left alone.
func writeNewFile(path string, write func(io.Writer) error) (err error) {
	if _, err := os.Lstat(path); err == nil {
		return misuse{fmt.Errorf("%s exists; name a file that does not", path)}
	}
	file, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return misuse{err}
	}
	defer os.Remove(file.Name()) // Where the export failed: a whole one has another name by then.
	err = errors.Join(write(file), file.Sync(), file.Close())
	if err == nil {
		err = os.Rename(file.Name(), path)
	}
	return err
}
