package decisionlog

import (
	"context"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"

	"golang.org/x/mod/sumdb/tlog"
)

const selectTile = `SELECT hashes FROM tile WHERE level = ? AND n = ?`

// tiles reads hashes of the tree from its stored tiles. It is a tlog.HashReader.
type tiles struct {
	ctx context.Context
	db  querier
}

// ReadHashes returns hashes by their index in the order of tlog.StoredHashIndex.
func (t tiles) ReadHashes(indexes []int64) ([]tlog.Hash, error) {
	hashes := make([]tlog.Hash, len(indexes))
	read := make(map[[2]int64][]byte)
	for i, index := range indexes {
		at := tlog.TileForIndex(tileHeight, index)
		key := [2]int64{int64(at.L), at.N}
		b, ok := read[key]
		if !ok {
			var err error
			if b, err = t.tile(at.L, at.N); err != nil {
				return nil, err
			}
			read[key] = b
		}
		if len(b) < at.W*tlog.HashSize {
			return nil, damaged("the tile %d of level %d ends after %d hashes", at.N, at.L, len(b)/tlog.HashSize)
		}
		h, err := tlog.HashFromTile(at, b, index)
		if err != nil {
			return nil, damaged("%v", err)
		}
		hashes[i] = h
	}
	return hashes, nil
}

// tile returns the hashes of a stored tile.
func (t tiles) tile(level int, n int64) ([]byte, error) {
	var b []byte
	err := lookUp(t.ctx, t.db, "read a tile", selectTile, []any{level, n}, &b)
	if errors.Is(err, sql.ErrNoRows) {
		err = damaged("the tile %d of level %d is missing", n, level)
	}
	if err != nil {
		return nil, err
	}
	return b, nil
}

// root returns the hash of the tree as it was with so many leaves.
func (t tiles) root(size uint64) (tlog.Hash, error) { return tlog.TreeHash(int64(size), t) }

// Tile returns the first width hashes of a tile of the tree, 32 bytes each (C2SP tlog-tiles).
//
// Errors: ErrInvalidQuery with the parameter that is out of range, where the tree has no such hashes yet;
// ErrClosed, ErrUnavailable, ErrDamaged or the context's error.
func (l *Log) Tile(ctx context.Context, level int, n uint64, width int) (hashes []byte, err error) {
	err = l.read(ctx, func(tx *sql.Tx, rows uint64) error {
		if level < 0 || level >= maxTileLevels {
			return &QueryError{"level", "is above the tree"}
		}
		if err := inTile(n, width, rows>>(tileHeight*level)); err != nil {
			return err
		}
		b, err := tiles{ctx, tx}.tile(level, int64(n))
		if err == nil && len(b) < width*tlog.HashSize {
			err = damaged("the tile %d of level %d ends after %d hashes", n, level, len(b)/tlog.HashSize)
		}
		if err != nil {
			return err
		}
		hashes = b[:width*tlog.HashSize]
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read a tile: %w", err)
	}
	return hashes, nil
}

// EntryBundle returns the leaves under the first width hashes of tile n of level 0, each behind its length
// in two bytes, big-endian (C2SP tlog-tiles). Its errors are those of Tile.
func (l *Log) EntryBundle(ctx context.Context, n uint64, width int) (bundle []byte, err error) {
	err = l.read(ctx, func(tx *sql.Tx, rows uint64) error {
		if err := inTile(n, width, rows); err != nil {
			return err
		}
		list, err := readRows(ctx, tx, n*tileWidth, width)
		if err != nil {
			return readError(ctx, "read the ledger", err)
		}
		for i := range width {
			seq := n*tileWidth + uint64(i)
			if i >= len(list) || uint64(list[i].seq) != seq {
				return damaged("ledger row %d is missing", seq)
			}
			bundle = binary.BigEndian.AppendUint16(bundle, uint16(len(list[i].leaf)))
			bundle = append(bundle, list[i].leaf...)
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read leaves: %w", err)
	}
	return bundle, nil
}

// inTile returns an error unless the first width places of tile n are filled, in a level of so many
// hashes.
func inTile(n uint64, width int, hashes uint64) error {
	switch {
	case width < 1 || width > tileWidth:
		return &QueryError{"width", fmt.Sprintf("must be from 1 to %d", tileWidth)}
	case n >= hashes/tileWidth+1 || n*tileWidth+uint64(width) > hashes:
		return &QueryError{"n", "is beyond the end of the tree"}
	}
	return nil
}

// read calls do with one state of the database and its number of ledger rows.
func (l *Log) read(ctx context.Context, do func(tx *sql.Tx, rows uint64) error) error {
	tx, end, err := l.beginRead(ctx)
	if err != nil {
		return err
	}
	var h head
	err = lookUp(ctx, tx, "read the end of the ledger", selectHead, nil, &h.seq, &h.handle)
	if err == nil {
		err = do(tx, h.seq)
	}
	return errors.Join(err, end())
}
