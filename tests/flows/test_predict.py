"""Looking ahead: each signal calls up what it should, as sure as it was seen to come true."""

from __future__ import annotations

from datetime import timedelta

import pytest

from fakes import NOON, WordCounter
from processes import ended, python
from tacit.body import Pattern
from tacit.draft import Draft, LinkTo
from tacit.encode.cochange import CHANGES, count_sets, sets_from_json
from tacit.errors import Invalid
from tacit.model import Facet, FacetType, Kind, Mention, Relation, Role, UsageEvent, Visibility
from tacit.observation import Change, Commit
from tacit.system import Tacit
from watched import Repo

FILE, ERROR = FacetType.FILE, FacetType.ERROR


@pytest.fixture
def tacit(open_tacit):
    return open_tacit()


def a_mention(type_: FacetType, name: str, role: Role = Role.ABOUT) -> Mention:
    return Mention(facet=Facet(type=type_, name=name), role=role)


def a_history(tacit, *sets: tuple[str, ...]) -> None:
    """Leave what an observation of these commits leaves."""
    commits = [
        Commit(
            sha=f"{number:040x}",
            at=NOON - timedelta(days=20) + timedelta(hours=number),
            author="Mia",
            subject="work",
            changes=tuple(Change(path=path) for path in paths),
        )
        for number, paths in enumerate(sets)
    ]
    tacit.store.save(f"{CHANGES}:{tacit.scope.path}", count_sets(commits).to_json()[0])


def texts(found) -> list[str]:
    return [one.memory.text for one in found.memories]


def test_an_open_file_calls_up_what_is_about_it_and_about_what_follows(tacit):
    a_history(tacit, *[("cart.py", "price.py")] * 4, ("readme.md",), ("logo.svg",))
    tacit.remember("The cart is emptied at midnight.", files=["cart.py"])
    tacit.remember("Prices are whole cents.", files=["price.py"])
    tacit.remember("The logo is blue.", files=["logo.svg"])

    found = tacit.predict(file="cart.py")

    assert texts(found)[:2] == ["The cart is emptied at midnight.", "Prices are whole cents."]
    assert found.files[0].path == "price.py"
    assert found.files[0].why == "changed together in 4 commits"
    assert "cart.py" not in [likely.path for likely in found.files]
    assert found.confidence == max(one.confidence for one in found.memories)
    assert found.memories[0].why == "about cart.py"


def test_files_that_sessions_touched_together_are_near_without_any_history(tacit):
    for number in range(3):
        tacit.write(
            [
                Draft(
                    text=f"Worked on the cart, part {number}",
                    kind=Kind.EPISODE,
                    session=f"s{number}",
                    source_ref=f"claude:s{number}#1",
                    valid_from=NOON - timedelta(days=number + 1),
                    mentions=(
                        a_mention(FILE, "cart.py", Role.READS),
                        a_mention(FILE, "price.py", Role.WRITES),
                    ),
                )
            ]
        )

    found = tacit.predict({"file": "cart.py"})

    assert [(one.path, one.why) for one in found.files][:1] == [
        ("price.py", "changed together in 3 sessions")
    ]


def test_a_branch_calls_up_the_decisions_of_its_feature(tacit):
    tacit.remember("We decided that refund tokens live one hour.", subtype="decision")
    tacit.remember("The logo is blue.")

    found = tacit.predict(branch="feature/refund-tokens")

    assert texts(found)[0] == "We decided that refund tokens live one hour."
    assert found.memories[0].why == "of branch feature/refund-tokens"
    assert tacit.predict(branch="feature/1234").memories == ()


def test_an_error_calls_up_what_resolved_it(tacit):
    tacit.write(
        [
            Draft(
                text="Start the database before the tests: `make up`",
                body=Pattern(trigger="ConnectionRefusedError", do="make up"),
                subtype="error-fix",
                mentions=(a_mention(ERROR, "ConnectionRefusedError", Role.FIXES),),
            ),
            Draft(text="The logo is blue."),
        ]
    )
    output = "Traceback (most recent call last):\nConnectionRefusedError: [Errno 111] refused"

    found = tacit.predict(error=output)

    assert texts(found) == ["Start the database before the tests: `make up`"]
    assert found.memories[0].why == "resolved the same error"
    assert found.memories[0].signal == "error"
    assert tacit.predict(error="all is well").memories == ()


