package decisionlog

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"strconv"

	lru "github.com/hashicorp/golang-lru/v2"
)

const (
	// databaseName is the one database file in a data folder.
	databaseName = "decisions.db"

	// maxReaders is how many calls of List and Get read at a time; others wait.
	maxReaders = 8

	// statementCache is how many prepared statements each connection keeps: more than there are.
	statementCache = "48"
)

// Open opens the log in c.Dir and makes it where there is none.
//
// Errors: ErrInUse, ErrForeign, ErrNewer, ErrDamaged or ErrUnavailable, each with the folder and
// what to do. The database is left as it was found.
func Open(ctx context.Context, c Config) (_ *Log, err error) {
	if err := c.setDefaults(); err != nil {
		return nil, err
	}
	dir, err := filepath.Abs(c.Dir)
	if err != nil {
		return nil, fmt.Errorf("open decision log %s: %w", c.Dir, err)
	}
	c.Dir = dir
	l, err := open(ctx, c)
	if err != nil {
		return nil, fmt.Errorf("open decision log %s: %w", dir, err)
	}
	return l, nil
}

func open(ctx context.Context, c Config) (_ *Log, err error) {
	// Whatever was opened before a failure is closed in reverse order.
	var opened []func() error
	defer func() {
		for i := len(opened) - 1; err != nil && i >= 0; i-- {
			err = errors.Join(err, opened[i]())
		}
	}()

	if err := makeFolder(c.Dir, syncFolder); err != nil {
		return nil, fmt.Errorf("%w: make the data folder: %w", ErrUnavailable, err)
	}
	l := &Log{config: c, health: health{clock: c.Clock}}
	if l.lock, err = lockFolder(c.Dir); err != nil {
		return nil, err
	}
	opened = append(opened, l.lock.release)

	path := filepath.Join(c.Dir, databaseName)
	if err := createFile(path, syncFolder); err != nil {
		return nil, err
	}
	w := &writer{
		log:     l,
		pending: make(map[key]uint64),
		jobs:    make(chan *job, c.Queue),
		tasks:   make(chan *task),
		stopped: make(chan struct{}),
	}
	l.writer = w
	if w.db, err = sql.Open("sqlite3", dsn(path, writerSettings(c))); err != nil {
		return nil, err
	}
	if w.conn, err = w.db.Conn(ctx); err != nil {
		return nil, errors.Join(openError(err), w.db.Close())
	}
	opened = append(opened, w.close)

	if err := migrate(ctx, w.conn); err != nil {
		return nil, err
	}
	if err := w.readHead(); err != nil {
		return nil, err
	}
	if !c.Unchecked {
		if err := w.checkHead(ctx); err != nil {
			return nil, err
		}
	}
	if l.keys, err = readKeys(ctx, w.conn); err != nil {
		return nil, err
	}
	if l.origin, err = readOrigin(ctx, w.conn); err != nil {
		return nil, err
	}
	if l.logKeys, err = readLogKeys(c.Dir, l.origin); err != nil {
		return nil, err
	}
	if !c.Unchecked {
		err = w.openTree(ctx)
	} else {
		w.stale, w.paused = true, true
	}
	if err != nil {
		return nil, err
	}
	if l.prints, err = newFingerprinter(l.keys); err != nil {
		return nil, err
	}
	if w.files, err = holdFiles(path); err != nil {
		return nil, err
	}

	// A process that was killed may have left behind what an erasure deleted.
	if err := w.truncate(); err != nil {
		return nil, err
	}

	if l.known, err = lru.New[key, uint64](c.Cache); err != nil {
		return nil, err
	}
	if l.documents, err = newDocumentCache(c.CacheBytes); err != nil {
		return nil, err
	}
	if l.reads, err = sql.Open("sqlite3", dsn(path, readerSettings(c))); err != nil {
		return nil, err
	}
	l.reads.SetMaxOpenConns(maxReaders)
	go w.run()
	return l, nil
}

// writerSettings are mattn/go-sqlite3's names for the settings of the one connection that writes.
// secure_delete overwrites with zeros what an erasure deletes, in the database file. It does not reach
// older copies: frames of the write-ahead log until a checkpoint writes over them, free blocks of the
// disk, backups. The journal mode is not among the settings: it would change a file that may not be
// ours.
func writerSettings(c Config) url.Values {
	return url.Values{
		"_busy_timeout":    {strconv.FormatInt(c.BusyTimeout.Milliseconds(), 10)},
		"_synchronous":     {"FULL"},
		"_secure_delete":   {"true"},
		"_stmt_cache_size": {statementCache},
	}
}

func readerSettings(c Config) url.Values {
	return url.Values{
		"_busy_timeout":    {strconv.FormatInt(c.BusyTimeout.Milliseconds(), 10)},
		"_query_only":      {"true"},
		"_stmt_cache_size": {statementCache},
		"_txlock":          {"deferred"},
	}
}

func dsn(path string, settings url.Values) string {
	return (&url.URL{Scheme: "file", Path: path, RawQuery: settings.Encode()}).String()
}

// checkHead compares the ends of the tables with the last leaf, which must commit to them, and
// takes over how far the index is.
func (w *writer) checkHead(ctx context.Context) error {
	var entries uint64
	if err := w.conn.QueryRowContext(ctx, selectProgress).Scan(&entries); err != nil {
		return storageError("read the state of the index", err)
	}
	if entries > w.next.seq {
		return damaged("the index has %d decisions and the ledger %d; the ledger was cut or replaced: restore the folder from a backup", entries, w.next.seq)
	}
	w.log.indexed.Store(entries)

	wantHandle := uint64(1)
	if w.next.seq > 0 {
		rows, err := readRows(ctx, w.conn, w.next.seq-1, 1)
		if err != nil {
			return storageError("read the last ledger row", err)
		}
		last := rows[0]
		l, err := parseLeaf(last.leaf)
		if err == nil && last.payload != nil && digestOf(last.payload) != l.Payload {
			err = damaged("the payload does not match its leaf")
		}
		if err != nil {
			return fmt.Errorf("%w; restore the folder from a backup", last.blame(err))
		}
		wantHandle = l.Defines.next()
	}
	if w.next.handle != wantHandle {
		return damaged("the last leaf ends at definition %d and the table at %d; restore the folder from a backup", wantHandle-1, w.next.handle-1)
	}
	return nil
}
