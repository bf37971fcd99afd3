package main

import (
	"context"
	"database/sql"
	"testing"

	_ "github.com/mattn/go-sqlite3"
	"github.com/rogpeppe/go-internal/testscript"
)

// sqlite runs SQL on a database file, which it makes if absent: sqlite [-unguarded] FILE SQL. With
// -unguarded the triggers of the database are away meanwhile.
func sqlite(ts *testscript.TestScript, neg bool, args []string) {
	unguarded := len(args) > 0 && args[0] == "-unguarded"
	if unguarded {
		args = args[1:]
	}
	if neg || len(args) != 2 {
		ts.Fatalf("usage: sqlite [-unguarded] file sql")
	}
	db, err := sql.Open("sqlite3", "file:"+ts.MkAbs(args[0]))
	ts.Check(err)
	defer db.Close()
	var off, on string
	if unguarded {
		off, on = guards(ts, db)
	}
	_, err = db.Exec(off + args[1] + ";" + on)
	ts.Check(err)
}

// guards returns the SQL that drops the triggers of a database, and the SQL that makes them again.
func guards(ts *testscript.TestScript, db *sql.DB) (off, on string) {
	rows, err := db.Query("SELECT name, sql FROM sqlite_master WHERE type = 'trigger' ORDER BY rowid")
	ts.Check(err)
	defer rows.Close()
	for rows.Next() {
		var name, text string
		ts.Check(rows.Scan(&name, &text))
		off += "DROP TRIGGER " + name + ";"
		on += text + ";"
	}
	ts.Check(rows.Err())
	return off, on
}

// lockDatabase takes the write lock of a database, as another program would, and returns how to
// give it back.
func lockDatabase(t *testing.T, file string) (unlock func()) {
	t.Helper()
	db, err := sql.Open("sqlite3", "file:"+file+"?_busy_timeout=10000")
	if err != nil {
		t.Fatal(err)
	}
	conn, err := db.Conn(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := conn.ExecContext(context.Background(), "BEGIN IMMEDIATE"); err != nil {
		t.Fatal(err)
	}
	return func() {
		if _, err := conn.ExecContext(context.Background(), "ROLLBACK"); err != nil {
			t.Error(err)
		}
		conn.Close()
		db.Close()
	}
}
