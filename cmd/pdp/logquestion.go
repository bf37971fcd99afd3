package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"
	"unicode"

	"earshot/decisionlog"
)

// questionFlags are where a question is asked and in which form it is answered.
type questionFlags struct {
	Data   string `default:"./data" help:"Data folder, which holds the decision log."`
	Format string `default:"table" enum:"table,json" help:"Form of the answer: table, or json as over HTTP."`
}

// reply is the answer to a question of the log.
type reply struct {
	asked decisionlog.Access
	json  any
	table table

	// next is the cursor of a further page.
	next string
}

// ask opens the log, asks, records the question, and prints the answer. Nothing is printed that was not
// recorded.
func (f *questionFlags) ask(ctx context.Context, p *process, ask func(*decisionlog.Log) (*reply, error)) (err error) {
	log, err := openForQuestions(ctx, f.Data)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, log.Close()) }()
	r, failure := ask(log)
	if failure != nil && !errors.Is(failure, decisionlog.ErrNotFound) {
		return explainQuery(failure)
	}
	if err := recordQuestion(ctx, log, r.asked); err != nil {
		return err
	}
	if failure != nil {
		return failure
	}
	if f.Format == "json" {
		return printAnswer(p.stdout, r.json)
	}
	if err := r.table.print(p.stdout); err != nil {
		return err
	}
	if r.next != "" {
		fmt.Fprintf(p.stderr, "pdp: there is more; repeat the command with --cursor %s\n", r.next)
	}
	return nil
}

// recordQuestion puts a question into the log. With an error it must not be answered.
func recordQuestion(ctx context.Context, log *decisionlog.Log, asked decisionlog.Access) (err error) {
	if asked.ID, err = newID(); err != nil {
		return err
	}
	asked.At, asked.Door, asked.RequestedBy = time.Now().UTC().Truncate(time.Microsecond), decisionlog.DoorCommandLine, account()
	if _, err := log.RecordAccess(ctx, &asked); err != nil {
		return fmt.Errorf("the question could not be recorded, so it is not answered: %w", err)
	}
	return nil
}

// openForQuestions opens a log that is there: to open one makes it where there is none.
func openForQuestions(ctx context.Context, dir string) (*decisionlog.Log, error) {
	const database = "decisions.db"
	if _, err := os.Stat(filepath.Join(dir, database)); err != nil {
		return nil, misuse{fmt.Errorf("there is no decision log in %s: %w; name its folder with --data", dir, err)}
	}
	log, err := decisionlog.Open(ctx, decisionlog.Config{Dir: dir})
	if errors.Is(err, decisionlog.ErrInUse) {
		return nil, fmt.Errorf("%w\nif that is a server, ask it over HTTP, or stop it first", err)
	}
	return log, err
}

// account returns who asks on this machine, as the operating system has it.
func account() string {
	if u, err := user.Current(); err == nil && u.Username != "" {
		return u.Username
	}
	return "uid " + strconv.Itoa(os.Getuid())
}

// explainQuery names the flag of a filter that the log refuses.
func explainQuery(err error) error {
	if wrong, ok := errors.AsType[*decisionlog.QueryError](err); ok {
		return misuse{fmt.Errorf("--%s %s", flagName(wrong.Parameter), wrong.Problem)}
	}
	return err
}

// flagName returns the flag of a filter of the wire contract.
func flagName(filter string) string { return strings.ReplaceAll(filter, "_", "-") }

// table is rows of cells under a heading.
type table struct {
	heading []string
	rows    [][]string
}

func (t *table) add(cells ...string) { t.rows = append(t.rows, cells) }

func (t *table) print(w io.Writer) error {
	out := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, row := range append([][]string{t.heading}, t.rows...) {
		cells := make([]string, len(row))
		for i, c := range row {
			cells[i] = cell(c)
		}
		fmt.Fprintln(out, strings.Join(cells, "\t"))
	}
	return out.Flush()
}

// cell returns text that a terminal shows as it is: what callers named things can hold anything.
func cell(s string) string {
	if s == "" {
		return "-"
	}
	if strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsPrint(r) || r == unicode.ReplacementChar }) {
		return strconv.QuoteToASCII(s)
	}
	return s
}

// moment writes a clock for people, in microseconds as everywhere.
func moment(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format("2006-01-02T15:04:05.000000Z")
}
