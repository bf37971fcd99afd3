package server

import (
	"context"
	"crypto/sha256"
	"errors"
	"net/http"
	"strconv"

	"earshot/decisionlog"

	"github.com/labstack/echo/v4"
)

// Tree proves what is in the decision log: a *decisionlog.Log.
type Tree interface {
	// Checkpoint returns the newest checkpoint, or decisionlog.ErrNoCheckpoint.
	Checkpoint(ctx context.Context) ([]byte, error)

	// Proof returns the .tlog-proof of an entry by the checkpoint of a size, zero for the newest.
	Proof(ctx context.Context, index, size uint64) ([]byte, error)

	// Consistency returns the proof between two sizes.
	Consistency(ctx context.Context, from, to uint64) ([][sha256.Size]byte, error)

	// Tile returns hashes of the tree, and EntryBundle leaves.
	Tile(ctx context.Context, level int, n uint64, width int) ([]byte, error)
	EntryBundle(ctx context.Context, n uint64, width int) ([]byte, error)
}

const (
	// typeText is the media type of checkpoints and proofs, typeOctets that of tiles (C2SP tlog-tiles).
	typeText   = "text/plain; charset=utf-8"
	typeOctets = "application/octet-stream"

	// immutable is for what never changes once it is there. It is for the caller alone: a shared cache
	// would ask nobody for a credential.
	immutable = "private, max-age=31536000, immutable"
)

// routesOfTree registers what proves the decision log.
func (s *Server) routesOfTree() {
	s.get("/v1/log/checkpoint", s.getCheckpoint, s.allow(ScopeAudit), s.proving)
	s.get("/v1/log/proof", s.getProof, s.allow(ScopeAudit), s.proving)
	s.get("/v1/log/consistency", s.getConsistency, s.allow(ScopeAudit), s.proving)
	s.get("/v1/log/tile/*", s.getTile, s.allow(ScopeAudit), s.proving)
}

// proving is reading for what proves the log.
func (s *Server) proving(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		leave, err := s.reads.enter()
		if err != nil {
			return err
		}
		defer leave()
		return treeFailure(next(c))
	}
}

// getCheckpoint handles "GET /v1/log/checkpoint".
func (s *Server) getCheckpoint(c echo.Context) error {
	if err := eachParameter(c, noParameter); err != nil {
		return err
	}
	if s.config.Tree == nil {
		return refuse(codeNotFound, "")
	}
	text, err := s.config.Tree.Checkpoint(c.Request().Context())
	if err != nil {
		return err
	}
	return c.Blob(http.StatusOK, typeText, text)
}

// getProof handles "GET /v1/log/proof".
func (s *Server) getProof(c echo.Context) error {
	var index, size *uint64
	err := eachParameter(c, func(name, value string) (err error) {
		switch name {
		case "index":
			index, err = parseCount(value, 0)
		case "size":
			size, err = parseCount(value, 1)
		default:
			return errUnknownParameter
		}
		return err
	})
	switch {
	case err != nil:
		return err
	case index == nil:
		return refuseParameter("index", "is missing; give the index of an entry, which an answer has in log.index")
	case s.config.Tree == nil:
		return refuse(codeNotFound, "")
	case size == nil:
		size = new(uint64)
	}
	text, err := s.config.Tree.Proof(c.Request().Context(), *index, *size)
	if err != nil {
		return err
	}
	return c.Blob(http.StatusOK, typeText, text)
}

// getConsistency handles "GET /v1/log/consistency".
func (s *Server) getConsistency(c echo.Context) error {
	var from, to *uint64
	err := eachParameter(c, func(name, value string) (err error) {
		switch name {
		case "from":
			from, err = parseCount(value, 1)
		case "to":
			to, err = parseCount(value, 1)
		default:
			return errUnknownParameter
		}
		return err
	})
	switch {
	case err != nil:
		return err
	case from == nil:
		return refuseParameter("from", "is missing; give the size of the older checkpoint")
	case to == nil:
		return refuseParameter("to", "is missing; give the size of the newer checkpoint")
	case s.config.Tree == nil:
		return refuse(codeNotFound, "")
	}
	hashes, err := s.config.Tree.Consistency(c.Request().Context(), *from, *to)
	if err != nil {
		return err
	}
	answer := consistency{From: *from, To: *to, Proof: make([][]byte, len(hashes))}
	for i := range hashes {
		answer.Proof[i] = hashes[i][:]
	}
	c.Response().Header().Set("Cache-Control", immutable)
	return s.send(c, http.StatusOK, typeJSON, answer)
}

// consistency is the answer of getConsistency; the hashes are in base64.
type consistency struct {
	From  uint64   `json:"from"`
	To    uint64   `json:"to"`
	Proof [][]byte `json:"proof"`
}

// getTile handles "GET /v1/log/tile/*". A tile that is not there yet is not found, as readers of tiles
// expect.
func (s *Server) getTile(c echo.Context) error {
	if err := eachParameter(c, noParameter); err != nil {
		return err
	}
	tile, err := decisionlog.ParseTilePath(c.Param("*"))
	if err != nil || s.config.Tree == nil {
		return refuse(codeNotFound, "There is no such tile. Paths are those of C2SP tlog-tiles.")
	}
	var body []byte
	if tile.Entries {
		// Leaves have the ids and the times of the decisions of every tenant.
		if from := callerOf(c); from.tenant != "" {
			return refuse(codeForbidden, "The credential is bound to a tenant, and the leaves of the log are of all. Ask for the proof of an entry instead.")
		}
		body, err = s.config.Tree.EntryBundle(c.Request().Context(), tile.N, tile.Width)
	} else {
		body, err = s.config.Tree.Tile(c.Request().Context(), tile.Level, tile.N, tile.Width)
	}
	if errors.Is(err, decisionlog.ErrInvalidQuery) {
		return refuse(codeNotFound, "The tree has no such tile yet.")
	}
	if err != nil {
		return err
	}
	c.Response().Header().Set("Cache-Control", immutable)
	return c.Blob(http.StatusOK, typeOctets, body)
}

// parseCount reads a whole number of at least least. Its error is a sentence fragment.
func parseCount(value string, least uint64) (*uint64, error) {
	n, err := strconv.ParseUint(value, 10, 63)
	if err != nil || n < least || strconv.FormatUint(n, 10) != value {
		return nil, errors.New("must be a whole number of at least " + strconv.FormatUint(least, 10))
	}
	return &n, nil
}

// treeFailure gives the failures of a proof words of their own.
func treeFailure(err error) error {
	switch {
	case errors.Is(err, decisionlog.ErrNoCheckpoint):
		return refuse(codeNotFound, "There is no checkpoint yet.")
	case errors.Is(err, decisionlog.ErrDamaged):
		return &refusal{
			code:   codeInternal,
			detail: "The log and its tree do not fit. Have the operator run pdp log verify and restore the data folder from a backup.",
			cause:  err,
		}
	case errors.Is(err, decisionlog.ErrUnavailable), errors.Is(err, decisionlog.ErrClosed):
		return &refusal{
			code:   codeLogUnavailable,
			detail: "The log could not be read, or no checkpoint written. Try again after the time in Retry-After.",
			cause:  err,
		}
	default:
		return err
	}
}
