package fingerprint

import (
	"encoding/binary"
	"errors"
	"slices"
	"unicode"
	"unicode/utf8"

	"github.com/dchest/siphash"
	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

const (
	// Run is how long a shared run must be to be found for certain, in characters of the normal form.
	Run = 48

	// Gram is how many characters one fingerprint is of, below which nothing is shared: the noise
	// threshold k of the paper, where Run is its guarantee threshold t.
	Gram = 32

	// window is the w of the paper: of each so many grams in a row at least one is a fingerprint.
	window = Run - Gram + 1

	// MaxPrints is how many fingerprints of one text Bound keeps: those of about half a million
	// characters.
	MaxPrints = 1 << 16

	// KeySize is the size of a key in bytes.
	KeySize = 16
)

// Maker makes fingerprints under one key. It is safe for concurrent use.
type Maker struct{ k0, k1 uint64 }

// New returns a Maker for a key of KeySize bytes, which is of no use for anything else.
func New(key []byte) (*Maker, error) {
	if len(key) != KeySize {
		return nil, errors.New("fingerprint: the key must have 16 bytes")
	}
	return &Maker{binary.LittleEndian.Uint64(key), binary.LittleEndian.Uint64(key[8:])}, nil
}

// Of returns all fingerprints of a text, sorted and distinct; none for one that is shorter than Run. A
// fingerprint is SipHash-2-4 of a gram.
func (m *Maker) Of(text string) []uint64 {
	normal := normalize(text)
	starts := make([]int, 0, len(normal)+1)
	for i := range normal {
		starts = append(starts, i)
	}
	if len(starts) < Run {
		return nil
	}
	starts = append(starts, len(normal))

	hashes := make([]uint64, len(starts)-Gram)
	bytes := []byte(normal)
	for i := range hashes {
		hashes[i] = siphash.Hash(m.k0, m.k1, bytes[starts[i]:starts[i+Gram]])
	}
	return winnow(hashes)
}

// Bound returns the fingerprints to keep of a text that has many: the MaxPrints smallest. Since they
// are hashes, that is an even sample, and the same one of the same text. It shares memory with prints,
// which must be sorted.
func Bound(prints []uint64) []uint64 { return prints[:min(len(prints), MaxPrints)] }

// winnow returns the smallest hash of each window, sorted and distinct.
func winnow(hashes []uint64) []uint64 {
	var prints []uint64
	least := 0 // of the window that ends at i
	for i := range hashes {
		first := i - window + 1
		switch {
		case least < first:
			least = max(first, 0)
			for j := least + 1; j <= i; j++ {
				if hashes[j] <= hashes[least] {
					least = j
				}
			}
		case hashes[i] <= hashes[least]:
			least = i
		}
		if first >= 0 && (len(prints) == 0 || prints[len(prints)-1] != hashes[least]) {
			prints = append(prints, hashes[least])
		}
	}
	slices.Sort(prints)
	return slices.Compact(prints)
}

// normalize returns the characters of a text that count.
func normalize(text string) string {
	folded := norm.NFKC.String(cases.Fold().String(norm.NFKC.String(text)))
	out := make([]byte, 0, len(folded))
	for _, r := range folded {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			out = utf8.AppendRune(out, r)
		}
	}
	return string(out)
}
