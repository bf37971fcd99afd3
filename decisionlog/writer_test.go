package decisionlog_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"earshot/decisionlog"
	"earshot/policy"
)

// alongside opens the database of a folder on a second connection, as another process would.
func alongside(t testing.TB, dir string) *sql.Conn {
	t.Helper()
	db, err := sql.Open("sqlite3", filepath.Join(dir, "decisions.db")+"?_busy_timeout=5000")
	if err != nil {
		t.Fatal(err)
	}
	conn, err := db.Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := errors.Join(conn.Close(), db.Close()); err != nil {
			t.Error(err)
		}
	})
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
	if err := l.Verify(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestRecordFromManyCallers(t *testing.T) {
	dir := t.TempDir()
	l, err := decisionlog.Open(t.Context(), decisionlog.Config{Dir: dir, IndexLag: 100, Cache: 50})
	if err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	want := make(map[uint64]*policy.Entry)
	var all sync.WaitGroup
	for caller := range 32 {
		all.Go(func() {
			for i := range 20 {
				e := numbered(caller*1000+i, 1+i%3)
				position, err := l.Record(t.Context(), e)
				if err != nil {
					t.Error(err)
					return
				}
				mu.Lock()
				want[position.Index] = e
				mu.Unlock()
			}
		})
	}
	all.Wait()
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	checkAll(t, open(t, decisionlog.Config{Dir: dir}), want)
}

func TestRecordRefusesWhatTheQueueCannotHold(t *testing.T) {
	l := open(t, decisionlog.Config{Dir: t.TempDir(), Queue: 2})
	release := l.HoldWriter()
	var all sync.WaitGroup
	errs := make(chan error, 3)
	for i := range 3 {
		all.Go(func() {
			_, err := l.Record(t.Context(), numbered(i, 1))
			errs <- err
		})
	}
	if err := <-errs; !errors.Is(err, decisionlog.ErrOverloaded) {
		t.Errorf("got %v, want %v", err, decisionlog.ErrOverloaded)
	}
	release()
	all.Wait()
	for range 2 {
		if err := <-errs; err != nil {
			t.Error(err)
		}
	}
}

func TestCloseCommitsWhatWasAccepted(t *testing.T) {
	dir := t.TempDir()
	l, err := decisionlog.Open(t.Context(), decisionlog.Config{Dir: dir, Batch: 3})
	if err != nil {
		t.Fatal(err)
	}
	release := l.HoldWriter()
	const n = 10
	errs := make(chan error, n)
	for i := range n {
		go func() {
			_, err := l.Record(t.Context(), numbered(i, 1))
			errs <- err
		}()
	}
	waitFor(t, func() bool { return l.Waiting() == n })
	closed := make(chan error)
	go func() { closed <- l.Close() }()
	release()
	if err := <-closed; err != nil {
		t.Fatal(err)
	}
	for range n {
		if err := <-errs; err != nil {
			t.Error(err)
		}
	}

	if _, err := l.Record(t.Context(), numbered(n, 1)); !errors.Is(err, decisionlog.ErrClosed) {
		t.Errorf("record: got %v, want %v", err, decisionlog.ErrClosed)
	}
	if _, err := l.Get(t.Context(), "x"); !errors.Is(err, decisionlog.ErrClosed) {
		t.Errorf("get: got %v, want %v", err, decisionlog.ErrClosed)
	}
	if err := l.Ready(t.Context()); !errors.Is(err, decisionlog.ErrClosed) {
		t.Errorf("ready: got %v, want %v", err, decisionlog.ErrClosed)
	}
	if err := l.Close(); err != nil {
		t.Errorf("close again: %v", err)
	}
	if got := open(t, decisionlog.Config{Dir: dir}).Committed(); got != n {
		t.Errorf("%d rows, want %d", got, n)
	}
}

func waitFor(t *testing.T, condition func() bool) {
	t.Helper()
	for !condition() {
		select {
		case <-t.Context().Done():
			t.Fatal("waited in vain")
		case <-time.After(time.Millisecond):
		}
	}
}

// failing records n entries at once, each too large for the room that is left in any page, and wants
// every one refused.
func failing(t *testing.T, l *decisionlog.Log, from, n int, want error) {
	t.Helper()
	var all sync.WaitGroup
	for i := from; i < from+n; i++ {
		all.Go(func() {
			e := numbered(i, 3)
			e.Request.Turn.Attributes = fmt.Appendf(nil, `{"note":"%08192d"}`, i)
			if position, err := l.Record(t.Context(), e); !errors.Is(err, want) {
				t.Errorf("got %v, %v, want %v", position, err, want)
			}
		})
	}
	all.Wait()
}

func TestRecordRecovers(t *testing.T) {
	cases := map[string]struct {
		// breakIt makes every commit fail until the function it returns is called.
		breakIt func(t *testing.T, dir string, l *decisionlog.Log) (mend func())
	}{
		"from a lock of another process": {
			func(t *testing.T, dir string, _ *decisionlog.Log) func() {
				other := alongside(t, dir)
				exec(t, other, "BEGIN EXCLUSIVE")
				return func() { exec(t, other, "ROLLBACK") }
			},
		},
		"from a full disk": {
			func(t *testing.T, _ string, l *decisionlog.Log) func() {
				limit := func(pages int) {
					if err := l.ExecOnWriter(t.Context(), fmt.Sprintf("PRAGMA max_page_count = %d", pages)); err != nil {
						t.Fatal(err)
					}
				}
				limit(1) // SQLite raises it to the present size
				// What room the last pages have is used up by something that is no decision.
				for l.ExecOnWriter(t.Context(), "INSERT INTO filler VALUES (randomblob(3000))") == nil {
				}
				return func() { limit(1 << 30) }
			},
		},
		"from a failure behind the inserts": {
			func(t *testing.T, dir string, l *decisionlog.Log) func() {
				// A trigger fires after all handles of the entry were given out.
				if err := l.ExecOnWriter(t.Context(), `CREATE TRIGGER spoil AFTER INSERT ON entry BEGIN SELECT RAISE(ROLLBACK, 'spoilt'); END`); err != nil {
					t.Fatal(err)
				}
				return func() {
					if err := l.ExecOnWriter(t.Context(), `DROP TRIGGER spoil`); err != nil {
						t.Fatal(err)
					}
				}
			},
		},
		"from a read-only connection": {
			func(t *testing.T, _ string, l *decisionlog.Log) func() {
				set := func(value string) {
					if err := l.ExecOnWriter(t.Context(), "PRAGMA query_only = "+value); err != nil {
						t.Fatal(err)
					}
				}
				set("ON")
				return func() { set("OFF") }
			},
		},
		"from a database that was moved away": {
			func(t *testing.T, dir string, _ *decisionlog.Log) func() {
				path := filepath.Join(dir, "decisions.db")
				move := func(from, to string) {
					if err := os.Rename(from, to); err != nil {
						t.Fatal(err)
					}
				}
				move(path, path+".away")
				return func() { move(path+".away", path) }
			},
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			l := open(t, decisionlog.Config{Dir: dir, BusyTimeout: 5 * time.Millisecond})
			if err := l.ExecOnWriter(t.Context(), "CREATE TABLE filler (bytes BLOB)"); err != nil {
				t.Fatal(err)
			}
			want := make(map[uint64]*policy.Entry)
			add := func(i int) {
				e := numbered(i, 4)
				want[record(t, l, e).Index] = e
			}
			add(0)
			add(1)
			get(t, l, numbered(1, 1).ID) // the index is up to date
			add(2)
			add(3) // the index is behind

			mend := c.breakIt(t, dir, l)
			failing(t, l, 100, 20, decisionlog.ErrUnavailable)
			if err := l.Ready(t.Context()); !errors.Is(err, decisionlog.ErrUnavailable) && name != "from a failure behind the inserts" && name != "from a full disk" {
				t.Errorf("ready: got %v, want %v", err, decisionlog.ErrUnavailable)
			}
			for _, i := range []uint64{1, 3} {
				if diff := cmp.Diff(*want[i], get(t, l, want[i].ID).Entry); diff != "" {
					t.Errorf("read while writing fails (-recorded +read):\n%s", diff)
				}
			}
			for _, q := range []decisionlog.Query{
				{}, {Viewer: "user:ann"}, {Item: "item-16"}, {From: want[2].At}, {To: want[3].At, Admit: new(true)},
				{Viewer: "user:ann", From: want[1].At, To: want[3].At},
			} {
				var found []string
				for i := len(want) - 1; i >= 0; i-- {
					if e := want[uint64(i)]; matches(e, q) {
						found = append(found, e.ID)
					}
				}
				q.Limit = 1
				if diff := cmp.Diff(found, ids(t, l, q)); diff != "" {
					t.Errorf("list while writing fails, %+v (-want +got):\n%s", q, diff)
				}
			}
			mend()

			if err := l.Ready(t.Context()); err != nil {
				t.Errorf("ready again: %v", err)
			}
			// Values that were given handles in vain come again, beside new ones.
			for _, i := range []int{100, 4, 101, 5} {
				add(i)
			}
			checkAll(t, l, want)
		})
	}
}

