package decisionlog_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"earshot/decisionlog"
	"earshot/policy"
)

const (
	erasedPerson = "user:zoe.quibble@example.net"
	keptPerson   = "user:zoe.quibble@example.net.au" // another one, whose name only begins alike
)

func erasureOf(name string, n int) decisionlog.Erasure {
	return decisionlog.Erasure{
		ID: fmt.Sprintf("01931c5e-7d2a-7c1f-9a58-%012d", n), At: start, PolicyRevision: "sha256:" + fmt.Sprintf("%064d", 7),
		Name: name, RequestedBy: "privacy-desk", Reason: decisionlog.ErasureReasons()[0],
	}
}

func erase(t testing.TB, l *decisionlog.Log, e decisionlog.Erasure) *decisionlog.StoredErasure {
	t.Helper()
	done, lingering, err := l.Erase(t.Context(), e)
	if err != nil || lingering {
		t.Fatalf("erase: lingering %v, %v", lingering, err)
	}
	return done
}

// personal is an entry in which a person stands in every place that can have one.
func personal(i int, person string) *policy.Entry {
	e := numbered(i, 3)
	turn := &e.Request.Turn
	turn.Viewers = sorted(person, "user:ben", fmt.Sprintf("user:guest-%d", i%50))
	turn.Evidence = []policy.Evidence{{Source: "call", Viewers: turn.Viewers, Complete: true}}
	turn.Attributes = fmt.Appendf(nil, `{"host":%q,"n":%d}`, person, i%100)
	e.Viewers = policy.Viewers{Known: true, Present: turn.Viewers, Digest: policy.ViewersDigest(turn.Viewers)}
	e.Facts.Roster = &policy.Roster{Members: turn.Viewers}
	c := &e.Request.Candidates[0]
	c.Audience = policy.Principals(turn.Viewers...)
	c.Attributes = fmt.Appendf(nil, `{"author":"%s"}`, strings.Replace(person, "z", `\u007a`, 1))
	c.Faults = []policy.Fault{{Code: "malformed", Field: "audience", Problem: fmt.Sprintf("has %q twice", person)}}
	claims, _ := json.Marshal(map[string]any{"item": c.ID, "audience": map[string]string{"digest": policy.AudienceDigest(c.Audience)}})
	c.Seal = "eyJhbGciOiJFZERTQSJ9." + base64.RawURLEncoding.EncodeToString(claims) + ".c2ln"
	e.Request.Candidates[1].Agent = person
	e.Request.Candidates[1].Sources = []policy.Source{{ID: "s", Audience: policy.Principals(turn.Viewers...), Agent: person}}
	return e
}

func sorted(names ...string) []string { slices.Sort(names); return names }

