package keyring

import (
	"path/filepath"
	"time"
)

// OpenWith is Open with a look at the folder after each change; its error is that of the change.
func OpenWith(dir string, given Given, now time.Time, after func(change string) error) (*Ring, error) {
	return open(folder{path: filepath.Join(dir, folderName), after: after}, given, now)
}

// RotateWith is Rotate with a look at the folder after each change.
func RotateWith(dir string, p Purpose, now time.Time, after func(change string) error) (Key, error) {
	return rotate(folder{path: filepath.Join(dir, folderName), after: after}, p, now)
}
