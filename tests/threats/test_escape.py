"""No text in any argument is syntax, and none leads from one project to what belongs to another."""

from __future__ import annotations

import inspect
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mcp_client import agent_in
from rest_server import serving

from tacit.errors import TacitError
from tacit.project import normal_remote
from tacit.system import Tacit

CANARY = "canary-of-the-other-project"
SYNTAX = [
    "' OR 1=1 --", '" OR ""="', "%", "_", "*", "a* OR b", "NEAR(a b)", "words:canary", "tags:scope",
    "scope:1", "{tags} : canary", '"', "(", "-", "^canary", "canary OR NOT x", "../shop",
    "project:other", "project:shop/../other", "project:%", "\\", "[M:", "\x1e", "a\x00b", "\ud800",
    "); DROP TABLE memory; --", "0", "-1", "1e999", "𝕏", "İ", "",
]  # fmt: skip
ATTACK = st.one_of(
    st.sampled_from(SYNTAX),
    st.text(max_size=40),
    st.builds("{}{}".format, st.sampled_from(SYNTAX), st.sampled_from([*SYNTAX, CANARY])),
)


@pytest.fixture(scope="module")
def shared(tmp_path_factory):
    """Give a store that two projects share."""
    with pytest.MonkeyPatch.context() as patch:
        folder = tmp_path_factory.mktemp("shared")
        patch.setenv("TACIT_HOME", str(folder / "home"))
        patch.setenv("TACIT_EMBEDDER", "off")
        patch.chdir(folder)
        path = str(folder / "shared.db")
        patch.setenv("TACIT_STORE", path)
        for name in ("other", "shop"):
            (folder / name).mkdir()
        with Tacit.open(project=str(folder / "other")) as other:
            fields = {"files": ["src/pay.py"], "key": "auth.alg", "value": CANARY}
            other.remember(f"{CANARY} signs tokens", **fields)
        with Tacit.open(project=str(folder / "shop")) as shop:
            shop.remember("The shop signs tokens", files=["src/pay.py"])
            yield path, shop


@pytest.fixture(scope="module")
def shop(shared):
    """Give the memory of one of them."""
    return shared[1]


@settings(max_examples=150)
@given(query=ATTACK)
def test_no_question_finds_what_belongs_to_another_project(shop, query):
    for ask in (
        lambda: shop.recall(query, limit=50),
        lambda: shop.list(keys=[query]) + shop.list(authors=[query]) + shop.list(sessions=[query]),
        lambda: shop.brief(task=query, signals={"file": query, "branch": query, "error": query}),
    ):
        with suppress(TacitError):  # refused, in words of ours
            assert CANARY not in str(ask())


def text_arguments():
    """Give every public method of the facade with its arguments that are texts."""
    for name, method in inspect.getmembers(Tacit, inspect.isfunction):
        if name.startswith("_") or name in ("open", "backup", "export_to", "import_from", "merge",
                                            "load_backup", "reembed", "observe", "observe_file"):  # fmt: skip
            continue  # these name files and models; see test_paths.py
        given = inspect.signature(method).parameters.values()
        texts = [
            one.name
            for one in given
            if str(one.annotation) in ("str", "str | None", "Sequence[str]", "Sequence[str] | None")
        ]
        needed = {
            one.name
            for one in given
            if one.default is one.empty and one.kind is not one.VAR_KEYWORD
        }
        if texts and needed <= {"self", *texts}:
            yield name, method, texts


@pytest.mark.parametrize("name", [name for name, _, _ in text_arguments()])
def test_no_argument_of_the_facade_is_syntax(location, name):
    (found,) = [one for one in text_arguments() if one[0] == name]
    _, method, texts = found
    hints = inspect.signature(method).parameters
    with Tacit.open(location, scope="project:shop") as memory:
        memory.remember("The shop signs tokens")
        for attack in SYNTAX:
            given = {
                one: [attack] if str(hints[one].annotation).startswith("Sequence") else attack
                for one in texts
            }
            try:
                result = getattr(memory, name)(**given)
                if hasattr(result, "__next__"):
                    list(result)
            except TacitError:
                continue
        assert memory.store.check() == []
        assert "The shop signs tokens" in [one.text for one in memory.list(history=True)]


def test_no_argument_of_a_tool_is_syntax(location, folder):
    with agent_in(location) as agent:
        agent.good("remember", text="The shop signs tokens")
        for tool in agent.ask("list_tools").tools:
            properties = tool.input_schema.get("properties", {})
            for attack in SYNTAX[:-1]:
                if "\ud800" in attack:
                    continue  # cannot be sent
                given = {}
                for name, shape in properties.items():
                    if shape.get("type") == "string" and "enum" not in shape:
                        given[name] = attack
                    elif shape.get("type") == "array" and name in ("refs", "files", "tags"):
                        given[name] = [attack]
                text = agent.call(tool.name, **given).text
                assert "Traceback" not in text
                assert "SQLError" not in text
                assert "Unavailable" not in text
    with Tacit.open(location) as memory:
        assert memory.store.check() == []


def test_no_part_of_a_request_is_syntax(shared):
    with serving(shared[0]) as server:
        for attack in SYNTAX:
            if not attack or "\ud800" in attack:
                continue
            asked = [
                server.post("/recall", json={"query": attack}),
                server.post("/brief", json={"task": attack, "signals": {"file": attack}}),
                server.get(
                    "/memories", params={"key": attack, "session": attack, "author": attack}
                ),
                server.get("/memories", params={"cursor": attack}),
                server.get("/memories/x", params={"known_at": attack}),
                server.request("GET", httpx_path(attack)),
            ]
            for answer in asked:
                assert answer.status_code < 500, (attack, answer.text)
                assert "SQL" not in answer.text


def httpx_path(attack: str) -> str:
    from urllib.parse import quote

    return f"/memories/{quote(attack, safe='')}"


@pytest.mark.parametrize("ref", ["", " ", "[]", "[M:]", "@", "0", "a", "%", "_", "*"])
def test_what_names_nothing_erases_nothing(location, ref):
    """The only memory there is has no source: an empty name must not mean that."""
    with Tacit.open(location) as memory:
        memory.remember("The shop signs tokens")
        for change in (memory.forget, memory.get, lambda one: memory.erase([one])):
            with pytest.raises(TacitError):
                change(ref)

        assert len(memory.list()) == 1


@pytest.mark.parametrize(
    ("mine", "theirs"),
    [
        ("https://github.com/ana/shop", "https://github.com.evil.example/ana/shop"),
        ("https://github.com/ana/shop", "https://evil.example/github.com/ana/shop"),
        ("https://github.com/ana/shop", "https://github.com@evil.example/ana/shop"),
        ("https://github.com/ana/shop", "https://g\u0456thub.com/ana/shop"),
        ("https://github.com/ana/shop", "https://github.com/ana/sh\u043ep"),
        ("https://github.com/ana/shop", "https://github.com/ana/shop/../../eve/shop"),
        ("git@github.com:ana/shop.git", "git@evil.example:github.com/ana/shop.git"),
    ],
)
def test_a_remote_that_looks_alike_is_another_project(mine, theirs):
    assert normal_remote(mine)
    assert normal_remote(mine) != normal_remote(theirs)
