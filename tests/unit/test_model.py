"""The domain: values that cannot be true cannot be made, and say why."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builders import (
    DAY,
    START,
    a_block,
    a_contradiction,
    a_facet,
    a_fact,
    a_link,
    a_mention,
    a_pattern,
    a_resource,
    a_skill,
    an_episode,
    levels_of,
)
from strategies import scopes, validities
from tacit.body import Block, Episode, Fact, Skill
from tacit.errors import Invalid
from tacit.model import (
    TITLE_CHARS,
    Contradiction,
    Facet,
    FacetType,
    Kind,
    Level,
    Levels,
    Link,
    Relation,
    Role,
    Scope,
    ScopeType,
    Tier,
    Trust,
    Validity,
    compact,
)

NAIVE = datetime(2026, 1, 1)


# When something holds


def test_validity_ends_after_it_begins():
    with pytest.raises(Invalid, match=r"valid_to 2025-12-31.* must be after valid_from 2026-01-01"):
        Validity(valid_from=START, valid_to=START - DAY)
    with pytest.raises(Invalid, match="must be after"):
        Validity(valid_from=START, valid_to=START)


def test_validity_refuses_times_without_a_zone():
    with pytest.raises(Invalid, match="has no zone"):
        Validity(valid_from=NAIVE)
    with pytest.raises(Invalid, match="has no zone"):
        Validity(valid_from=START, valid_to=NAIVE)


def test_validity_holds_from_its_beginning_up_to_but_without_its_end():
    day = Validity(valid_from=START, valid_to=START + DAY)

    assert day.holds(START)
    assert not day.holds(START - timedelta(microseconds=1))
    assert day.holds(START + DAY - timedelta(microseconds=1))
    assert not day.holds(START + DAY)


@given(validities(), st.timedeltas(timedelta(0), timedelta(days=9000)))
def test_what_never_ends_holds_for_ever(validity, later):
    still = validity.replace(valid_to=None)

    assert still.holds(still.valid_from + later)


# Whose it is


@pytest.mark.parametrize(
    "path",
    ["", "shop", "planet:earth", "project:", "project: shop", "project:shop/", "/project:shop"],
)
def test_a_scope_that_is_no_path_is_refused(path):
    with pytest.raises(Invalid, match="is not of the form type:name"):
        Scope(path=path)


@pytest.mark.parametrize(
    "path", ["agent:a/project:b", "project:a/project:b", "user:a/team:b", "project:a/system:s"]
)
def test_a_scope_goes_from_wide_to_narrow(path):
    with pytest.raises(Invalid, match="from wide to narrow"):
        Scope(path=path)


def test_a_scope_is_of_the_type_of_its_narrowest_step():
    assert Scope(path="system:all").type is ScopeType.SYSTEM
    assert Scope(path="team:web/project:shop/agent:ana").type is ScopeType.AGENT


def test_the_chain_of_a_scope_is_what_can_be_seen_from_it():
    scope = Scope(path="team:web/project:shop/agent:ana")

    assert [each.path for each in scope.chain] == [
        "team:web/project:shop/agent:ana",
        "team:web/project:shop",
        "team:web",
    ]


@given(scopes)
def test_every_scope_of_a_chain_has_its_rest_as_chain(scope):
    for place, each in enumerate(scope.chain):
        assert each.chain == scope.chain[place:]


# What it says


def test_a_memory_needs_text():
    with pytest.raises(Invalid, match="needs some text"):
        levels_of(" \n ")


def test_a_title_is_short():
    long = "x" * (TITLE_CHARS + 1)

    with pytest.raises(Invalid, match=f"title 'x+' is longer than {TITLE_CHARS} characters"):
        Levels(full="x", summary="", hint="", title=long, tokens=(1, 0, 0, 0))
    assert Levels(full="x", summary="", hint="", title=long[1:], tokens=(1, 0, 0, 0))


def test_each_level_has_its_text_and_its_tokens():
    levels = Levels(full="f", summary="s", hint="h", title="t", tokens=(4, 3, 2, 1))

    assert [levels.text(level) for level in Level] == ["f", "s", "h", "t"]
    assert [levels.token_count(level) for level in Level] == [4, 3, 2, 1]


def test_the_kind_follows_from_the_body():
    made = [an_episode(), a_fact(), a_pattern(), a_skill(), a_resource(), a_block()]

    assert [memory.kind for memory in made] == list(Kind)


def test_only_a_fact_has_a_key():
    assert a_fact(key="shop.cache", value="redis").key == "shop.cache"
    assert a_fact().key == ""
    assert a_block().key == ""


def test_a_fact_with_a_value_needs_a_key():
    with pytest.raises(Invalid, match="needs a key"):
        Fact(value="redis")


def test_an_episode_ends_in_a_known_way():
    with pytest.raises(Invalid, match="outcome 'great' is unknown; use one of success, partial"):
        Episode(outcome="great")


@pytest.mark.parametrize(("runs", "ok"), [(1, 2), (0, 1), (3, -1)])
def test_a_skill_has_no_more_good_runs_than_runs(runs, ok):
    with pytest.raises(Invalid, match=f"{ok} good runs of {runs}"):
        Skill(runs=runs, ok=ok)


def test_a_block_needs_a_label():
    with pytest.raises(TypeError, match="needs 'label'"):
        Block()


# What a memory may be


@pytest.mark.parametrize("name", ["confidence", "importance"])
@pytest.mark.parametrize("value", [-0.01, 1.01, float("nan"), float("inf")])
def test_confidence_and_importance_lie_between_0_and_1(name, value):
    with pytest.raises(Invalid, match=f"{name} .* is not between 0 and 1"):
        a_fact(**{name: value})


def test_the_first_revision_is_1():
    with pytest.raises(Invalid, match="revision 0 is not a revision; the first is 1"):
        a_fact(rev=0)


def test_a_memory_is_not_retired_before_it_is_recorded():
    with pytest.raises(Invalid, match="retired_at lies before recorded_at"):
        a_fact(recorded_at=START, retired_at=START - DAY)
    assert a_fact(recorded_at=START, retired_at=START)


@pytest.mark.parametrize("name", ["recorded_at", "retired_at"])
def test_a_memory_refuses_times_without_a_zone(name):
    with pytest.raises(Invalid, match="has no zone"):
        a_fact(**{name: NAIVE})


@pytest.mark.parametrize("tier", [Tier.MANDATE, Tier.GUARDRAIL])
@pytest.mark.parametrize("trust", [Trust.TOOL, Trust.WEB])
def test_the_word_of_a_tool_or_a_page_binds_only_when_a_person_confirms_it(tier, trust):
    with pytest.raises(Invalid, match=f"from {trust} cannot be a {tier} until a person confirms"):
        a_fact(tier=tier, trust=trust)
    assert a_fact(tier=tier, trust=trust, confirmed_by="ana").tier is tier
    assert a_fact(tier=Tier.REFERENCE, trust=trust).trust is trust


def test_a_persons_word_outweighs_all_others():
    ranked = sorted(Trust, key=lambda trust: -trust.authority)

    assert ranked == [
        Trust.HUMAN,
        Trust.REPOSITORY,
        Trust.AGENT,
        Trust.IMPORT,
        Trust.TOOL,
        Trust.WEB,
    ]


def test_a_memory_mentions_each_facet_and_role_once_and_in_order():
    pool, redis = a_mention("pool"), a_mention("redis")

    assert a_fact().replace(mentions=(pool, redis))
    for wrong in ((redis, pool), (redis, redis), (redis, a_mention("Redis"))):
        with pytest.raises(Invalid, match="each facet and role once, in order"):
            a_fact().replace(mentions=wrong)
    assert a_fact().replace(mentions=(redis, a_mention("redis", role=Role.FIXES)))


# What memories are about


@pytest.mark.parametrize("name", ["", "  ", "\n"])
def test_a_facet_needs_a_name(name):
    with pytest.raises(Invalid, match="facet of type tag needs a name"):
        a_facet(name, FacetType.TAG)


def test_facets_are_the_same_whatever_their_case_but_files_symbols_and_commits_are_not():
    assert a_facet("Connection  Pool").norm == a_facet("connection pool").norm
    for type_ in (FacetType.FILE, FacetType.SYMBOL, FacetType.COMMIT):
        assert a_facet("Makefile", type_).norm != a_facet("makefile", type_).norm


@given(st.sampled_from(FacetType), st.text(min_size=1).filter(str.strip))
def test_a_facet_named_by_its_normal_form_is_the_same_facet(type_, name):
    norm = Facet(type=type_, name=name).norm

    assert Facet(type=type_, name=norm).norm == norm


def test_a_facet_can_be_named_by_its_letters_and_digits():
    assert {compact(name) for name in ("getUser", "get_user", "get-user", "Get User")} == {
        "getuser"
    }
    assert a_facet("src/Auth/login.py", FacetType.FILE).compact == "loginpy"
    assert a_facet("redis/cache").compact == "rediscache"


# How memories hang together


def test_a_memory_cannot_be_linked_to_itself():
    fact = a_fact()

    with pytest.raises(Invalid, match=f"memory {fact.id} cannot be linked to itself"):
        a_link(fact, fact)


@pytest.mark.parametrize("weight", [-0.1, 1.1, float("nan")])
def test_the_weight_of_a_link_lies_between_0_and_1(weight):
    with pytest.raises(Invalid, match=r"link weight .* is not between 0 and 1"):
        a_link(a_fact(), a_fact(), weight=weight)


def test_every_relation_has_an_inverse_and_only_symmetric_ones_are_their_own():
    own = {relation for relation in Relation if relation.inverse == relation.value}

    assert len({relation.inverse for relation in Relation}) == len(Relation) == 11
    assert own == {Relation.RELATED_TO, Relation.CONTRADICTS}


def test_a_contradiction_names_two_memories_in_order():
    one, two = a_fact(), a_fact()
    record = a_contradiction(one, two)

    for a, b in ((two.id, one.id), (one.id, one.id)):
        with pytest.raises(Invalid, match="two different memories in the order of their ids"):
            record.replace(a=a, b=b)
    assert isinstance(record, Contradiction)


@pytest.mark.parametrize(
    "wrong",
    [{"valid_from": NAIVE}, {"valid_to": START - DAY}],
    ids=["naive", "ends before it begins"],
)
def test_the_times_of_a_link_are_checked_as_those_of_a_memory(wrong):
    with pytest.raises(Invalid):
        Link(src="a", dst="b", relation=Relation.AFFECTS, **{"valid_from": START} | wrong)
