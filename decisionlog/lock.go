package decisionlog

import (
	"fmt"
	"path/filepath"
)

// Lock keeps every other Lock and Open out of a data folder, which must be there, until release is
// called or the process ends. It is for work on the folder beside the log.
//
// Errors: ErrInUse or ErrUnavailable, with the folder and what to do.
func Lock(dir string) (release func() error, err error) {
	path, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("lock data folder %s: %w", dir, err)
	}
	lock, err := lockFolder(path)
	if err != nil {
		return nil, fmt.Errorf("lock data folder %s: %w", path, err)
	}
	return lock.release, nil
}
