package evidence

import (
	"archive/zip"
	"context"
	"crypto/sha256"
	_ "embed"
	"errors"
	"fmt"
	"hash"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"earshot/decisionlog"
	"earshot/decisionlog/keyring"
)

//go:embed VERIFY.md
var verifyText []byte

// Log is what a package is made from: a *decisionlog.Log that signs checkpoints.
type Log interface {
	Origin() string
	NewCheckpoint(ctx context.Context) ([]byte, error)
	EachProved(ctx context.Context, size uint64, from, to time.Time, take func(*decisionlog.ProvedEntry) error) error
	EachCheckpoint(ctx context.Context, after uint64, take func(*decisionlog.ProvedCheckpoint) error) error
	Bundle(ctx context.Context, revision string) ([]byte, error)
}

// Signer signs the manifest: the receipt key in force.
type Signer interface {
	KeyID() string
	Sign(message []byte) ([]byte, error)
}

// Config has what a package is made of. All but From, To and Names are required.
type Config struct {
	Log    Log
	Signer Signer

	// Keys are all public keys of the log, the newest first.
	Keys []keyring.Key

	// From and To bound the clocks of the entries; From is included, To is not. Zero leaves an end open.
	From, To time.Time

	// Names writes decisions.jsonl; nil where the package is to name nobody.
	Names func(w io.Writer) error

	// MadeAt is the current time.
	MadeAt time.Time
}

// Write writes a package about a part of a log, of which it makes a checkpoint first. The errors are those
// of the Log and of the writer.
func Write(ctx context.Context, w io.Writer, c Config) error {
	note, err := c.Log.NewCheckpoint(ctx)
	if err != nil {
		return err
	}
	p := &pack{Config: c, zip: zip.NewWriter(w), revisions: map[string]bool{}}
	p.manifest = manifest{
		Version: 1, Origin: c.Log.Origin(), MadeAt: instant(c.MadeAt), From: instant(c.From), To: instant(c.To),
		MissingPolicies: []string{}, Files: map[string]string{},
	}
	if p.manifest.Checkpoint, err = decisionlog.CheckpointSize(note); err != nil {
		return err
	}
	for _, step := range []func(context.Context) error{p.entries, p.checkpoints, p.policies, p.keys, p.names} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	for _, f := range []struct {
		name string
		text []byte
	}{{"checkpoint.txt", note}, {"VERIFY.md", verifyText}} {
		if err := p.whole(f.name, f.text); err != nil {
			return err
		}
	}
	return p.seal()
}

// pack is a package that is being written.
type pack struct {
	Config
	zip       *zip.Writer
	manifest  manifest
	revisions map[string]bool
	first     uint64 // the index of the first entry
}

// file adds a file and its digest.
func (p *pack) file(name string, write func(w io.Writer) error) error {
	f, err := p.zip.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate, Modified: p.MadeAt})
	if err != nil {
		return err
	}
	sum := sha256.New()
	if err := write(io.MultiWriter(f, sum)); err != nil {
		return err
	}
	p.manifest.Files[name] = digestText(sum)
	return nil
}

func digestText(sum hash.Hash) string { return fmt.Sprintf("sha256:%x", sum.Sum(nil)) }

func (p *pack) whole(name string, text []byte) error {
	return p.file(name, func(w io.Writer) error {
		_, err := w.Write(text)
		return err
	})
}

// line writes v and a line feed.
func line(w io.Writer, v any) error {
	text, err := json.Marshal(v)
	if err == nil {
		_, err = w.Write(append(text, '\n'))
	}
	return err
}

type entryLine struct {
	Index   uint64  `json:"index"`
	Receipt bool    `json:"receipt,omitzero"`
	Leaf    []byte  `json:"leaf"`
	Payload *[]byte `json:"payload"` // null where it was emptied
	Proof   string  `json:"proof"`
}

func (p *pack) entries(ctx context.Context) error {
	return p.file("entries.jsonl", func(w io.Writer) error {
		return p.Log.EachProved(ctx, p.manifest.Checkpoint, p.From, p.To, func(e *decisionlog.ProvedEntry) error {
			if p.manifest.Entries == 0 {
				p.first = e.Index
			}
			p.manifest.Entries++
			if e.PolicyRevision != "" {
				p.revisions[e.PolicyRevision] = true
			}
			out := entryLine{Index: e.Index, Receipt: e.Receipt && e.Payload != nil, Leaf: e.Leaf, Proof: string(e.Proof)}
			if e.Payload != nil {
				out.Payload = &e.Payload
			}
			return line(w, out)
		})
	})
}

type checkpointLine struct {
	Size        uint64   `json:"size"`
	Note        string   `json:"note"`
	Consistency [][]byte `json:"consistency"`
}

func (p *pack) checkpoints(ctx context.Context) error {
	return p.file("checkpoints.jsonl", func(w io.Writer) error {
		return p.Log.EachCheckpoint(ctx, p.first, func(c *decisionlog.ProvedCheckpoint) error {
			out := checkpointLine{Size: c.Size, Note: string(c.Note), Consistency: make([][]byte, len(c.Consistency))}
			for i := range c.Consistency {
				out.Consistency[i] = c.Consistency[i][:]
			}
			return line(w, out)
		})
	})
}

func (p *pack) policies(ctx context.Context) error {
	for _, revision := range slices.Sorted(maps.Keys(p.revisions)) {
		archive, err := p.Log.Bundle(ctx, revision)
		if errors.Is(err, decisionlog.ErrNotFound) {
			p.manifest.MissingPolicies = append(p.manifest.MissingPolicies, revision)
			continue
		}
		if err == nil {
			err = p.whole("policies/"+strings.TrimPrefix(revision, "sha256:")+".tar.gz", archive)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (p *pack) keys(context.Context) error {
	var receipts []keyring.Key
	for _, k := range p.Keys {
		if err := p.whole("keys/"+string(k.Purpose)+"-"+k.ID+".pem", keyring.MarshalPublicPEM(k)); err != nil {
			return err
		}
		var err error
		switch {
		case k.Purpose == keyring.PurposeReceipt:
			receipts = append(receipts, k)
			if k.ID == p.Signer.KeyID() {
				err = p.whole("keys/manifest.pem", keyring.MarshalPublicPEM(k))
			}
		case k.Purpose == keyring.PurposeLog && k.InForce():
			err = p.checkpointKey(k)
		}
		if err != nil {
			return err
		}
	}
	text, err := keyring.MarshalJWKS(receipts)
	if err != nil {
		return err
	}
	return p.whole("keys/jwks.json", text)
}

func (p *pack) checkpointKey(k keyring.Key) error {
	text, err := decisionlog.VerifierKey(p.manifest.Origin, k)
	if err != nil {
		return err
	}
	return errors.Join(
		p.whole("keys/checkpoint.pem", keyring.MarshalPublicPEM(k)), p.whole("keys/checkpoint.vkey", []byte(text+"\n")),
	)
}

func (p *pack) names(context.Context) error {
	if p.Names == nil {
		return nil
	}
	return p.file("decisions.jsonl", p.Names)
}

// seal ends the package with its manifest and the signature.
func (p *pack) seal() error {
	text, err := canonical(p.manifest)
	if err != nil {
		return err
	}
	envelope, err := sign(text, p.Signer)
	if err != nil {
		return err
	}
	return errors.Join(p.whole("manifest.json", text), p.whole("manifest.dsse.json", envelope), p.zip.Close())
}
