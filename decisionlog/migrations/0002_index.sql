-- Derived from the payloads, in handles; may be dropped and rebuilt.

-- posting lists, for one kind of filter and one key, the decisions that match.
CREATE TABLE posting (
  kind INTEGER NOT NULL,
  key  INTEGER NOT NULL,
  seq  INTEGER NOT NULL,
  PRIMARY KEY (kind, key, seq)
) STRICT, WITHOUT ROWID;

-- span holds the earliest and the latest clock, in microseconds since the epoch, of the decisions
-- of one block of 256^level ledger rows. A decision's clock need not grow with its row.
CREATE TABLE span (
  level    INTEGER NOT NULL,
  block    INTEGER NOT NULL,
  earliest INTEGER NOT NULL,
  latest   INTEGER NOT NULL,
  PRIMARY KEY (level, block)
) STRICT, WITHOUT ROWID;

-- progress says how many ledger rows the index has taken in.
CREATE TABLE progress (
  one     INTEGER PRIMARY KEY CHECK (one = 1),
  entries INTEGER NOT NULL
) STRICT;

INSERT INTO progress (one, entries) VALUES (1, 0);

-- probe takes a row and loses it again, to learn whether the database can be written.
CREATE TABLE probe (
  one   INTEGER PRIMARY KEY CHECK (one = 1),
  bytes BLOB    NOT NULL
) STRICT;
