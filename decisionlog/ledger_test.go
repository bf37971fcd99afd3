package decisionlog_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/gowebpki/jcs"
	"golang.org/x/mod/sumdb/tlog"

	"earshot/decisionlog"
	"earshot/policy"
)

func TestLedgerRefusesChange(t *testing.T) {
	dir := t.TempDir()
	l := open(t, decisionlog.Config{Dir: dir})
	want := map[uint64]*policy.Entry{}
	for i := range 3 {
		e := numbered(i, 2)
		want[record(t, l, e).Index] = e
	}
	other := alongside(t, dir)
	for _, statement := range []string{
		`UPDATE entry SET leaf = x'00' WHERE seq = 1`,
		`UPDATE entry SET seq = 9 WHERE seq = 2`,
		`UPDATE entry SET payload = x'00' WHERE seq = 1`,
		`UPDATE entry SET leaf = x'00', payload = NULL WHERE seq = 1`,
		`DELETE FROM entry WHERE seq = 2`,
		`DELETE FROM entry`,
		`INSERT INTO entry VALUES (1, x'00', x'00')`,
		`INSERT INTO entry VALUES (-1, x'00', x'00')`,
		`INSERT INTO entry VALUES (7, x'00', x'00')`,
		`INSERT OR REPLACE INTO entry VALUES (1, x'00', x'00')`,
		`UPDATE definition SET digest = zeroblob(32) WHERE handle = 1`,
		`UPDATE definition SET body = NULL WHERE body IS NOT NULL`,
		`DELETE FROM definition WHERE handle = (SELECT max(handle) FROM definition)`,
		`INSERT OR REPLACE INTO definition VALUES (1, zeroblob(32), NULL)`,
		`INSERT INTO definition VALUES (100000, zeroblob(32), NULL)`,
		`UPDATE name SET text = 'eve' WHERE handle = (SELECT min(handle) FROM name)`,
		`INSERT OR REPLACE INTO name SELECT min(handle), zeroblob(16), x'00' FROM name`,
		`INSERT OR REPLACE INTO name SELECT 1 + max(handle), zeroblob(16), text FROM name WHERE handle = 1`,
	} {
		if _, err := other.ExecContext(t.Context(), statement); err == nil {
			t.Errorf("%s: was carried out", statement)
		}
	}
	checkAll(t, l, want)
}

