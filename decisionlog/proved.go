package decisionlog

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"errors"
	"fmt"
	"time"

	checkpoints "github.com/transparency-dev/formats/log"
)

const (
	// provedBatch is how many rows of the ledger are read at once. It bounds memory.
	provedBatch = 64

	selectCheckpointAfter = `SELECT size, note FROM checkpoint WHERE size > ? ORDER BY size LIMIT 1`
)

// ProvedEntry is one entry of any type, byte for byte, with the proof that it is in the ledger.
type ProvedEntry struct {
	Index uint64

	// PolicyRevision is that of the leaf; empty where none was in force. Receipt is set where the payload is a
	// signed envelope (DSSE).
	PolicyRevision string
	Receipt        bool

	// Leaf is what the tree hashes. Payload is what the leaf commits to; nil where retention or an erasure
	// has emptied it.
	Leaf, Payload []byte

	// Proof is a .tlog-proof (C2SP tlog-proof).
	Proof []byte
}

// EachProved calls take with every entry whose clock is from from on and before to, zero leaving an end
// open, in the order of the ledger, with its proof by the checkpoint of a size. It holds a bounded number of
// entries, and no state of the database while take runs.
//
// Errors: those of Proof and of take.
func (l *Log) EachProved(ctx context.Context, size uint64, from, to time.Time, take func(*ProvedEntry) error) error {
	within := Span{From: from, To: to}
	for first := uint64(0); first < size; first += provedBatch {
		var rows []row
		err := l.read(ctx, func(tx *sql.Tx, _ uint64) (err error) {
			rows, err = readRows(ctx, tx, first, int(min(provedBatch, size-first)))
			if err == nil && uint64(len(rows)) != min(provedBatch, size-first) {
				err = damaged("rows are missing from %d on", first)
			}
			return err
		})
		if err != nil {
			return fmt.Errorf("read entries: %w", readError(ctx, "read entries", err))
		}
		for i := range rows {
			parsed, err := parseLeaf(rows[i].leaf)
			if err != nil {
				return fmt.Errorf("read entries: %w", rows[i].blame(err))
			}
			if !within.contains(parsed.At) {
				continue
			}
			e := ProvedEntry{
				Index: uint64(rows[i].seq), PolicyRevision: parsed.Revision, Receipt: parsed.Type == leafReceipt,
				Leaf: rows[i].leaf, Payload: rows[i].payload,
			}
			if e.Proof, err = l.Proof(ctx, e.Index, size); err != nil {
				return err
			}
			if err := take(&e); err != nil {
				return err
			}
		}
	}
	return nil
}

// ProvedCheckpoint is a checkpoint with the proof that it continues the one before.
type ProvedCheckpoint struct {
	Size uint64
	Note []byte

	// Consistency is the proof of RFC 6962, section 2.1.2; empty for the first one.
	Consistency [][sha256.Size]byte
}

// EachCheckpoint calls take with every checkpoint that has more than after entries, in their order.
//
// Errors: those of Consistency and of take.
func (l *Log) EachCheckpoint(ctx context.Context, after uint64, take func(*ProvedCheckpoint) error) error {
	before := uint64(0)
	for {
		var c ProvedCheckpoint
		err := l.read(ctx, func(tx *sql.Tx, _ uint64) error {
			return lookUp(ctx, tx, "read a checkpoint", selectCheckpointAfter, []any{int64(max(after, before))}, &c.Size, &c.Note)
		})
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("read checkpoints: %w", err)
		}
		if before > 0 {
			if c.Consistency, err = l.Consistency(ctx, before, c.Size); err != nil {
				return err
			}
		}
		if err := take(&c); err != nil {
			return err
		}
		before = c.Size
	}
}

// CheckpointSize returns the number of entries that a checkpoint states. It verifies no signature.
func CheckpointSize(text []byte) (uint64, error) {
	var c checkpoints.Checkpoint
	if _, err := c.Unmarshal(text); err != nil {
		return 0, fmt.Errorf("read a checkpoint: %w", err)
	}
	return c.Size, nil
}
