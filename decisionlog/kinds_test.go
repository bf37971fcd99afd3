package decisionlog_test

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"earshot/decisionlog"
	"earshot/policy"
)

const sealingID = "01931c5e-7d2a-7c1f-9a59-000000000001"

// receiptOf returns a receipt about a decision, unsigned: the ledger looks at no signature.
func receiptOf(i int, decision, statement string) decisionlog.Receipt {
	id := fmt.Sprintf("01931c5e-7d2a-7c1f-9a60-%012d", i)
	text := fmt.Sprintf(`{"_type":"https://in-toto.io/Statement/v1","subject":[],"predicateType":"https://earshot.example/%s/v1",`+
		`"predicate":{"receipt_id":%q,"decision_id":%q}}`, statement, id, decision)
	return decisionlog.Receipt{
		ID: id, At: start, PolicyRevision: "sha256:7", DecisionID: decision, Statement: statement,
		Envelope: fmt.Appendf(nil, `{"payload":%q,"payloadType":"application/vnd.in-toto+json","signatures":[]}`,
			base64.StdEncoding.EncodeToString([]byte(text))),
	}
}

func receipts(decision string) []decisionlog.Receipt {
	return []decisionlog.Receipt{
		receiptOf(1, decision, "context_isolation_boundary_receipt"),
		receiptOf(2, decision, "bleed_detection_signature"),
	}
}

// sealed returns a sealing of two items.
func sealed() *decisionlog.Sealing {
	return &decisionlog.Sealing{
		ID: sealingID, At: start, PolicyRevision: "sha256:7", RequestedBy: "migration", Tenant: "acme",
		Items: []policy.Candidate{
			{
				ID: "m1", Tenant: "acme", Agent: "agent:scribe", Kind: "summary", State: policy.StateLive,
				Audience: policy.Audience{Kind: policy.AudienceInherited}, AudienceBasis: policy.BasisRecorded,
				Digest: "sha256:" + strings.Repeat("1", 64), RecordedAt: start.Add(-time.Hour),
				Sources: []policy.Source{{ID: "m0", Audience: policy.Principals("user:ann", "user:ben"), State: policy.StateLive}},
			},
			{ID: "m2", Agent: "agent:scribe", Kind: policy.KindFact, State: policy.StateLive, Audience: policy.Everybody(), AudienceBasis: policy.BasisRecorded},
		},
	}
}

func verification(decision string) *decisionlog.Verification {
	return &decisionlog.Verification{
		ID: "01931c5e-7d2a-7c1f-9a61-000000000001", At: start, PolicyRevision: "sha256:7", DecisionID: decision, RequestedBy: "runtime",
		Turn: numbered(0, 1).Request.Turn,
		Segments: []policy.Segment{
			{ItemID: "item-0", Digest: "sha256:" + strings.Repeat("1", 64)},
			{Digest: "sha256:" + strings.Repeat("2", 64), Overlaps: []policy.Overlap{{ItemID: "item-1", Prints: 3}}},
		},
		Findings: []policy.Finding{{Segment: 1, Kind: policy.FindNotAdmitted, ItemID: "item-1"}},
	}
}

// recordKinds records one entry of every type and returns the decision.
func recordKinds(t testing.TB, l *decisionlog.Log) *policy.Entry {
	t.Helper()
	e := numbered(0, 2)
	record(t, l, e)
	recordHandoff(t, l, handedOff(1))
	if _, err := l.RecordReceipts(t.Context(), receipts(e.ID)); err != nil {
		t.Fatal(err)
	}
	if _, err := l.RecordSealing(t.Context(), sealed()); err != nil {
		t.Fatal(err)
	}
	if _, err := l.RecordVerification(t.Context(), verification(e.ID)); err != nil {
		t.Fatal(err)
	}
	return e
}

// checkKinds fails the test unless all that recordKinds recorded comes back equal.
func checkKinds(t *testing.T, l *decisionlog.Log) {
	t.Helper()
	e := numbered(0, 2)
	found, err := l.Receipts(t.Context(), e.ID)
	if err != nil {
		t.Fatal(err)
	}
	var got []decisionlog.Receipt
	for _, r := range found {
		got = append(got, r.Receipt)
	}
	if diff := cmp.Diff(receipts(e.ID), got); diff != "" {
		t.Errorf("receipts (-recorded +read):\n%s", diff)
	}
	s, err := l.Sealing(t.Context(), sealingID)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(sealed(), &s.Sealing); diff != "" {
		t.Errorf("sealing (-recorded +read):\n%s", diff)
	}
	for i := range sealed().Items {
		item, err := l.SealedItem(t.Context(), sealingID, i)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(&sealed().Items[i], item); diff != "" {
			t.Errorf("item %d (-recorded +read):\n%s", i, diff)
		}
	}
	v, err := l.Verifications(t.Context(), e.ID)
	if err != nil || len(v) != 1 {
		t.Fatalf("%d verifications, %v", len(v), err)
	}
	if diff := cmp.Diff(verification(e.ID), &v[0].Verification); diff != "" {
		t.Errorf("verification (-recorded +read):\n%s", diff)
	}
	verified(t, l, 6)
}

