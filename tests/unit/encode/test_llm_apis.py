"""Both SDKs, really installed, against a server on 127.0.0.1 that speaks and breaks their formats."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from typing import TYPE_CHECKING

import pytest

from model_server import CHAT, MESSAGES, SOON, ModelServer, Reply
from tacit.encode.llm import providers
from tacit.encode.llm.providers import AnthropicModel, Limits, OpenAIModel
from tacit.encode.ports import Lost
from tacit.errors import Unavailable

if TYPE_CHECKING:
    from tacit.encode.ports import LanguageModel

KEY = "sk-test-0123456789"
SORTS = ("openai", "anthropic")

pytest.importorskip("openai")
pytest.importorskip("anthropic")


@pytest.fixture(autouse=True)
def _no_way_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep proxies, keys and addresses of the developer's own out of the tests."""
    for name in list(os.environ):
        if name.upper().endswith("_PROXY") or name.startswith(("OPENAI_", "ANTHROPIC_")):
            monkeypatch.delenv(name)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)


def model_on(server: ModelServer, sort: str, **limits: float) -> LanguageModel:
    given = Limits(**{"seconds": 30.0, "retries": 0} | limits)
    if sort == "openai":
        return OpenAIModel("small", server.url + "/v1", limits=given)
    return AnthropicModel("small", server.url, limits=given)


def test_chat_completions_are_asked_and_read_as_openai_writes_them() -> None:
    with ModelServer(Reply("RS256")) as server:
        answer = model_on(server, "openai").complete("Be brief.", "Which?", most_tokens=50)

    (asked,) = server.asked
    assert (answer.text, answer.tokens_in, answer.tokens_out) == ("RS256", 11, 3)
    assert asked.path == CHAT
    assert asked.headers["authorization"] == f"Bearer {KEY}"
    assert asked.json["model"] == "small"
    assert asked.json["max_tokens"] == 50
    assert asked.json["messages"] == [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "Which?"},
    ]


def test_messages_are_asked_and_read_as_anthropic_writes_them() -> None:
    with ModelServer(Reply("RS256")) as server:
        answer = model_on(server, "anthropic").complete("Be brief.", "Which?", most_tokens=50)

    (asked,) = server.asked
    assert (answer.text, answer.tokens_in, answer.tokens_out) == ("RS256", 8 + 1 + 2, 3)
    assert asked.path == MESSAGES
    assert KEY in (asked.headers.get("x-api-key") or asked.headers["authorization"])
    assert asked.json["max_tokens"] == 50
    assert asked.json["system"] == "Be brief."
    assert asked.json["messages"] == [{"role": "user", "content": "Which?"}]


@pytest.mark.parametrize("sort", SORTS)
def test_no_system_text_is_sent_where_there_is_none(sort: str) -> None:
    with ModelServer() as server:
        model_on(server, sort).complete("", "Which?", most_tokens=5)

    assert "system" not in server.asked[0].json
    assert len(server.asked[0].json["messages"]) == 1


def test_openai_itself_is_told_the_limit_by_its_new_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tacit.encode.llm.providers.OPENAI_HOST", "127.0.0.1")
    with ModelServer() as server:
        model_on(server, "openai").complete("", "Which?", most_tokens=50)

    assert server.asked[0].json["max_completion_tokens"] == 50
    assert "max_tokens" not in server.asked[0].json


def test_a_local_server_needs_no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY")
    with ModelServer() as server:
        assert model_on(server, "openai").complete("", "Which?", most_tokens=5).text == "yes"


def test_openai_itself_needs_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY")

    with pytest.raises(Unavailable, match=r"cannot be asked: .*OPENAI_API_KEY"):
        OpenAIModel("small").complete("", "Which?", most_tokens=5)


def test_anthropic_without_a_key_sends_nothing(
    monkeypatch: pytest.MonkeyPatch, tmp_path: object
) -> None:
    monkeypatch.delenv("ANTHROPIC_API_KEY")
    for name in ("HOME", "XDG_CONFIG_HOME", "USERPROFILE", "APPDATA"):
        monkeypatch.setenv(name, str(tmp_path))  # where the SDK looks for a profile
    with (
        ModelServer() as server,
        pytest.raises(Unavailable, match=r"cannot be asked: .*authentication") as caught,
    ):
        model_on(server, "anthropic").complete("", "Which?", most_tokens=5)

    assert not isinstance(caught.value, Lost)
    assert server.asked == []


