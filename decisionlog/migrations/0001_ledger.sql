-- The ledger. Nothing in this file may ever change: leaves commit to it byte for byte, and a start
-- compares it with what the database has.

-- cursor_key signs the cursors of pages, name_key is the key of name.hash.
CREATE TABLE ledger (
  one        INTEGER PRIMARY KEY CHECK (one = 1),
  cursor_key BLOB    NOT NULL CHECK (length(cursor_key) = 32),
  name_key   BLOB    NOT NULL CHECK (length(name_key) = 32)
) STRICT;

CREATE TABLE entry (
  seq     INTEGER PRIMARY KEY,
  leaf    BLOB    NOT NULL CHECK (length(leaf) <= 65535),
  payload BLOB
) STRICT;

CREATE TABLE definition (
  handle INTEGER PRIMARY KEY,
  digest BLOB    NOT NULL CHECK (length(digest) = 32),
  body   BLOB
) STRICT;

CREATE UNIQUE INDEX document ON definition (digest) WHERE body IS NOT NULL;

-- hash finds a text without a second copy of it in an index.
CREATE TABLE name (
  handle INTEGER PRIMARY KEY,
  hash   BLOB    NOT NULL UNIQUE CHECK (length(hash) = 16),
  salt   BLOB    NOT NULL CHECK (length(salt) = 16),
  text   BLOB    NOT NULL
) STRICT;

-- INSERT OR REPLACE deletes rows without a delete trigger, so inserts are guarded as well.

CREATE TRIGGER entry_appends BEFORE INSERT ON entry
WHEN NEW.seq IS NOT (SELECT ifnull(max(seq), -1) + 1 FROM entry)
BEGIN SELECT RAISE(ABORT, 'entry: the ledger only grows at its end'); END;

CREATE TRIGGER entry_stays BEFORE DELETE ON entry
BEGIN SELECT RAISE(ABORT, 'entry: ledger rows are never deleted'); END;

CREATE TRIGGER entry_keeps BEFORE UPDATE ON entry
WHEN NOT (NEW.seq IS OLD.seq AND NEW.leaf IS OLD.leaf AND NEW.payload IS NULL)
BEGIN SELECT RAISE(ABORT, 'entry: ledger rows never change, save that a payload may be emptied'); END;

CREATE TRIGGER definition_appends BEFORE INSERT ON definition
WHEN NEW.handle IS NOT (SELECT ifnull(max(handle), 0) + 1 FROM definition)
BEGIN SELECT RAISE(ABORT, 'definition: handles only grow at their end'); END;

CREATE TRIGGER definition_stays BEFORE DELETE ON definition
BEGIN SELECT RAISE(ABORT, 'definition: definitions are never deleted'); END;

CREATE TRIGGER definition_keeps BEFORE UPDATE ON definition
BEGIN SELECT RAISE(ABORT, 'definition: definitions never change'); END;

CREATE TRIGGER name_keeps BEFORE UPDATE ON name
BEGIN SELECT RAISE(ABORT, 'name: names never change, they are only erased'); END;

CREATE TRIGGER name_appends BEFORE INSERT ON name
WHEN NEW.handle <= (SELECT max(handle) FROM definition)
BEGIN SELECT RAISE(ABORT, 'name: a handle is never given twice'); END;
