package decisionlog

import (
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/hex"
)

// originPrefix stands before the random part of an origin.
const originPrefix = "earshot.example/ledger/"

// Origin returns the identity of this ledger, a URL without a scheme that ends in 32 hex digits. It is
// made with the ledger and stays the same.
func (l *Log) Origin() string { return l.origin }

// readOrigin returns the origin of the ledger; a new ledger gets one.
func readOrigin(ctx context.Context, conn *sql.Conn) (string, error) {
	fresh := make([]byte, 16)
	rand.Read(fresh)
	if _, err := conn.ExecContext(ctx, `INSERT INTO origin (one, id) VALUES (1, ?) ON CONFLICT DO NOTHING`, fresh); err != nil {
		return "", storageError("make the ledger's identity", err)
	}
	var id []byte
	if err := conn.QueryRowContext(ctx, `SELECT id FROM origin`).Scan(&id); err != nil {
		return "", storageError("read the ledger's identity", err)
	}
	return originPrefix + hex.EncodeToString(id), nil
}
