package policy

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"slices"

	"golang.org/x/tools/txtar"
)

// Archive returns the files that Bundle.Revision is the digest of, as a tar in gzip, sorted by path. Who
// has it can compute the revision, and decide again.
func (e *Engine) Archive() []byte { return slices.Clone(e.archive) }

// archiveOf packs files without times and owners, so that equal files are equal bytes.
func archiveOf(files []txtar.File) ([]byte, error) {
	var out bytes.Buffer
	packed := gzip.NewWriter(&out)
	archive := tar.NewWriter(packed)
	for _, f := range files {
		head := &tar.Header{Typeflag: tar.TypeReg, Name: f.Name, Mode: 0o644, Size: int64(len(f.Data))}
		if err := archive.WriteHeader(head); err != nil {
			return nil, err
		}
		if _, err := archive.Write(f.Data); err != nil {
			return nil, err
		}
	}
	if err := archive.Close(); err != nil {
		return nil, err
	}
	err := packed.Close()
	return out.Bytes(), err
}
