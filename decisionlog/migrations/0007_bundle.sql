-- bundle has the policies that decided here: their files as a tar in gzip, by the revision that leaves name.
-- The revision is the digest of the files, so a row proves itself.
CREATE TABLE bundle (
  revision TEXT PRIMARY KEY,
  archive  BLOB NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TRIGGER bundle_stays BEFORE DELETE ON bundle
BEGIN SELECT RAISE(ABORT, 'bundle: policies are never deleted'); END;

CREATE TRIGGER bundle_keeps BEFORE UPDATE ON bundle
BEGIN SELECT RAISE(ABORT, 'bundle: policies never change'); END;