// foundIn returns the files below dir that have a text, with how often.
func foundIn(t testing.TB, dir string, texts ...string) map[string]int {
	t.Helper()
	found := map[string]int{}
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for _, text := range texts {
			if n := bytes.Count(content, []byte(text)); n > 0 {
				found[filepath.Base(path)+" "+text] += n
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// TestErase erases a person who is in many decisions, and wants no byte of the name left in any file.
func TestErase(t *testing.T) {
	dir := t.TempDir()
	l := open(t, decisionlog.Config{Dir: dir})
	const n = 10_000
	entries := make([]*policy.Entry, n)
	var group sync.WaitGroup
	for first := range 64 {
		group.Go(func() {
			for i := first; i < n; i += 64 {
				entries[i] = personal(i, erasedPerson)
				if _, err := l.Record(t.Context(), entries[i]); err != nil {
					t.Error(err)
				}
			}
		})
	}
	group.Wait()
	other := personal(n, keptPerson)
	record(t, l, other)
	texts := []string{
		erasedPerson, "quibble@example.net\"", `\u007aoe.quibble@example.net"`,
		entries[7].Viewers.Digest, entries[7].Request.Candidates[0].Seal, policy.ViewersDigest([]string{erasedPerson}),
	}
	if len(foundIn(t, dir, erasedPerson)) == 0 {
		t.Fatal("the name is in no file before the erasure")
	}

	done := erase(t, l, erasureOf(erasedPerson, 1))
	gone := fmt.Sprintf("erased-%d", done.Handles[done.Asked])
	// The other one's name contains the bytes of the erased one.
	check := func(when string) {
		t.Helper()
		if got := foundIn(t, dir, texts[1:]...); len(got) > 0 {
			t.Errorf("%s: left in the files: %v", when, got)
		}
		if all, others := foundIn(t, dir, erasedPerson), foundIn(t, dir, keptPerson); total(all) != total(others) {
			t.Errorf("%s: left in the files: %v, of which another name: %v", when, all, others)
		}
	}
	check("after the erasure")
	verified(t, l, n+2)
	if diff := cmp.Diff(*other, get(t, l, other.ID).Entry); diff != "" {
		t.Errorf("the decision about somebody else (-recorded +read):\n%s", diff)
	}
	want := sorted(gone, "user:ben", "user:guest-7")
	got := get(t, l, entries[7].ID)
	if diff := cmp.Diff(want, got.Request.Turn.Viewers); diff != "" {
		t.Errorf("viewers (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(want, got.Request.Candidates[0].Audience.Members); diff != "" {
		t.Errorf("audience (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(got, get(t, l, entries[7].ID)); diff != "" {
		t.Errorf("read twice:\n%s", diff)
	}
	if _, _, err := l.Erase(t.Context(), erasureOf(erasedPerson, 2)); !errors.Is(err, decisionlog.ErrNotFound) {
		t.Errorf("a second time: got %v, want %v", err, decisionlog.ErrNotFound)
	}
	register, err := l.ErasureRegister(t.Context(), decisionlog.Span{})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]decisionlog.RegisteredErasure{{StoredErasure: *done}}, register.Erasures); diff != "" {
		t.Errorf("register (-want +got):\n%s", diff)
	}

	again := personal(n+3, erasedPerson)
	record(t, l, again)
	if diff := cmp.Diff(*again, get(t, l, again.ID).Entry); diff != "" {
		t.Errorf("seen again (-recorded +read):\n%s", diff)
	}
	erase(t, l, erasureOf(erasedPerson, 3))
	check("after a second erasure")
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	check("after the close")
	verified(t, open(t, decisionlog.Config{Dir: dir}), n+4)
}

func total(found map[string]int) (n int) {
	for _, count := range found {
		n += count
	}
	return n
}

// TestEraseWhileRecording wants each decision to be read as it was recorded, or with the erased name in
// all places: none that was confirmed after the erasure may have the erased handle.
func TestEraseWhileRecording(t *testing.T) {
	l := open(t, decisionlog.Config{Dir: t.TempDir()})
	stop := make(chan struct{})
	var group sync.WaitGroup
	record(t, l, personal(0, erasedPerson))
	for worker := range 8 {
		group.Go(func() {
			for i := worker + 1; ; i += 8 {
				select {
				case <-stop:
					return
				default:
				}
				before := l.Committed()
				e := personal(i, erasedPerson)
				position, err := l.Record(t.Context(), e)
				if err != nil || position.Index < before {
					t.Errorf("%v, index %d", err, position.Index)
					return
				}
			}
		})
	}
	var erasures []*decisionlog.StoredErasure
	for i := 0; len(erasures) < 5; i++ {
		done, _, err := l.Erase(t.Context(), erasureOf(erasedPerson, i))
		if errors.Is(err, decisionlog.ErrNotFound) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		erasures = append(erasures, done)
	}
	close(stop)
	group.Wait()
	for _, id := range ids(t, l, decisionlog.Query{Viewer: "user:ben", Limit: 500}) {
		r := get(t, l, id)
		for _, e := range erasures {
			if gone := fmt.Sprintf("erased-%d", e.Handles[e.Asked]); e.Log.Index < r.Log.Index && slices.Contains(r.Request.Turn.Viewers, gone) {
				t.Fatalf("row %d has a name that was erased in row %d", r.Log.Index, e.Log.Index)
			}
		}
	}
	verified(t, l, l.Committed())
}

// TestEraseLeavesNoCopyOnAPage erases names of all lengths from between others, again and again: pages
// are split, merged and freed, and none may keep an old copy.
func TestEraseLeavesNoCopyOnAPage(t *testing.T) {
	dir := t.TempDir()
	l := open(t, decisionlog.Config{Dir: dir})
	random := rand.New(rand.NewPCG(1, 2))
	var names []string
	for round := range 12 {
		for i := range 40 {
			e := numbered(1000*round+i, 1)
			name := fmt.Sprintf("user:%02d-%02d-%s.", round, i, strings.Repeat("q", random.IntN(200)))
			e.Request.Turn.Agent = name
			e.Request.Turn.Attributes = fmt.Appendf(nil, `{"text":"%s %s"}`, name, strings.Repeat("long ", random.IntN(3000)))
			names = append(names, name)
			record(t, l, e)
		}
		random.Shuffle(len(names), func(i, k int) { names[i], names[k] = names[k], names[i] })
		for i := range 25 {
			erase(t, l, erasureOf(names[i], 100*round+i))
			if found := foundIn(t, dir, names[i]); len(found) > 0 {
				t.Fatalf("round %d: %s is left: %v", round, names[i], found)
			}
		}
		names = names[25:]
	}
	verified(t, l, l.Committed())
}
