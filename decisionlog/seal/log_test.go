package seal_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/google/uuid"

	"earshot/decisionlog"
	"earshot/decisionlog/keyring"
	"earshot/decisionlog/seal"
	"earshot/policy"
)

// TestSealsInARealLog issues seals with the keys of a data folder, and decides with nothing but the seals
// while the labels come from the log. What is read back of the decision is what was recorded.
func TestSealsInARealLog(t *testing.T) {
	dir := t.TempDir()
	log, err := decisionlog.Open(t.Context(), decisionlog.Config{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := log.Close(); err != nil {
			t.Error(err)
		}
	})
	ring, err := keyring.Open(dir, keyring.Given{}, noon)
	if err != nil {
		t.Fatal(err)
	}
	clock := func() time.Time { return noon }
	newID := func() (string, error) {
		id, err := uuid.NewV7()
		return id.String(), err
	}
	service, err := seal.New(seal.Config{Signer: ring.Signer(keyring.PurposeReceipt), Keys: ring, Ledger: log, Clock: clock, NewID: newID})
	if err != nil {
		t.Fatal(err)
	}
	summary := item("m2")
	summary.Kind, summary.Audience = "summary", policy.Audience{Kind: policy.AudienceInherited}
	items := []policy.Candidate{item("m1"), summary}
	answer, err := service.Issue(t.Context(), seal.Request{Tenant: "acme", PolicyRevision: revision, Items: items})
	if err != nil {
		t.Fatal(err)
	}

	d := newDesk(t)
	point, err := policy.NewPoint(policy.Config{Engine: d.engine, Recorder: log, Seals: service, Clock: clock, NewID: newID})
	if err != nil {
		t.Fatal(err)
	}
	var asked []policy.Candidate
	for i := range items {
		items[i].Seal = answer.Seals[i].Seal
		asked = append(asked, bare(items[i]))
	}
	forged := items[0]
	forged.Audience = policy.Everybody()
	decision, err := point.Decide(t.Context(), request(append(asked, forged)...))
	if err != nil {
		t.Fatal(err)
	}
	if !decision.Results[0].Admit || !decision.Results[1].Admit || decision.Results[2].Admit {
		t.Errorf("got %+v", decision.Results)
	}
	if diff := cmp.Diff(entered(items), decision.Request.Candidates[:2]); diff != "" {
		t.Errorf("the labels that count (-sealed +got):\n%s", diff)
	}
	record, err := log.Get(t.Context(), decision.ID)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(decision.Entry, record.Entry, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("read back (-recorded +read):\n%s", diff)
	}
}
