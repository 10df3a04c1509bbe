from datetime import UTC, datetime

from tacit.encode.project_card import card_draft, card_lines, command_drafts
from tacit.model import Kind, Trust
from tacit.observation import Change, Commit, ProjectCommand, ProjectFact, Purpose, Topic

NOON = datetime(2026, 5, 4, 12, tzinfo=UTC)
FACTS = [
    ProjectFact(
        topic=Topic.WHAT, text="w", value="kiln: bakes", source="p.toml:2", key="project.what"
    ),
    ProjectFact(
        topic=Topic.RELEASE,
        text="r",
        value="2.1.0",
        source="tag v2.1.0",
        key="project.release",
        at=NOON,
    ),
    ProjectFact(
        topic=Topic.RUNTIME,
        text="s",
        value="Python 3.11 and newer",
        source="p.toml:9",
        key="python.requires",
    ),
    ProjectFact(
        topic=Topic.RULE,
        text="Warnings fail the tests: one is an error",
        source="p.toml:30",
        key="pytest.filterwarnings",
    ),
]


def _command(purpose: Purpose, line: str, **more: object) -> ProjectCommand:
    values = {"source": "ci.yml:7", "trust": 4, **more}
    return ProjectCommand(purpose=purpose, line=line, **values)  # type: ignore[arg-type]


def _commit(subject: str, path: str = "src/kiln.py") -> Commit:
    return Commit(sha="a" * 40, at=NOON, author="x", subject=subject, changes=(Change(path=path),))


def test_a_card_says_what_it_is_and_each_command_with_its_source():
    commands = [
        _command(Purpose.TEST, "nox -s tests", note="pytest"),
        _command(Purpose.TEST_ONE, "pytest tests/test_oven.py -k NAME"),
        _command(Purpose.LINT, "nox -s check"),
        _command(Purpose.TYPES, "nox -s check"),
    ]

    draft = card_draft(card_lines(FACTS, commands))

    assert draft is not None
    assert draft.text.splitlines() == [
        "kiln: bakes · newest release 2.1.0 (2026-05-04) · Python >=3.11 (p.toml:2)",
        "Test: nox -s tests (pytest) as CI does; one: pytest tests/test_oven.py -k NAME (ci.yml:7)",
        "Types, lint: nox -s check (ci.yml:7)",
        "Binds: warnings fail the tests (p.toml)",
    ]
    assert draft.body.sources[0] == "p.toml:2, tag v2.1.0, p.toml:9"  # type: ignore[union-attr]
    assert len(draft.body.sources) == 4  # type: ignore[union-attr]
    assert (draft.kind, draft.trust, draft.renews) == (Kind.BLOCK, Trust.REPOSITORY, True)


def test_nothing_known_makes_no_card():
    assert card_draft(card_lines([], [])) is None


def test_what_was_lately_worked_on_leaves_chores_and_documents_out():
    commits = [
        _commit("Bump the oven from 1.0 to 1.1"),
        _commit("Explain how bread is baked", "docs/bread.md"),
        _commit("fix: Keep the door shut while hot (#12)"),
    ]

    (line,) = card_lines([], [], commits=commits)

    assert line.text == "Now: lately (May 2026): Keep the door shut while hot"
    assert line.sources == (f"commit {'a' * 12}",)


def test_a_command_is_a_keyed_fact_that_names_what_other_sources_say():
    one = _command(Purpose.TEST, "make test", others=("pytest (README.md:4)",))

    (draft,) = command_drafts([one], {"ci.yml": "b" * 40})

    assert draft.text == (
        "Run all tests: `make test`, as CI does (ci.yml:7). Elsewhere: pytest (README.md:4)"
    )
    assert (draft.key, draft.value, draft.subtype) == ("command test", "make test", "command")
    assert draft.anchors[0].path == "ci.yml"
