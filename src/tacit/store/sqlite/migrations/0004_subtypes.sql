-- The latest of a sort, without a walk through all that is younger.
CREATE INDEX memory_by_kind_recorded ON memory (kind, recorded_at, id);
CREATE INDEX memory_by_subtype ON memory (subtype, recorded_at, id);
