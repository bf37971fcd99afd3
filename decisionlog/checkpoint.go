package decisionlog

import (
	"bytes"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/base64"
	"errors"
	"fmt"

	checkpoints "github.com/transparency-dev/formats/log"
	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

const (
	insertCheckpoint     = `INSERT INTO checkpoint (size, note) VALUES (?, ?)`
	selectLastCheckpoint = `SELECT size, note FROM checkpoint ORDER BY size DESC LIMIT 1`
	selectCheckpoint     = `SELECT note FROM checkpoint WHERE size = ?`
	selectCheckpoints    = `SELECT size, note FROM checkpoint ORDER BY size`
)

// checkpoint is a signed statement about the tree (C2SP tlog-checkpoint).
type checkpoint struct {
	size uint64
	root tlog.Hash

	// note is the statement with its signatures, byte for byte.
	note []byte

	// key is the place of the key that signed it in logKeys.
	key int

	// plain is the note as it is signed here: one signature, and no bit in it that nothing is made of.
	plain []byte
}

// open reads a checkpoint of this ledger and verifies its signature. The error is a sentence fragment.
func (k logKeys) open(text []byte) (checkpoint, error) {
	if len(k.verifiers) == 0 {
		return checkpoint{}, errors.New("cannot be verified, since the data folder has no log keys; restore its folder keys with it")
	}
	n, err := note.Open(text, k)
	if unverified, ok := errors.AsType[*note.UnverifiedNoteError](err); ok {
		return checkpoint{}, fmt.Errorf("is signed by no log key of this data folder: %w", unverified)
	}
	if err != nil {
		return checkpoint{}, fmt.Errorf("is no signed note, or its signature is wrong: %w", err)
	}
	var body checkpoints.Checkpoint
	rest, err := body.Unmarshal([]byte(n.Text))
	switch {
	case err != nil:
		return checkpoint{}, fmt.Errorf("does not parse: %w", err)
	case len(rest) > 0 || len(body.Hash) != sha256.Size || string(body.Marshal()) != n.Text:
		return checkpoint{}, errors.New("is not in the form that is signed here")
	case body.Origin != k.origin:
		return checkpoint{}, fmt.Errorf("is of the ledger %s, and this is %s", body.Origin, k.origin)
	}
	by := n.Sigs[0]
	signature, err := base64.StdEncoding.DecodeString(by.Base64)
	if err != nil {
		return checkpoint{}, fmt.Errorf("has a signature that does not parse: %w", err)
	}
	return checkpoint{
		size: body.Size, root: tlog.Hash(body.Hash), note: text, key: k.place(by.Hash),
		plain: fmt.Appendf(nil, "%s\n— %s %s\n", n.Text, by.Name, base64.StdEncoding.EncodeToString(signature)),
	}, nil
}

// openStored is open for what the database has under a size.
func (k logKeys) openStored(size int64, text []byte) (checkpoint, error) {
	c, err := k.open(text)
	if err == nil && (size < 0 || c.size != uint64(size)) {
		err = fmt.Errorf("says that it is of size %d", c.size)
	}
	if err == nil && !bytes.Equal(text, c.plain) {
		err = errors.New("is not in the form that is signed here")
	}
	if err != nil {
		return checkpoint{}, damaged("the checkpoint of size %d %v", size, err)
	}
	return c, nil
}

// lastCheckpoint returns the newest checkpoint, nil where there is none.
func lastCheckpoint(ctx context.Context, db querier, keys logKeys) (*checkpoint, error) {
	var size int64
	var text []byte
	err := lookUp(ctx, db, "read the last checkpoint", selectLastCheckpoint, nil, &size, &text)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	c, err := keys.openStored(size, text)
	if err != nil {
		return nil, err
	}
	return &c, nil
}

// agree returns an error unless the stored tree has the root that a checkpoint states.
func (c *checkpoint) agree(t tiles, rows uint64) error {
	if c.size > rows {
		return damaged("ledger row %d: the last checkpoint is of %d entries, and the ledger has %d", rows, c.size, rows)
	}
	root, err := t.root(c.size)
	if err != nil {
		return err
	}
	if root != c.root {
		return damaged("the tree of the first %d entries is not the one in the checkpoint of that size", c.size)
	}
	return nil
}

// makeCheckpoint signs a checkpoint of the ledger as it is, unless the last one is of the same size. It
// never signs a tree that does not continue the last checkpoint, or that the edge in memory does not
// lead to.
func (w *writer) makeCheckpoint() (*checkpoint, error) {
	if err := w.files.untouched(); err != nil {
		return nil, err
	}
	if w.stale {
		if err := w.recall(); err != nil {
			return nil, err
		}
	}
	last, err := lastCheckpoint(background(), w.conn, w.log.logKeys)
	if err != nil {
		return nil, err
	}
	stored := tiles{background(), w.conn}
	if err := w.checkLast(last, stored); err != nil {
		return nil, err
	}
	size := w.next.seq
	if last != nil && last.size == size {
		return last, nil
	}
	root, err := stored.root(size)
	if err != nil {
		return nil, err
	}
	if root != w.tree.root() || w.tree.size() != size {
		return nil, damaged("the stored tree of %d entries is not the one that was written", size)
	}
	text, err := w.log.sign(size, root)
	if err != nil {
		return nil, err
	}
	c := &checkpoint{size: size, root: root, note: text}
	err = w.transaction("keep a checkpoint", func() error {
		_, err := w.conn.ExecContext(background(), insertCheckpoint, int64(size), text)
		return err
	})
	if err != nil {
		return nil, err
	}
	w.last = c
	return c, nil
}

// checkLast compares the newest stored checkpoint with the one that this process knows, and the tree with
// it.
func (w *writer) checkLast(last *checkpoint, stored tiles) error {
	// A transaction that seemed to fail may have stored one more.
	if w.last != nil && (last == nil || last.size < w.last.size || last.size == w.last.size && !bytes.Equal(last.note, w.last.note)) {
		return damaged("the checkpoint of size %d is gone or was replaced", w.last.size)
	}
	if last == nil {
		return nil
	}
	return last.agree(stored, w.next.seq)
}

// sign returns the note for a tree, after it has read it back.
func (l *Log) sign(size uint64, root tlog.Hash) ([]byte, error) {
	body := checkpoints.Checkpoint{Origin: l.origin, Size: size, Hash: root[:]}
	text, err := note.Sign(&note.Note{Text: string(body.Marshal())}, *l.signer)
	if err != nil {
		return nil, fmt.Errorf("sign a checkpoint: %w", err)
	}
	if _, err := l.logKeys.openStored(int64(size), text); err != nil {
		return nil, fmt.Errorf("read back what was signed: %w", err)
	}
	return text, nil
}
