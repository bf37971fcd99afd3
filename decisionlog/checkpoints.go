package decisionlog

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync"
	"time"

	"earshot/decisionlog/keyring"
)

// defaultCheckpointEvery is how often a checkpoint is made while the ledger grows.
const defaultCheckpointEvery = time.Minute

// notary makes checkpoints on a timer.
type notary struct {
	stop func()
	done sync.WaitGroup

	// mu guards damage, why the last attempt refused to sign.
	mu     sync.Mutex
	damage error
}

// SignCheckpoints has the log make checkpoints by a log key from now on: one now, one whenever the ledger
// has grown and Config.CheckpointEvery has passed, one on Close, and on demand. The key must be among
// those in the data folder. It is called once, before the log is shared: the keys can be opened only
// under the lock that Open takes.
//
// Errors: ErrDamaged where the tree does not continue the last checkpoint, and those of Record.
func (l *Log) SignCheckpoints(ctx context.Context, key keyring.Key, by CheckpointSigner) error {
	if l.signer != nil {
		return errors.New("sign checkpoints: there is a signer already")
	}
	v, err := noteVerifier(l.origin, key)
	if err != nil {
		return fmt.Errorf("sign checkpoints: %w", err)
	}
	keys, err := readLogKeys(l.config.Dir, l.origin)
	if err != nil {
		return fmt.Errorf("sign checkpoints: %w", err)
	}
	if keys.place(v.KeyHash()) != 0 {
		return fmt.Errorf("sign checkpoints: the key %s is not the log key in force of the data folder", key.ID)
	}
	err = l.run(ctx, func(w *writer) error {
		l.logKeys, l.signer = keys, &noteSigner{v, by}
		return nil
	})
	if err != nil {
		return fmt.Errorf("sign checkpoints: %w", err)
	}
	if _, err := l.makeCheckpoint(ctx); err != nil {
		return fmt.Errorf("sign checkpoints: %w", err)
	}
	timed, stop := context.WithCancel(background())
	l.notary.stop = stop
	l.notary.done.Go(func() { l.checkpointNowAndThen(timed) })
	return nil
}

// checkpointNowAndThen makes checkpoints until ctx ends. An error is not lost: Ready has it.
func (l *Log) checkpointNowAndThen(ctx context.Context) {
	tick := time.NewTicker(l.config.CheckpointEvery)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			_, _ = l.makeCheckpoint(ctx)
		case <-ctx.Done():
			return
		}
	}
}

// makeCheckpoint has the writer make a checkpoint, and takes note of damage.
func (l *Log) makeCheckpoint(ctx context.Context) (*checkpoint, error) {
	var made *checkpoint
	err := l.run(ctx, func(w *writer) error {
		c, err := w.makeCheckpoint()
		made = c
		return err
	})
	l.notary.learn(err)
	if err != nil {
		return nil, err
	}
	return made, nil
}

func (n *notary) learn(err error) {
	if err != nil && !isDamage(err) {
		return
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	n.damage = err
}

func (n *notary) ready() error {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.damage
}

// quit ends the timer.
func (n *notary) quit() {
	if n.stop != nil {
		n.stop()
	}
	n.done.Wait()
}

// NewCheckpoint returns a checkpoint of the ledger as it is, a C2SP signed note, and makes it where the
// newest is of a smaller tree.
//
// Errors: ErrNoCheckpoint without a signer; ErrDamaged where the tree does not continue the last
// checkpoint; those of Record.
func (l *Log) NewCheckpoint(ctx context.Context) ([]byte, error) {
	c, err := l.newCheckpoint(ctx)
	if err != nil {
		return nil, fmt.Errorf("make a checkpoint: %w", err)
	}
	return c.note, nil
}

func (l *Log) newCheckpoint(ctx context.Context) (*checkpoint, error) {
	if l.signer == nil {
		return nil, fmt.Errorf("%w: no log key was given to sign one", ErrNoCheckpoint)
	}
	return l.makeCheckpoint(ctx)
}

// Checkpoint returns the newest checkpoint, a C2SP signed note.
//
// Errors: ErrNoCheckpoint where none was made yet; ErrClosed, ErrUnavailable, ErrDamaged or the
// context's error.
func (l *Log) Checkpoint(ctx context.Context) (text []byte, err error) {
	err = l.read(ctx, func(tx *sql.Tx, _ uint64) error {
		var size int64
		err := lookUp(ctx, tx, "read the last checkpoint", selectLastCheckpoint, nil, &size, &text)
		if errors.Is(err, sql.ErrNoRows) {
			return ErrNoCheckpoint
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read the last checkpoint: %w", err)
	}
	return text, nil
}
