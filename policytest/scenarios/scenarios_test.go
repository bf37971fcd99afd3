package scenarios_test

import (
	"context"
	"encoding/json"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"earshot/decisionlog"
	"earshot/policy"
	"earshot/policytest"
	"earshot/policytest/scenarios"
)

// newConfig is the real decision point with a policy and a real log in a folder of its own.
func newConfig(t *testing.T, p *policytest.Policy) scenarios.Config {
	t.Helper()
	engine, err := p.Engine(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	log, err := decisionlog.Open(t.Context(), decisionlog.Config{Dir: filepath.Join(t.TempDir(), "log")})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := log.Close(); err != nil {
			t.Error(err)
		}
	})
	point, err := policy.NewPoint(policy.Config{
		Engine: engine, Recorder: log, Clock: scenarios.Now,
		NewID: func() (string, error) { id, err := uuid.NewV7(); return id.String(), err },
	})
	if err != nil {
		t.Fatal(err)
	}
	return scenarios.Config{
		Point: point,
		Recorded: func(ctx context.Context, id string) (*policy.Entry, error) {
			record, err := log.Get(ctx, id)
			if err != nil {
				return nil, err
			}
			return &record.Entry, nil
		},
	}
}

func shipped() *policytest.Policy { return policytest.NewPolicy(policy.EmbeddedFS()) }

// TestSuite runs the published suite once, through the real decision point and log.
func TestSuite(t *testing.T) {
	config := newConfig(t, shipped())
	done := 0
	config.Progress = func(now, _ int) { done = now }
	report, err := scenarios.Run(t.Context(), scenarios.Seed, config)
	if err != nil {
		t.Fatal(err)
	}
	t.Run("counts", func(t *testing.T) { checkCounts(t, report) })
	t.Run("families", func(t *testing.T) { checkFamilies(t, report) })
	t.Run("baselines", func(t *testing.T) { checkBaselines(t, report) })
	t.Run("JSON", func(t *testing.T) { checkJSON(t, report) })
	if done != 79 {
		t.Errorf("%d scenarios were reported as done", done)
	}
}

func checkCounts(t *testing.T, report *scenarios.Report) {
	for _, miss := range report.Misses {
		t.Error(miss)
	}
	want := scenarios.Counts{
		Scenarios: 79, ForbiddenAdmitted: 0, DecisionsAgreed: 79, PermittedKept: 79, FailedClosed: 16, Assertions: 253, Ambiguous: 16,
	}
	if diff := cmp.Diff(want, report.Counts); diff != "" {
		t.Errorf("the counts (-want +got):\n%s", diff)
	}
	if !report.Passed() || report.All() != 253 {
		t.Errorf("passed %v, %d assertions", report.Passed(), report.All())
	}
}

func checkFamilies(t *testing.T, report *scenarios.Report) {
	got := map[string]int{}
	for _, row := range report.Families {
		got[row.Name] = row.Scenarios
	}
	want := map[string]int{
		"owner-private": 8, "exact-shared one-to-one": 8, "exact-shared group": 8, "directional cross-channel": 4,
		"trusted canonical shared": 4, "ambiguous or unknown viewer": 6, "mixed-inbound inconsistent evidence": 6,
		"adversarial boundary": 8, "negative control": 10, "unresolved identity": 4, "membership drift": 5,
		"derived and aggregate": 4, "existence opacity and direct look-up": 4,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the families (-want +got):\n%s", diff)
	}
}

// checkBaselines holds the other designs to what they cannot do.
func checkBaselines(t *testing.T, report *scenarios.Report) {
	var names []string
	for _, row := range report.Baselines {
		names = append(names, row.Name)
		if row.ForbiddenAdmitted == 0 && row.PermittedKept == row.Scenarios || row.Assertions == row.All() {
			t.Errorf("%s lets nothing in and loses nothing: %+v", row.Name, row)
		}
		if row.Name == "relevance only" && (row.ForbiddenAdmitted != 79 || row.PermittedKept != 79 || row.FailedClosed != 0) {
			t.Errorf("relevance only does not fall into every trap: %+v", row)
		}
	}
	if diff := cmp.Diff([]string{"relevance only", "per-user silo", "per-channel silo", "filter after the model"}, names); diff != "" {
		t.Errorf("the designs (-want +got):\n%s", diff)
	}
}

// checkJSON holds the form that other programs read.
func checkJSON(t *testing.T, report *scenarios.Report) {
	text, err := json.Marshal(report)
	if err != nil {
		t.Fatal(err)
	}
	start := `{"seed":42617,"scenarios":79,"forbidden_admitted":0,"decisions_agreed":79,"permitted_kept":79,"failed_closed":16,"assertions":253,` +
		`"families":[{"name":"owner-private","scenarios":8,"forbidden_admitted":0,"decisions_agreed":8,"permitted_kept":8,"failed_closed":0,"assertions":24},`
	if !strings.HasPrefix(string(text), start) {
		t.Errorf("the report begins %.400s", text)
	}
	var keys map[string]json.RawMessage
	if err := json.Unmarshal(text, &keys); err != nil {
		t.Fatal(err)
	}
	want := []string{
		"assertions", "baselines", "decisions_agreed", "failed_closed", "families", "forbidden_admitted", "permitted_kept", "scenarios", "seed",
	}
	if diff := cmp.Diff(want, slices.Sorted(maps.Keys(keys))); diff != "" {
		t.Errorf("the keys (-want +got):\n%s", diff)
	}
	want = []string{"assertions", "decisions_agreed", "failed_closed", "forbidden_admitted", "name", "permitted_kept", "scenarios"}
	for _, list := range []string{"families", "baselines"} {
		var rows []map[string]json.RawMessage
		if err := json.Unmarshal(keys[list], &rows); err != nil {
			t.Fatal(err)
		}
		for _, row := range rows {
			if diff := cmp.Diff(want, slices.Sorted(maps.Keys(row))); diff != "" {
				t.Errorf("the keys of a row of %s (-want +got):\n%s", list, diff)
			}
		}
	}
}
