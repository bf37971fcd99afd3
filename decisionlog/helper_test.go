package decisionlog_test

import (
	"database/sql"
	"errors"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"earshot/decisionlog"
	"earshot/policy"
)

func open(t testing.TB, c decisionlog.Config) *decisionlog.Log {
	t.Helper()
	l, err := decisionlog.Open(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := l.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	return l
}

func record(t testing.TB, l *decisionlog.Log, e *policy.Entry) policy.Position {
	t.Helper()
	position, err := l.Record(t.Context(), e)
	if err != nil {
		t.Fatal(err)
	}
	return position
}

func get(t testing.TB, l *decisionlog.Log, id string) *decisionlog.Record {
	t.Helper()
	r, err := l.Get(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// connect opens the database of a folder on a second connection, as another process would.
func connect(t testing.TB, dir string) (conn *sql.Conn, done func()) {
	t.Helper()
	db, err := sql.Open("sqlite3", filepath.Join(dir, "decisions.db")+"?_busy_timeout=5000")
	if err != nil {
		t.Fatal(err)
	}
	if conn, err = db.Conn(t.Context()); err != nil {
		t.Fatal(err)
	}
	return conn, func() {
		if err := errors.Join(conn.Close(), db.Close()); err != nil {
			t.Error(err)
		}
	}
}

// alongside is connect until the end of the test.
func alongside(t testing.TB, dir string) *sql.Conn {
	t.Helper()
	conn, done := connect(t, dir)
	t.Cleanup(done)
	return conn
}

func exec(t testing.TB, conn *sql.Conn, statement string, args ...any) {
	t.Helper()
	if _, err := conn.ExecContext(t.Context(), statement, args...); err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
}

// checkAll compares the log with what was recorded, by position, and verifies it.
func checkAll(t *testing.T, l *decisionlog.Log, want map[uint64]*policy.Entry) {
	t.Helper()
	if got := l.Committed(); got != uint64(len(want)) {
		t.Errorf("%d rows, want %d", got, len(want))
	}
	for index, e := range want {
		got := get(t, l, e.ID)
		if got.Log.Index != index {
			t.Errorf("%s is in row %d, want %d", e.ID, got.Log.Index, index)
		}
		if diff := cmp.Diff(*e, got.Entry); diff != "" {
			t.Errorf("row %d (-recorded +read):\n%s", index, diff)
		}
	}
	verified(t, l, uint64(len(want)))
}

// verified fails the test unless Verify finds n entries in order and nothing else.
func verified(t testing.TB, l *decisionlog.Log, n uint64) {
	t.Helper()
	if got, err := l.Verify(t.Context(), nil); err != nil || got != n {
		t.Errorf("verify: %d entries, %v, want %d", got, err, n)
	}
}

// tamper changes the database as its triggers would not allow, and puts them back.
func tamper(t testing.TB, dir, statement string, args ...any) {
	t.Helper()
	other, done := connect(t, dir)
	defer done()
	rows, err := other.QueryContext(t.Context(), `SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'`)
	if err != nil {
		t.Fatal(err)
	}
	triggers := map[string]string{}
	for rows.Next() {
		var name, text string
		if err := rows.Scan(&name, &text); err != nil {
			t.Fatal(err)
		}
		triggers[name] = text
	}
	if err := errors.Join(rows.Err(), rows.Close()); err != nil {
		t.Fatal(err)
	}
	for name := range triggers {
		exec(t, other, "DROP TRIGGER "+name)
	}
	exec(t, other, statement, args...)
	for _, text := range triggers {
		exec(t, other, text)
	}
}

// forgetIndex empties the index of a log that is closed.
func forgetIndex(t testing.TB, dir string) {
	t.Helper()
	other, done := connect(t, dir)
	defer done()
	exec(t, other, `DELETE FROM posting; DELETE FROM span; UPDATE progress SET entries = 0`)
}

// waitFor waits until a condition holds.
func waitFor(t testing.TB, condition func() bool) {
	t.Helper()
	late := time.After(time.Minute)
	for !condition() {
		select {
		case <-late:
			t.Fatal("waited in vain")
		case <-time.After(time.Millisecond):
		}
	}
}
