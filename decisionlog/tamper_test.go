package decisionlog_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"regexp"
	"testing"

	"github.com/google/go-cmp/cmp"

	"earshot/decisionlog"
)

// tampering is one change of a database behind the back of the log.
type tampering struct {
	what string
	do   string
	args []any
	undo func(conn *sql.Conn) error

	// says matches the error of Verify: where the first thing is that is wrong.
	says string
}

// forger changes a database whose triggers it has taken away.
type forger struct {
	t    *testing.T
	conn *sql.Conn
	rand *rand.Rand
	rows int64
}

// TestVerifyFindsATamperedByte makes a thousand random changes, one after the other, and takes each back.
func TestVerifyFindsATamperedByte(t *testing.T) {
	changes := 1000
	if testing.Short() {
		changes = 100
	}
	const rows = 520
	dir := t.TempDir()
	l, verifier, err := openNotarized(t, dir)
	if err != nil {
		t.Fatal(err)
	}
	for i := range rows {
		record(t, l, numbered(i, 2))
		if i%130 == 100 {
			newCheckpoint(t, l, verifier)
		}
	}
	if err := l.Close(); err != nil { // It makes a checkpoint.
		t.Fatal(err)
	}
	l = open(t, decisionlog.Config{Dir: dir})
	verified(t, l, rows)

	seed := rand.Uint64()
	f := &forger{t: t, conn: alongside(t, dir), rand: rand.New(rand.NewPCG(seed, 0)), rows: rows}
	f.dropTriggers()
	for range changes {
		change := f.choose()
		if _, err := f.conn.ExecContext(t.Context(), change.do, change.args...); err != nil {
			t.Fatalf("%s: %v", change.what, err)
		}
		_, err := l.Verify(t.Context(), nil)
		if !errors.Is(err, decisionlog.ErrDamaged) || !regexp.MustCompile(change.says+`\b`).MatchString(err.Error()) {
			t.Errorf("seed %d: %s: got %v, want it to say %q", seed, change.what, err, change.says)
		}
		if err := change.undo(f.conn); err != nil {
			t.Fatalf("take back %s: %v", change.what, err)
		}
	}
	if got, err := l.Verify(t.Context(), nil); err != nil || got != rows {
		t.Errorf("in the end: %d entries, %v", got, err)
	}
}

func (f *forger) dropTriggers() {
	rows, err := f.conn.QueryContext(f.t.Context(), `SELECT name FROM sqlite_schema WHERE type = 'trigger'`)
	if err != nil {
		f.t.Fatal(err)
	}
	var names []string
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			f.t.Fatal(err)
		}
		names = append(names, name)
	}
	if err := errors.Join(rows.Err(), rows.Close()); err != nil {
		f.t.Fatal(err)
	}
	for _, name := range names {
		exec(f.t, f.conn, "DROP TRIGGER "+name)
	}
}

func (f *forger) choose() tampering {
	row := f.rand.Int64N(f.rows)
	switch f.rand.IntN(12) {
	case 0, 1:
		return f.flip("entry", "leaf", fmt.Sprintf("seq = %d", row), atRow(row))
	case 2:
		return f.flip("entry", "payload", fmt.Sprintf("seq = %d", row), atRow(row))
	case 3:
		return f.flipTile()
	case 4:
		size := f.number(`SELECT size FROM checkpoint ORDER BY random() LIMIT 1`)
		return f.flip("checkpoint", "note", fmt.Sprintf("size = %d", size), fmt.Sprintf("checkpoint of size %d", size))
	case 5:
		handle := f.number(`SELECT handle FROM definition ORDER BY random() LIMIT 1`)
		return f.flip("definition", "digest", fmt.Sprintf("handle = %d", handle), f.defining(handle))
	case 6:
		handle := f.number(`SELECT handle FROM definition WHERE body IS NOT NULL ORDER BY random() LIMIT 1`)
		return f.flip("definition", "body", fmt.Sprintf("handle = %d", handle), f.defining(handle))
	case 7:
		handle := f.number(`SELECT handle FROM name ORDER BY random() LIMIT 1`)
		column := []string{"text", "salt", "hash"}[f.rand.IntN(3)]
		return f.flip("name", column, fmt.Sprintf("handle = %d", handle), f.defining(handle))
	case 8:
		return f.remove("entry", fmt.Sprintf("seq = %d", row), atRow(row))
	case 9:
		return f.remove("entry", fmt.Sprintf("seq >= %d", row), atRow(row))
	case 10:
		handle := f.number(`SELECT handle FROM definition ORDER BY random() LIMIT 1`)
		return f.remove("definition", fmt.Sprintf("handle = %d", handle), f.defining(handle))
	default:
		return f.swap(row, f.rand.Int64N(f.rows))
	}
}

