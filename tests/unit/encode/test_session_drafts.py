"""What a session is worth: episodes, fixes, statements, commands; and the laws all of it keeps."""

from __future__ import annotations

from datetime import UTC, datetime

from hypothesis import given, settings
from hypothesis import strategies as st

from sessions import a_commit, a_prompt, a_reply, a_session, committed, edited, ran
from strategies import PHRASES, times
from tacit.encode.episodes import session_drafts
from tacit.encode.tasks import Credit
from tacit.model import Kind, Polarity, Relation, Role, Tier, Trust
from tacit.observation import Event, Tool, What

FIXED = (
    ran("make test", "KeyError: 'cart'", failed=True),
    edited("src/cart.py", "c['cart']", "c.get('cart')"),
    ran("make test"),
)


def drafts_of(*events, kind=None, subtype=None, **fields):
    """Give the drafts of a session, of one kind and subtype where asked."""
    drafts = session_drafts(a_session(*events, **fields))
    return [
        draft
        for draft in drafts
        if (kind is None or draft.kind is kind) and (subtype is None or draft.subtype == subtype)
    ]


def test_each_task_gives_an_episode_in_order():
    drafts = drafts_of(
        a_prompt("Give the shop a cart"), committed("Add a cart"), a_prompt("Add taxes to totals"),
        a_reply(), kind=Kind.EPISODE,
    )  # fmt: skip

    assert [draft.source_ref for draft in drafts] == ["claude:s1#1", "claude:s1#2"]
    assert [draft.title for draft in drafts] == ["Add a cart", "Add taxes to totals"]


def test_an_error_and_its_fix_become_a_pattern_that_comes_from_the_episode():
    [draft] = drafts_of(a_prompt("Fix the cart total"), *FIXED, kind=Kind.PATTERN)

    assert draft.subtype == "error-fix"
    assert draft.polarity is Polarity.AVOID
    assert draft.text == (
        "`make test` failed: KeyError: 'cart'\n"
        "Fix: changed in src/cart.py: `c['cart']` → `c.get('cart')`"
    )
    assert draft.body.trigger == "keyerror: …"
    assert draft.body.avoid == "KeyError: 'cart'"
    assert draft.body.why == "KeyError"
    assert (draft.trust, draft.tier) == (Trust.AGENT, Tier.REFERENCE)
    assert {(m.facet.name, m.role) for m in draft.mentions} == {
        ("src/cart.py", Role.FIXES),
        ("KeyError", Role.FIXES),
    }
    [link] = draft.links
    assert (link.relation, link.source_ref) == (Relation.DERIVED_FROM, "claude:s1#1")
    assert "c.get('cart')" in draft.basis


def test_slips_and_fixes_that_tell_nothing_stay_in_the_episode():
    slip = ran("make build", "cart.go:3:1: undefined: total", failed=True)
    vague = ran("make lint", "error: bad cart", failed=True)

    drafts = drafts_of(
        a_prompt("Fix the cart total"), slip, edited("cart.go", "a", "b"), ran("make build"),
        vague, edited("cart.go"), ran("make lint"),
    )  # fmt: skip

    assert [draft for draft in drafts if draft.kind is Kind.PATTERN] == []
    [episode] = [draft for draft in drafts if draft.kind is Kind.EPISODE]
    assert len(episode.body.errors) == 2


def test_a_persons_word_is_a_humans_and_an_agents_is_not():
    human, agent = drafts_of(
        a_prompt("Never deploy on Fridays in this project."),
        a_reply("I went with a queue rather than a thread because jobs survive a crash."),
        kind=Kind.FACT,
    )

    assert (human.subtype, human.trust, human.author) == ("convention", Trust.HUMAN, "ana")
    assert human.polarity is Polarity.AVOID
    assert human.body is None
    assert (agent.subtype, agent.trust, agent.author) == ("decision", Trust.AGENT, "")
    assert agent.body.why == "jobs survive a crash"
    assert agent.body.rejected == ("a thread",)
    assert human.importance > agent.importance
    assert {draft.links[0].source_ref for draft in (human, agent)} == {"claude:s1#1"}


def test_only_the_last_word_of_an_agent_counts():
    chosen = "I went with a queue rather than a thread because jobs survive a crash."

    assert drafts_of(a_prompt(), a_reply(chosen), a_reply("Done."), kind=Kind.FACT) == []


def test_what_a_subagent_was_told_is_no_persons_word():
    assert (
        drafts_of(a_prompt(), a_prompt("Never deploy on Fridays.", side=True), kind=Kind.FACT) == []
    )


def test_a_command_that_passed_twice_is_one_that_works_here():
    [draft] = drafts_of(
        a_prompt(), ran("cd web && npm test -- --quiet"), ran("npm test | tail", "ok"),
        subtype="command",
    )  # fmt: skip

    assert draft.text == "`npm test` is how to run the tests here"
    assert draft.trust is Trust.TOOL
    assert draft.source_ref == "claude:s1#command:npm test"
    assert [mention.facet.name for mention in draft.mentions] == ["npm test"]


