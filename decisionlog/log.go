package decisionlog

import (
	"context"
	"database/sql"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"

	"earshot/decisionlog/fingerprint"
	"earshot/policy"
)

// Config has what a Log needs. Dir is required.
type Config struct {
	// Dir is the data folder. It is made if it is absent; only one Log may have it open.
	Dir string

	// Queue is how many entries may wait for the writer before Record returns ErrOverloaded. Zero
	// means 4096.
	Queue int

	// Batch is how many entries one commit takes at most. Zero means 256.
	Batch int

	// IndexLag is how many entries the index may be behind before the writer fills it in the
	// middle of its work; a query waits for as many at most. Zero means 16384.
	IndexLag int

	// Cache is of how many values the log remembers the handle in memory. Zero means 65536.
	Cache int

	// CacheBytes is how much memory the log uses for composite values that it read or wrote. Zero
	// means 32 MiB.
	CacheBytes int

	// BusyTimeout is how long the writer waits for a lock that another process holds on the
	// database. Zero means five seconds.
	BusyTimeout time.Duration

	// Unchecked opens a ledger whose end may be damaged, so that VerifyBy can say where. It takes no
	// entries.
	Unchecked bool

	// CheckpointEvery is how often a checkpoint is made while the ledger grows, once SignCheckpoints was
	// called. Zero means one minute.
	CheckpointEvery time.Duration

	// Clock returns the current time, for the age of what Ready knows. Nil means time.Now.
	Clock func() time.Time
}

func (c *Config) setDefaults() error {
	if c.Dir == "" {
		return errors.New("decisionlog: Config.Dir is required")
	}
	if c.Queue < 0 || c.Batch < 0 || c.IndexLag < 0 || c.Cache < 0 || c.CacheBytes < 0 || c.BusyTimeout < 0 || c.CheckpointEvery < 0 {
		return errors.New("decisionlog: no number in Config may be negative")
	}
	setDefault(&c.Queue, 4096)
	setDefault(&c.Batch, 256)
	setDefault(&c.IndexLag, 16384)
	setDefault(&c.Cache, 65536)
	setDefault(&c.CacheBytes, 32<<20)
	setDefault(&c.BusyTimeout, 5*time.Second)
	setDefault(&c.CheckpointEvery, defaultCheckpointEvery)
	if c.Clock == nil {
		c.Clock = time.Now
	}
	return nil
}

func setDefault[T comparable](value *T, otherwise T) {
	var zero T
	if *value == zero {
		*value = otherwise
	}
}

// Log is the decision log of one data folder. It is safe for concurrent use.
type Log struct {
	config Config
	lock   *folderLock
	reads  *sql.DB
	writer *writer

	// known has the handles of committed values. Whoever erases a name must purge it and then add to
	// epoch, or an entry would refer to the erased handle.
	known     *lru.Cache[key, uint64]
	epoch     atomic.Uint64
	documents *documentCache
	keys      keys
	origin    string
	prints    *fingerprint.Maker
	health    health

	// logKeys verify checkpoints; signer signs them, nil where SignCheckpoints was not called.
	logKeys logKeys
	signer  *noteSigner
	notary  notary

	// committed and indexed count the ledger rows that are durable and those in the index. The
	// writer alone changes them.
	committed, indexed atomic.Uint64

	// gate is held for reading while something is handed to the writer, and for writing by Close.
	gate   sync.RWMutex
	closed bool
}

var _ policy.Recorder = (*Log)(nil)

// Close refuses further entries, commits those that were accepted, makes a last checkpoint of them where
// a key is there, and closes the database. Every Record that waits gets its answer first. Closing again
// does nothing.
func (l *Log) Close() error {
	l.gate.Lock()
	if l.closed {
		l.gate.Unlock()
		return nil
	}
	l.closed = true
	close(l.writer.jobs)
	close(l.writer.tasks)
	l.gate.Unlock()

	l.notary.quit()
	<-l.writer.stopped
	return errors.Join(l.writer.farewell, l.reads.Close(), l.writer.close(), l.lock.release())
}

// run has the writer do something between two commits and returns its error.
func (l *Log) run(ctx context.Context, do func(*writer) error) error {
	t := &task{do: do, done: make(chan error, 1)}
	if err := l.submit(ctx, t); err != nil {
		return err
	}
	select {
	case err := <-t.done:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (l *Log) submit(ctx context.Context, t *task) error {
	l.gate.RLock()
	defer l.gate.RUnlock()
	if l.closed {
		return ErrClosed
	}
	select {
	case l.writer.tasks <- t:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (l *Log) isClosed() bool {
	l.gate.RLock()
	defer l.gate.RUnlock()
	return l.closed
}
