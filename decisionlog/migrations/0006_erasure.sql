-- An erased name is written over in place: its row keeps its handle and its length, its hash becomes
-- one that no text has. To delete rows would have SQLite move those beside them, and it leaves old copies
-- behind in the gaps of pages, which no later erasure of them would find.
DROP TRIGGER name_keeps;

CREATE TRIGGER name_keeps BEFORE UPDATE ON name
WHEN NOT (NEW.handle IS OLD.handle AND NEW.salt IS zeroblob(16) AND NEW.text IS zeroblob(length(OLD.text)))
BEGIN SELECT RAISE(ABORT, 'name: names never change, they are only erased'); END;

-- retention says up to which row payloads were looked at for their age, under which holds.
CREATE TABLE retention (
  one     INTEGER PRIMARY KEY CHECK (one = 1),
  entries INTEGER NOT NULL,
  holds   BLOB    NOT NULL
) STRICT;
