"""The knowledge graph of the MCP reference server in and out, line by line."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from hypothesis import given, settings
from hypothesis import strategies as st

from secret_samples import SAMPLES
from tacit.exchange import server_memory
from tacit.model import FacetType
from unit.exchange.opened import all_of, opened, same_twice

if TYPE_CHECKING:
    from pathlib import Path

ROWS = [
    {"type": "entity", "name": "Ana_Diaz", "entityType": "person", "observations": ["likes tea", "leads the shop"]},
    {"type": "entity", "name": "Shop / EU#1", "entityType": "project", "observations": ["runs on Postgres 16"]},
    {"type": "entity", "name": "Berlin", "entityType": "", "observations": []},
    {"type": "relation", "from": "Ana_Diaz", "to": "Shop / EU#1", "relationType": "works_on"},
    {"type": "relation", "from": "Ana_Diaz", "to": "Berlin", "relationType": "lives in"},
    {"type": "relation", "from": "Ana_Diaz", "to": "Shop / EU#1", "relationType": "founded"},
]  # fmt: skip


def lines_of(rows: list[dict[str, object]]) -> str:
    return "".join(
        json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n" for row in rows
    )


def graph(folder: Path, rows: list[dict[str, object]] = ROWS) -> Path:
    path = folder / "memory.jsonl"
    path.write_text(lines_of(rows))
    return path


def test_each_observation_is_a_fact_about_its_entity(tmp_path):
    found = server_memory.read(str(graph(tmp_path)), str)

    tea = next(draft for draft in found.drafts if draft.text == "Ana_Diaz: likes tea")
    assert [(m.facet.type, m.facet.name) for m in tea.mentions] == [(FacetType.ENTITY, "Ana_Diaz")]
    assert dict(found.counts) == {"entities": 3, "observations": 3, "relations": 3}


def test_a_relation_is_a_link_and_keeps_its_word(tmp_path):
    with opened(tmp_path) as tacit:
        tacit.import_from(str(graph(tmp_path)))
        ana = next(m for m in tacit.list() if m.text == "Ana_Diaz is of type person.")
        links = {(relation, other.levels.title) for relation, other in tacit.why(ana.id).links}
        texts = {m.text for m in tacit.list()}

    assert {("related_to", "Shop / EU#1"), ("related_to", "Berlin")} <= links
    assert {"Ana_Diaz works on Shop / EU#1", "Ana_Diaz lives in Berlin"} <= texts


def test_the_way_back_writes_the_same_lines(tmp_path):
    path = graph(tmp_path)
    with opened(tmp_path) as tacit:
        tacit.import_from(str(path))
        tacit.export_to("server-memory", str(tmp_path / "out.jsonl"))

    assert (tmp_path / "out.jsonl").read_text() == path.read_text()


def test_importing_twice_changes_nothing(tmp_path):
    same_twice(graph(tmp_path), tmp_path)


def test_a_graph_that_has_grown_adds_what_is_new(tmp_path):
    path = graph(tmp_path)
    with opened(tmp_path) as tacit:
        tacit.import_from(str(path))
        more = [
            dict(ROWS[0], observations=["likes tea", "leads the shop", "rides a bike"]),
            *ROWS[1:],
        ]
        graph(tmp_path, more)
        assert tacit.import_from(str(path)).new == 1
        tacit.export_to("server-memory", str(tmp_path / "out.jsonl"))

    assert (tmp_path / "out.jsonl").read_text() == lines_of(more)


def test_what_was_forgotten_is_not_written_back(tmp_path):
    with opened(tmp_path) as tacit:
        tacit.import_from(str(graph(tmp_path)))
        for gone in ("Ana_Diaz: likes tea", "Ana_Diaz lives in Berlin"):
            tacit.forget(next(m for m in tacit.list() if m.text == gone).id)
        tacit.export_to("server-memory", str(tmp_path / "out.jsonl"))

    text = (tmp_path / "out.jsonl").read_text()
    assert "tea" not in text
    assert "lives in" not in text
    assert "related_to" not in text


def test_memories_from_elsewhere_become_entities_and_relations(tmp_path):
    with opened(tmp_path) as tacit:
        one = tacit.remember("Tokens are signed with RS256", tags=["auth"])
        other = tacit.remember("Invoices are numbered per country", tags=["billing"])
        tacit.link(one.id, "supports", other.id)
        tacit.export_to("server-memory", str(tmp_path / "out.jsonl"))

    rows = [json.loads(row) for row in (tmp_path / "out.jsonl").read_text().splitlines()]
    assert rows == [
        {"type": "entity", "name": "auth", "entityType": "fact", "observations": [one.text]},
        {"type": "entity", "name": "billing", "entityType": "fact", "observations": [other.text]},
        {"type": "relation", "from": "auth", "to": "billing", "relationType": "supports"},
    ]


def test_broken_lines_are_counted_and_a_secret_is_taken_out(tmp_path):
    sample = next(iter(SAMPLES.values()))
    secret = dict(ROWS[0], observations=[sample.text])
    path = tmp_path / "memory.jsonl"
    path.write_text(lines_of([secret]) + '{"type":"entity"\n[1]\n{"type":"relation","from":"a"}\n')

    with opened(tmp_path) as tacit:
        found = tacit.import_from(str(path))
        assert sample.secret not in all_of(tacit)

    assert found.read["left out: broken line"] == 2
    assert found.read["left out: broken relation"] == 1
    assert sum(found.redacted.values()) >= 1


_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=5,
)
_rows = st.fixed_dictionaries(
    {"type": st.sampled_from(["entity", "relation"]) | _values},
    optional={
        name: st.text(max_size=8) | _values
        for name in ("name", "entityType", "observations", "from", "to", "relationType")
    },
)


@given(st.lists(_rows, max_size=6), st.binary(max_size=60))
@settings(max_examples=60)
def test_any_lines_are_read_without_an_error(tmp_path_factory, rows, data):
    folder = tmp_path_factory.mktemp("any")
    path = folder / "memory.jsonl"
    path.write_bytes(lines_of(rows).encode(errors="replace") + data)

    with opened(folder) as tacit:
        assert tacit.import_from(str(path), "server-memory").refused == 0
        once = all_of(tacit)
        tacit.import_from(str(path), "server-memory")
        assert all_of(tacit) == once


@given(st.lists(st.sampled_from("tea bike 7 RS256 café 会话 Ana's".split()), max_size=4), st.data())
@settings(max_examples=40)
def test_what_goes_in_comes_out(tmp_path_factory, said, data):
    folder = tmp_path_factory.mktemp("graph")
    names = data.draw(
        st.lists(st.sampled_from(["Ana", "a/b#c", "x%20", "日本"]), unique=True, min_size=1)
    )
    rows = [
        {"type": "entity", "name": n, "entityType": "kind", "observations": sorted({f"{w} of {n}" for w in said})}
        for n in names
    ]  # fmt: skip
    path = graph(folder, rows)

    with opened(folder) as tacit:
        tacit.import_from(str(path), "server-memory")
        tacit.export_to("server-memory", str(folder / "out.jsonl"))

    assert (folder / "out.jsonl").read_text() == path.read_text()
