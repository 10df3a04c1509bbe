-- How contradictions ended, why memories changed, what was judged, and what has changed since.
ALTER TABLE contradiction ADD COLUMN suggestion TEXT NOT NULL DEFAULT '';
ALTER TABLE contradiction ADD COLUMN resolution TEXT NOT NULL DEFAULT '';
ALTER TABLE contradiction ADD COLUMN resolved_at INTEGER;
ALTER TABLE contradiction ADD COLUMN resolved_by TEXT NOT NULL DEFAULT '';
ALTER TABLE contradiction ADD COLUMN resolution_note TEXT NOT NULL DEFAULT '';
ALTER TABLE contradiction ADD COLUMN merged_into TEXT NOT NULL DEFAULT '';
ALTER TABLE revision ADD COLUMN note TEXT NOT NULL DEFAULT '';

CREATE TABLE judged (
    pair     TEXT PRIMARY KEY, -- a hash of both ids and of what they said
    detector TEXT NOT NULL,
    score    REAL NOT NULL
) STRICT, WITHOUT ROWID;

-- A memory's number grows when it is new, says something else or is served again.
CREATE TABLE touch (
    row    INTEGER PRIMARY KEY AUTOINCREMENT,
    memory INTEGER NOT NULL UNIQUE REFERENCES memory (row) ON DELETE CASCADE
) STRICT;
INSERT INTO touch (memory) SELECT row FROM memory ORDER BY row;

CREATE TRIGGER touch_insert AFTER INSERT ON memory BEGIN
    INSERT INTO touch (memory) VALUES (new.row);
END;
CREATE TRIGGER touch_update AFTER UPDATE OF hash, body, state ON memory
WHEN old.hash <> new.hash OR old.body <> new.body
    OR (old.state <> new.state AND new.state = 'active') BEGIN
    DELETE FROM touch WHERE memory = new.row;
    INSERT INTO touch (memory) VALUES (new.row);
END;
