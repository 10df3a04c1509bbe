-- The whole schema, to read. It equals all migrations applied in order, which a test compares;
-- the engine runs the migrations, never this file.

-- Times are microseconds since 1970 in UTC. Names and values are those of tacit.model.
-- Row numbers are internal and never leave the file; ids and shorts do.

CREATE TABLE scope (
    row  INTEGER PRIMARY KEY,
    path TEXT NOT NULL UNIQUE
) STRICT;

CREATE TABLE memory (
    row            INTEGER PRIMARY KEY,
    id             TEXT NOT NULL UNIQUE,
    short          TEXT NOT NULL UNIQUE,
    kind           TEXT NOT NULL,
    subtype        TEXT NOT NULL,
    polarity       TEXT NOT NULL,
    key            TEXT NOT NULL,
    body           TEXT NOT NULL,
    full           TEXT NOT NULL,
    summary        TEXT NOT NULL,
    hint           TEXT NOT NULL,
    title          TEXT NOT NULL,
    full_tokens    INTEGER NOT NULL,
    summary_tokens INTEGER NOT NULL,
    hint_tokens    INTEGER NOT NULL,
    title_tokens   INTEGER NOT NULL,
    hash           TEXT NOT NULL,
    rev            INTEGER NOT NULL,
    tier           TEXT NOT NULL,
    pinned         INTEGER NOT NULL,
    confirmed_by   TEXT NOT NULL,
    state          TEXT NOT NULL,
    confidence     REAL NOT NULL,
    importance     REAL NOT NULL,
    temporal       TEXT NOT NULL,
    valid_from     INTEGER NOT NULL,
    valid_to       INTEGER,
    recorded_at    INTEGER NOT NULL,
    retired_at     INTEGER,
    scope          INTEGER NOT NULL REFERENCES scope (row),
    visibility     TEXT NOT NULL,
    author         TEXT NOT NULL,
    session        TEXT NOT NULL,
    origin         TEXT NOT NULL,
    trust          TEXT NOT NULL,
    source_ref     TEXT NOT NULL,
    learn_tokens   INTEGER NOT NULL,
    anchors        TEXT NOT NULL,
    unverified     INTEGER NOT NULL,
    tags           TEXT NOT NULL, -- tag tokens that narrow a text search without a join
    words          TEXT NOT NULL, -- the search text: normal forms made by tacit.text
    terms          INTEGER NOT NULL, -- how many
    evidence       INTEGER NOT NULL DEFAULT 0, -- 1: found and cited, but no memory of its own
    CHECK (valid_to IS NULL OR valid_to > valid_from),
    CHECK (retired_at IS NULL OR retired_at >= recorded_at)
) STRICT;

CREATE INDEX memory_by_hash ON memory (hash);
CREATE INDEX memory_by_key ON memory (key, valid_from) WHERE key <> '';
CREATE INDEX memory_by_recorded ON memory (recorded_at, id, evidence);
CREATE INDEX memory_by_kind_recorded ON memory (kind, recorded_at, id, evidence);
CREATE INDEX memory_by_subtype ON memory (subtype, recorded_at, id, evidence);
CREATE INDEX memory_by_valid ON memory (valid_from, id);
CREATE INDEX memory_by_session ON memory (session, row) WHERE session <> '';
CREATE INDEX memory_by_source ON memory (source_ref);
CREATE INDEX memory_by_anchors ON memory (id) WHERE anchors <> '[]';
CREATE INDEX memory_by_kind ON memory (kind, state, valid_from, id, evidence);
CREATE INDEX memory_by_tier ON memory (tier) WHERE tier <> 'reference';
-- Few memories are out of service; to know them is to know all the others.
CREATE INDEX memory_out ON memory (state, valid_to)
WHERE state <> 'active' OR valid_to IS NOT NULL;
CREATE INDEX memory_evidence ON memory (state, valid_to) WHERE evidence;

-- The words are normal forms already: split at blanks, fold nothing. (unicode61 would fold the
-- final sigma of Greek, and what is folded on one side only is never found.)
CREATE VIRTUAL TABLE memory_text USING fts5 (
    tags, words,
    content = 'memory', content_rowid = 'row',
    tokenize = "ascii tokenchars ':-'"
);
INSERT INTO memory_text (memory_text, rank) VALUES ('rank', 'bm25(0.0, 1.0)');
CREATE VIRTUAL TABLE memory_vocabulary USING fts5vocab (memory_text, row);

CREATE TRIGGER memory_text_insert AFTER INSERT ON memory BEGIN
    INSERT INTO memory_text (rowid, tags, words) VALUES (new.row, new.tags, new.words);
END;
CREATE TRIGGER memory_text_delete AFTER DELETE ON memory BEGIN
    INSERT INTO memory_text (memory_text, rowid, tags, words)
    VALUES ('delete', old.row, old.tags, old.words);
END;
CREATE TRIGGER memory_text_update AFTER UPDATE OF tags, words ON memory
WHEN old.tags <> new.tags OR old.words <> new.words BEGIN
    INSERT INTO memory_text (memory_text, rowid, tags, words)
    VALUES ('delete', old.row, old.tags, old.words);
    INSERT INTO memory_text (rowid, tags, words) VALUES (new.row, new.tags, new.words);
END;

