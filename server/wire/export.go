package wire

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"

	"earshot/decisionlog"
)

// Forms of an export.
const (
	ExportJSONL = "jsonl"
	ExportCSV   = "csv"
	ExportOPA   = "opa"
)

// ExportForms returns the forms that there are.
func ExportForms() []string { return []string{ExportJSONL, ExportCSV, ExportOPA} }

// ReadExportForm returns nil for a form that there is. Its error is a sentence fragment.
func ReadExportForm(s string) error {
	if !slices.Contains(ExportForms(), s) {
		return errors.New("must be jsonl, csv or opa")
	}
	return nil
}

// ExportType returns the media type of a form.
func ExportType(form string) string {
	if form == ExportCSV {
		return "text/csv; charset=utf-8; header=present" // RFC 4180, section 3
	}
	return "application/jsonl"
}

// Pruned is a decision in an export of which retention has left the commitment alone.
type Pruned struct {
	Pruned         bool   `json:"pruned"` // always true
	DecisionID     string `json:"decision_id"`
	DecidedAt      string `json:"decided_at"`
	PolicyRevision string `json:"policy_revision"`
	Log            *Log   `json:"log"`
}

// Exporter writes decisions one after the other in one form. It holds one of them at a time.
type Exporter struct {
	write  func(*decisionlog.Record) error
	finish func() error
}

// NewExporter returns an Exporter in one of the forms:
//
//   - jsonl: a line for each decision, with a Record, a HandoffRecord or a Pruned;
//   - csv: RFC 4180, a header, and a line for each result (see csvHeading);
//   - opa: a line for each decision, with an event of OPA's decision log.
func NewExporter(w io.Writer, form string) (*Exporter, error) {
	switch form {
	case ExportJSONL:
		return &Exporter{func(r *decisionlog.Record) error { return writeLine(w, encodeExported(r)) }, nothingLeft}, nil
	case ExportOPA:
		return &Exporter{func(r *decisionlog.Record) error { return writeLine(w, EncodeEvent(r)) }, nothingLeft}, nil
	case ExportCSV:
		table := csv.NewWriter(w)
		table.UseCRLF = true
		err := table.Write(csvHeading())
		return &Exporter{
			func(r *decisionlog.Record) error { return table.WriteAll(csvRows(r)) },
			func() error { table.Flush(); return table.Error() },
		}, err
	default:
		return nil, fmt.Errorf("wire: %q is not a form of an export", form)
	}
}

// Write writes one decision.
func (e *Exporter) Write(r *decisionlog.Record) error { return e.write(r) }

// Finish writes what an Exporter holds back. An export that is not finished is not whole.
func (e *Exporter) Finish() error { return e.finish() }

func nothingLeft() error { return nil }

// writeLine writes v and a line feed. Marshal escapes line feeds in texts, so a line is a value.
func writeLine(w io.Writer, v any) error {
	text, err := Marshal(v)
	if err == nil {
		_, err = w.Write(append(text, '\n'))
	}
	return err
}

func encodeExported(r *decisionlog.Record) any {
	switch {
	case r.Pruned:
		return Pruned{
			Pruned: true, DecisionID: r.ID, DecidedAt: stamp(r.At), PolicyRevision: r.PolicyRevision, Log: position(r.Log),
		}
	case r.Handoff != nil:
		return EncodeHandoffRecord(r.Handoff, r.Log)
	default:
		return EncodeRecord(&r.Entry, r.Log)
	}
}
