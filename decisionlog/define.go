package decisionlog

import (
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"fmt"
	"hash"

	"golang.org/x/mod/sumdb/tlog"

	"earshot/policy"
)

const (
	insertEntry    = `INSERT INTO entry (seq, leaf, payload) VALUES (?, ?, ?)`
	insertDocument = `INSERT INTO definition (handle, digest, body) VALUES (?, ?, ?)
		ON CONFLICT (digest) WHERE body IS NOT NULL DO NOTHING`
	insertName = `INSERT INTO name (handle, hash, salt, text) VALUES (?, ?, ?, ?) ON CONFLICT (hash) DO NOTHING`

	findDocument = `SELECT handle FROM definition WHERE digest = ? AND body IS NOT NULL`
	findName     = `SELECT handle, text FROM name WHERE hash = ?`
)

// append adds one entry to the open transaction: what it defines, then its row.
func (w *writer) append(d *draft) (policy.Position, error) {
	if d.raw == nil && d.epoch != w.log.epoch.Load() {
		return policy.Position{}, errErased
	}
	l := d.leaf
	l.Defines.First = w.next.handle
	defined := sha256.New()
	for _, n := range d.fresh {
		if err := w.resolve(n, defined); err != nil {
			return policy.Position{}, err
		}
	}
	l.Defines.Count = w.next.handle - l.Defines.First
	l.Defines.Digest = digest(defined.Sum(nil))

	payload := d.raw
	if payload == nil {
		// The salt keeps a digest from being compared with guesses once the payload is gone.
		payload = make([]byte, 1+saltSize, 1+saltSize+4*len(d.payload))
		payload[0] = payloadVersion
		rand.Read(payload[1:])
		payload = appendParts(payload, d.payload)
	}
	l.Payload = digestOf(payload)

	row := l.append(make([]byte, 0, 512))
	if _, err := w.conn.ExecContext(background(), insertEntry, int64(w.next.seq), row, payload); err != nil {
		return policy.Position{}, err
	}
	position := policy.Position{Index: w.next.seq, Leaf: tlog.RecordHash(row)}
	w.tree.add(position.Leaf)
	w.next.seq++
	return position, nil
}

// resolve gives n its handle, a new one if the ledger has no such value, and then adds the
// definition's digest to defined. A draft may come here twice, so what an earlier attempt left in
// the node counts for nothing.
func (w *writer) resolve(n *node, defined hash.Hash) error {
	if handle, ok := w.pending[n.key]; ok {
		n.handle = handle
		return nil
	}
	if handle, ok := w.log.known.Get(n.key); ok {
		n.handle = handle
		return nil
	}
	var err error
	if n.document {
		err = w.resolveDocument(n, defined)
	} else {
		err = w.resolveName(n, defined)
	}
	if err == nil {
		w.pending[n.key] = n.handle
	}
	return err
}

func (w *writer) resolveDocument(n *node, defined hash.Hash) error {
	body := appendParts(nil, n.parts)
	d := digestOf(body)
	result, err := w.conn.ExecContext(background(), insertDocument, int64(w.next.handle), d[:], body)
	if err != nil {
		return err
	}
	inserted, err := result.RowsAffected()
	if err != nil {
		return err
	}
	if inserted == 0 {
		return w.conn.QueryRowContext(background(), findDocument, d[:]).Scan(&n.handle)
	}
	w.define(n, d, defined)
	return nil
}

func (w *writer) resolveName(n *node, defined hash.Hash) error {
	text := []byte(n.text)
	hash := nameHash(w.log.keys.name, text)
	salt := make([]byte, saltSize)
	rand.Read(salt)
	result, err := w.conn.ExecContext(background(), insertName, int64(w.next.handle), hash, salt, text)
	if err != nil {
		return err
	}
	inserted, err := result.RowsAffected()
	if err != nil {
		return err
	}
	if inserted == 0 {
		var stored []byte
		err := w.conn.QueryRowContext(background(), findName, hash).Scan(&n.handle, &stored)
		if err == nil && !bytes.Equal(stored, text) {
			err = fmt.Errorf("%w: %w", errOneEntry, damaged("name %d stands in the place of another", n.handle))
		}
		return err
	}
	d := nameDigest(salt, text)
	if _, err := w.conn.ExecContext(background(), insertDocument, int64(w.next.handle), d[:], nil); err != nil {
		return err
	}
	w.define(n, d, defined)
	return nil
}

// define gives n the next handle.
func (w *writer) define(n *node, d digest, defined hash.Hash) {
	defined.Write(d[:])
	n.handle = w.next.handle
	w.next.handle++
}