// atRow is how an error names a row.
func atRow(row int64) string { return fmt.Sprintf("ledger row %d", row) }

// flip changes one bit of a value.
func (f *forger) flip(table, column, where, says string) tampering {
	var old []byte
	f.scan(fmt.Sprintf(`SELECT %s FROM %s WHERE %s`, column, table, where), &old)
	changed := append([]byte(nil), old...)
	at := f.rand.IntN(len(changed))
	changed[at] ^= 1 << f.rand.IntN(8)
	set := fmt.Sprintf(`UPDATE %s SET %s = ? WHERE %s`, table, column, where)
	return tampering{
		what: fmt.Sprintf("byte %d of %s.%s where %s", at, table, column, where), do: set, args: []any{changed}, says: says,
		undo: func(conn *sql.Conn) error {
			_, err := conn.ExecContext(context.Background(), set, old)
			return err
		},
	}
}

// flipTile changes a bit of the tree. One above the leaves is named by its tile.
func (f *forger) flipTile() tampering {
	var level, n, length int64
	f.scan(`SELECT level, n, length(hashes) FROM tile ORDER BY random() LIMIT 1`, &level, &n, &length)
	where := fmt.Sprintf("level = %d AND n = %d", level, n)
	t := f.flip("tile", "hashes", where, fmt.Sprintf("of tile %d of level %d", n, level))
	if level == 0 {
		var at int64
		if _, err := fmt.Sscanf(t.what, "byte %d", &at); err != nil {
			f.t.Fatal(err)
		}
		t.says = atRow(n*256 + at/32)
	}
	return t
}

// remove deletes rows, which a copy keeps until they are put back.
func (f *forger) remove(table, where, says string) tampering {
	exec(f.t, f.conn, `DROP TABLE IF EXISTS temp.kept`)
	exec(f.t, f.conn, fmt.Sprintf(`CREATE TEMP TABLE kept AS SELECT * FROM %s WHERE %s`, table, where))
	return tampering{
		what: fmt.Sprintf("rows of %s where %s", table, where), do: fmt.Sprintf(`DELETE FROM %s WHERE %s`, table, where), says: says,
		undo: func(conn *sql.Conn) error {
			_, err := conn.ExecContext(context.Background(), fmt.Sprintf(`INSERT INTO %s SELECT * FROM temp.kept`, table))
			return err
		},
	}
}

// swap exchanges two rows, or takes out the one where both are the same.
func (f *forger) swap(a, b int64) tampering {
	if a == b {
		return f.remove("entry", fmt.Sprintf("seq = %d", a), atRow(a))
	}
	exchange := fmt.Sprintf(`UPDATE entry SET seq = -1 WHERE seq = %[1]d; UPDATE entry SET seq = %[1]d WHERE seq = %[2]d;
		UPDATE entry SET seq = %[2]d WHERE seq = -1`, a, b)
	return tampering{
		what: fmt.Sprintf("rows %d and %d exchanged", a, b), do: exchange, says: atRow(min(a, b)),
		undo: func(conn *sql.Conn) error {
			_, err := conn.ExecContext(context.Background(), exchange)
			return err
		},
	}
}

// defining returns how an error names the row that brought a definition in.
func (f *forger) defining(handle int64) string {
	return atRow(f.number(fmt.Sprintf(`SELECT seq FROM entry WHERE json_extract(CAST(leaf AS TEXT), '$.defines.first') <= %d
		ORDER BY json_extract(CAST(leaf AS TEXT), '$.defines.first') DESC, seq DESC LIMIT 1`, handle)))
}

func (f *forger) number(query string) (n int64) {
	f.scan(query, &n)
	return n
}

func (f *forger) scan(query string, into ...any) {
	f.t.Helper()
	if err := f.conn.QueryRowContext(f.t.Context(), query).Scan(into...); err != nil {
		f.t.Fatalf("%s: %v", query, err)
	}
}

