package decisionlog

import (
	"errors"
	"fmt"

	"github.com/mattn/go-sqlite3"
)

// Errors a caller can tell apart with errors.Is.
var (
	// ErrClosed means the log was closed. Nothing was recorded.
	ErrClosed = errors.New("decision log is closed")

	// ErrOverloaded means the queue to the writer is full. Nothing was recorded; ask again later.
	ErrOverloaded = errors.New("decision log is overloaded")

	// ErrUnavailable means the log could not be written or read now: no space, no permission, a
	// lock held by another process. The message says what to do. The entry was not confirmed.
	ErrUnavailable = errors.New("decision log is unavailable")

	// ErrUnencodable means one entry does not have the form that the ledger can keep. It was not
	// recorded; its neighbours were not touched.
	ErrUnencodable = errors.New("entry cannot be recorded")

	// ErrNotFound means the ledger has no decision with this id.
	ErrNotFound = errors.New("decision not found")

	// ErrNoCheckpoint means the ledger has no checkpoint yet, or no key to make one.
	ErrNoCheckpoint = errors.New("there is no checkpoint")

	// ErrInvalidQuery means a query has a parameter that makes no sense. The error is a
	// *QueryError, which names it.
	ErrInvalidQuery = errors.New("invalid query")

	// ErrInUse means another process has the data folder open.
	ErrInUse = errors.New("data folder is in use")

	// ErrForeign means the database is not a decision log.
	ErrForeign = errors.New("not a decision log")

	// ErrNewer means a newer version of the program wrote the database.
	ErrNewer = errors.New("decision log is newer than this program")

	// ErrDamaged means stored bytes do not match what the ledger commits to.
	ErrDamaged = errors.New("decision log is damaged")
)

// QueryError says which parameter of a query is wrong. It matches ErrInvalidQuery.
type QueryError struct {
	// Parameter is the name in the wire contract, such as limit.
	Parameter string

	// Problem is a sentence fragment that fits after the parameter's name.
	Problem string
}

// Error returns the parameter and the problem.
func (e *QueryError) Error() string { return e.Parameter + ": " + e.Problem }

// Is reports whether target is ErrInvalidQuery.
func (e *QueryError) Is(target error) bool { return target == ErrInvalidQuery }

// isDamage reports whether err is about stored bytes and not about the reading of them.
func isDamage(err error) bool { return errors.Is(err, ErrDamaged) }

func damaged(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrDamaged, fmt.Sprintf(format, args...))
}

// storageError gives an error of the database the sentinel and the advice that fit it.
func storageError(doing string, err error) error {
	if err == nil || errors.Is(err, ErrDamaged) || errors.Is(err, ErrUnavailable) {
		return err
	}
	cause, ok := errors.AsType[sqlite3.Error](err)
	if !ok {
		return fmt.Errorf("%w: %s: %w", ErrUnavailable, doing, err)
	}
	switch cause.Code {
	case sqlite3.ErrCorrupt, sqlite3.ErrNotADB:
		return fmt.Errorf("%w: %s: %w; restore the folder from a backup", ErrDamaged, doing, err)
	case sqlite3.ErrFull:
		return fmt.Errorf("%w: %s: %w; free space on the disk", ErrUnavailable, doing, err)
	case sqlite3.ErrReadonly, sqlite3.ErrPerm, sqlite3.ErrCantOpen:
		return fmt.Errorf("%w: %s: %w; make the data folder and its files writable", ErrUnavailable, doing, err)
	case sqlite3.ErrBusy, sqlite3.ErrLocked:
		return fmt.Errorf("%w: %s: %w; end the other process that holds the database", ErrUnavailable, doing, err)
	default:
		return fmt.Errorf("%w: %s: %w", ErrUnavailable, doing, err)
	}
}

// ofOneEntry reports whether err can be the fault of a single entry of a batch, so that its
// neighbours deserve an attempt of their own. The state of the disk and of locks is not.
func ofOneEntry(err error) bool {
	if errors.Is(err, errPanic) || errors.Is(err, errOneEntry) || errors.Is(err, errErased) {
		return true
	}
	cause, ok := errors.AsType[sqlite3.Error](err)
	if !ok {
		return false
	}
	switch cause.Code {
	case sqlite3.ErrTooBig, sqlite3.ErrConstraint, sqlite3.ErrMismatch, sqlite3.ErrRange, sqlite3.ErrNomem:
		return true
	}
	return false
}
