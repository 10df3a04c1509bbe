"""Closed lists of words behave as enums of texts do."""

from __future__ import annotations

import copy
import json
import pickle

import pytest

from tacit.model import Kind, Tier


def test_a_member_is_the_only_one_of_its_text():
    assert Kind("fact") is Kind.FACT
    assert Kind(Kind.FACT) is Kind.FACT
    assert pickle.loads(pickle.dumps(Kind.FACT)) is Kind.FACT
    assert copy.deepcopy(Kind.FACT) is Kind.FACT


def test_a_member_is_its_text():
    assert Kind.FACT == "fact"
    assert hash(Kind.FACT) == hash("fact")
    assert f"{Kind.FACT}" == str(Kind.FACT) == "fact"
    assert type(Kind.FACT.value) is str
    assert Kind.FACT.name == "FACT"
    assert json.dumps({"kind": Kind.FACT}) == '{"kind": "fact"}'
    assert repr(Kind.FACT) == "<Kind.FACT: 'fact'>"


def test_a_list_gives_its_members_in_order():
    assert list(Tier) == ["mandate", "guardrail", "reference"]
    assert len(Tier) == 3
    assert "mandate" in Tier
    assert Tier["MANDATE"] is Tier.MANDATE
    assert ", ".join(Tier) == "mandate, guardrail, reference"


@pytest.mark.parametrize("given", ["gossip", "", None, 3, []])
def test_what_is_not_in_the_list_is_refused(given):
    with pytest.raises(ValueError, match="is not a valid Kind"):
        Kind(given)
