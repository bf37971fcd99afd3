package wire

import (
	"encoding/json"
	"strconv"
	"strings"

	"earshot/decisionlog"
	"earshot/policy"
)

// Kinds of decision in a table.
const (
	rowDecision = "decision"
	rowHandoff  = typeHandoff
	rowPruned   = "pruned"
)

// csvHeading returns the columns of a table. The last five are those of one result and empty where a
// decision has none; a list is a JSON array in one cell. A decision that retention has emptied is one line
// of the type "pruned".
func csvHeading() []string {
	return []string{
		"log_index", "log_leaf", "type", "decision_id", "decided_at", "policy_revision", "requested_by", "tenant", "channel",
		"agent", "turn_id", "attempt", "viewers_status", "viewers_reasons", "viewers", "verdict", "directive",
		"position", "item_id", "admit", "reasons", "obligations",
	}
}

// csvRows returns the lines of one decision.
func csvRows(r *decisionlog.Record) [][]string {
	typ, results := rowDecision, r.Results
	rest := make([]string, 11) // from requested_by to directive
	switch {
	case r.Pruned:
		typ = rowPruned
	case r.Handoff != nil:
		h := r.Handoff
		typ, results = rowHandoff, h.Results
		rest = []string{
			h.Request.RequestedBy, h.Request.Tenant, "", h.Request.Agent, "", "", "", "", "", string(h.Verdict), h.Directive,
		}
	default:
		turn := &r.Request.Turn
		rest = []string{
			r.Request.RequestedBy, turn.Tenant, turn.Channel, turn.Agent, turn.ID, strconv.Itoa(turn.Attempt),
			r.Viewers.Status(), listCell(r.Viewers.Reasons), listCell(r.Viewers.Present), string(r.Verdict), r.Directive,
		}
	}
	at := position(r.Log)
	head := append([]string{
		strconv.FormatUint(at.Index, 10), at.Leaf, typ, r.ID, stamp(r.At), r.PolicyRevision,
	}, rest...)
	for i := range head {
		head[i] = plainCell(head[i])
	}
	if len(results) == 0 {
		return [][]string{append(head, "", "", "", "", "")}
	}
	rows := make([][]string, len(results))
	for i := range results {
		rows[i] = append(head[:len(head):len(head)], resultCells(i, &results[i])...)
	}
	return rows
}

func resultCells(position int, r *policy.Result) []string {
	return []string{
		strconv.Itoa(position), plainCell(r.ID), strconv.FormatBool(r.Admit), listCell(r.Reasons), listCell(r.Obligations),
	}
}

// plainCell returns text that a spreadsheet does not take for a formula: whoever may name an item could
// otherwise have the reader's machine work one out. An apostrophe goes before such a beginning.
func plainCell(s string) string {
	if s != "" && strings.ContainsRune("=+-@\t\r", rune(s[0])) {
		return "'" + s
	}
	return s
}

// listCell returns a list as a JSON array.
func listCell(list []string) string {
	text, err := json.Marshal(full(list))
	if err != nil {
		panic("marshal strings: " + err.Error())
	}
	return string(text)
}
