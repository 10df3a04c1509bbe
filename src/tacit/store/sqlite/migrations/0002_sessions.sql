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