func TestPrunedPayload(t *testing.T) {
	dir := t.TempDir()
	l := open(t, decisionlog.Config{Dir: dir})
	position := record(t, l, numbered(0, 2))
	record(t, l, numbered(1, 2))
	exec(t, alongside(t, dir), `UPDATE entry SET payload = NULL WHERE seq = 0`)

	e := numbered(0, 2)
	want := &decisionlog.Record{
		Entry:  policy.Entry{ID: e.ID, At: e.At, PolicyRevision: e.PolicyRevision},
		Log:    position,
		Pruned: true,
	}
	check := func() {
		t.Helper()
		if diff := cmp.Diff(want, get(t, l, e.ID)); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
	check()
	if err := errors.Join(l.Reindex(t.Context()), l.Verify(t.Context())); err != nil {
		t.Error(err)
	}
	check()
}

func TestLeafIsCanonicalAndCommitsToEverything(t *testing.T) {
	dir := t.TempDir()
	l := open(t, decisionlog.Config{Dir: dir})
	other := alongside(t, dir)
	for i := range 3 {
		position := record(t, l, numbered(i, 2))
		var leaf, payload []byte
		row := other.QueryRowContext(t.Context(), `SELECT leaf, payload FROM entry WHERE seq = ?`, position.Index)
		if err := row.Scan(&leaf, &payload); err != nil {
			t.Fatal(err)
		}
		canonical, err := jcs.Transform(leaf)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(leaf, canonical) {
			t.Errorf("leaf %s\nis not %s", leaf, canonical)
		}
		if got := tlog.RecordHash(leaf); got != tlog.Hash(position.Leaf) {
			t.Errorf("position has leaf %x, want %v", position.Leaf, got)
		}
		sum := sha256.Sum256(payload)
		if !bytes.Contains(leaf, []byte(`"payload":"sha256:`+hex.EncodeToString(sum[:])+`"`)) {
			t.Errorf("leaf %s does not commit to the payload", leaf)
		}
		for _, text := range []string{"user:", "agent:", "item-", "turn-", "acme", "slack"} {
			if bytes.Contains(leaf, []byte(text)) || bytes.Contains(payload, []byte(text)) {
				t.Errorf("%q is in the leaf or the payload", text)
			}
		}
	}
}

func TestKnownItemsCostAFewBytes(t *testing.T) {
	for _, c := range []struct{ candidates, most int }{{10, 250}, {100, 600}} {
		t.Run(fmt.Sprint(c.candidates), func(t *testing.T) {
			dir := t.TempDir()
			l := open(t, decisionlog.Config{Dir: dir})
			for i := range 60 {
				record(t, l, numbered(i, c.candidates))
			}
			e := numbered(3, c.candidates)
			e.Request.Turn.ID, e.ID = "another turn", "another-id"
			position := record(t, l, e)
			var size int
			row := alongside(t, dir).QueryRowContext(t.Context(), `SELECT length(payload) FROM entry WHERE seq = ?`, position.Index)
			if err := row.Scan(&size); err != nil {
				t.Fatal(err)
			}
			if size > c.most {
				t.Errorf("payload has %d bytes, want at most %d", size, c.most)
			}
		})
	}
}

// TestEqualValuesAreStoredOnce restarts in between, so that the memory is no help.
func TestEqualValuesAreStoredOnce(t *testing.T) {
	dir := t.TempDir()
	count := func() (definitions, names int) {
		l := open(t, decisionlog.Config{Dir: dir, Cache: 1})
		e := numbered(1, 5)
		record(t, l, e)
		row := l.Reader().QueryRowContext(t.Context(), `SELECT (SELECT count(*) FROM definition), (SELECT count(*) FROM name)`)
		if err := errors.Join(row.Scan(&definitions, &names), l.Close()); err != nil {
			t.Fatal(err)
		}
		return definitions, names
	}
	definitions, names := count()
	if d, n := count(); d != definitions || n != names {
		t.Errorf("the second time there were %d definitions and %d names, want %d and %d", d, n, definitions, names)
	}
}

func TestVerifyFindsEveryChange(t *testing.T) {
	const lift = `DROP TRIGGER entry_keeps; DROP TRIGGER entry_stays; DROP TRIGGER definition_keeps;
		DROP TRIGGER definition_stays; DROP TRIGGER name_keeps; DROP TRIGGER definition_appends; DROP TRIGGER name_appends;`
	cases := map[string]string{
		"a byte of a payload":              `UPDATE entry SET payload = CAST(substr(payload, 1, 20) || x'7f' || substr(payload, 22) AS BLOB) WHERE seq = 1`,
		"a leaf's payload digest":          `UPDATE entry SET leaf = CAST(replace(CAST(leaf AS TEXT), '"payload":"sha256:', '"payload":"sha256:0') AS BLOB) WHERE seq = 1`,
		"the form of a leaf":               `UPDATE entry SET leaf = CAST(CAST(leaf AS TEXT) || ' ' AS BLOB) WHERE seq = 1`,
		"a row taken out":                  `DELETE FROM entry WHERE seq = 1`,
		"the last row taken out":           `DELETE FROM entry WHERE seq = 2`,
		"a document":                       `UPDATE definition SET body = CAST(body || x'00' AS BLOB) WHERE handle = (SELECT min(handle) FROM definition WHERE body IS NOT NULL)`,
		"a digest":                         `UPDATE definition SET digest = randomblob(32) WHERE handle = 1`,
		"a name's digest and its name":     `DELETE FROM name WHERE handle = 1; UPDATE definition SET digest = randomblob(32) WHERE handle = 1`,
		"a definition taken out":           `DELETE FROM definition WHERE handle = 2`,
		"a definition too many":            `INSERT INTO definition VALUES (100000, randomblob(32), NULL)`,
		"a name":                           `UPDATE name SET text = CAST('user:eve' AS BLOB) WHERE text = CAST('user:ann' AS BLOB)`,
		"a salt":                           `UPDATE name SET salt = randomblob(16) WHERE text = CAST('user:ann' AS BLOB)`,
		"a name too many":                  `INSERT INTO name VALUES (100000, randomblob(16), x'00')`,
		"a name under a handle of its own": `UPDATE name SET handle = -1 WHERE text = CAST('user:ann' AS BLOB)`,
	}
	for name, change := range cases {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			l := open(t, decisionlog.Config{Dir: dir})
			for i := range 3 {
				record(t, l, numbered(i, 2))
			}
			if err := l.Verify(t.Context()); err != nil {
				t.Fatal(err)
			}
			exec(t, alongside(t, dir), lift+change)
			if err := l.Verify(t.Context()); !errors.Is(err, decisionlog.ErrDamaged) {
				t.Errorf("got %v, want %v", err, decisionlog.ErrDamaged)
			}
		})
	}
}