CREATE TABLE revision (
    memory   TEXT NOT NULL,
    rev      INTEGER NOT NULL,
    at       INTEGER NOT NULL,
    by       TEXT NOT NULL,
    op       TEXT NOT NULL,
    snapshot TEXT NOT NULL,
    note     TEXT NOT NULL DEFAULT '', -- why, where it was not a person who decided
    PRIMARY KEY (memory, rev, at, by, op)
) STRICT, WITHOUT ROWID;

CREATE TABLE link (
    src        INTEGER NOT NULL REFERENCES memory (row) ON DELETE CASCADE,
    relation   TEXT NOT NULL,
    dst        INTEGER NOT NULL REFERENCES memory (row) ON DELETE CASCADE,
    weight     REAL NOT NULL,
    origin     TEXT NOT NULL,
    valid_from INTEGER NOT NULL,
    valid_to   INTEGER,
    PRIMARY KEY (src, relation, dst),
    CHECK (src <> dst)
) STRICT, WITHOUT ROWID;
CREATE INDEX link_by_dst ON link (dst, relation, src, weight);

CREATE TABLE facet (
    row     INTEGER PRIMARY KEY,
    type    TEXT NOT NULL,
    norm    TEXT NOT NULL,
    compact TEXT NOT NULL, -- the form a question may name it by
    UNIQUE (norm, type)
) STRICT;
CREATE INDEX facet_by_compact ON facet (compact);
CREATE INDEX facet_by_type ON facet (type);

CREATE TABLE mention (
    memory INTEGER NOT NULL REFERENCES memory (row) ON DELETE CASCADE,
    facet  INTEGER NOT NULL REFERENCES facet (row),
    role   TEXT NOT NULL,
    name   TEXT NOT NULL, -- as this memory spells it
    count  INTEGER NOT NULL,
    PRIMARY KEY (memory, facet, role)
) STRICT, WITHOUT ROWID;
CREATE INDEX mention_by_facet ON mention (facet, memory);

-- `row` only ever grows, so a reader fetches what is new since the last number it saw.
CREATE TABLE embedding (
    row       INTEGER PRIMARY KEY AUTOINCREMENT,
    memory    INTEGER NOT NULL REFERENCES memory (row) ON DELETE CASCADE,
    model     TEXT NOT NULL,
    part      INTEGER NOT NULL,
    dim       INTEGER NOT NULL,
    text_hash TEXT NOT NULL,
    vec       BLOB NOT NULL,
    UNIQUE (memory, model, part),
    CHECK (length(vec) = 4 * dim)
) STRICT;
CREATE INDEX embedding_by_model ON embedding (model, row);

CREATE TABLE usage (
    query  TEXT NOT NULL,
    memory TEXT NOT NULL,
    event  TEXT NOT NULL,
    at     INTEGER NOT NULL,
    note   TEXT NOT NULL,
    PRIMARY KEY (memory, event, query)
) STRICT, WITHOUT ROWID;

CREATE TABLE contradiction (
    id          TEXT PRIMARY KEY,
    a           TEXT NOT NULL,
    b           TEXT NOT NULL,
    detector    TEXT NOT NULL,
    score       REAL NOT NULL,
    hash_a      TEXT NOT NULL,
    hash_b      TEXT NOT NULL,
    detected_at INTEGER NOT NULL,
    note        TEXT NOT NULL,
    suggestion  TEXT NOT NULL DEFAULT '',
    resolution  TEXT NOT NULL DEFAULT '', -- empty while it is open
    resolved_at INTEGER,
    resolved_by TEXT NOT NULL DEFAULT '',
    resolution_note TEXT NOT NULL DEFAULT '',
    merged_into TEXT NOT NULL DEFAULT '',
    UNIQUE (a, b, hash_a, hash_b),
    CHECK (a < b)
) STRICT, WITHOUT ROWID;

-- What was found about pairs of memories, so that none is judged twice.
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
CREATE TRIGGER touch_insert AFTER INSERT ON memory BEGIN
    INSERT INTO touch (memory) VALUES (new.row);
END;
CREATE TRIGGER touch_update AFTER UPDATE OF hash, body, state ON memory
WHEN old.hash <> new.hash OR old.body <> new.body
    OR (old.state <> new.state AND new.state = 'active') BEGIN
    DELETE FROM touch WHERE memory = new.row;
    INSERT INTO touch (memory) VALUES (new.row);
END;

-- Small named documents: the profile in use, the active embedding model, watermarks.
CREATE TABLE document (
    name TEXT PRIMARY KEY,
    json TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- What was seen of sessions, redacted, until it is encoded and old enough to go.
CREATE TABLE observed (
    row     INTEGER PRIMARY KEY AUTOINCREMENT,
    source  TEXT NOT NULL UNIQUE,
    session TEXT NOT NULL,
    at      INTEGER NOT NULL,
    json    TEXT NOT NULL
) STRICT;
CREATE INDEX observed_by_session ON observed (session, row);
CREATE INDEX observed_by_time ON observed (at);

-- Sessions of agents, and what they asked and were handed. The record is kept whole as JSON;
-- what is searched by stands beside it.
CREATE TABLE session (
    id      TEXT PRIMARY KEY,
    seen    INTEGER NOT NULL,
    pending INTEGER NOT NULL,
    json    TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX session_by_seen ON session (seen);
CREATE INDEX session_by_pending ON session (seen) WHERE pending;

CREATE TABLE query (
    id      TEXT PRIMARY KEY,
    session TEXT NOT NULL,
    at      INTEGER NOT NULL,
    json    TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX query_by_session ON query (session, at);
CREATE INDEX query_by_time ON query (at);
