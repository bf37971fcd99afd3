package decisionlog

import (
	"context"
	"database/sql"
	"errors"
)

// querier is what both a connection and a transaction offer.
type querier interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// rowsQuerier can return several rows as well.
type rowsQuerier interface {
	querier
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// lookUp runs a query for one row. Each query is a short one, so the end of ctx is heeded between
// them: to interrupt one takes the driver a goroutine, which costs more than most queries.
func lookUp(ctx context.Context, db querier, doing, query string, args []any, into ...any) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	err := db.QueryRowContext(context.WithoutCancel(ctx), query, args...).Scan(into...)
	if err == nil || errors.Is(err, sql.ErrNoRows) {
		return err
	}
	return readError(ctx, doing, err)
}

// readError says which kind of failure a read met: the caller's context or the database.
func readError(ctx context.Context, doing string, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return storageError(doing, err)
}
