package wire_test

import (
	"encoding/csv"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"earshot/decisionlog"
	"earshot/policy"
	"earshot/server/wire"

	"github.com/google/go-cmp/cmp"
)

// export returns decisions in one form.
func export(t *testing.T, form string, records ...*decisionlog.Record) string {
	t.Helper()
	var out strings.Builder
	e, err := wire.NewExporter(&out, form)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range records {
		if err := e.Write(r); err != nil {
			t.Fatal(err)
		}
	}
	if err := e.Finish(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// exported is a decision, a hand-off and a decision that retention has emptied.
func exported() []*decisionlog.Record {
	at := time.Date(2026, 11, 30, 20, 0, 1, 0, time.UTC)
	decision := &decisionlog.Record{Entry: denied().Entry, Log: policy.Position{Index: 4}}
	handoff := &policy.HandoffEntry{
		ID: "h", At: at, PolicyRevision: "p", Request: policy.Handoff{Agent: "a", Elements: []policy.Element{{ID: "e"}}},
		Verdict: policy.BleedDetected, Directive: "HALT", Results: []policy.Result{{ID: "e", Reasons: []string{"unattributed"}}},
	}
	return []*decisionlog.Record{
		decision,
		{Entry: policy.Entry{ID: "h", At: at, PolicyRevision: "p"}, Log: policy.Position{Index: 5}, Handoff: handoff},
		{Entry: policy.Entry{ID: "x", At: at, PolicyRevision: "p"}, Log: policy.Position{Index: 6}, Pruned: true},
	}
}

func TestExportJSONL(t *testing.T) {
	records := exported()
	zeros := "sha256:" + strings.Repeat("0", 64)
	want := marshal(t, wire.EncodeRecord(&records[0].Entry, records[0].Log)) + "\n" +
		marshal(t, wire.EncodeHandoffRecord(records[1].Handoff, records[1].Log)) + "\n" +
		`{"pruned":true,"decision_id":"x","decided_at":"2026-11-30T20:00:01.000000Z","policy_revision":"p",` +
		`"log":{"index":6,"leaf":"` + zeros + `"}}` + "\n"
	if diff := cmp.Diff(want, export(t, wire.ExportJSONL, records...)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestExportCSV(t *testing.T) {
	text := export(t, wire.ExportCSV, exported()...)
	if strings.Count(text, "\r\n") != 4 || strings.Count(text, "\n") != 4 {
		t.Errorf("lines do not end as RFC 4180 has it: %q", text)
	}
	rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	zeros := "sha256:" + strings.Repeat("0", 64)
	const at = "2026-11-30T20:00:01.000000Z"
	want := [][]string{
		{
			"4", zeros, "decision", "d", at, "p", "", "", "", "a", "", "1", "ambiguous", "[]", "[]", "ISOLATED_CONTEXT",
			"PROCEED: Agent a has isolated context.", "0", "<m&>", "false", `["audience_missing"]`, `["never on a deny"]`,
		},
		{
			"5", zeros, "handoff", "h", at, "p", "", "", "", "a", "", "", "", "", "", "BLEED_DETECTED", "HALT",
			"0", "e", "false", `["unattributed"]`, "[]",
		},
		{"6", zeros, "pruned", "x", at, "p", "", "", "", "", "", "", "", "", "", "", "", "", "", "", "", ""},
	}
	if diff := cmp.Diff(want, rows[1:]); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if len(rows[0]) != len(want[0]) {
		t.Errorf("%d columns in the heading, %d in a line", len(rows[0]), len(want[0]))
	}
}

// No text that a caller chose is a formula, and every result is a line with all of its decision.
func TestExportCSVHasNoFormula(t *testing.T) {
	r := exported()[0]
	turn := &r.Request.Turn
	turn.Agent, turn.Channel, turn.Tenant, turn.ID, r.Request.RequestedBy, r.Directive = "=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1"
	r.Results = []policy.Result{{ID: `=HYPERLINK("x")`}, {ID: "a,\"b\"\nc"}}
	rows, err := csv.NewReader(strings.NewReader(export(t, wire.ExportCSV, r))).ReadAll()
	if err != nil || len(rows) != 3 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	for _, row := range rows[1:] {
		for _, cell := range row {
			if cell != "" && strings.ContainsRune("=+-@\t\r", rune(cell[0])) {
				t.Errorf("the cell %q is a formula", cell)
			}
		}
		if !slices.Contains(row, "'=1+1") || row[3] != "d" {
			t.Errorf("row %q", row)
		}
	}
	if id := rows[2][18]; id != "a,\"b\"\nc" {
		t.Errorf("the id reads %q", id)
	}
}

// opaEvent has the fields of EventV1 that an export fills, by the names of OPA's documentation.
type opaEvent struct {
	Labels     map[string]string `json:"labels"`
	DecisionID string            `json:"decision_id"`
	Bundles    map[string]struct {
		Revision string `json:"revision"`
	} `json:"bundles"`
	Path      string         `json:"path"`
	Input     map[string]any `json:"input"`
	Result    map[string]any `json:"result"`
	Timestamp time.Time      `json:"timestamp"`
	Custom    map[string]any `json:"custom"`
}

func TestExportOPA(t *testing.T) {
	lines := strings.Split(strings.TrimSuffix(export(t, wire.ExportOPA, exported()...), "\n"), "\n")
	if len(lines) != 3 {
		t.Fatalf("%d lines", len(lines))
	}
	var events [3]opaEvent
	for i, line := range lines {
		d := json.NewDecoder(strings.NewReader(line))
		d.DisallowUnknownFields()
		if err := d.Decode(&events[i]); err != nil {
			t.Fatalf("%v in %s", err, line)
		}
		if events[i].Bundles["earshot"].Revision != "p" || events[i].Timestamp.IsZero() || events[i].Labels["app"] != "earshot" {
			t.Errorf("event %+v", events[i])
		}
	}
	decision, handoff, pruned := events[0], events[1], events[2]
	if decision.Path != "earshot/decision" || decision.DecisionID != "d" || decision.Result["verdict"] != "ISOLATED_CONTEXT" {
		t.Errorf("decision %+v", decision)
	}
	candidate := decision.Input["candidates"].([]any)[0].(map[string]any)
	if _, ok := candidate["result"]; ok || candidate["id"] != "<m&>" {
		t.Errorf("the input has the answer in it: %v", candidate)
	}
	if diff := cmp.Diff([]any{"audience_missing"}, decision.Custom["reasons"]); diff != "" {
		t.Errorf("reasons (-want +got):\n%s", diff)
	}
	if handoff.Path != "earshot/handoff" || handoff.Input["agent_id"] != "a" || handoff.Result["directive"] != "HALT" {
		t.Errorf("hand-off %+v", handoff)
	}
	if pruned.Input != nil || pruned.Result != nil || pruned.Custom["pruned"] != true {
		t.Errorf("pruned %+v", pruned)
	}
}

func TestExportForms(t *testing.T) {
	for _, form := range wire.ExportForms() {
		if err := wire.ReadExportForm(form); err != nil {
			t.Error(err)
		}
		export(t, form)
	}
	if wire.ReadExportForm("xml") == nil {
		t.Error("xml is a form")
	}
	if _, err := wire.NewExporter(nil, "xml"); err == nil {
		t.Error("there is an exporter of xml")
	}
}
