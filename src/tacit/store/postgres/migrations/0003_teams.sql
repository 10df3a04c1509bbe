-- Teams: who is asked in, and who did what.

-- A token is shown once and kept as its hash; whoever has it may join once, as this member.
CREATE TABLE invitation (
    hash       text COLLATE "C" PRIMARY KEY,
    tenant     integer NOT NULL REFERENCES tenant ON DELETE CASCADE,
    name       text COLLATE "C" NOT NULL CHECK (name <> ''),
    role       text NOT NULL CHECK (role IN ('reader', 'writer', 'curator', 'admin')),
    made_by    text COLLATE "C" NOT NULL,
    made_at    bigint NOT NULL,
    expires_at bigint NOT NULL
);
CREATE INDEX invitation_by_tenant ON invitation (tenant, name);
ALTER TABLE invitation ENABLE ROW LEVEL SECURITY;
CREATE POLICY invitation_own ON invitation
USING (tenant = (SELECT tacit_tenant()) AND (SELECT tacit_is_admin()));

-- Only ever added to: there is no policy to change or remove, and no way around it.
CREATE TABLE audit (
    tenant  integer NOT NULL REFERENCES tenant ON DELETE CASCADE,
    row     bigint GENERATED ALWAYS AS IDENTITY,
    at      bigint NOT NULL,
    member  text COLLATE "C" NOT NULL,
    act     text NOT NULL,
    subject text NOT NULL,
    PRIMARY KEY (tenant, row)
);
ALTER TABLE audit ENABLE ROW LEVEL SECURITY;
CREATE POLICY audit_read ON audit FOR SELECT
USING (tenant = (SELECT tacit_tenant()) AND (SELECT tacit_is_admin()));
CREATE POLICY audit_add ON audit FOR INSERT
WITH CHECK (tenant = (SELECT tacit_tenant()) AND member = (SELECT tacit_member()));
CREATE FUNCTION tacit_keep_audit() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE insufficient_privilege USING MESSAGE = 'the audit is only ever added to';
END $$;
CREATE TRIGGER audit_stays BEFORE UPDATE ON audit
FOR EACH ROW EXECUTE FUNCTION tacit_keep_audit();

-- Join by a token. A login of one's own becomes the member for good; who shares the login of the
-- server or of the owner is believed what they say.
CREATE FUNCTION tacit_join(asked text, now bigint, OUT team text, OUT member text, OUT role text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = tacit, pg_temp AS $$
DECLARE
    found_one invitation;
BEGIN
    DELETE FROM invitation AS i WHERE i.hash = asked RETURNING i.* INTO found_one;
    IF found_one.hash IS NULL OR found_one.expires_at <= now THEN
        RETURN;
    END IF;
    INSERT INTO member (tenant, name, role, db_role) VALUES (found_one.tenant, found_one.name,
        found_one.role, CASE WHEN tacit_believed() THEN NULL ELSE session_user END);
    INSERT INTO audit (tenant, at, member, act, subject)
    VALUES (found_one.tenant, now, found_one.name, 'join', found_one.role);
    SELECT t.name INTO team FROM tenant AS t WHERE t.row = found_one.tenant;
    member := found_one.name;
    role := found_one.role;
END $$;

-- What a memory said while it was private stays its author's when it is shared later.
CREATE FUNCTION tacit_was_private(snapshot text) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
    SELECT coalesce(snapshot::jsonb ->> 'visibility', '') = 'private'
$$;
DROP POLICY revision_read ON revision;
CREATE POLICY revision_read ON revision FOR SELECT USING (
    tenant = (SELECT tacit_tenant()) AND ((SELECT tacit_alone()) OR (NOT tacit_hidden(memory)
        AND (NOT tacit_was_private(snapshot)
            OR snapshot::jsonb ->> 'author' = (SELECT tacit_member())))));