def test_a_profile_that_is_not_there_is_told_in_the_sdk_s_words(
    monkeypatch: pytest.MonkeyPatch, tmp_path: object
) -> None:
    monkeypatch.delenv("ANTHROPIC_API_KEY")
    monkeypatch.setenv("ANTHROPIC_CONFIG_DIR", str(tmp_path))

    with pytest.raises(Unavailable, match="cannot be asked: "):
        AnthropicModel("small", "http://127.0.0.1:9").complete("", "Which?", most_tokens=5)


def test_content_may_come_in_parts() -> None:
    parts = b'{"choices": [{"message": {"content": [{"text": "RS"}, {"text": "256"}, {}]}}]}'
    with ModelServer(Reply(body=parts)) as server:
        answer = model_on(server, "openai").complete("", "Which?", most_tokens=5)

    assert answer.text == "RS256"


@pytest.mark.parametrize("sort", SORTS)
@pytest.mark.parametrize("status", [429, 500, 503, 529])
def test_what_may_pass_is_tried_again(sort: str, status: int) -> None:
    with ModelServer(Reply(status=status, headers=SOON), Reply("at last")) as server:
        answer = model_on(server, sort, retries=1).complete("", "Which?", most_tokens=5)

    assert answer.text == "at last"
    assert len(server.asked) == 2


@pytest.mark.parametrize("sort", SORTS)
def test_it_is_not_tried_for_ever(sort: str) -> None:
    with (
        ModelServer(Reply("overloaded", status=500, headers=SOON)) as server,
        pytest.raises(Unavailable, match=r"500.*overloaded") as caught,
    ):
        model_on(server, sort, retries=2).complete("", "Which?", most_tokens=5)

    assert len(server.asked) == 3
    assert not isinstance(caught.value, Lost)


@pytest.mark.parametrize("sort", SORTS)
@pytest.mark.parametrize("status", [400, 401, 403, 404])
def test_what_will_not_pass_is_not_tried_again(sort: str, status: int) -> None:
    with (
        ModelServer(Reply("no such model", status=status)) as server,
        pytest.raises(Unavailable, match=f"{status}.*no such model"),
    ):
        model_on(server, sort, retries=2).complete("", "Which?", most_tokens=5)

    assert len(server.asked) == 1


@pytest.mark.parametrize("sort", SORTS)
def test_a_wait_longer_than_the_deadline_is_not_waited_for(sort: str) -> None:
    wait = {"retry-after": "3600"}
    with (
        ModelServer(Reply("slow down", status=429, headers=wait)) as server,
        pytest.raises(Unavailable, match="429") as caught,
    ):
        model_on(server, sort, retries=2).complete("", "Which?", most_tokens=5)

    assert len(server.asked) == 1
    assert not isinstance(caught.value, Lost)


@pytest.mark.parametrize("sort", SORTS)
@pytest.mark.parametrize("fault", ["hang", "drip"])
def test_the_deadline_ends_what_hangs_or_drips(sort: str, fault: str) -> None:
    reply = Reply(**{fault: True})
    with ModelServer(reply) as server, pytest.raises(Lost, match=r"within 0\.5 s|broke"):
        model_on(server, sort, seconds=0.5, retries=2).complete("", "Which?", most_tokens=5)


@pytest.mark.parametrize("sort", SORTS)
def test_after_the_deadline_nothing_more_is_sent(sort: str) -> None:
    with ModelServer(Reply(status=500)) as server:  # the SDK waits some 0.5 s and tries again
        model = model_on(server, sort, seconds=0.2, retries=2)
        with pytest.raises(Lost, match=r"within 0\.2 s"):
            model.complete("", "Which?", most_tokens=5)
        for thread in threading.enumerate():
            if thread.name == f"tacit {model.name}":
                thread.join(60)

        assert len(server.asked) == 1


@pytest.mark.parametrize("sort", SORTS)
def test_a_connection_that_is_closed_may_have_been_billed(sort: str) -> None:
    with ModelServer(Reply(close=True)) as server, pytest.raises(Lost, match="broke before"):
        model_on(server, sort).complete("", "Which?", most_tokens=5)


@pytest.mark.parametrize("sort", SORTS)
def test_a_connection_that_is_closed_is_tried_again(sort: str) -> None:
    with ModelServer(Reply(close=True), Reply("at last")) as server:
        answer = model_on(server, sort, retries=1).complete("", "Which?", most_tokens=5)

    assert answer.text == "at last"


