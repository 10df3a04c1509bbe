-- Who may see and change what, checked by the database itself.

-- Memberships: seen within the tenant, changed by its admins.
ALTER TABLE tenant ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant_read ON tenant FOR SELECT USING (row = (SELECT tacit_tenant()));
ALTER TABLE member ENABLE ROW LEVEL SECURITY;
CREATE POLICY member_read ON member FOR SELECT USING (tenant = (SELECT tacit_tenant()));
CREATE POLICY member_write ON member
USING (tenant = (SELECT tacit_tenant()) AND (SELECT tacit_is_admin()));
ALTER TABLE team_member ENABLE ROW LEVEL SECURITY;
CREATE POLICY team_member_read ON team_member FOR SELECT
USING (tenant = (SELECT tacit_tenant()));
CREATE POLICY team_member_write ON team_member
USING (tenant = (SELECT tacit_tenant()) AND (SELECT tacit_is_admin()));

ALTER TABLE turn ENABLE ROW LEVEL SECURITY;
CREATE POLICY turn_read ON turn FOR SELECT USING (tenant = (SELECT tacit_tenant()));
CREATE POLICY turn_take ON turn FOR UPDATE
USING (tenant = (SELECT tacit_tenant()) AND (SELECT tacit_writes()));

-- A memory is read by those it is open to, written by those of them who write, and removed by
-- admins and by the author of what is private.
ALTER TABLE memory ENABLE ROW LEVEL SECURITY;
CREATE POLICY memory_read ON memory FOR SELECT USING (
    tenant = (SELECT tacit_tenant()) AND tacit_open((SELECT tacit_alone()),
        (SELECT tacit_member()), (SELECT tacit_is_admin()), (SELECT tacit_teams()),
        visibility, author, scope));
CREATE POLICY memory_add ON memory FOR INSERT WITH CHECK (
    tenant = (SELECT tacit_tenant()) AND (SELECT tacit_writes())
    AND tacit_open((SELECT tacit_alone()), (SELECT tacit_member()), (SELECT tacit_is_admin()),
        (SELECT tacit_teams()), visibility, author, scope));
CREATE POLICY memory_change ON memory FOR UPDATE USING (
    tenant = (SELECT tacit_tenant()) AND (SELECT tacit_writes())
    AND tacit_open((SELECT tacit_alone()), (SELECT tacit_member()), (SELECT tacit_is_admin()),
        (SELECT tacit_teams()), visibility, author, scope));
CREATE POLICY memory_remove ON memory FOR DELETE USING (
    tenant = (SELECT tacit_tenant()) AND ((SELECT tacit_is_admin())
        OR ((SELECT tacit_writes()) AND visibility = 'private'
            AND author = (SELECT tacit_member()))));

-- What hangs on a memory by its number is seen and written with it.
ALTER TABLE mention ENABLE ROW LEVEL SECURITY;
CREATE POLICY mention_read ON mention FOR SELECT USING (
    tenant = (SELECT tacit_tenant()) AND ((SELECT tacit_alone()) OR EXISTS (
        SELECT FROM memory AS m WHERE m.tenant = mention.tenant AND m.row = mention.memory)));
CREATE POLICY mention_write ON mention USING (
    tenant = (SELECT tacit_tenant()) AND (SELECT tacit_writes())
    AND ((SELECT tacit_alone()) OR EXISTS (
        SELECT FROM memory AS m WHERE m.tenant = mention.tenant AND m.row = mention.memory)));
ALTER TABLE embedding ENABLE ROW LEVEL SECURITY;
CREATE POLICY embedding_read ON embedding FOR SELECT USING (
    tenant = (SELECT tacit_tenant()) AND ((SELECT tacit_alone()) OR EXISTS (
        SELECT FROM memory AS m WHERE m.tenant = embedding.tenant AND m.row = embedding.memory)));
CREATE POLICY embedding_write ON embedding USING (
    tenant = (SELECT tacit_tenant()) AND (SELECT tacit_writes())
    AND ((SELECT tacit_alone()) OR EXISTS (
        SELECT FROM memory AS m WHERE m.tenant = embedding.tenant AND m.row = embedding.memory)));
