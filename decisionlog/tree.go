package decisionlog

import (
	"context"
	"database/sql"
	"errors"
	"slices"

	"golang.org/x/mod/sumdb/tlog"
)

const (
	// tileHeight and tileWidth are those of C2SP tlog-tiles: 256 hashes a tile.
	tileHeight = 8
	tileWidth  = 1 << tileHeight

	// maxTileLevels is how many levels of tiles a tree of 2^63 leaves has.
	maxTileLevels = 8

	insertTile     = `INSERT INTO tile (level, n, hashes) VALUES (?, ?, ?)`
	updateTile     = `UPDATE tile SET hashes = ? WHERE level = ? AND n = ?`
	selectLastTile = `SELECT n, hashes FROM tile WHERE level = ? ORDER BY n DESC LIMIT 1`
)

// edge is the right edge of a Merkle tree (RFC 6962, section 2.1): of each level the tile that grows. It
// takes a leaf without a look at the tiles that are full. The zero value is the empty tree.
type edge struct {
	levels [maxTileLevels]growingTile
}

// growingTile is a tile with less than 256 hashes.
type growingTile struct {
	n      int64
	hashes []tlog.Hash

	// stored is how many of the hashes are in the database.
	stored int
}

// filledTile is a tile that has just become full; stored is as in growingTile.
type filledTile struct {
	level  int
	n      int64
	hashes []tlog.Hash
	stored int
}

// add adds a leaf and calls filled with each tile that it makes full, lower levels first.
func (e *edge) add(leaf tlog.Hash, filled func(filledTile)) {
	for level, hash := 0, leaf; ; level++ {
		t := &e.levels[level]
		t.hashes = append(t.hashes, hash)
		if len(t.hashes) < tileWidth {
			return
		}
		full := filledTile{level, t.n, t.hashes, t.stored}
		*t = growingTile{n: t.n + 1, hashes: make([]tlog.Hash, 0, tileWidth)}
		filled(full)
		hash = rootOf(full.hashes)
	}
}

// size returns the number of leaves.
func (e *edge) size() uint64 {
	return uint64(e.levels[0].n)*tileWidth + uint64(len(e.levels[0].hashes))
}

// root returns the hash of the tree. What is below the hashes of a level and not yet one of them hangs
// to their right, as RFC 6962 has it.
func (e *edge) root() tlog.Hash {
	var below []tlog.Hash
	for level := range e.levels {
		list := append(slices.Clone(e.levels[level].hashes), below...)
		if len(list) > 0 {
			below = []tlog.Hash{rootOf(list)}
		}
	}
	if below == nil {
		return emptyRoot()
	}
	return below[0]
}

// rootOf returns the hash of the tree over hashes, of which there is at least one.
func rootOf(hashes []tlog.Hash) tlog.Hash {
	if len(hashes) == 1 {
		return hashes[0]
	}
	left := 1
	for 2*left < len(hashes) {
		left *= 2
	}
	return tlog.NodeHash(rootOf(hashes[:left]), rootOf(hashes[left:]))
}

// emptyRoot is the hash of the tree without leaves: the SHA-256 of nothing.
func emptyRoot() tlog.Hash { return tlog.Hash(digestOf(nil)) }

// tree is the edge of the stored tree in the hands of the writer, with what the open transaction has
// added to it.
type tree struct {
	edge
	filled []filledTile
}

func (t *tree) add(leaf tlog.Hash) {
	t.edge.add(leaf, func(f filledTile) { t.filled = append(t.filled, f) })
}

// writeTree writes the tiles that the open transaction has changed, each once.
func (w *writer) writeTree() error {
	for _, f := range w.tree.filled {
		if err := w.writeTile(f.level, f.n, f.hashes, f.stored); err != nil {
			return err
		}
	}
	w.tree.filled = nil
	for level := range w.tree.levels {
		t := &w.tree.levels[level]
		if len(t.hashes) == t.stored {
			continue
		}
		if err := w.writeTile(level, t.n, t.hashes, t.stored); err != nil {
			return err
		}
		t.stored = len(t.hashes)
	}
	return nil
}

func (w *writer) writeTile(level int, n int64, hashes []tlog.Hash, stored int) error {
	b := joinHashes(hashes)
	if stored == 0 {
		_, err := w.conn.ExecContext(background(), insertTile, level, n, b)
		return err
	}
	_, err := w.conn.ExecContext(background(), updateTile, b, level, n)
	return err
}

// readTree reads the edge of the tree of a ledger with so many rows. A tree that has another number of
// leaves is damage, and is not mended: both are written in one transaction.
func readTree(ctx context.Context, db querier, rows uint64) (tree, error) {
	var t tree
	for level := range t.levels {
		hashes := rows >> (tileHeight * level)
		var n int64
		var b []byte
		err := db.QueryRowContext(ctx, selectLastTile, level).Scan(&n, &b)
		switch {
		case errors.Is(err, sql.ErrNoRows):
			n, b = 0, nil
		case err != nil:
			return tree{}, storageError("read the edge of the tree", err)
		}
		got := uint64(n)*tileWidth + uint64(len(b)/tlog.HashSize)
		switch {
		case len(b)%tlog.HashSize != 0 || got != hashes && level > 0:
			return tree{}, damaged("the tree does not fit the ledger: its level %d has %d hashes and needs %d; restore the folder from a backup", level, got, hashes)
		case got != hashes:
			return tree{}, damaged("ledger row %d: the tree has %d leaves and the ledger %d rows; restore the folder from a backup", min(got, rows), got, rows)
		}
		list := splitHashes(b)
		if len(list) == tileWidth {
			n, list = n+1, nil
		}
		t.levels[level] = growingTile{n: n, hashes: list, stored: len(list)}
	}
	return t, nil
}

func joinHashes(hashes []tlog.Hash) []byte {
	b := make([]byte, 0, len(hashes)*tlog.HashSize)
	for i := range hashes {
		b = append(b, hashes[i][:]...)
	}
	return b
}

// splitHashes is the reverse of joinHashes, with room for the rest of a tile.
func splitHashes(b []byte) []tlog.Hash {
	hashes := make([]tlog.Hash, 0, tileWidth)
	for part := range slices.Chunk(b, tlog.HashSize) {
		hashes = append(hashes, tlog.Hash(part))
	}
	return hashes
}
