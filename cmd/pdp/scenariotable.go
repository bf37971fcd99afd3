package main

import (
	"fmt"
	"io"
	"strings"

	"earshot/policytest/scenarios"
)

// Columns of the table: a name, and numbers under their headings.
const (
	tableHead = "%-37s %9s  %18s  %16s  %14s  %13s\n"
	tableRow  = "%-37s %9d  %18d  %16s  %14s  %13s\n"
)

func (c *scenariosCmd) printTable(w io.Writer, report *scenarios.Report) error {
	var out strings.Builder
	head := func(name string) {
		fmt.Fprintf(&out, tableHead, name, "scenarios", "forbidden admitted", "decisions agreed", "permitted kept", "failed closed")
	}
	fmt.Fprintf(&out, "seed %d\n\n", report.Seed)
	head("family")
	for _, row := range report.Families {
		printRow(&out, row)
	}
	printRow(&out, scenarios.Row{Name: "all", Counts: report.Counts})
	if c.Baseline {
		fmt.Fprintln(&out)
		head("another design")
		for _, row := range report.Baselines {
			printRow(&out, row)
		}
	}
	fmt.Fprintf(&out, "\n%d/%d assertions hold\n", report.Assertions, report.All())
	_, err := io.WriteString(w, out.String())
	return err
}

func printRow(w io.Writer, row scenarios.Row) {
	closed := "-"
	if row.Ambiguous > 0 {
		closed = of(row.FailedClosed, row.Ambiguous)
	}
	fmt.Fprintf(w, tableRow, row.Name, row.Scenarios, row.ForbiddenAdmitted,
		of(row.DecisionsAgreed, row.Scenarios), of(row.PermittedKept, row.Scenarios), closed)
}

func of(n, all int) string { return fmt.Sprintf("%d/%d", n, all) }
