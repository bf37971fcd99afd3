package decisionlog

import (
	"errors"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/tlog"
)

// TileRef names a tile: hashes of one level of the tree, or leaves.
type TileRef struct {
	// Entries is set for leaves; Level is then 0.
	Entries bool
	Level   int

	// N is the place of the tile in its level.
	N uint64

	// Width is how many hashes or leaves it has, 256 for a full one.
	Width int
}

// ParseTilePath reads the path of a tile behind "tile/", such as 0/x001/234.p/17 or entries/000 (C2SP
// tlog-tiles). The error is a sentence fragment about the path.
func ParseTilePath(path string) (TileRef, error) {
	level, rest, _ := strings.Cut(path, "/")
	entries := level == "entries"
	if entries {
		level = "data" // as tlog calls it, whose paths have the height of a tile as well
	} else if _, err := strconv.ParseUint(level, 10, 6); err != nil {
		return TileRef{}, errors.New("has neither a level from 0 to 63 nor the word entries")
	}
	t, err := tlog.ParseTilePath("tile/" + strconv.Itoa(tileHeight) + "/" + level + "/" + rest)
	if err != nil || t.N < 0 {
		return TileRef{}, errors.New("is not that of a tile, such as 0/x001/234 or 0/000.p/17")
	}
	if entries {
		return TileRef{Entries: true, N: uint64(t.N), Width: t.W}, nil
	}
	return TileRef{Level: t.L, N: uint64(t.N), Width: t.W}, nil
}
