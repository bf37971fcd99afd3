-- origin is the identity of this ledger, for what is signed about it.
CREATE TABLE origin (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  id  BLOB    NOT NULL CHECK (length(id) = 16)
) STRICT;

CREATE TRIGGER origin_stays BEFORE DELETE ON origin
BEGIN SELECT RAISE(ABORT, 'origin: a ledger keeps its identity'); END;

CREATE TRIGGER origin_keeps BEFORE UPDATE ON origin
BEGIN SELECT RAISE(ABORT, 'origin: a ledger keeps its identity'); END;

-- fingerprint has what is left of the text of an item. Tenant and item are handles of names, tenant is 0
-- where there is none: without the name of the item a row says nothing.
CREATE TABLE fingerprint (
  tenant INTEGER NOT NULL,
  print  INTEGER NOT NULL,
  item   INTEGER NOT NULL,
  PRIMARY KEY (tenant, print, item)
) STRICT, WITHOUT ROWID;

CREATE INDEX fingerprint_item ON fingerprint (item);
