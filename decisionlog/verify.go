package decisionlog

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"runtime"
	"sync"

	"golang.org/x/mod/sumdb/tlog"
)

// VerifyConfig says what a verification looks at beside the ledger. The zero value is of use.
type VerifyConfig struct {
	// Progress, unless it is nil, is called now and then with the number of entries found in order.
	Progress func(entries uint64)

	// Receipt, unless it is nil, verifies the envelope of a receipt: its signature, by a key of this
	// ledger. Its error is a sentence. Several goroutines call it at a time.
	Receipt func(envelope []byte) error

	// Against are statements about the ledger that were handed out before, all of which must hold.
	Against []Reference
}

// Verified is what a verification found in order.
type Verified struct {
	// Entries are the ledger rows in order, from the first on.
	Entries uint64

	// Root is the hash of the tree over them (RFC 6962, section 2.1). It is set where all is in order.
	Root [32]byte

	// Covered is how many of them the newest checkpoint is of.
	Covered uint64

	// Checkpoints are the stored checkpoints, and Receipts the envelopes, whose signature was verified.
	Checkpoints, Receipts uint64
}

// Verify is VerifyBy without anything beside the ledger. It returns how many entries it found in order.
func (l *Log) Verify(ctx context.Context, progress func(entries uint64)) (entries uint64, err error) {
	v, err := l.VerifyBy(ctx, VerifyConfig{Progress: progress})
	return v.Entries, err
}

// VerifyBy reads the whole ledger as it is when it begins. It compares every payload, definition and name
// with what the leaves commit to, every tile with the tree that it builds from the leaves, and every
// checkpoint with that tree and with the log keys in the data folder. Its error matches ErrDamaged at the
// first ledger row that is not in order, whose index is in the error, and what it returns beside says
// what was in order before. Payloads that retention emptied and names that were erased are fine. Its
// memory does not depend on the length of the ledger.
//
// What it cannot see by itself is a whole older copy that was put back, or one that whoever has the log
// key made anew: that takes a reference that was handed out.
//
// Errors: ErrDamaged, ErrClosed, ErrUnavailable or the context's error.
func (l *Log) VerifyBy(ctx context.Context, c VerifyConfig) (Verified, error) {
	if c.Progress == nil {
		c.Progress = func(uint64) {}
	}
	v := verifier{config: c, keys: l.logKeys}
	err := l.read(ctx, func(tx *sql.Tx, rows uint64) error {
		v.ctx, v.tx = ctx, tx
		return v.all(l, rows)
	})
	if err != nil {
		return v.Verified, fmt.Errorf("verify the log: %w", err)
	}
	return v.Verified, nil
}

// verifier is one run of VerifyBy: it takes the pieces in order.
type verifier struct {
	Verified
	config VerifyConfig
	keys   logKeys
	ctx    context.Context
	tx     *sql.Tx

	// edge is the tree over the entries so far, handle the next definition.
	edge   edge
	handle uint64

	// next is the checkpoint to compare next, nil behind the last; key is the place of the key of the one
	// before.
	next *checkpoint
	key  int
}

func (v *verifier) all(l *Log, rows uint64) error {
	v.handle = 1
	v.key = len(v.keys.verifiers)
	if err := v.nextCheckpoint(math.MinInt64); err != nil {
		return err
	}
	ctx, stop := context.WithCancel(v.ctx)
	var workers sync.WaitGroup
	defer workers.Wait()
	defer stop()

	// Each piece goes to a worker and, in order, to take.
	n := min(runtime.GOMAXPROCS(0), maxReaders/2)
	work, ordered := make(chan *piece), make(chan *piece, 4*n)
	workers.Go(func() {
		defer close(ordered)
		defer close(work)
		for first := uint64(0); first < rows; first += tileWidth {
			p := &piece{first: first, rows: int(min(rows-first, tileWidth)), done: make(chan struct{})}
			for _, to := range []chan *piece{ordered, work} {
				select {
				case to <- p:
				case <-ctx.Done():
					return
				}
			}
		}
	})
	for range n {
		workers.Go(func() { l.verifyPieces(ctx, v.config.Receipt, work) })
	}
	for p := range ordered {
		select {
		case <-p.done:
		case <-v.ctx.Done():
			return v.ctx.Err()
		}
		if err := v.take(p); err != nil {
			return err
		}
		v.config.Progress(v.Entries)
	}
	if err := v.ctx.Err(); err != nil {
		return err
	}
	return v.end(rows)
}

// take adds the rows of the next piece to the tree.
func (v *verifier) take(p *piece) error {
	if p.began && p.from != v.handle {
		return (&row{seq: int64(p.first)}).blame(damaged("the leaf's definitions begin at %d, want %d", p.from, v.handle))
	}
	for _, hash := range p.leaves {
		if err := v.add(hash); err != nil {
			return err
		}
	}
	v.handle = p.to
	v.Receipts += p.receipts
	return p.err
}

// add adds one leaf, and compares the tiles that it makes full and the checkpoint that it completes.
func (v *verifier) add(leaf tlog.Hash) (err error) {
	v.edge.add(leaf, func(f filledTile) {
		if f.level > 0 { // The workers compare those of leaves.
			err = errors.Join(err, v.compareTile(f.level, f.n, f.hashes))
		}
	})
	if err != nil {
		return err
	}
	v.Entries++
	if v.next == nil || v.next.size != v.Entries {
		return nil
	}
	return v.takeCheckpoint()
}
