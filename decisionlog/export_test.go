package decisionlog

import (
	"context"
	"database/sql"
	"errors"
	"path/filepath"
)

// ExecOnWriter runs a statement on the connection that writes.
func (l *Log) ExecOnWriter(ctx context.Context, statement string) error {
	return l.run(ctx, func(w *writer) error {
		defer w.files.leave()
		_, err := w.conn.ExecContext(ctx, statement)
		return err
	})
}

// Protect has the log find its files as access says; nil means as they are.
func (l *Log) Protect(ctx context.Context, access func(path string) error) error {
	if access == nil {
		access = writable
	}
	return l.run(ctx, func(w *writer) error {
		w.files.access = access
		return nil
	})
}

// Changes returns how many rows the writer has inserted, changed and deleted.
func (l *Log) Changes(ctx context.Context) (n int, err error) {
	err = l.run(ctx, func(w *writer) error {
		return w.conn.QueryRowContext(ctx, `SELECT total_changes()`).Scan(&n)
	})
	return n, err
}

// PanicInTask has the writer panic between two commits.
func (l *Log) PanicInTask(ctx context.Context) error {
	return l.run(ctx, func(*writer) error { panic("asked for by a test") })
}

// HoldWriter keeps the writer busy until the function it returns is called.
func (l *Log) HoldWriter() (release func()) {
	held, free := make(chan struct{}), make(chan struct{})
	go func() {
		_ = l.run(context.Background(), func(*writer) error {
			close(held)
			<-free
			return nil
		})
	}()
	<-held
	return func() { close(free) }
}

// RecordBroken hands the writer an entry on which it panics in the middle of a batch.
func (l *Log) RecordBroken() error {
	j := &job{drafts: []*draft{{fresh: []*node{nil}}}, done: make(chan recorded, 1)}
	if err := l.accept(j); err != nil {
		return err
	}
	return (<-j.done).err
}

// MakeWriterReadOnly has the writer go on with a connection for which the database is read-only, until
// the function it returns is called.
func (l *Log) MakeWriterReadOnly(ctx context.Context) (restore func() error, err error) {
	settings := writerSettings(l.config)
	settings.Set("mode", "ro")
	db, err := sql.Open("sqlite3", dsn(filepath.Join(l.config.Dir, databaseName), settings))
	if err != nil {
		return nil, err
	}
	conn, err := db.Conn(ctx)
	if err != nil {
		return nil, err
	}
	swap := func() error {
		return l.run(ctx, func(w *writer) error {
			w.conn, conn = conn, w.conn
			return nil
		})
	}
	return func() error { return errors.Join(swap(), conn.Close(), db.Close()) }, swap()
}

// MakeFolder makes a folder and names those that it made durable, in order.
func MakeFolder(dir string) (synced []string, err error) {
	err = makeFolder(dir, func(dir string) error {
		synced = append(synced, dir)
		return syncFolder(dir)
	})
	return synced, err
}

// CreateFile makes a database file and names the folders that it made durable, in order.
func CreateFile(path string) (synced []string, err error) {
	err = createFile(path, func(dir string) error {
		synced = append(synced, dir)
		return nil
	})
	return synced, err
}

// CachedBytes returns how much memory the documents take that are remembered.
func (l *Log) CachedBytes() int {
	l.documents.mu.Lock()
	defer l.documents.mu.Unlock()
	return l.documents.size
}

// Indexed returns how many ledger rows the index has taken in.
func (l *Log) Indexed() uint64 { return l.indexed.Load() }

// Committed returns how many ledger rows are durable.
func (l *Log) Committed() uint64 { return l.committed.Load() }

// Waiting returns how many entries wait for the writer.
func (l *Log) Waiting() int { return len(l.writer.jobs) }

// Reader returns the database as List reads it.
func (l *Log) Reader() *sql.DB { return l.reads }

// Lookups are the statements of List and Get that walk the ledger or the index, with arguments.
func Lookups() map[string][]any {
	return map[string][]any{
		selectPosting:  {1, 1, 1},
		selectPostings: {1, 1, 1, 1},
		selectKey:      {1, 1},
		selectSpan:     {0, 0, 1, 0, 1},
		selectRow:      {1},
		selectRows:     {1, 1},
		selectDocument: {1},
		selectName:     {1},
		findName:       {[]byte("x")},
		findDocument:   {[]byte("x")},
	}
}

// CanonicalLeaf reports the leaf bytes of a row after they were parsed and written again.
func CanonicalLeaf(stored []byte) ([]byte, error) {
	l, err := parseLeaf(stored)
	return l.append(nil), err
}

// ParsePayload reads a stored payload for its errors.
func ParsePayload(b []byte) error {
	_, asked := parsePayload(b, 1<<40)
	_, handedOver := parseHandoff(b, 1<<40)
	_, sealed := parseSealing(b, 1<<40)
	_, verified := parseVerification(b, 1<<40)
	return errors.Join(asked, handedOver, sealed, verified)
}

// ReadDocument reads body as every kind of document, for its errors.
func (l *Log) ReadDocument(ctx context.Context, body []byte) error {
	const handle = 1 << 20
	var errs []error
	for _, read := range []func(*values){
		func(v *values) { v.set(handle) },
		func(v *values) { v.reading(handle) },
		func(v *values) { v.inheritance(handle) },
		func(v *values) { v.candidate(handle) },
		func(v *values) { v.source(handle) },
		func(v *values) { v.outcome(handle, "") },
		func(v *values) { v.roster(handle) },
		func(v *values) { v.viewers(handle) },
	} {
		v := newValues(ctx, l.reads, oneDocument(body))
		read(v)
		errs = append(errs, v.err)
	}
	return errors.Join(errs...)
}

// oneDocument is the body behind every handle.
type oneDocument []byte

func (d oneDocument) Get(handle uint64) ([]byte, bool) { return d, handle == 1<<20 }
func (d oneDocument) Add(uint64, []byte)               {}
