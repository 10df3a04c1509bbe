-- What a store is about, and what lately happened, without reading every memory.
DROP INDEX memory_by_kind;
CREATE INDEX memory_by_kind ON memory (kind, state, valid_from, id);
-- Few memories are out of service; to know them is to know all the others.
CREATE INDEX memory_out ON memory (state, valid_to)
WHERE state <> 'active' OR valid_to IS NOT NULL;
CREATE INDEX facet_by_type ON facet (type);