def test_a_time_of_day_calls_up_the_routine_that_is_run_then(tacit):
    mornings = [
        Draft(
            text=f"Released version {day}",
            kind=Kind.EPISODE,
            source_ref=f"claude:s{day}#1",
            valid_from=NOON - timedelta(days=day, hours=3),
        )
        for day in range(1, 5)
    ]
    routine = Draft(
        text="release: `make check` → `make dist`",
        kind=Kind.SKILL,
        source_ref="routine:release",
        links=tuple(
            LinkTo(relation=Relation.DERIVED_FROM, source_ref=f"claude:s{day}#1")
            for day in range(1, 4)
        ),
    )
    tacit.write([*mornings, routine])

    found = tacit.predict(time="09:20")

    assert texts(found) == ["release: `make check` → `make dist`"]
    assert found.memories[0].why == "run around this time on 3 of 4 days"
    assert found.memories[0].confidence == pytest.approx(3 / 5)
    assert tacit.predict(time="21:00").memories == ()
    assert tacit.predict(time=NOON - timedelta(hours=3)).memories == found.memories


def test_somebody_who_joins_brings_what_they_share_and_nothing_private(tacit):
    tacit.remember("Prefers small commits.", author="Ana", subtype="preference")
    tacit.remember("Ana is looking for another job.", author="Ana", visibility="private")
    tacit.remember("Prefers tabs.", author="Ben", subtype="preference")

    found = tacit.predict(collaborator="Ana", task="another job commits")

    assert texts(found) == ["Prefers small commits."]
    assert found.memories[0].why == "said by Ana"


def test_what_a_file_imports_calls_up_what_is_known_of_it(tacit):
    tacit.write(
        [
            Draft(
                text="Stripe retries webhooks for three days.",
                mentions=(a_mention(FacetType.ENTITY, "stripe"),),
            ),
            Draft(text="The logo is blue."),
        ]
    )
    document = '{"pay.py":[["money.py"],["stripe","os"]]}'
    tacit.store.save(f"imports:{tacit.scope.path}", document)

    found = tacit.predict(file="pay.py")

    assert texts(found) == ["Stripe retries webhooks for three days."]
    assert found.memories[0].why == "about stripe, which is imported"
    assert [(one.path, one.why) for one in found.files] == [("money.py", "imported")]


def test_what_comes_true_here_moves_the_confidence(tacit):
    tacit.remember("The cart is emptied at midnight.", files=["cart.py"])
    before = tacit.predict(file="cart.py", record=True)
    (memory,) = before.memories

    assert before.query_id
    (query,) = tacit.store.queries()
    assert (query.kind, query.selected[0].memory) == ("predict", memory.memory.id)
    (event,) = tacit.store.usage()
    assert (event.event, event.query_id) == (UsageEvent.PREFETCHED, before.query_id)

    for _ in range(19):
        tacit.predict(file="cart.py", record=True)
    tacit.score_predictions()
    never = tacit.predict(file="cart.py").memories[0]
    for query in tacit.store.queries():
        tacit.cite([memory.memory.id], event="needed", query_id=query.id)
    tacit.score_predictions()
    always = tacit.predict(file="cart.py").memories[0]

    assert never.confidence < memory.confidence < always.confidence
    assert never.expected == memory.expected == always.expected


def test_nothing_is_recorded_unless_asked_and_without_signals_nothing_is_told(tacit):
    tacit.remember("The cart is emptied at midnight.", files=["cart.py"])

    tacit.predict(file="cart.py")
    nothing = tacit.predict({}, record=True)

    assert (nothing.memories, nothing.files, nothing.confidence) == ((), (), 0.0)
    assert tacit.store.queries() == []