ALTER TABLE link ENABLE ROW LEVEL SECURITY;
CREATE POLICY link_read ON link FOR SELECT USING (
    tenant = (SELECT tacit_tenant()) AND ((SELECT tacit_alone()) OR (
        EXISTS (SELECT FROM memory AS m WHERE m.tenant = link.tenant AND m.row = link.src)
        AND EXISTS (SELECT FROM memory AS m WHERE m.tenant = link.tenant AND m.row = link.dst))));
CREATE POLICY link_write ON link USING (
    tenant = (SELECT tacit_tenant()) AND (SELECT tacit_writes()) AND ((SELECT tacit_alone()) OR (
        EXISTS (SELECT FROM memory AS m WHERE m.tenant = link.tenant AND m.row = link.src)
        AND EXISTS (SELECT FROM memory AS m WHERE m.tenant = link.tenant AND m.row = link.dst))));

-- What speaks of a memory by its id may speak of one that is elsewhere, but of no hidden one.
-- It is removed with the memory, by `tacit_erase_traces`.
ALTER TABLE revision ENABLE ROW LEVEL SECURITY;
CREATE POLICY revision_read ON revision FOR SELECT USING (
    tenant = (SELECT tacit_tenant()) AND ((SELECT tacit_alone()) OR NOT tacit_hidden(memory)));
CREATE POLICY revision_add ON revision FOR INSERT WITH CHECK (
    tenant = (SELECT tacit_tenant()) AND (SELECT tacit_writes())
    AND ((SELECT tacit_alone()) OR NOT tacit_hidden(memory)));
ALTER TABLE contradiction ENABLE ROW LEVEL SECURITY;
CREATE POLICY contradiction_read ON contradiction FOR SELECT USING (
    tenant = (SELECT tacit_tenant())
    AND ((SELECT tacit_alone()) OR NOT (tacit_hidden(a) OR tacit_hidden(b))));
CREATE POLICY contradiction_write ON contradiction USING (
    tenant = (SELECT tacit_tenant()) AND (SELECT tacit_writes())
    AND ((SELECT tacit_alone()) OR NOT (tacit_hidden(a) OR tacit_hidden(b))));
-- Who only reads leaves traces too: what was handed out, asked and seen.
ALTER TABLE usage ENABLE ROW LEVEL SECURITY;
CREATE POLICY usage_read ON usage FOR SELECT USING (
    tenant = (SELECT tacit_tenant()) AND ((SELECT tacit_alone()) OR NOT tacit_hidden(memory)));
CREATE POLICY usage_add ON usage FOR INSERT WITH CHECK (
    tenant = (SELECT tacit_tenant()) AND ((SELECT tacit_alone()) OR NOT tacit_hidden(memory)));

ALTER TABLE space ENABLE ROW LEVEL SECURITY;
CREATE POLICY space_read ON space FOR SELECT USING (tenant = (SELECT tacit_tenant()));
CREATE POLICY space_write ON space
USING (tenant = (SELECT tacit_tenant()) AND (SELECT tacit_writes()));
ALTER TABLE judged ENABLE ROW LEVEL SECURITY;
CREATE POLICY judged_read ON judged FOR SELECT USING (tenant = (SELECT tacit_tenant()));
CREATE POLICY judged_write ON judged
USING (tenant = (SELECT tacit_tenant()) AND (SELECT tacit_writes()));

-- What is personal is its member's alone.
ALTER TABLE document ENABLE ROW LEVEL SECURITY;
CREATE POLICY document_read ON document FOR SELECT USING (
    tenant = (SELECT tacit_tenant()) AND member IN ('', (SELECT tacit_member())));
CREATE POLICY document_write ON document USING (
    tenant = (SELECT tacit_tenant()) AND (member = (SELECT tacit_member())
        OR (member = '' AND (SELECT tacit_writes()))));
ALTER TABLE observed ENABLE ROW LEVEL SECURITY;
CREATE POLICY observed_own ON observed
USING (tenant = (SELECT tacit_tenant()) AND member = (SELECT tacit_member()));
ALTER TABLE session ENABLE ROW LEVEL SECURITY;
CREATE POLICY session_own ON session
USING (tenant = (SELECT tacit_tenant()) AND member = (SELECT tacit_member()));
ALTER TABLE query ENABLE ROW LEVEL SECURITY;
CREATE POLICY query_own ON query
USING (tenant = (SELECT tacit_tenant()) AND member = (SELECT tacit_member()));
