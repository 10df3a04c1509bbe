"""claude-mem's database: read only, one project, whatever its version."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

import apsw
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from secret_samples import SAMPLES
from tacit.errors import Invalid
from tacit.exchange import claude_mem
from tacit.model import Kind, Role
from unit.exchange.opened import all_of, opened, same_twice

if TYPE_CHECKING:
    from pathlib import Path

SCHEMA = """
create table sdk_sessions (id integer primary key, content_session_id text, memory_session_id text,
  project text, platform_source text, started_at text, started_at_epoch integer, custom_title text);
create table observations (id integer primary key, memory_session_id text, project text, text text,
  type text, title text, subtitle text, facts text, narrative text, concepts text, files_read text,
  files_modified text, prompt_number integer, discovery_tokens integer, merged_into_project text,
  created_at text, created_at_epoch integer);
create table session_summaries (id integer primary key, memory_session_id text, project text,
  request text, investigated text, learned text, completed text, next_steps text, files_read text,
  files_edited text, notes text, created_at text, created_at_epoch integer);
create table user_prompts (id integer primary key, content_session_id text, prompt_number integer,
  prompt_text text, created_at text, created_at_epoch integer);
insert into sdk_sessions values (1, 'host-1', 'mem-1', 'shop', 'claude', '', 0, null),
  (2, 'host-2', 'mem-2', 'other', 'claude', '', 0, null);
insert into observations values
  (1, 'mem-1', 'shop', null, 'bugfix', 'Dates shifted by a day', 'Zones', '["UTC is stored","Zones are shown"]',
   'The driver took dates as local.', '["time","gotcha"]', '["src/app.py"]', '["src/dates.py"]', 1, 4200, null,
   '2026-01-02T03:04:05Z', 1767323045000),
  (2, 'mem-2', 'other', null, 'feature', 'A secret of another project', null, null, 'No.', null, null, null, 1, 9,
   null, '2026-01-02T03:04:05Z', 1767323045000),
  (3, 'mem-1', 'shop/worktree-a', null, 'feature', 'Made in a worktree', null, '[]', 'Yes.', null, null, null, 1, 9,
   null, '2026-01-02T03:05:05Z', 1767323105000);
insert into session_summaries values
  (1, 'mem-1', 'shop', 'Fix the dates', 'The driver', 'It has a switch', 'Dates are right', 'Tell Ana', '[]',
   '["src/dates.py"]', '', '2026-01-02T04:00:00Z', 1767326400000);
insert into user_prompts values (1, 'host-1', 1, 'Why are the dates off?', '2026-01-02T03:00:00Z', 1767322800000),
  (2, 'host-2', 1, 'A prompt of another project', '2026-01-02T03:00:00Z', 1767322800000);
"""
OLD = """
create table sdk_sessions (id integer primary key, claude_session_id text, sdk_session_id text, project text);
create table observations (id integer primary key, sdk_session_id text, project text, text text, type text,
  title text, created_at text, created_at_epoch integer);