def test_commands_that_ran_once_failed_as_often_or_say_nothing_are_left_out():
    bad = ran("npm run build", "Error: no", failed=True)
    lost = ran("npm run lint")[0]

    drafts = drafts_of(
        a_prompt(), ran("npm ci"), bad, bad, ran("npm run build"), ran("npm run build"),
        lost, lost, lost, ran("git add -A"), ran("git add -A"), ran("make"), ran("make"),
        subtype="command",
    )  # fmt: skip

    assert drafts == []


def test_what_was_committed_later_is_credited():
    session = a_session(a_prompt("Fix the cart total"), edited("src/cart.py"))
    commit = a_commit("src/cart.py", "docs/cart.md", subject="Correct the cart total")

    [draft] = session_drafts(session, Credit([commit]))

    assert draft.title == "Correct the cart total"
    assert draft.body.outcome == "success"
    assert draft.body.commit == commit.sha
    assert "docs/cart.md" in [mention.facet.name for mention in draft.mentions]


def test_a_grown_session_keeps_the_sources_of_all_it_gave_before():
    events = (
        a_prompt("Never deploy on Fridays in this project."), *FIXED, ran("make test"),
        committed(), a_prompt("Add taxes to the totals"),
    )  # fmt: skip
    before = drafts_of(*events)
    after = drafts_of(*events, *FIXED, a_prompt("Prefer tables over lists in reports"), committed())

    assert all(draft.renews for draft in after)
    assert {draft.source_ref for draft in before} <= {draft.source_ref for draft in after}
    assert len(after) > len(before)


def test_nothing_a_session_gives_binds_anybody():
    drafts = drafts_of(a_prompt("Always lint before a commit here."), *FIXED, ran("make test"))

    assert {draft.tier for draft in drafts} == {Tier.REFERENCE}
    assert not any(draft.pinned for draft in drafts)


def test_of_events_that_share_an_id_the_first_gives_its_words():
    drafts = drafts_of(
        a_prompt("Never deploy on Fridays in this project.", id="same"),
        a_prompt("Always lint before a commit here.", id="same"),
        kind=Kind.FACT,
    )

    assert [draft.text for draft in drafts] == ["Never deploy on Fridays in this project."]


def test_a_session_without_events_gives_nothing():
    assert session_drafts(a_session()) == []


_TEXTS = st.sampled_from(
    [
        *PHRASES,
        "",
        " ",
        "\u2028",
        "Always lint before a commit in this repo.",
        "No, we use x instead of y because z.",
        "[main abc1234] Add a cart",
        "[main abc1234]  \t",
        "KeyError: 'cart'",
        "Exit code 1",
        "unknown flag: --x\n" * 50,
        "--- FAIL: TestA (0.0s)\n    a_test.go:1: got 1",
        "```" + "x" * 500,
    ]
) | st.text(max_size=60)
_TARGETS = (
    st.sampled_from(
        [
            "",
            " ",
            "src/cart.py",
            "make test",
            "make test | tail",
            "npm ci && npm test",
            'git commit -m "a',
            "git commit -m \"$(cat <<'EOF'",
            "git push --x",
            "git push --y",
        ]
    )
    | _TEXTS
)
_EVENTS = st.builds(
    Event,
    id=st.sampled_from("abcdef") | st.text(max_size=4),
    what=st.sampled_from(What),
    at=st.none() | st.sampled_from([datetime(2026, 1, day, tzinfo=UTC) for day in (1, 2, 3)]) | times,
    text=_TEXTS,
    tool=st.none() | st.sampled_from(Tool),
    name=st.sampled_from(["", "Bash"]),
    call=st.sampled_from(["", "1", "2", "3"]),
    target=_TARGETS,
    before=_TEXTS,
    after=_TEXTS,
    failed=st.booleans(),
    side=st.booleans(),
)  # fmt: skip


@settings(max_examples=100)
@given(
    st.lists(_EVENTS, max_size=14),
    st.lists(st.builds(a_commit, st.sampled_from(["src/cart.py", "a"]), at=times), max_size=2),
)
def test_any_events_give_the_same_drafts_each_time_and_each_its_own_source(events, commits):
    session = a_session().replace(events=tuple(events))

    drafts = session_drafts(session, Credit(commits))

    assert drafts == session_drafts(session, Credit(commits))
    sources = [draft.source_ref for draft in drafts]
    assert len(sources) == len(set(sources))
    for draft in drafts:
        assert draft.source_ref.startswith("claude:s1#")
        assert draft.text.strip()
        assert draft.renews
        assert draft.tier is Tier.REFERENCE
