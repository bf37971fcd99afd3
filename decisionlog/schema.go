package decisionlog

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"slices"
)

// What begins with sqlite_ is SQLite's own: indexes of constraints, statistics.
const selectSchema = `SELECT type || ' ' || name, ifnull(sql, '') FROM sqlite_schema WHERE name NOT LIKE 'sqlite\_%' ESCAPE '\'`

// checkSchema compares the tables, indexes and triggers of the database with those that its
// migrations make. Without its triggers a ledger can be changed and nobody notices.
func checkSchema(ctx context.Context, conn *sql.Conn, migrations []string) (err error) {
	if len(migrations) == 0 {
		return nil
	}
	db, err := sql.Open("sqlite3", ":memory:")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	model, err := db.Conn(ctx)
	if err != nil {
		return storageError("make a model of the database", err)
	}
	defer func() { err = errors.Join(err, model.Close()) }()
	if err := runMigrations(ctx, model, migrations); err != nil {
		return err
	}
	want, err := readSchema(ctx, model)
	if err != nil {
		return err
	}
	got, err := readSchema(ctx, conn)
	if err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(want)) {
		switch text, there := got[name]; {
		case !there:
			return wrongSchema(name, "is missing")
		case text != want[name]:
			return wrongSchema(name, "was changed")
		}
	}
	for _, name := range slices.Sorted(maps.Keys(got)) {
		if _, known := want[name]; !known {
			return wrongSchema(name, "does not belong there")
		}
	}
	return nil
}

func wrongSchema(name, how string) error {
	return damaged("the %s %s, so the ledger may have been changed; restore the folder from a backup", name, how)
}

// readSchema returns the statements that made the database, by type and name.
func readSchema(ctx context.Context, conn *sql.Conn) (schema map[string]string, err error) {
	rows, err := conn.QueryContext(ctx, selectSchema)
	if err != nil {
		return nil, fmt.Errorf("read the schema: %w", openError(err))
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	schema = make(map[string]string)
	for rows.Next() {
		var name, text string
		if err := rows.Scan(&name, &text); err != nil {
			return nil, storageError("read the schema", err)
		}
		schema[name] = text
	}
	if err := rows.Err(); err != nil {
		return nil, storageError("read the schema", err)
	}
	return schema, nil
}
