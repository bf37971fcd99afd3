package decisionlog

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
)

const (
	selectRow  = `SELECT leaf, payload FROM entry WHERE seq = ?`
	selectRows = `SELECT seq, leaf, payload FROM entry WHERE seq >= ? ORDER BY seq LIMIT ?`
)

// row is one row of the ledger.
type row struct {
	seq     int64
	leaf    []byte
	payload []byte
}

// blame says in which row of the ledger err was met.
func (r *row) blame(err error) error { return fmt.Errorf("ledger row %d: %w", r.seq, err) }

// readRow returns one row of the ledger. It is damage where there is none: every seq below the end of
// the ledger was given out.
func readRow(ctx context.Context, db querier, seq int64) (row, error) {
	r := row{seq: seq}
	err := lookUp(ctx, db, "read a ledger row", selectRow, []any{seq}, &r.leaf, &r.payload)
	if errors.Is(err, sql.ErrNoRows) {
		err = damaged("the row is missing")
	}
	if err != nil {
		return row{seq: seq}, r.blame(err)
	}
	return r, nil
}

// readRows returns up to n rows of the ledger from seq on.
func readRows(ctx context.Context, db rowsQuerier, seq uint64, n int) (list []row, err error) {
	return readRowsBy(ctx, db, selectRows, int64(seq), n)
}

// readRowsBy returns the rows that a query selects.
func readRowsBy(ctx context.Context, db rowsQuerier, query string, args ...any) (list []row, err error) {
	rows, err := db.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var r row
		if err := rows.Scan(&r.seq, &r.leaf, &r.payload); err != nil {
			return nil, err
		}
		list = append(list, r)
	}
	return list, rows.Err()
}
