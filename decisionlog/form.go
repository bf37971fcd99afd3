package decisionlog

import (
	"crypto/sha256"
	"encoding/binary"
	"time"
)

// documentKind is the first number of a document's body.
type documentKind uint64

// The kinds of document. Numbers are never given twice.
const (
	setDocument         documentKind = 1
	readingDocument     documentKind = 2
	inheritanceDocument documentKind = 3
	candidateDocument   documentKind = 4
	sourceDocument      documentKind = 5
	outcomeDocument     documentKind = 6
	rosterDocument      documentKind = 7
	viewersDocument     documentKind = 8
	elementDocument     documentKind = 9
	boundaryDocument    documentKind = 10
)

// Tags keep the texts that a key is made of apart.
const (
	numberTag byte = iota + 1
	nameTag
	documentTag
	endTag
)

// form takes down one value as a sequence of numbers, names and documents. With a table it makes
// parts; without one it makes the text that the value's key is the hash of. So each composite
// value is described once.
type form struct {
	table *table
	parts []part
	text  []byte
}

func (f *form) number(v uint64) {
	if f.table == nil {
		f.text = binary.AppendUvarint(append(f.text, numberTag), v)
		return
	}
	f.parts = append(f.parts, part{number: v})
}

// integer writes a number that may be negative, as protocol buffers do (zigzag).
func (f *form) integer(v int64) { f.number(uint64(v)<<1 ^ uint64(v>>63)) }

func (f *form) flag(v bool) {
	if v {
		f.number(1)
	} else {
		f.number(0)
	}
}

// name writes a caller's text; the empty one is absent.
func (f *form) name(s string) {
	if s == "" {
		f.number(0)
		return
	}
	f.present(s)
}

// raw writes bytes that may be absent (nil) or empty.
func (f *form) raw(b []byte) {
	if b == nil {
		f.number(0)
		return
	}
	f.present(string(b))
}

func (f *form) present(s string) {
	if f.table == nil {
		f.text = appendName(f.text, s)
		return
	}
	k := f.table.key(func(f *form) { f.present(s) })
	f.parts = append(f.parts, f.table.intern(k, func(n *node) { n.text = s }))
}

// key returns the key of what write writes.
func (t *table) key(write func(*form)) key {
	t.content.text = t.content.text[:0]
	write(&t.content)
	return sha256.Sum256(t.content.text)
}

func appendName(dst []byte, s string) []byte {
	dst = binary.AppendUvarint(append(dst, nameTag), uint64(len(s)))
	return append(dst, s...)
}

// document writes a value that is stored once and referred to by its handle.
func (f *form) document(kind documentKind, write func(*form)) {
	if f.table == nil {
		f.text = binary.AppendUvarint(append(f.text, documentTag), uint64(kind))
		write(f)
		f.text = append(f.text, endTag)
		return
	}
	k := f.table.key(func(f *form) { f.document(kind, write) })
	f.parts = append(f.parts, f.table.intern(k, func(n *node) {
		body := form{table: f.table}
		body.number(uint64(kind))
		write(&body)
		n.document, n.parts = true, body.parts
	}))
}

// set writes a list of names that is stored once; nil is absent.
func (f *form) set(names []string) {
	if names == nil {
		f.number(0)
		return
	}
	f.document(setDocument, func(f *form) { f.names(names) })
}

func (f *form) names(names []string) {
	writeList(f, names, f.name)
}

// moment writes an instant relative to base, in seconds, so that it is short where they are close.
func (f *form) moment(t, base time.Time) {
	f.flag(!t.IsZero())
	if !t.IsZero() {
		f.integer(t.Unix() - base.Unix())
		f.number(uint64(t.Nanosecond()))
	}
}

// writeList writes the length and the elements of a list, and keeps nil apart from empty.
func writeList[T any](f *form, list []T, write func(T)) {
	if list == nil {
		f.number(0)
		return
	}
	f.number(uint64(len(list)) + 1)
	for _, element := range list {
		write(element)
	}
}
