package policytest_test

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	gocmp "github.com/google/go-cmp/cmp"

	"earshot/policy"
	"earshot/policytest"
)

// mutantsOfKind are how many wrong designs there are of each kind. One that is dropped is missed here.
var mutantsOfKind = map[kindOfMutant]int{inRego: 113, inEngine: 58, inDecoder: 37, inMemory: 12}

// everyMutant returns the table.
func everyMutant() []mutant {
	return slices.Concat(
		regoAboutAudiences(), regoAboutViewers(), regoAboutLife(), regoAboutAgents(), regoAboutAnswers(),
		engineQuestions(), engineAnswers(), decoders(), memories(),
	)
}

// TestMutants holds every wrong design against the checks and asks for one that goes red. A design
// that none of them tells from the right one is missed by all, or is not wrong.
func TestMutants(t *testing.T) {
	from := original(policytest.NewPolicy(policy.EmbeddedFS()))
	all := newChecks(t)
	if check, how, err := all.hold(t.Context(), from, ""); check != "" || err != nil {
		t.Fatalf("the original goes red in %s: %s, error %v", check, how, err)
	}
	trials := tryAll(t.Context(), everyMutant(), from, all)
	seen := map[string]bool{}
	for _, tr := range trials {
		switch {
		case seen[tr.mistake]:
			t.Errorf("two mutants are called %q", tr.mistake)
		case tr.err != nil:
			t.Errorf("%s: there is no such mutant: %v", tr.mistake, tr.err)
		case tr.check == "":
			t.Errorf("%s: nothing goes red: no check sees the mistake, or it changes no answer", tr.mistake)
		}
		seen[tr.mistake] = true
	}
	got := map[kindOfMutant]int{}
	for _, tr := range trials {
		got[tr.kind]++
	}
	if diff := gocmp.Diff(mutantsOfKind, got); diff != "" {
		t.Errorf("the mutants of each kind (-want +got):\n%s", diff)
	}
	printTrials(t.Output(), trials)
}

// tryAll tries the mutants, as many at a time as there are processors.
func tryAll(ctx context.Context, mutants []mutant, from subject, all *checks) []trial {
	trials := make([]trial, len(mutants))
	var work sync.WaitGroup
	free := make(chan struct{}, runtime.GOMAXPROCS(0))
	for i, m := range mutants {
		free <- struct{}{}
		work.Go(func() {
			defer func() { <-free }()
			trials[i] = m.try(ctx, from, all)
		})
	}
	work.Wait()
	return trials
}

// printTrials writes the table, two lines a mutant, and what killed how many.
func printTrials(w io.Writer, trials []trial) {
	killed, overruled := map[string]int{}, 0
	for _, tr := range trials {
		check, _, _ := strings.Cut(cmp.Or(tr.check, "nothing"), " ")
		killed[strings.TrimSuffix(check, ":")]++
		if strings.Contains(tr.how, "denied for "+policy.CodeInvariantViolation) {
			overruled++
		}
		fmt.Fprintf(w, "%-76s %-8s %s\n", tr.mistake, tr.kind, cmp.Or(tr.check, "NOTHING"))
		fmt.Fprintf(w, "    %s\n", shortened(strings.ReplaceAll(tr.how, "\n", " ")))
	}
	fmt.Fprintf(w, "%d mutants, killed by", len(trials))
	for _, check := range slices.Sorted(maps.Keys(killed)) {
		fmt.Fprintf(w, " %s: %d;", check, killed[check])
	}
	fmt.Fprintf(w, " of %d the engine's own test shows the mistake\n", overruled)
}

// shortened returns a line that fits beside others.
func shortened(line string) string {
	const most = 160
	if utf8.RuneCountInString(line) <= most {
		return line
	}
	return string([]rune(line)[:most]) + "…"
}

// TestTrials holds the runner to what it says of a mutant.
func TestTrials(t *testing.T) {
	all := newChecks(t)
	from := original(policytest.NewPolicy(policy.EmbeddedFS()))
	line := "default known := false"
	for _, test := range []struct {
		mutant
		check, how, err string // the beginning of each
	}{
		{mutant: asks("no mistake", "", func(*question) {})},
		{mutant: asks("about no case", "nowhere/", func(*question) {}), err: "no case is called nowhere/"},
		{mutant: rego("a text that is not there", "", edit{viewersRego, "allow", "deny"}), err: viewersRego + " has the text to change 0 times"},
		{mutant: rego("a text that stays", "", edit{viewersRego, line, line}), err: viewersRego + " has the text to change 1 times"},
		{mutant: rego("a file that is not there", "", edit{"allow.rego", line, ""}), err: "open allow.rego"},
		{mutant: rego("no Rego", "", edit{viewersRego, line, "default"}), err: "policy bundle refused: earshot/viewers/viewers.rego"},
		{
			mutant: rego("nothing is listed", "", edit{audiencesRego, "\t\"list\" in _source_kinds\n", ""}),
			check:  "case ",
		},
		{
			mutant: rego("the rule is off", "", edit{ruleRego("viewer_not_in_audience"), "\tviewers.known\n", "\tviewers.known\n\tinput.turn.agent == \"nobody\"\n"}),
			check:  "load", how: "policy bundle refused: self-check",
		},
	} {
		t.Run(test.mistake, func(t *testing.T) {
			got := test.try(t.Context(), from, all)
			message := ""
			if got.err != nil {
				message = got.err.Error()
			}
			if !strings.HasPrefix(got.check, test.check) || !strings.HasPrefix(got.how, test.how) || !strings.HasPrefix(message, test.err) ||
				(got.check == "") != (test.check == "") || (message == "") != (test.err == "") {
				t.Errorf("killed by %q as %q, error %q; want %q, %q and %q", got.check, got.how, message, test.check, test.how, test.err)
			}
		})
	}
}
