package decisionlog

import (
	"context"
	"fmt"

	"golang.org/x/mod/sumdb/tlog"
)

// openTree reads the edge of the tree and compares it with the end of the ledger and with the last
// checkpoint. It is quick whatever the length of the ledger; Verify compares all of it.
func (w *writer) openTree(ctx context.Context) (err error) {
	if w.tree, err = readTree(ctx, w.conn, w.next.seq); err != nil {
		return err
	}
	if err := w.checkLastLeaf(ctx); err != nil {
		return fmt.Errorf("%w; restore the folder from a backup", err)
	}
	last, err := lastCheckpoint(ctx, w.conn, w.log.logKeys)
	if err == nil && last != nil {
		err = last.agree(tiles{ctx, w.conn}, w.next.seq)
	}
	if err != nil {
		return fmt.Errorf("%w; restore the folder from a backup, or see with pdp log verify what is still in order", err)
	}
	w.last = last
	return nil
}

// checkLastLeaf compares the last row with the last hash of the tree. Rows before it may be damaged: that
// hides no other and is for Verify to find.
func (w *writer) checkLastLeaf(ctx context.Context) error {
	if w.next.seq == 0 {
		return nil
	}
	last, err := readRow(ctx, w.conn, int64(w.next.seq)-1)
	if err != nil {
		return err
	}
	hash, err := tiles{ctx, w.conn}.ReadHashes([]int64{tlog.StoredHashIndex(0, last.seq)})
	if err != nil {
		return err
	}
	if hash[0] != tlog.RecordHash(last.leaf) {
		return last.blame(notInTree(uint64(last.seq) / tileWidth))
	}
	return nil
}

// notInTree says that a leaf is not the one under a tile.
func notInTree(n uint64) error {
	return damaged("the leaf is not the one in tile %d of the tree", n)
}