func TestEveryTypeComesBackEqual(t *testing.T) {
	dir := t.TempDir()
	l, err := decisionlog.Open(t.Context(), decisionlog.Config{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	recordKinds(t, l)
	checkKinds(t, l)
	origin := l.Origin()
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	forgetIndex(t, dir)
	l = open(t, decisionlog.Config{Dir: dir})
	checkKinds(t, l)
	if !strings.HasPrefix(origin, "earshot.example/ledger/") || len(origin) != len("earshot.example/ledger/")+32 || l.Origin() != origin {
		t.Errorf("origin %q, then %q", origin, l.Origin())
	}
	other := open(t, decisionlog.Config{Dir: t.TempDir()})
	if other.Origin() == origin {
		t.Error("two ledgers have the same origin")
	}
}

// Only decisions and hand-offs are decisions, with the index and without it.
func TestOtherTypesAreNoDecisions(t *testing.T) {
	dir := t.TempDir()
	l, err := decisionlog.Open(t.Context(), decisionlog.Config{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	e := recordKinds(t, l)
	yes := true
	check := func() {
		t.Helper()
		for _, q := range []decisionlog.Query{{}, {Tenant: "acme"}, {Admit: &yes}, {From: start.Add(-time.Hour)}, {To: start.Add(time.Hour)}} {
			page, err := l.List(t.Context(), q)
			if err != nil {
				t.Fatal(err)
			}
			var ids []string
			for _, s := range page.Summaries {
				ids = append(ids, s.ID)
				if s.Damage != nil {
					t.Errorf("%s: %v", s.ID, s.Damage)
				}
			}
			if diff := cmp.Diff([]string{handedOff(1).ID, e.ID}, ids); diff != "" {
				t.Errorf("%+v (-want +got):\n%s", q, diff)
			}
		}
		for _, id := range []string{receiptOf(1, "", "x").ID, sealingID, verification("").ID} {
			if _, err := l.Get(t.Context(), id); !errors.Is(err, decisionlog.ErrNotFound) {
				t.Errorf("get %s: %v", id, err)
			}
		}
		if _, err := l.SealedItem(t.Context(), e.ID, 0); !errors.Is(err, decisionlog.ErrNotFound) {
			t.Errorf("a decision as a sealing: %v", err)
		}
	}
	check()
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	forgetIndex(t, dir)
	l = open(t, decisionlog.Config{Dir: dir})
	check()
}

func TestReceiptLeafCommitsToTheEnvelope(t *testing.T) {
	dir := t.TempDir()
	l := open(t, decisionlog.Config{Dir: dir})
	list := receipts(numbered(0, 1).ID)
	positions, err := l.RecordReceipts(t.Context(), list)
	if err != nil {
		t.Fatal(err)
	}
	for i, p := range positions {
		var stored []byte
		if err := alongside(t, dir).QueryRowContext(t.Context(), `SELECT leaf FROM entry WHERE seq = ?`, int64(p.Index)).Scan(&stored); err != nil {
			t.Fatal(err)
		}
		var leaf struct{ Payload, Type, ID string }
		if err := json.Unmarshal(stored, &leaf); err != nil {
			t.Fatal(err)
		}
		sum := sha256.Sum256(list[i].Envelope)
		if leaf.Payload != "sha256:"+hex.EncodeToString(sum[:]) || leaf.Type != "receipt" || leaf.ID != list[i].ID {
			t.Errorf("leaf %s", stored)
		}
	}
}

func TestReceiptThatSaysAnotherThingIsRefused(t *testing.T) {
	l := open(t, decisionlog.Config{Dir: t.TempDir()})
	for name, change := range map[string]func(*decisionlog.Receipt){
		"another id":        func(r *decisionlog.Receipt) { r.ID += "0" },
		"another decision":  func(r *decisionlog.Receipt) { r.DecisionID += "0" },
		"another statement": func(r *decisionlog.Receipt) { r.Statement += "0" },
		"no envelope":       func(r *decisionlog.Receipt) { r.Envelope = nil },
		"no base64":         func(r *decisionlog.Receipt) { r.Envelope = []byte(`{"payload":"?"}`) },
		"no statement":      func(r *decisionlog.Receipt) { r.Envelope = []byte(`{"payload":"e30="}`) },
	} {
		list := receipts(numbered(0, 1).ID)
		change(&list[1])
		if _, err := l.RecordReceipts(t.Context(), list); !errors.Is(err, decisionlog.ErrUnencodable) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if got := l.Committed(); got != 0 {
		t.Errorf("%d rows of refused sets", got)
	}
}

// A receipt that cannot be stored takes the others of its set with it.
func TestReceiptsAreOneCommit(t *testing.T) {
	dir := t.TempDir()
	l := open(t, decisionlog.Config{Dir: dir})
	if err := l.ExecOnWriter(t.Context(), `CREATE TEMP TRIGGER second BEFORE INSERT ON main.entry WHEN NEW.seq = 1
		BEGIN SELECT RAISE(ABORT, 'asked for by a test'); END`); err != nil {
		t.Fatal(err)
	}
	if _, err := l.RecordReceipts(t.Context(), receipts(numbered(0, 1).ID)); err == nil {
		t.Error("recorded")
	}
	if got := l.Committed(); got != 0 {
		t.Errorf("%d rows, want none", got)
	}
}

func TestSealedItemWithoutItsMembersIsNotFound(t *testing.T) {
	dir := t.TempDir()
	l, err := decisionlog.Open(t.Context(), decisionlog.Config{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	recordKinds(t, l)
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	other, done := connect(t, dir)
	exec(t, other, `DELETE FROM name WHERE text = ?`, []byte("user:ben"))
	done()
	l = open(t, decisionlog.Config{Dir: dir})
	if item, err := l.SealedItem(t.Context(), sealingID, 0); !errors.Is(err, decisionlog.ErrNotFound) {
		t.Errorf("got %v, %v", item, err)
	}
	if _, err := l.SealedItem(t.Context(), sealingID, 1); err != nil {
		t.Errorf("the item without that member: %v", err)
	}
	for _, position := range []int{-1, 2} {
		if _, err := l.SealedItem(t.Context(), sealingID, position); !errors.Is(err, decisionlog.ErrNotFound) {
			t.Errorf("position %d: %v", position, err)
		}
	}
	verified(t, l, 6)
}

func TestPrunedEntriesOfOtherTypes(t *testing.T) {
	dir := t.TempDir()
	l := open(t, decisionlog.Config{Dir: dir})
	e := recordKinds(t, l)
	exec(t, alongside(t, dir), `UPDATE entry SET payload = NULL`)
	r, err := l.Receipts(t.Context(), e.ID)
	if err != nil || len(r) != 0 {
		t.Errorf("receipts %v, %v", r, err)
	}
	v, err := l.Verifications(t.Context(), e.ID)
	if err != nil || len(v) != 0 {
		t.Errorf("verifications %v, %v", v, err)
	}
	if _, err := l.SealedItem(t.Context(), sealingID, 0); !errors.Is(err, decisionlog.ErrNotFound) {
		t.Errorf("sealed item: %v", err)
	}
	verified(t, l, 6)
}

// A changed byte in a payload of any type is found by Verify and by whoever reads it, and hides no
// decision.
func TestDamageOfOtherTypes(t *testing.T) {
	for seq := 2; seq < 6; seq++ {
		dir := t.TempDir()
		l, err := decisionlog.Open(t.Context(), decisionlog.Config{Dir: dir})
		if err != nil {
			t.Fatal(err)
		}
		e := recordKinds(t, l)
		// Behind what is damaged, since Open itself refuses a damaged last row.
		record(t, l, numbered(9, 1))
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
		forgetIndex(t, dir)
		tamper(t, dir, `UPDATE entry SET payload = CAST(substr(payload, 1, 18) || X'FE' || substr(payload, 20) AS BLOB) WHERE seq = ?`, seq)
		l = open(t, decisionlog.Config{Dir: dir})
		n, err := l.Verify(t.Context(), nil)
		if !errors.Is(err, decisionlog.ErrDamaged) || n != uint64(seq) || !strings.Contains(err.Error(), fmt.Sprintf("ledger row %d", seq)) {
			t.Errorf("row %d: verify found %d, %v", seq, n, err)
		}
		if page, err := l.List(t.Context(), decisionlog.Query{}); err != nil || len(page.Summaries) != 3 {
			t.Errorf("row %d: %d decisions, %v", seq, len(page.Summaries), err)
		}
		_, err = l.SealedItem(t.Context(), sealingID, 0)
		if seq == 4 != errors.Is(err, decisionlog.ErrDamaged) {
			t.Errorf("row %d: sealed item: %v", seq, err)
		}
		if _, err := l.Get(t.Context(), e.ID); err != nil {
			t.Errorf("row %d: get: %v", seq, err)
		}
	}
}

func TestOtherTypesAreRecordedOnTheTermsOfRecord(t *testing.T) {
	l, err := decisionlog.Open(t.Context(), decisionlog.Config{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	for name, do := range map[string]func(context.Context) error{
		"receipts":     func(ctx context.Context) error { _, err := l.RecordReceipts(ctx, receipts("d")); return err },
		"sealing":      func(ctx context.Context) error { _, err := l.RecordSealing(ctx, sealed()); return err },
		"verification": func(ctx context.Context) error { _, err := l.RecordVerification(ctx, verification("d")); return err },
		"sealed item":  func(ctx context.Context) error { _, err := l.SealedItem(ctx, sealingID, 0); return err },
		"keep": func(ctx context.Context) error {
			return l.KeepFingerprints(ctx, "", "m1", []uint64{1})
		},
		"overlaps": func(ctx context.Context) error { _, err := l.Overlaps(ctx, "", []uint64{1}); return err },
	} {
		if err := do(t.Context()); !errors.Is(err, decisionlog.ErrClosed) {
			t.Errorf("%s of a closed log: %v", name, err)
		}
		if err := do(gone); err == nil {
			t.Errorf("%s of a caller who has gone: no error", name)
		}
	}
}