@pytest.mark.parametrize("sort", SORTS)
def test_a_server_that_is_not_there_bills_nothing(sort: str) -> None:
    server = ModelServer()
    with server:
        model = model_on(server, sort)

    with pytest.raises(Unavailable, match=r"cannot be reached") as caught:
        model.complete("", "Which?", most_tokens=5)
    assert not isinstance(caught.value, Lost)


@pytest.mark.parametrize("sort", SORTS)
def test_an_answer_that_breaks_off_is_lost(sort: str) -> None:
    reply = Reply(body=b'{"choices": [{"mess', promise=5_000)
    with ModelServer(reply) as server, pytest.raises(Lost, match="broke off"):
        model_on(server, sort).complete("", "Which?", most_tokens=5)


@pytest.mark.parametrize("sort", SORTS)
@pytest.mark.parametrize("body", [b"", b'{"choices": [', b"<html>", b"\xff\xfe", b"[" * 100_000])
def test_an_answer_that_is_not_json_is_lost(sort: str, body: bytes) -> None:
    with ModelServer(Reply(body=body)) as server, pytest.raises(Lost, match="broken JSON"):
        model_on(server, sort).complete("", "Which?", most_tokens=5)


@pytest.mark.parametrize("sort", SORTS)
@pytest.mark.parametrize(
    "body",
    [
        b"null",
        b"[]",
        b"{}",
        b'{"choices": [], "content": []}',
        b'{"choices": {"0": 1}, "content": "text"}',
        b'{"choices": [{"message": null}], "content": [null, 1]}',
        b'{"choices": [{"message": {"content": null}, "finish_reason": "length"}], '
        b'"content": [{"type": "text", "text": 5}], "stop_reason": "max_tokens"}',
        b'{"choices": [{"message": {"content": "  "}}], "content": [{"type": "text", "text": " "}]}',
    ],
)
def test_an_answer_without_text_is_lost(sort: str, body: bytes) -> None:
    with ModelServer(Reply(body=body)) as server, pytest.raises(Lost, match="without text"):
        model_on(server, sort).complete("", "Which?", most_tokens=5)


@pytest.mark.parametrize("sort", SORTS)
@pytest.mark.parametrize("usage", [[], "many", {}, {"prompt_tokens": -5}, {"input_tokens": "8"}])
def test_usage_that_is_wrong_counts_as_not_said(sort: str, usage: object) -> None:
    with ModelServer(Reply(usage=usage)) as server:
        answer = model_on(server, sort).complete("", "Which?", most_tokens=5)

    assert (answer.tokens_in, answer.tokens_out) == (0, 0)


@pytest.mark.parametrize("sort", SORTS)
def test_a_huge_answer_is_cut_off(sort: str) -> None:
    with ModelServer(Reply(flood=True)) as server, pytest.raises(Lost, match="more than 4,000,000"):
        model_on(server, sort).complete("", "Which?", most_tokens=5)


@pytest.mark.parametrize("sort", SORTS)
def test_a_key_that_a_server_repeats_is_not_told(sort: str) -> None:
    with (
        ModelServer(Reply(f"the key {KEY} is wrong", status=401)) as server,
        pytest.raises(Unavailable, match="the key … is wrong") as caught,
    ):
        model_on(server, sort).complete("", "Which?", most_tokens=5)

    assert KEY not in str(caught.value)


@pytest.mark.parametrize("sort", SORTS)
def test_a_long_error_is_shortened(sort: str) -> None:
    with (
        ModelServer(Reply("word " * 10_000, status=400)) as server,
        pytest.raises(Unavailable) as caught,
    ):
        model_on(server, sort).complete("", "Which?", most_tokens=5)

    assert len(str(caught.value)) < providers.MOST_SAID + 100


def test_an_sdk_that_is_not_there_is_named_with_its_extra() -> None:
    with pytest.raises(Unavailable, match=r"no_such_sdk; install tacit\[no_such_sdk\]"):
        providers.load_sdk("no_such_sdk")


def test_importing_the_guard_loads_nothing_heavy() -> None:
    code = "import sys; before = set(sys.modules); import tacit.encode.llm.guard; print(' '.join(set(sys.modules) - before))"
    loaded = subprocess.run(
        [sys.executable, "-S", "-c", f"import sys; sys.path[:0] = {sys.path!r}; {code}"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split()

    heavy = {"openai", "anthropic", "httpx", "email", "subprocess", "tempfile"}
    assert "tacit.encode.llm.guard" in loaded
    assert not {name.partition(".")[0] for name in loaded} & heavy
