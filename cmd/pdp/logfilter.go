package main

import (
	"fmt"

	"earshot/decisionlog"
	"earshot/server/wire"
)

// filterFlags are the filters of GET /v1/decisions, save the item, which not every command has as one.
type filterFlags struct {
	matchFlags
	pageFlags
}

// matchFlags are the filters of a question whose answer has no pages.
type matchFlags struct {
	Viewer         string `placeholder:"NAME" help:"A viewer of the turn, as stated."`
	Agent          string `placeholder:"NAME" help:"The agent whose context it was."`
	Channel        string `placeholder:"NAME" help:"The channel of the turn."`
	Tenant         string `placeholder:"NAME" help:"The tenant of the turn."`
	Verdict        string `placeholder:"WORD" help:"The verdict, such as BLEED_DETECTED."`
	Reason         string `placeholder:"CODE" help:"A code that the viewers or a result have."`
	PolicyRevision string `placeholder:"DIGEST" help:"The policy that decided."`
	spanFlags
}

// spanFlags bound a question in time.
type spanFlags struct {
	From string `placeholder:"TIME" help:"At this time or later, in RFC 3339."`
	To   string `placeholder:"TIME" help:"Before this time, in RFC 3339."`
}

// pageFlags choose a page.
type pageFlags struct {
	Limit  string `placeholder:"N" help:"How many to show at most: 1 to 1000, 50 if absent."`
	Cursor string `placeholder:"TEXT" help:"Continue where an earlier answer says so."`
}

// flagValue is a flag by the name of its filter.
type flagValue struct{ name, value string }

func (f *filterFlags) values() []flagValue {
	return append(f.matchFlags.values(), f.pageFlags.values()...)
}

func (f *matchFlags) values() []flagValue {
	list := []flagValue{
		{"viewer", f.Viewer}, {"agent", f.Agent}, {"channel", f.Channel}, {"tenant", f.Tenant}, {"verdict", f.Verdict},
		{"reason", f.Reason}, {"policy_revision", f.PolicyRevision},
	}
	return append(list, f.spanFlags.values()...)
}

func (f *spanFlags) values() []flagValue { return []flagValue{{"from", f.From}, {"to", f.To}} }

func (f *pageFlags) values() []flagValue {
	return []flagValue{{"limit", f.Limit}, {"cursor", f.Cursor}}
}

// readFilters returns the query that flags make; an empty flag is absent.
func readFilters(flags []flagValue) (decisionlog.Query, error) {
	var q decisionlog.Query
	for _, f := range flags {
		if f.value == "" {
			continue
		}
		if err := wire.ReadFilter(&q, f.name, f.value); err != nil {
			return q, misuse{fmt.Errorf("--%s %w", flagName(f.name), err)}
		}
	}
	return q, nil
}
