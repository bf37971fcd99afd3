package decisionlog_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"earshot/decisionlog"
	"earshot/policy"
)

// failing records n entries at once, each too large for the room that is left in any page, and wants
// every one refused.
func failing(t *testing.T, l *decisionlog.Log, from, n int, want error, says string) {
	t.Helper()
	var all sync.WaitGroup
	for i := from; i < from+n; i++ {
		all.Go(func() {
			e := numbered(i, 3)
			e.Request.Turn.Attributes = fmt.Appendf(nil, `{"note":"%08192d"}`, i)
			if position, err := l.Record(t.Context(), e); !errors.Is(err, want) || !strings.Contains(err.Error(), says) {
				t.Errorf("got %v, %v, want %v with %q", position, err, want, says)
			}
		})
	}
	all.Wait()
}

func TestRecordRecovers(t *testing.T) {
	cases := map[string]struct {
		// breakIt makes every commit fail until the function it returns is called.
		breakIt func(t *testing.T, dir string, l *decisionlog.Log) (mend func())

		// says is in the error that a caller gets.
		says string

		// ready is set where other decisions could be recorded.
		ready bool
	}{
		"from a lock of another process": {
			func(t *testing.T, dir string, _ *decisionlog.Log) func() {
				other := alongside(t, dir)
				exec(t, other, "BEGIN EXCLUSIVE")
				return func() { exec(t, other, "ROLLBACK") }
			},
			"end the other process", false,
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
			"free space on the disk", false,
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
			"spoilt", true,
		},
		"from a file that SQLite opened for reading": {
			func(t *testing.T, _ string, l *decisionlog.Log) func() {
				restore, err := l.MakeWriterReadOnly(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				return func() {
					if err := restore(); err != nil {
						t.Fatal(err)
					}
				}
			},
			"make the data folder and its files writable", false,
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
			"make the data folder and its files writable", false,
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
			"restart the service on the right folder", false,
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			now := newClock()
			l := open(t, decisionlog.Config{Dir: dir, BusyTimeout: 5 * time.Millisecond, Clock: now.read})
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
			failing(t, l, 100, 20, decisionlog.ErrUnavailable, c.says)
			for _, how := range []string{"from the last commit", "from a probe"} {
				if err := l.Ready(t.Context()); c.ready != (err == nil) || !c.ready && !errors.Is(err, decisionlog.ErrUnavailable) {
					t.Errorf("ready %s: got %v, want ready: %t", how, err, c.ready)
				}
				now.advance(2 * time.Second)
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
