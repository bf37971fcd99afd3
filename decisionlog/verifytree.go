package decisionlog

import (
	"database/sql"
	"errors"

	"golang.org/x/mod/sumdb/tlog"
)

const (
	selectNextCheckpoint = `SELECT size, note FROM checkpoint WHERE size > ? ORDER BY size LIMIT 1`

	// countOutside counts rows where no reading of the ledger comes by.
	countOutside = `SELECT (SELECT count(*) FROM entry WHERE seq < 0) + (SELECT count(*) FROM definition WHERE handle < 1)`
	countTiles   = `SELECT count(*) FROM tile`
)

// nextCheckpoint reads the first checkpoint of more than size entries and verifies its signature.
func (v *verifier) nextCheckpoint(size int64) error {
	var stored int64
	var text []byte
	err := lookUp(v.ctx, v.tx, "read a checkpoint", selectNextCheckpoint, []any{size}, &stored, &text)
	if errors.Is(err, sql.ErrNoRows) {
		v.next = nil
		return nil
	}
	if err != nil {
		return err
	}
	c, err := v.keys.openStored(stored, text)
	if err != nil {
		return err
	}
	if c.key > v.key {
		return damaged("the checkpoint of size %d is signed by a key that was closed before the one of size %d was signed", c.size, v.Covered)
	}
	v.next, v.key = &c, c.key
	if c.size == 0 {
		return v.takeCheckpoint()
	}
	return nil
}

// takeCheckpoint compares the tree so far with the checkpoint of its size.
func (v *verifier) takeCheckpoint() error {
	if v.next.root != v.edge.root() {
		return damaged("ledger row %d or one after it, before row %d, is not the one that the checkpoint of size %d was signed for",
			v.Covered, v.next.size, v.next.size)
	}
	v.Checkpoints++
	v.Covered = v.next.size
	return v.nextCheckpoint(int64(v.next.size))
}

// compareTile compares a tile above the leaves with what is stored.
func (v *verifier) compareTile(level int, n int64, want []tlog.Hash) error {
	stored, err := tiles{v.ctx, v.tx}.tile(level, n)
	if err != nil {
		return err
	}
	if len(stored) != len(want)*tlog.HashSize {
		return damaged("the tile %d of level %d has %d hashes, want %d", n, level, len(stored)/tlog.HashSize, len(want))
	}
	for i, got := range splitHashes(stored) {
		if got == want[i] {
			continue
		}
		first := (uint64(n)*tileWidth + uint64(i)) << (tileHeight * level)
		return damaged("hash %d of tile %d of level %d is not that of the rows from %d on", i, n, level, first)
	}
	return nil
}

// end compares what no row leads to: the tiles that grow, and whatever lies behind the ledger.
func (v *verifier) end(rows uint64) error {
	if v.next != nil {
		return damaged("ledger row %d is missing: the checkpoint of size %d is of more entries than the ledger's %d", rows, v.next.size, rows)
	}
	if _, err := readTree(v.ctx, v.tx, rows); err != nil {
		return err
	}
	count := int64(0)
	for level := range v.edge.levels {
		t := &v.edge.levels[level]
		count += t.n
		if len(t.hashes) == 0 {
			continue
		}
		count++
		if level == 0 { // The workers compared it.
			continue
		}
		if err := v.compareTile(level, t.n, t.hashes); err != nil {
			return err
		}
	}
	var stored, outside, strays int64
	if err := lookUp(v.ctx, v.tx, "count the tiles", countTiles, nil, &stored); err != nil {
		return err
	}
	if stored != count {
		return damaged("there are %d tiles, and the tree has %d", stored, count)
	}
	if err := v.endOfDefinitions(); err != nil {
		return err
	}
	if err := lookUp(v.ctx, v.tx, "count rows before the first", countOutside, nil, &outside); err != nil {
		return err
	}
	if outside > 0 {
		return damaged("there are %d rows or definitions before the first", outside)
	}
	if err := lookUp(v.ctx, v.tx, "count the names", countStrays, nil, &strays); err != nil {
		return err
	}
	if strays > 0 {
		return damaged("there are %d names without a definition", strays)
	}
	v.Root = v.edge.root()
	return v.against()
}

// endOfDefinitions checks that nothing lies behind the last leaf's definitions.
func (v *verifier) endOfDefinitions() error {
	var end head
	if err := lookUp(v.ctx, v.tx, "read the end of the ledger", selectHead, nil, &end.seq, &end.handle); err != nil {
		return err
	}
	if end.handle != v.handle {
		return damaged("there are %d definitions, the leaves commit to %d", end.handle-1, v.handle-1)
	}
	return nil
}