// TestVerifyFindsWhatIsTooMuch adds what no row leads to.
func TestVerifyFindsWhatIsTooMuch(t *testing.T) {
	for name, change := range map[string]string{
		"a tile behind the tree":     `INSERT INTO tile VALUES (0, 7, zeroblob(32))`,
		"a tile above the tree":      `INSERT INTO tile VALUES (1, 0, zeroblob(32))`,
		"a tile before the first":    `INSERT INTO tile VALUES (0, -1, zeroblob(32))`,
		"a tile of no level":         `INSERT INTO tile VALUES (-1, 0, zeroblob(32))`,
		"a hash at the end":          `UPDATE tile SET hashes = CAST(hashes || zeroblob(32) AS BLOB)`,
		"a row before the first":     `INSERT INTO entry VALUES (-1, x'7b7d', NULL)`,
		"a checkpoint behind":        `INSERT INTO checkpoint SELECT 99, note FROM checkpoint ORDER BY size DESC LIMIT 1`,
		"a checkpoint of no size":    `INSERT INTO checkpoint SELECT -1, note FROM checkpoint ORDER BY size DESC LIMIT 1`,
		"a definition at the start":  `INSERT INTO definition VALUES (0, zeroblob(32), NULL)`,
		"a checkpoint of other size": `INSERT INTO checkpoint SELECT 2, note FROM checkpoint ORDER BY size DESC LIMIT 1`,
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			l, verifier := notarized(t, dir)
			for i := range 3 {
				record(t, l, numbered(i, 1))
			}
			newCheckpoint(t, l, verifier)
			if err := l.Close(); err != nil {
				t.Fatal(err)
			}
			tamper(t, dir, change)
			l = open(t, decisionlog.Config{Dir: dir, Unchecked: true})
			if _, err := l.Verify(t.Context(), nil); !errors.Is(err, decisionlog.ErrDamaged) {
				t.Errorf("got %v, want %v", err, decisionlog.ErrDamaged)
			}
			if position, err := l.Record(t.Context(), numbered(4, 1)); !errors.Is(err, decisionlog.ErrUnavailable) {
				t.Errorf("recorded as %v, %v", position, err)
			}
		})
	}
}

// TestAnOlderCopyIsFoundByWhatWasHandedOut puts back a whole older state, which by itself is in order.
func TestAnOlderCopyIsFoundByWhatWasHandedOut(t *testing.T) {
	dir, older := t.TempDir(), t.TempDir()
	l, _, err := openNotarized(t, dir)
	if err != nil {
		t.Fatal(err)
	}
	record(t, l, numbered(0, 1))
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	copyFolder(t, dir, older)
	l, verifier, err := openNotarized(t, dir)
	if err != nil {
		t.Fatal(err)
	}
	position := record(t, l, numbered(1, 1))
	checkpoint, _ := newCheckpoint(t, l, verifier)
	proof, err := l.Proof(t.Context(), 1, 0)
	if err != nil {
		t.Fatal(err)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}

	// Another second entry in the older copy: what was handed out is of the same size and is not true of it.
	forked := t.TempDir()
	copyFolder(t, older, forked)
	fork, _, err := openNotarized(t, forked)
	if err != nil {
		t.Fatal(err)
	}
	record(t, fork, numbered(2, 1))
	if err := fork.Close(); err != nil {
		t.Fatal(err)
	}

	for name, text := range map[string]string{
		"a checkpoint": string(checkpoint),
		"a proof":      string(proof),
		"an answer":    fmt.Sprintf(`{"decision_id": "x", "log": {"index": 1, "leaf": "sha256:%x"}}`, position.Leaf),
		"a list":       fmt.Sprintf(`{"decisions": [{"log": {"index": 1, "leaf": "%x"}}]}`, position.Leaf),
	} {
		t.Run(name, func(t *testing.T) {
			references, err := decisionlog.ParseReferences([]byte(text))
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, folder := range []string{dir, older, forked} {
				l := open(t, decisionlog.Config{Dir: folder})
				verified(t, l, l.Committed())
				_, err := l.VerifyBy(t.Context(), decisionlog.VerifyConfig{Against: references})
				switch {
				case err == nil:
					got = append(got, "holds")
				case errors.Is(err, decisionlog.ErrDamaged):
					got = append(got, "does not")
				default:
					t.Error(err)
				}
				if err := l.Close(); err != nil {
					t.Fatal(err)
				}
			}
			if diff := cmp.Diff([]string{"holds", "does not", "does not"}, got); diff != "" {
				t.Error(diff)
			}
		})
	}
	for name, text := range map[string]string{
		"nothing": "", "a word": "hello", "an empty object": "{}", "half a proof": "c2sp.org/tlog-proof@v1\n",
		"a short leaf": `{"log": {"index": 1, "leaf": "00"}}`,
	} {
		if list, err := decisionlog.ParseReferences([]byte(text)); err == nil {
			t.Errorf("%s: %v, want an error", name, list)
		}
	}
}
