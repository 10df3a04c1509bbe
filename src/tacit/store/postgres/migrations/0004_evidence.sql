-- What is only evidence (commits, sections of documents) is told apart from what is known.
ALTER TABLE memory ADD COLUMN evidence boolean NOT NULL DEFAULT false;

UPDATE memory AS m SET evidence = true
WHERE ((subtype = 'commit' AND source_ref >= 'git:' AND source_ref < 'git;')
    OR (kind = 'resource' AND origin = 'import' AND source_ref >= 'file:' AND source_ref < 'file;'
        AND subtype IN ('rule', 'decision', 'readme', 'doc', 'changelog')))
AND tier = 'reference' AND NOT pinned AND confirmed_by = ''
AND NOT EXISTS (SELECT FROM revision AS r
    WHERE r.tenant = m.tenant AND r.memory = m.id AND r.op = 'edit')
AND NOT EXISTS (SELECT FROM usage AS u
    WHERE u.tenant = m.tenant AND u.memory = m.id AND u.event = 'helped');

-- The latest of a sort, and all of it, without a look at what is not meant.
DROP INDEX memory_by_recorded;
DROP INDEX memory_by_kind_recorded;
DROP INDEX memory_by_subtype;
DROP INDEX memory_by_kind;
CREATE INDEX memory_by_recorded ON memory (recorded_at, id, evidence);
CREATE INDEX memory_by_kind_recorded ON memory (kind, recorded_at, id, evidence);
CREATE INDEX memory_by_subtype ON memory (subtype, recorded_at, id, evidence);
CREATE INDEX memory_by_kind ON memory (kind, state, valid_from, id, evidence);
CREATE INDEX memory_evidence ON memory (state, valid_to) WHERE evidence;