insert into sdk_sessions values (1, 'host-1', 'mem-1', 'shop');
insert into observations values (1, 'mem-1', 'shop', 'The old form', 'discovery', 'Old', '2025-10-01', 1759276800);
"""


def database(folder: Path, script: str = SCHEMA) -> Path:
    path = folder / "claude-mem.db"
    with apsw.Connection(str(path)) as connection:
        connection.execute(script)
    connection.close()
    return path


def test_only_the_rows_of_the_project_are_taken(tmp_path):
    found = claude_mem.read(str(database(tmp_path)), str, project="Shop")

    assert "another project" not in " ".join(draft.text for draft in found.drafts)
    counts = dict(found.counts)
    assert counts["observations"] == 2
    assert (counts["session summaries"], counts["user prompts"]) == (1, 1)
    assert counts["left out: of another project"] == 2


def test_an_observation_keeps_its_facts_files_time_and_cost(tmp_path):
    found = claude_mem.read(str(database(tmp_path)), str, project="shop")
    bug = next(draft for draft in found.drafts if draft.subtype == "bugfix")

    assert bug.kind is Kind.EPISODE
    assert bug.title == "Dates shifted by a day"
    assert "- UTC is stored" in bug.text
    assert "The driver took dates as local." in bug.text
    assert bug.learn_tokens == 4200
    assert bug.valid_from.isoformat() == "2026-01-02T03:04:05+00:00"
    files = {(m.role, m.facet.name) for m in bug.mentions if m.facet.type == "file"}
    assert files == {(Role.READS, "src/app.py"), (Role.WRITES, "src/dates.py")}


def test_prompts_observations_and_summary_of_a_session_follow_one_another(tmp_path):
    with opened(tmp_path) as tacit:
        tacit.import_from(str(database(tmp_path)), project="shop")
        told = tacit.list(order="id")
        links = {(relation, other.subtype) for relation, other in tacit.why(told[1].id).links}

    assert {memory.session for memory in told} == {"host-1"}
    assert [memory.subtype for memory in told] == ["prompt", "bugfix", "feature", "summary"]
    assert {("follows", "prompt"), ("followed_by", "feature")} <= links


def test_importing_twice_changes_nothing(tmp_path):
    same_twice(database(tmp_path), tmp_path, project="shop")


def test_an_old_version_without_many_columns_is_read(tmp_path):
    found = claude_mem.read(str(database(tmp_path, OLD)), str, project="shop")

    (old,) = found.drafts
    assert old.text == "Old\nThe old form"
    assert (old.session, old.valid_from.year) == ("host-1", 2025)
    assert dict(found.counts)["left out: no table user_prompts"] == 1


def test_the_file_stays_as_it_is(tmp_path):
    path = database(tmp_path)
    before = hashlib.sha256(path.read_bytes()).hexdigest()

    claude_mem.read(str(path), str, project="shop")

    assert hashlib.sha256(path.read_bytes()).hexdigest() == before
    assert [file.name for file in tmp_path.iterdir()] == ["claude-mem.db"]


def test_a_view_that_poses_as_a_table_is_not_run(tmp_path):
    path = database(
        tmp_path,
        "create table sdk_sessions (id integer, project text);"
        "create view observations as with recursive t(n) as (select 1 union all select n + 1 from t)"
        " select n as id, 'shop' as project, 'x' as text from t;",
    )

    assert not claude_mem.sniff(str(path))
    assert claude_mem.read(str(path), str, project="shop").drafts == ()


def test_without_a_project_nothing_is_taken_and_it_is_said_why(tmp_path):
    with opened(tmp_path) as tacit, pytest.raises(Invalid, match="from-project"):
        tacit.import_from(str(database(tmp_path)))


def test_no_secret_is_kept(tmp_path):
    sample = next(iter(SAMPLES.values()))
    path = database(tmp_path)
    with apsw.Connection(str(path)) as connection:
        connection.execute("update observations set narrative = ?", (sample.text,))
    connection.close()

    with opened(tmp_path) as tacit:
        found = tacit.import_from(str(path), project="shop")
        assert sample.secret not in all_of(tacit)
    assert sum(found.redacted.values()) >= 1


@given(st.binary(max_size=400), st.integers(0, 20_000))
@settings(max_examples=50)
def test_a_damaged_file_is_told_or_read_in_part_and_never_crashes(tmp_path_factory, data, place):
    folder = tmp_path_factory.mktemp("any")
    path = database(folder)
    whole = bytearray(path.read_bytes())
    place = min(place, len(whole))
    whole[place : place + len(data)] = data
    path.write_bytes(bytes(whole))

    claude_mem.sniff(str(path))
    try:
        found = claude_mem.read(str(path), str, project="shop")
    except Invalid:
        return
    assert len(found.drafts) <= 10


_cells = (
    st.none()
    | st.integers(-(2**63), 2**63 - 1)
    | st.floats()
    | st.text(max_size=20)
    | st.binary(max_size=9)
)


@given(st.lists(_cells, min_size=11, max_size=11))
@settings(max_examples=60)
def test_any_cells_are_read_without_an_error(tmp_path_factory, cells):
    folder = tmp_path_factory.mktemp("any")
    path = database(folder)
    with apsw.Connection(str(path)) as connection:
        row = "update observations set memory_session_id=?, text=?, type=?, title=?, facts=?, narrative=?, concepts=?, files_read=?, files_modified=?, discovery_tokens=?, created_at_epoch=?"
        connection.execute(
            row, tuple(cell.replace("\0", "") if isinstance(cell, str) else cell for cell in cells)
        )
    connection.close()

    with opened(folder) as tacit:
        assert tacit.import_from(str(path), "claude-mem", project="shop").refused == 0
        once = all_of(tacit)
        tacit.import_from(str(path), "claude-mem", project="shop")
        assert all_of(tacit) == once
