package decisionlog

import (
	"context"
	"database/sql"
	"errors"
	"time"
)

// task is something the writer does between two commits.
type task struct {
	do   func(*writer) error
	done chan error
}

// writer is the one goroutine that writes to the database. Nothing in it is shared but the channels
// and what belongs to the Log.
type writer struct {
	log   *Log
	db    *sql.DB
	conn  *sql.Conn
	files *openFiles

	// next is the row and the handle to give out. Where stale is set, an attempt failed and both
	// must be read from the database first.
	next  head
	stale bool

	// tree is the edge of the tree over the rows below next; it is read again with them.
	tree tree

	// last is the newest checkpoint that this process knows to be stored; nil where there is none.
	last *checkpoint

	// farewell is why there is no checkpoint of the last rows. It may be read once stopped is closed.
	farewell error

	// confirmed is the end of the ledger as the database last had it. It never shrinks.
	confirmed head

	// lingering is set where the write-ahead log may still have what an erasure deleted.
	lingering bool

	// paused is set where the index could not be filled; the next commit that succeeds, or a query,
	// tries again.
	paused bool

	// pending has the handles given out in the open transaction. They leave for Log.known with its
	// commit and are forgotten with its failure.
	pending map[key]uint64

	jobs    chan *job
	tasks   chan *task
	stopped chan struct{}
}

// background is the context of every statement of the writer: a caller who hangs up does not
// interrupt the commit of others.
func background() context.Context { return context.Background() }

// run works until both channels are closed and drained.
func (w *writer) run() {
	defer close(w.stopped)
	jobs, tasks := w.jobs, w.tasks
	for jobs != nil || tasks != nil {
		select {
		case j, open := <-jobs:
			if !open {
				jobs = nil
				continue
			}
			w.commit(w.gather(j))
			w.indexIfFarBehind()
		case t, open := <-tasks:
			if !open {
				tasks = nil
				continue
			}
			t.done <- w.guard(t.do)
		case <-w.idle():
			w.indexWhenIdle()
			w.truncateWhenIdle()
		}
	}
	if w.log.signer != nil {
		w.farewell = w.guard(func(w *writer) error {
			_, err := w.makeCheckpoint()
			return err
		})
	}
}

// gather takes what waits behind first, up to one batch.
func (w *writer) gather(first *job) []*job {
	batch := []*job{first}
	for len(batch) < w.log.config.Batch {
		select {
		case j, open := <-w.jobs:
			if !open {
				return batch
			}
			batch = append(batch, j)
		default:
			return batch
		}
	}
	return batch
}

// idle returns a channel that fires when the index may be filled without being in the way.
func (w *writer) idle() <-chan time.Time {
	switch lag := w.log.committed.Load() - w.log.indexed.Load(); {
	case w.lingering:
		return time.After(time.Second)
	case lag == 0 || w.paused:
		return nil
	case lag >= indexBatch:
		return time.After(10 * time.Millisecond)
	default:
		return time.After(time.Second)
	}
}

func (w *writer) close() error { return errors.Join(w.conn.Close(), w.db.Close()) }