func TestAPanicLeavesNobodyWaiting(t *testing.T) {
	l := open(t, decisionlog.Config{Dir: t.TempDir()})
	release := l.HoldWriter()
	broken := make(chan error)
	go func() { broken <- l.RecordBroken() }()
	waitFor(t, func() bool { return l.Waiting() == 1 })
	type answer struct {
		position policy.Position
		err      error
	}
	neighbour := make(chan answer)
	go func() {
		position, err := l.Record(t.Context(), numbered(1, 2))
		neighbour <- answer{position, err}
	}()
	waitFor(t, func() bool { return l.Waiting() == 2 })
	release()

	if err := <-broken; !errors.Is(err, decisionlog.ErrUnavailable) {
		t.Errorf("broken entry: got %v, want %v", err, decisionlog.ErrUnavailable)
	}
	a := <-neighbour
	if a.err != nil {
		t.Errorf("its neighbour in the batch: %v", a.err)
	}
	if err := l.PanicInTask(t.Context()); !errors.Is(err, decisionlog.ErrUnavailable) {
		t.Errorf("task: got %v, want %v", err, decisionlog.ErrUnavailable)
	}
	e := numbered(2, 2)
	checkAll(t, l, map[uint64]*policy.Entry{a.position.Index: numbered(1, 2), record(t, l, e).Index: e})
}

func TestReadyWaitsNoLongerThanItsContext(t *testing.T) {
	l := open(t, decisionlog.Config{Dir: t.TempDir()})
	release := l.HoldWriter()
	defer release()
	ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	if err := l.Ready(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v, want %v", err, context.DeadlineExceeded)
	}
}
