package decisionlog_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"earshot/decisionlog"
	"earshot/policy"
)

// listed returns the ledger rows that a query selects, each with what is known of it.
func listed(t *testing.T, l *decisionlog.Log, q decisionlog.Query) (list []string) {
	t.Helper()
	page, err := l.List(t.Context(), q)
	if err != nil {
		t.Fatalf("%+v: %v", q, err)
	}
	for _, s := range page.Summaries {
		state := "sound"
		switch {
		case s.Damage == nil:
			if s.ID != numbered(int(s.Log.Index), 1).ID {
				t.Errorf("row %d has the id %q", s.Log.Index, s.ID)
			}
		case !errors.Is(s.Damage, decisionlog.ErrDamaged):
			t.Errorf("damage of row %d: %v", s.Log.Index, s.Damage)
		case s.ID == "":
			state = "unknown"
		default:
			state = "damaged"
		}
		list = append(list, fmt.Sprintf("%d %s", s.Log.Index, state))
	}
	return list
}

// withOwnViewer returns a plain entry with a viewer that no other has.
func withOwnViewer(i int) *policy.Entry {
	e := numbered(i, 2)
	e.Request.Turn.Viewers = []string{"user:ann", fmt.Sprintf("user:only-%d", i)}
	e.Viewers.Present = e.Request.Turn.Viewers
	return e
}

// TestDamageHidesNothingElse damages the row in the middle of three, before or after it was indexed.
func TestDamageHidesNothingElse(t *testing.T) {
	const own = ` AND handle >= (SELECT json_extract(CAST(leaf AS TEXT), '$.defines.first') FROM entry WHERE seq = 1)
		AND handle < (SELECT json_extract(CAST(leaf AS TEXT), '$.defines.first') FROM entry WHERE seq = 2)`
	cases := map[string]struct {
		change string

		// state is what a list says of the row where it was indexed before.
		state string

		// leaf is set where id and clock can still be read.
		leaf bool
	}{
		"a payload":      {`UPDATE entry SET payload = CAST(payload || x'00' AS BLOB) WHERE seq = 1`, "damaged", true},
		"a leaf":         {`UPDATE entry SET leaf = x'7b7d' WHERE seq = 1`, "unknown", false},
		"a row":          {`DELETE FROM entry WHERE seq = 1`, "unknown", false},
		"its viewers":    {`UPDATE definition SET body = x'08' WHERE substr(body, 1, 1) = x'08'` + own, "damaged", true},
		"its candidates": {`UPDATE definition SET body = x'04' WHERE substr(body, 1, 1) = x'04'` + own, "sound", true}, // a list does not read them
	}
	for name, c := range cases {
		for _, indexed := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, indexed %t", name, indexed), func(t *testing.T) {
				dir := t.TempDir()
				l := open(t, decisionlog.Config{Dir: dir})
				for i := range 3 {
					record(t, l, withOwnViewer(i))
				}
				ids(t, l, decisionlog.Query{}) // has the index filled
				if err := l.Close(); err != nil {
					t.Fatal(err)
				}
				tamper(t, dir, c.change)
				row, known := "1 "+c.state, true
				if !indexed {
					forgetIndex(t, dir)
					row, known = "1 damaged", c.leaf
				}
				if !known {
					row = "1 unknown"
				}

				l = open(t, decisionlog.Config{Dir: dir})
				all := []string{"2 sound", row, "0 sound"}
				// Who listened and when may be unknown, so the row may be one that is asked for.
				first, early := []string{"0 sound"}, []string{"0 sound"}
				if !indexed {
					first = []string{row, "0 sound"}
				}
				if !known {
					early = []string{row, "0 sound"}
				}
				for _, q := range []struct {
					query decisionlog.Query
					want  []string
				}{
					{decisionlog.Query{}, all},
					{decisionlog.Query{Viewer: "user:ann"}, all},
					{decisionlog.Query{Admit: new(true)}, all},
					{decisionlog.Query{Viewer: "user:only-0"}, first},
					{decisionlog.Query{Viewer: "user:only-0", Agent: "agent:scribe"}, first},
					{decisionlog.Query{To: start.Add(time.Millisecond)}, early},
					{decisionlog.Query{Viewer: "user:only-0", To: start.Add(time.Millisecond)}, early},
				} {
					if diff := cmp.Diff(q.want, listed(t, l, q.query)); diff != "" {
						t.Errorf("%+v (-want +got):\n%s", q.query, diff)
					}
				}

				want := decisionlog.ErrDamaged
				if !known {
					want = decisionlog.ErrNotFound
				}
				if r, err := l.Get(t.Context(), numbered(1, 1).ID); !errors.Is(err, want) {
					t.Errorf("get the damaged one: %v, %v, want %v", r, err, want)
				}
				position := record(t, l, withOwnViewer(3))
				for _, e := range []*policy.Entry{withOwnViewer(0), withOwnViewer(2), withOwnViewer(3)} {
					if diff := cmp.Diff(*e, get(t, l, e.ID).Entry); diff != "" {
						t.Errorf("another one (-recorded +read):\n%s", diff)
					}
				}
				if diff := cmp.Diff(append([]string{"3 sound"}, all...), listed(t, l, decisionlog.Query{})); position.Index != 3 || diff != "" {
					t.Errorf("after one more, in row %d (-want +got):\n%s", position.Index, diff)
				}
			})
		}
	}
}

// TestABrokenPageHidesNothingElse overwrites a page of the database file with some rows in it.
func TestABrokenPageHidesNothingElse(t *testing.T) {
	const n = 300
	for _, indexed := range []bool{false, true} {
		t.Run(fmt.Sprintf("indexed %t", indexed), func(t *testing.T) {
			dir := t.TempDir()
			l := open(t, decisionlog.Config{Dir: dir})
			for i := range n {
				record(t, l, numbered(i, 1))
			}
			if indexed {
				ids(t, l, decisionlog.Query{})
			}
			if err := l.Close(); err != nil {
				t.Fatal(err)
			}
			path := filepath.Join(dir, "decisions.db")
			file, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			const page = 4096
			at := bytes.Index(file, []byte(`"id":"`+numbered(n/2, 1).ID)) / page * page
			if at <= 0 {
				t.Fatal("there is no such leaf")
			}
			copy(file[at:at+page], bytes.Repeat([]byte{0xff}, page))
			if err := os.WriteFile(path, file, 0o600); err != nil {
				t.Fatal(err)
			}

			l = open(t, decisionlog.Config{Dir: dir})
			got := listed(t, l, decisionlog.Query{Limit: n})
			sound := slices.DeleteFunc(slices.Clone(got), func(s string) bool { return !strings.HasSuffix(s, " sound") })
			if len(got) != n || len(sound) == n || len(sound) < n/2 || slices.Contains(sound, fmt.Sprintf("%d sound", n/2)) {
				t.Errorf("%d rows of %d are listed, %d of them as sound", len(got), n, len(sound))
			}
			record(t, l, numbered(n, 1))
		})
	}
}
