package decisionlog

import (
	"context"
	"sync"
	"time"
)

const (
	// healthAge is how long what a commit or a probe showed answers for the present.
	healthAge = 2 * time.Second

	// probeSize is how many bytes a probe writes.
	probeSize = 64 << 10

	insertProbe = `INSERT INTO probe (one, bytes) VALUES (1, randomblob(?))`
	deleteProbe = `DELETE FROM probe`
)

// Ready returns nil if the log can record now, or why it cannot. It asks nobody where a decision was
// committed, or could not be, within the last two seconds. Otherwise it makes one durable write that
// needs 64 KiB of room in the database and as much in the write-ahead log, more than most decisions;
// all who ask within two seconds share its result. A decision that brings much that is new can need
// more, and then fail while the log is ready.
//
// Errors: ErrUnavailable, ErrDamaged, ErrClosed or the context's error.
func (l *Log) Ready(ctx context.Context) error {
	if l.isClosed() {
		return ErrClosed
	}
	if err := l.notary.ready(); err != nil {
		return err
	}
	probed, err := l.health.ask(l.probe)
	if probed == nil {
		return err
	}
	select {
	case <-probed.done:
		return probed.err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// probe makes a write that only succeeds where there is room, and takes its bytes back in the same
// transaction.
func (l *Log) probe() error {
	return l.run(background(), func(w *writer) error {
		return w.transaction("probe the log", func() error {
			if _, err := w.conn.ExecContext(background(), insertProbe, probeSize); err != nil {
				return err
			}
			_, err := w.conn.ExecContext(background(), deleteProbe)
			return err
		})
	})
}

// health is what the last write showed.
type health struct {
	clock func() time.Time

	mu      sync.Mutex
	learned time.Time // zero: nothing yet; guarded by mu
	err     error     // guarded by mu
	running *probe    // nil where none runs; guarded by mu
}

// probe is one probe on its way; err may be read once done is closed.
type probe struct {
	done chan struct{}
	err  error
}

// learn takes note of how a write ended.
func (h *health) learn(err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.learned, h.err = h.clock(), err
}

// ask returns what is known, or the probe to wait for where that is too old. There is at most one at a
// time, and it goes on when those who wait for it have gone.
func (h *health) ask(try func() error) (*probe, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if age := h.clock().Sub(h.learned); !h.learned.IsZero() && age >= 0 && age < healthAge {
		return nil, h.err
	}
	if h.running == nil {
		p := &probe{done: make(chan struct{})}
		h.running = p
		go func() {
			p.err = try()
			h.learn(p.err)
			h.mu.Lock()
			h.running = nil
			h.mu.Unlock()
			close(p.done)
		}()
	}
	return h.running, nil
}