func TestErasedName(t *testing.T) {
	dir := t.TempDir()
	l, err := decisionlog.Open(t.Context(), decisionlog.Config{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	e := numbered(0, 1)
	e.Request.Turn.Attributes = []byte(`{"mood":"calm"}`)
	e.Request.Turn.Agent = "user:ann"
	e.Request.Candidates[0].Audience = policy.Principals("user:ann", "user:ben", "agent:scribe")
	e.Directive = "PROCEED: Agent user:ann has isolated context."
	position := record(t, l, e)
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}

	var ann, mood uint64
	other := alongside(t, dir)
	for text, handle := range map[string]*uint64{"user:ann": &ann, `{"mood":"calm"}`: &mood} {
		if err := other.QueryRowContext(t.Context(), `DELETE FROM name WHERE text = ? RETURNING handle`, []byte(text)).Scan(handle); err != nil {
			t.Fatal(err)
		}
	}
	gone := fmt.Sprintf("erased-%d", ann)

	l = open(t, decisionlog.Config{Dir: dir})
	if err := l.Verify(t.Context()); err != nil {
		t.Errorf("verify: %v", err)
	}
	want := *e
	want.Request.Turn.Attributes = fmt.Appendf(nil, `{"erased":%d}`, mood)
	want.Request.Turn.Agent = gone
	want.Directive = "PROCEED: Agent " + gone + " has isolated context."
	// Sets stay in the order of their texts, so that they are still in normal form.
	want.Request.Turn.Viewers = []string{gone, "user:ben"}
	want.Viewers.Present = []string{gone, "user:ben"}
	want.Request.Candidates = append([]policy.Candidate(nil), e.Request.Candidates...)
	want.Request.Candidates[0].Audience.Members = []string{"agent:scribe", gone, "user:ben"}
	if diff := cmp.Diff(&decisionlog.Record{Entry: want, Log: position}, get(t, l, e.ID)); diff != "" {
		t.Errorf("read after erasure (-want +got):\n%s", diff)
	}

	again := numbered(1, 1)
	record(t, l, again)
	if diff := cmp.Diff(*again, get(t, l, again.ID).Entry); diff != "" {
		t.Errorf("a name seen again after its erasure (-recorded +read):\n%s", diff)
	}
	if diff := cmp.Diff([]string{again.ID}, ids(t, l, decisionlog.Query{Viewer: "user:ann"})); diff != "" {
		t.Errorf("decisions found by the name (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(want, get(t, l, e.ID).Entry); diff != "" {
		t.Errorf("the old decision, after the name was seen again (-want +got):\n%s", diff)
	}
	if err := errors.Join(l.Reindex(t.Context()), l.Verify(t.Context())); err != nil {
		t.Errorf("reindex and verify: %v", err)
	}
	if diff := cmp.Diff([]string{again.ID, e.ID}, ids(t, l, decisionlog.Query{Viewer: "user:ben"})); diff != "" {
		t.Errorf("decisions found by another name (-want +got):\n%s", diff)
	}
}

// TestAShorterLedgerIsNotContinued takes the end away under a running log, which then meets a
// failure and reads again where the ledger ends.
func TestAShorterLedgerIsNotContinued(t *testing.T) {
	dir := t.TempDir()
	l := open(t, decisionlog.Config{Dir: dir})
	for i := range 3 {
		record(t, l, numbered(i, 1))
	}
	exec(t, alongside(t, dir), `DROP TRIGGER entry_stays; DELETE FROM entry WHERE seq = 2`)
	if err := l.PanicInTask(t.Context()); err == nil {
		t.Fatal("nothing failed")
	}
	if position, err := l.Record(t.Context(), numbered(3, 1)); !errors.Is(err, decisionlog.ErrDamaged) {
		t.Errorf("got %v, %v, want %v", position, err, decisionlog.ErrDamaged)
	}
}
