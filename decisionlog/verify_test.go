package decisionlog_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"earshot/decisionlog"
)

func TestVerifyFindsEveryChange(t *testing.T) {
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
		"a name too many":                  `INSERT INTO name VALUES (100000, randomblob(16), randomblob(16), x'00')`,
		"a name's hash":                    `UPDATE name SET hash = randomblob(16) WHERE text = CAST('user:ann' AS BLOB)`,
		"a name under a handle of its own": `UPDATE name SET handle = -1 WHERE text = CAST('user:ann' AS BLOB)`,
	}
	for name, change := range cases {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			l := open(t, decisionlog.Config{Dir: dir})
			for i := range 3 {
				record(t, l, numbered(i, 2))
			}
			verified(t, l, 3)
			tamper(t, dir, change)
			if n, err := l.Verify(t.Context(), nil); !errors.Is(err, decisionlog.ErrDamaged) || n > 3 {
				t.Errorf("got %d entries, %v, want %v", n, err, decisionlog.ErrDamaged)
			}
		})
	}
}

func TestVerifyCounts(t *testing.T) {
	dir := t.TempDir()
	l := open(t, decisionlog.Config{Dir: dir})
	const n, bad = 600, 400
	for i := range n {
		record(t, l, numbered(i, 1))
	}
	verify := func() (entries uint64, told []uint64, err error) {
		entries, err = l.Verify(t.Context(), func(entries uint64) { told = append(told, entries) })
		return entries, told, err
	}
	entries, told, err := verify()
	if diff := cmp.Diff([]uint64{256, 512, 600}, told); err != nil || entries != n || diff != "" {
		t.Errorf("%d entries, %v, progress (-want +got):\n%s", entries, err, diff)
	}

	tamper(t, dir, `UPDATE entry SET payload = x'00' WHERE seq = ?`, bad)
	entries, told, err = verify()
	if !errors.Is(err, decisionlog.ErrDamaged) || !strings.Contains(err.Error(), "ledger row 400: ") {
		t.Errorf("got %v, want one about row %d", err, bad)
	}
	if diff := cmp.Diff([]uint64{256}, told); entries != bad || diff != "" {
		t.Errorf("%d entries, progress (-want +got):\n%s", entries, diff)
	}
}
