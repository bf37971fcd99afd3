package decisionlog

import (
	"context"
	"crypto/hkdf"
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"earshot/decisionlog/fingerprint"
)

const (
	// printChunk is how many fingerprints one statement takes.
	printChunk = 4096

	insertPrints = `INSERT OR IGNORE INTO fingerprint (tenant, print, item) SELECT ?, value, ? FROM json_each(?)`
	deletePrints = `DELETE FROM fingerprint WHERE item = ?`
	selectPrints = `SELECT f.item, n.text, count(*) FROM fingerprint f JOIN name n ON n.handle = f.item
		WHERE f.tenant = ? AND f.print IN (SELECT value FROM json_each(?)) GROUP BY f.item`
)

// Fingerprints returns the fingerprints of a text under the ledger's own key, sorted and distinct. The
// package fingerprint says what they can and cannot show.
func (l *Log) Fingerprints(text string) []uint64 { return l.prints.Of(text) }

// newFingerprinter derives its key, so that what is kept of a text says nothing about names.
func newFingerprinter(k keys) (*fingerprint.Maker, error) {
	key, err := hkdf.Key(sha256.New, k.name, nil, "earshot fingerprint v1", fingerprint.KeySize)
	if err != nil {
		return nil, err
	}
	return fingerprint.New(key)
}

// KeepFingerprints keeps the fingerprints of the text of an item, beside those of earlier texts of it;
// of very many it keeps those of fingerprint.Bound. The ledger must have an entry with the item, and
// with the tenant unless that is empty. What is kept hangs on the item's name, and goes with it.
//
// Errors: ErrNotFound where no entry has the item or the tenant, ErrClosed, ErrUnavailable, ErrDamaged
// or the context's error.
func (l *Log) KeepFingerprints(ctx context.Context, tenant, itemID string, prints []uint64) error {
	if len(prints) == 0 {
		return nil
	}
	sorted := slices.Compact(slices.Sorted(slices.Values(prints)))
	kept := fingerprint.Bound(sorted)
	err := l.run(ctx, func(w *writer) error {
		of, err := w.tenantHandle(tenant)
		if err != nil {
			return err
		}
		item, err := findHandle(background(), w.conn, l.keys.name, itemID)
		if err != nil {
			return err
		}
		return w.transaction("keep fingerprints", func() error {
			for chunk := range slices.Chunk(kept, printChunk) {
				if _, err := w.conn.ExecContext(background(), insertPrints, of, item, printList(chunk)); err != nil {
					return err
				}
			}
			return nil
		})
	})
	if err != nil {
		return fmt.Errorf("keep fingerprints: %w", err)
	}
	return nil
}

// Overlaps returns how many of the prints each item of a tenant shares, by the item's id. Items that
// share none, or whose name was erased, are not there.
//
// Errors: ErrClosed, ErrUnavailable, ErrDamaged or the context's error.
func (l *Log) Overlaps(ctx context.Context, tenant string, prints []uint64) (map[string]int, error) {
	shared := map[string]int{}
	if len(prints) == 0 {
		return shared, nil
	}
	distinct := slices.Compact(slices.Sorted(slices.Values(prints)))
	tx, end, err := l.beginRead(ctx)
	if err != nil {
		return nil, fmt.Errorf("find overlaps: %w", err)
	}
	var of int64
	if tenant != "" {
		of, err = findHandle(ctx, tx, l.keys.name, tenant)
	}
	for chunk := range slices.Chunk(distinct, printChunk) {
		if err == nil {
			err = countShared(ctx, tx, shared, of, chunk)
		}
	}
	if errors.Is(err, ErrNotFound) { // nothing was ever recorded for the tenant
		err = nil
	}
	if err = errors.Join(err, end()); err != nil {
		return nil, fmt.Errorf("find overlaps: %w", err)
	}
	return shared, nil
}

func countShared(ctx context.Context, db rowsQuerier, shared map[string]int, tenant int64, prints []uint64) (err error) {
	rows, err := db.QueryContext(ctx, selectPrints, tenant, printList(prints))
	if err != nil {
		return readError(ctx, "find overlaps", err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var item int64
		var id []byte
		var n int
		if err := rows.Scan(&item, &id, &n); err != nil {
			return readError(ctx, "find overlaps", err)
		}
		shared[string(id)] += n
	}
	if err := rows.Err(); err != nil {
		return readError(ctx, "find overlaps", err)
	}
	return nil
}

// tenantHandle returns the handle of a tenant's name, 0 for none.
func (w *writer) tenantHandle(tenant string) (int64, error) {
	if tenant == "" {
		return 0, nil
	}
	return findHandle(background(), w.conn, w.log.keys.name, tenant)
}

// printList returns fingerprints as a JSON array of signed integers, as SQLite has them.
func printList(prints []uint64) string {
	text := make([]byte, 0, 22*len(prints)+2)
	text = append(text, '[')
	for i, p := range prints {
		if i > 0 {
			text = append(text, ',')
		}
		text = strconv.AppendInt(text, int64(p), 10)
	}
	return string(append(text, ']'))
}
