"""What becomes of documents: resources in pieces, notes as an agent's word."""

from __future__ import annotations

from datetime import UTC, datetime

from tacit.encode.pages import document_drafts
from tacit.model import Anchor, Relation, Scope
from tacit.observation import Document, Sort

README = "# Shop\n\nSells things.\n\n## Install\n\nRun make.\n"
FOLDER = "/home/jo/.claude/projects/-shop/memory"
NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


def a_document(text: str, path: str = "README.md", sort: Sort = Sort.README, **fields) -> Document:
    title = fields.pop("title", text.split("\n")[0].removeprefix("# "))
    return Document(path=path, text=text, sort=sort, sha="5" * 40, title=title, **fields)


def a_note(name: str, text: str, meta=(), **fields) -> Document:
    return a_document(text, f"{FOLDER}/{name}", Sort.MEMORY, meta=tuple(meta), **fields)


def test_a_page_becomes_resources_by_its_headings():
    intro, install = document_drafts([a_document(README)])

    assert (install.kind, install.origin, install.trust) == ("resource", "import", "repository")
    assert install.evidence
    assert install.text == "Shop › Install\nRun make."
    assert install.title == "Shop › Install"
    assert (install.body.uri, install.body.mime) == ("README.md", "text/markdown")
    assert (install.body.chunk, install.body.of) == (1, 1)
    assert install.source_ref == "file:README.md#install"
    assert install.renews
    assert install.valid_from is None
    assert install.anchors == (Anchor(path="README.md", sha="5" * 40),)
    assert intro.source_ref == "file:README.md#shop"


def test_a_rule_file_is_a_page_and_each_of_its_rules_a_fact():
    rule = a_document(
        "Use tabs.", ".cursor/rules/a.mdc", Sort.RULE, title="a", meta=(("globs", "src/**"),)
    )

    fact, page = document_drafts([rule])

    assert (fact.kind, fact.subtype, fact.trust) == ("fact", "rule", "repository")
    assert fact.text == "For src/**: Use tabs. (.cursor/rules/a.mdc:1)"
    assert (page.kind, page.tags, page.evidence) == ("resource", ("rule",), True)
    assert page.text == "a\nUse tabs.\n\nApplies to: src/**"


def test_badges_contents_and_licences_are_no_page():
    text = (
        "# Shop\n\n[![ci](https://x.io/b.svg)](https://x.io)\n\nSells things.\n\n"
        "- [Install](#install)\n\n## License\n\nMIT, see LICENSE.\n\n## Install\n\nRun make.\n"
    )

    pages = [draft.text for draft in document_drafts([a_document(text)])]

    assert pages == ["Shop\nSells things.", "Shop › Install\nRun make."]


def test_a_document_that_cannot_be_found_again_has_no_anchor():
    (draft,) = document_drafts([a_document("Words.", "docs/[REDACTED:x].md").replace(sha="")])

    assert draft.anchors == ()


def test_a_changed_section_changes_the_drafts_of_that_section_alone():
    before = {draft.source_ref: draft for draft in document_drafts([a_document(README)])}
    longer = a_document(README + "\n## Use\n\nGo.\n")
    after = {draft.source_ref: draft for draft in document_drafts([longer])}

    assert set(after) - set(before) == {"file:README.md#use"}
    assert {ref: after[ref] for ref in before} == before


def test_a_note_becomes_what_its_type_says():
    notes = [
        a_note("a.md", "Writes Go.", [("type", "user")]),
        a_note("b.md", "No mocks.\n\n**Why:** One hid a bug.\n", [("metadata.type", "feedback")]),
        a_note("c.md", "Freeze on Thursday.", [("type", "project"), ("description", "Freeze")]),
        a_note("d.md", "Bugs are in the tracker.", [("type", "reference")]),
        a_note("e.md", "Some words.", at=NOON),
    ]

    drafts = list(document_drafts(notes))

    assert [(draft.kind, draft.subtype) for draft in drafts] == [
        ("fact", "preference"),
        ("fact", "preference"),
        ("fact", ""),
        ("resource", ""),
        ("fact", ""),
    ]
    assert {draft.trust for draft in drafts} == {"agent"}
    assert {draft.tier for draft in drafts} == {"reference"}
    assert drafts[1].body.why == "One hid a bug."
    assert drafts[2].hint == "Freeze"
    assert drafts[4].valid_from == NOON
    assert drafts[0].source_ref == f"file:{FOLDER}/a.md#note"


def test_lines_of_the_index_are_kept_where_no_note_says_the_same():
    index = "# Memory\n\n## Tests\n- [No mocks](b.md) — real database\n- [Gone](gone.md) — fast\n- Use pytest\n"
    notes = [a_note("MEMORY.md", index), a_note("b.md", "No mocks.")]

    drafts = list(document_drafts(notes))

    assert [draft.text for draft in drafts] == [
        "Tests: [Gone](gone.md) — fast",
        "Tests: Use pytest",
        "No mocks.",
    ]
    assert len({draft.source_ref for draft in drafts}) == 3


def test_a_line_of_the_index_keeps_its_name_when_others_change():
    def refs(index: str) -> dict[str, str]:
        return {d.text: d.source_ref for d in document_drafts([a_note("MEMORY.md", index)])}

    assert refs("- Use pytest\n")["Use pytest"] == refs("- New\n- Use pytest\n")["Use pytest"]


def test_notes_that_name_each_other_are_linked():
    notes = [
        a_note("a.md", "See [[the-db]] and [[nothing]].", [("name", "tests")]),
        a_note("b.md", "Real database.", [("name", "the-db")]),
    ]

    first, second = document_drafts(notes)

    assert [(link.relation, link.source_ref) for link in first.links] == [
        (Relation.RELATED_TO, second.source_ref)
    ]


def test_notes_shared_among_projects_are_the_users_or_left_out():
    note = a_note("MEMORY.md", "Likes tabs.", [("shared", "user"), ("agent", "writer")])
    user = Scope(path="user:jo")

    assert list(document_drafts([note])) == []
    (draft,) = document_drafts([note], user=user)
    assert (draft.scope, draft.author) == (user, "writer")
