-- tile is the Merkle tree over the leaves (RFC 6962, section 2.1), as the tiles of C2SP tlog-tiles. A row
-- has up to 256 hashes: at level 0 those of leaves, at level l + 1 those of full tiles of level l.
CREATE TABLE tile (
  level  INTEGER NOT NULL,
  n      INTEGER NOT NULL,
  hashes BLOB    NOT NULL CHECK (length(hashes) % 32 = 0 AND length(hashes) BETWEEN 32 AND 8192),
  PRIMARY KEY (level, n)
) STRICT;

CREATE TRIGGER tile_appends BEFORE INSERT ON tile
WHEN NEW.n IS NOT (SELECT ifnull(max(n), -1) + 1 FROM tile WHERE level = NEW.level)
BEGIN SELECT RAISE(ABORT, 'tile: the tree only grows at its end'); END;

CREATE TRIGGER tile_stays BEFORE DELETE ON tile
BEGIN SELECT RAISE(ABORT, 'tile: tiles are never deleted'); END;

CREATE TRIGGER tile_keeps BEFORE UPDATE ON tile
WHEN NOT (NEW.level IS OLD.level AND NEW.n IS OLD.n AND substr(NEW.hashes, 1, length(OLD.hashes)) IS OLD.hashes)
BEGIN SELECT RAISE(ABORT, 'tile: hashes never change, save that some may follow'); END;

-- checkpoint has what was signed about the tree: note is a C2SP signed note, size its number of leaves.
CREATE TABLE checkpoint (
  size INTEGER PRIMARY KEY,
  note BLOB    NOT NULL
) STRICT;

CREATE TRIGGER checkpoint_appends BEFORE INSERT ON checkpoint
WHEN NEW.size <= (SELECT ifnull(max(size), -1) FROM checkpoint)
BEGIN SELECT RAISE(ABORT, 'checkpoint: each is of a larger tree'); END;

CREATE TRIGGER checkpoint_stays BEFORE DELETE ON checkpoint
BEGIN SELECT RAISE(ABORT, 'checkpoint: checkpoints are never deleted'); END;

CREATE TRIGGER checkpoint_keeps BEFORE UPDATE ON checkpoint
BEGIN SELECT RAISE(ABORT, 'checkpoint: checkpoints never change'); END;