def test_wrong_signals_are_refused(tacit):
    with pytest.raises(Invalid, match="no signal 'colour'"):
        tacit.predict({"colour": "blue"})
    with pytest.raises(Invalid, match="is no time of day"):
        tacit.predict(time="25:00")
    with pytest.raises(Invalid, match="limit 0"):
        tacit.predict(limit=0, file="a.py")
    with pytest.raises(Invalid, match="'file' is a text"):
        tacit.predict({"file": 3})


def test_private_memories_are_predicted_for_their_owner(tacit):
    tacit.remember("My own note on the cart.", files=["cart.py"], visibility=Visibility.PRIVATE)

    assert texts(tacit.predict(file="cart.py")) == ["My own note on the cart."]
    assert texts(tacit.predict(file="cart.py", collaborator="Ana")) == []


HEAVY = (
    "numpy",
    "typing",
    "dataclasses",
    "inspect",
    "argparse",
    "subprocess",
    "asyncio",
    "logging",
)


def test_a_prediction_loads_nothing_heavy(tmp_path):
    code = (
        "import sys\n"
        "from tacit.model import Scope\n"
        "from tacit.store.connect import connect\n"
        "from tacit.system import Tacit\n"
        f"with Tacit(connect({str(tmp_path / 's.db')!r}), scope=Scope(path='project:x')) as tacit:\n"
        "    tacit.predict(file='a.py', branch='b', error='ValueError: x', time='09:00', task='t')\n"
        f"print([name for name in {HEAVY!r} if name in sys.modules])"
    )

    assert ended(python("-c", code, watched=False)).strip() == "[]"


@pytest.fixture
def shop(tmp_path, monkeypatch):
    """Give a repository in a home of its own."""
    for name in ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "GEMINI_CLI_HOME", "XDG_DATA_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "ana"))
    monkeypatch.setenv("TACIT_HOME", str(tmp_path / "tacit"))
    monkeypatch.setenv("TACIT_EMBEDDER", "off")
    monkeypatch.setattr("tacit.encode.tokens.open_counter", WordCounter)
    return Repo(tmp_path / "shop")


def changed(repo: Repo, message: str, *paths: str, text: str) -> None:
    """Commit some files with one text."""
    for path in paths:
        repo.write(path, text)
    repo.commit(message)


def test_an_observation_leaves_what_predictions_need_and_adds_to_it(shop):
    for number in range(3):
        text = f"from shop import price\nimport stripe\nn = {number}\n"
        changed(
            shop, f"work {number}", "shop/cart.py", "shop/price.py", "shop/__init__.py", text=text
        )
    with Tacit.open(project=str(shop.path)) as tacit:
        tacit.observe()
        first = tacit.predict(file=str(shop.path / "shop/cart.py"))

        changed(shop, "later", "shop/cart.py", "shop/new.py", text="n = 9\n")
        tacit.observe()
        tacit.observe()  # nothing new: nothing is counted twice
        later = tacit.predict(file="shop/cart.py", task="work")
        kept = sets_from_json(tacit.store.load(f"{CHANGES}:{tacit.scope.path}"))
        uses = tacit.store.load(f"imports:{tacit.scope.path}")

    assert {likely.path for likely in first.files[:2]} == {"shop/price.py", "shop/__init__.py"}
    assert "shop/new.py" in {likely.path for likely in later.files}
    assert len(kept.sets) == 4
    assert uses is not None
    assert "shop/cart.py" in uses


def test_a_file_that_was_never_observed_is_looked_at_for_its_imports(shop):
    changed(shop, "begin", "README.md", text="# Shop\n")
    with Tacit.open(project=str(shop.path)) as tacit:
        tacit.write(
            [
                Draft(
                    text="Stripe retries webhooks for three days.",
                    mentions=(a_mention(FacetType.ENTITY, "stripe"),),
                )
            ]
        )
        (shop.path / "pay.py").write_text("import stripe\n", encoding="utf-8")

        assert texts(tacit.predict(file="pay.py")) == ["Stripe retries webhooks for three days."]
        assert tacit.predict(file="../pay.py").memories == ()
