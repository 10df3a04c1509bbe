"""The memory tool answers as the SDK's own does, and works where the SDK runs it."""

from __future__ import annotations

import asyncio
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fakes import WordCounter
from model_server import ModelServer, Reply
from tacit.model import Scope
from tacit.store.connect import connect
from tacit.system import Tacit

if TYPE_CHECKING:
    from collections.abc import Iterator

anthropic = pytest.importorskip("anthropic")
from anthropic.lib.tools import ToolError  # noqa: E402
from anthropic.tools.memory import BetaLocalFilesystemMemoryTool  # noqa: E402

from tacit.adapters.memory_tool import AsyncTacitMemoryTool, TacitMemoryTool, parse  # noqa: E402

EXAMPLES = Path(__file__).parents[2] / "examples"


def opened(place: str, scope: str = "project:shop") -> Tacit:
    return Tacit(connect(place), scope=Scope(path=scope), counter=WordCounter())


@pytest.fixture
def tacit(tmp_path: Path) -> Iterator[Tacit]:
    with opened(str(tmp_path / "shop.db")) as tacit:
        yield tacit


# Side by side with the SDK's own

PATHS = ["/memories/a.md", "/memories/b.md", "/memories/notes/c.md", "/memories/notes/deep/d/e.md"]
FOLDERS = ["/memories", "/memories/notes", "/memories/notes/deep", "/memories/.h"]
PLACES = st.sampled_from(
    [*PATHS, *FOLDERS, "/memories/notes/../a.md", "/memories/%2e%2e%2fa.md", "/memories/.h/x"]
)
OUTSIDE = st.sampled_from(
    ["/etc/passwd", "memories/a", "", "/memories/../x", "/memories/a/../../../etc/passwd", "/"]
)
ANYWHERE = st.one_of(PLACES, PLACES, PLACES, PLACES, OUTSIDE)
TEXTS = st.text("ab é\n\t\r", max_size=20)


def command(name: str, **fields: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries({"command": st.just(name), **fields})


COMMANDS = st.one_of(
    command("view", path=ANYWHERE),
    command("view", path=PLACES, view_range=st.lists(st.integers(-1, 5), max_size=3)),
    command("create", path=ANYWHERE, file_text=TEXTS),
    command("create", path=PLACES, file_text=TEXTS),
    command("str_replace", path=ANYWHERE, old_str=st.sampled_from("apqrstu\n"), new_str=TEXTS),
    command("insert", path=ANYWHERE, insert_line=st.integers(-1, 5), insert_text=TEXTS),
    command("delete", path=ANYWHERE),
    command("rename", old_path=ANYWHERE, new_path=ANYWHERE),
)


BEGIN = [
    {"command": "create", "path": path, "file_text": "p\nq\nr\ns\nt\nu\n"} for path in PATHS[:3]
]


@given(st.lists(COMMANDS, max_size=15))
@settings(max_examples=150)
def test_it_answers_as_the_reference_does(
    tmp_path_factory: pytest.TempPathFactory, script: list[dict[str, Any]]
) -> None:
    folder = tmp_path_factory.mktemp("tool")
    reference = BetaLocalFilesystemMemoryTool(str(folder))
    with opened(str(folder / "shop.db")) as tacit:
        ours = TacitMemoryTool(tacit)
        for each in [*BEGIN, *script]:
            known, mine = _answer(reference, each), _answer(ours, each)
            _prune(folder / "memories")
            if known is None:  # the reference breaks where ours only has to say no
                assert mine is not None
                assert mine.startswith("error: ")
            else:
                assert _comparable(mine) == _comparable(known), each


def _answer(tool: Any, given: dict[str, Any]) -> str | None:
    try:
        return str(tool.call(given))
    except ToolError as error:
        return f"error: {error}"
    except OSError:
        return None


def _prune(folder: Path) -> None:
    """Remove empty folders: a store has none but those that the paths of files name."""
    for place, inner, files in os.walk(folder, topdown=False):
        if place != str(folder) and not files and not any(map(os.listdir, _paths(place, inner))):
            os.rmdir(place)


def _paths(place: str, inner: list[str]) -> list[str]:
    return [path for name in inner if os.path.isdir(path := os.path.join(place, name))]


def _comparable(answer: str | None) -> str:
    """Leave out how much a folder weighs, which the disk decides."""
    lines = (answer or "").split("\n")
    if "up to 2 levels deep" in lines[0]:
        lines[1:] = [re.sub(r"^\S+(\t.*/|\t[^.]*)$", r"\1", line) for line in lines[1:]]
    return "\n".join(lines)


# What the model is told

FIRST = "/memories/a.md"


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"command": "view", "path": "/memories/x"}, "The path /memories/x does not exist. Please"),
        ({"command": "create", "path": FIRST, "file_text": ""}, f"File {FIRST} already exists"),
        (
            {"command": "delete", "path": "/memories"},
            "Cannot delete the /memories directory itself",
        ),
        ({"command": "delete", "path": "/memories/x"}, "The path /memories/x does not exist"),
        (
            {"command": "rename", "old_path": FIRST, "new_path": FIRST},
            f"The destination {FIRST} already exists",
        ),
        (
            {"command": "insert", "path": FIRST, "insert_line": 9, "insert_text": ""},
            "Invalid `insert_line` parameter: 9. It should be within the range [0, 2].",
        ),
        (
            {"command": "str_replace", "path": FIRST, "old_str": "three", "new_str": ""},
            f"No replacement was performed, old_str `three` did not appear verbatim in {FIRST}.",
        ),
        (
            {"command": "str_replace", "path": FIRST, "old_str": "o", "new_str": ""},
            "No replacement was performed. Multiple occurrences of old_str `o` in lines: 1, 2. "
            "Please ensure it is unique",
        ),
        ({"command": "view", "path": "/etc"}, "Path must start with /memories, got: /etc"),
        (
            {"command": "view", "path": "/memories/../etc"},
            "Path /memories/../etc would escape /memories directory",
        ),
        ({"command": "view"}, "The command view cannot be read: path: Field required"),
        (
            {"command": "insert", "path": FIRST, "insert_line": "top", "insert_text": ""},
            "The command insert cannot be read: insert_line: Input should be a valid integer",
        ),
        ({"command": "burn"}, "Unknown command: burn. The commands are: view, create,"),
        ({"command": ["view"]}, "Unknown command: ['view']. The commands are: view, create,"),
        ("view", "Unknown command: None. The commands are: view, create,"),
    ],
)
def test_what_is_wrong_is_told_to_the_model(tacit: Tacit, given: Any, said: str) -> None:
    tool = TacitMemoryTool(tacit)
    tool.call({"command": "create", "path": FIRST, "file_text": "one\ntwo\n"})

    with pytest.raises(ToolError) as caught:
        tool.call(given)

    assert str(caught.value).startswith(said)


def test_encoded_paths_are_names_and_lead_nowhere(tacit: Tacit) -> None:
    tool = TacitMemoryTool(tacit)
    for path in (
        "/memories/%2e%2e/%2e%2e/etc/passwd",
        "/memories/%252e%252e%252f",
        "/memories/．．/x",
    ):
        tool.call({"command": "create", "path": path, "file_text": "x"})

    assert [file.path[:10] for file in tacit.memory_files.files()] == ["/memories/"] * 3
    assert {memory.scope.path for memory in tacit.list()} == {"project:shop"}


def test_files_belong_to_the_scope_they_were_made_in(tmp_path: Path) -> None:
    place = str(tmp_path / "shop.db")
    with (
        opened(place, "project:shop/agent:ana") as ana,
        opened(place, "project:shop/agent:ben") as ben,
    ):
        TacitMemoryTool(ana).call({"command": "create", "path": FIRST, "file_text": "ana's"})
        TacitMemoryTool(ben).call({"command": "create", "path": FIRST, "file_text": "ben's"})

        assert TacitMemoryTool(ana).call({"command": "view", "path": FIRST}).endswith("ana's")
        assert TacitMemoryTool(ben).call({"command": "view", "path": FIRST}).endswith("ben's")


def test_what_a_model_wrote_is_recalled_and_has_a_history(tacit: Tacit) -> None:
    tool = TacitMemoryTool(tacit)
    tool.call({"command": "create", "path": FIRST, "file_text": "Refunds take 25 days"})
    tool.call({"command": "str_replace", "path": FIRST, "old_str": "25", "new_str": "30"})

    (hit,) = tacit.recall("how long do refunds take?")
    assert hit.memory.text == "Refunds take 30 days"
    assert [entry.op for entry in tacit.why(hit.memory.id).history] == ["remember", "edit"]


def test_all_of_it_can_be_cleared(tacit: Tacit) -> None:
    tool = TacitMemoryTool(tacit)
    tool.call({"command": "create", "path": FIRST, "file_text": "x"})

    assert tool.clear_all_memory() == "All memory cleared"
    assert tacit.memory_files.files() == []


# In the SDK's tool runner


def asks(*uses: dict[str, Any]) -> Reply:
    """Let the model use the tool."""
    blocks = [
        {"type": "tool_use", "id": f"toolu_{number}", "name": "memory", "input": use}
        for number, use in enumerate(uses)
    ]
    return _message(blocks, "tool_use")


def says(text: str) -> Reply:
    """Let the model come to an end."""
    return _message([{"type": "text", "text": text}], "end_turn")


def _message(content: list[dict[str, Any]], why: str) -> Reply:
    body = {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "scripted",
        "content": content,
        "stop_reason": why,
        "stop_sequence": None,
        "usage": {"input_tokens": 1, "output_tokens": 1},
    }
    return Reply(body=json.dumps(body).encode())


SCRIPT = (
    asks({"command": "view", "path": "/memories"}),
    asks(
        {"command": "create", "path": FIRST, "file_text": "Refunds take 25 days\n"},
        {"command": "view", "path": "/memories/none.md"},
    ),
    asks({"command": "view", "path": FIRST}),
    says("Noted."),
)
QUESTION = {
    "model": "scripted",
    "max_tokens": 100,
    "messages": [{"role": "user", "content": "Remember how long refunds take."}],
}


def results(server: ModelServer) -> list[list[tuple[str, bool]]]:
    """Give what the model was told of its calls, request by request."""
    sent: list[Any] = [asked.json["messages"] for asked in server.asked[1:]]
    return [
        [(block["content"], block.get("is_error", False)) for block in messages[-1]["content"]]
        for messages in sent
    ]


EXPECTED = [
    [
        (
            "Here're the files and directories up to 2 levels deep in /memories, "
            "excluding hidden items:\n4K\t/memories",
            False,
        )
    ],
    [
        (f"File created successfully at: {FIRST}", False),
        ("The path /memories/none.md does not exist. Please provide a valid path.", True),
    ],
    [
        (
            f"Here's the content of {FIRST} with line numbers:\n     1\tRefunds take 25 days\n     2\t",
            False,
        )
    ],
]


def test_it_works_in_the_tool_runner(tacit: Tacit) -> None:
    with ModelServer(*SCRIPT) as server:
        with anthropic.Anthropic(api_key="none", base_url=server.url, max_retries=0) as client:
            runner = client.beta.messages.tool_runner(tools=[TacitMemoryTool(tacit)], **QUESTION)
            last = runner.until_done()

        assert last.content[0].text == "Noted."
        assert server.asked[0].json["tools"] == [{"type": "memory_20250818", "name": "memory"}]
        assert results(server) == EXPECTED


def test_it_works_in_the_asynchronous_tool_runner(tacit: Tacit) -> None:
    async def talk(url: str) -> Any:
        async with anthropic.AsyncAnthropic(api_key="none", base_url=url, max_retries=0) as client:
            tool = AsyncTacitMemoryTool(tacit, cache_control={"type": "ephemeral"})
            return await client.beta.messages.tool_runner(tools=[tool], **QUESTION).until_done()

    with ModelServer(*SCRIPT) as server:
        last = asyncio.run(talk(server.url))

        assert last.content[0].text == "Noted."
        assert server.asked[0].json["tools"] == [
            {"type": "memory_20250818", "name": "memory", "cache_control": {"type": "ephemeral"}}
        ]
        assert results(server) == EXPECTED


def test_every_method_of_the_asynchronous_tool_does_its_command(tacit: Tacit) -> None:
    async def work() -> list[str]:
        tool = AsyncTacitMemoryTool(tacit)
        made = await asyncio.gather(
            *(
                tool.call({"command": "create", "path": f"/memories/{n}.md", "file_text": "a\n"})
                for n in range(8)
            )
        )
        assert len(made) == 8
        return [
            await tool.call(
                {"command": "str_replace", "path": "/memories/0.md", "old_str": "a", "new_str": "b"}
            ),
            await tool.call(
                {
                    "command": "insert",
                    "path": "/memories/0.md",
                    "insert_line": 1,
                    "insert_text": "c",
                }
            ),
            await tool.call(
                {"command": "rename", "old_path": "/memories/0.md", "new_path": "/memories/x"}
            ),
            await tool.call({"command": "view", "path": "/memories/x"}),
            await tool.call({"command": "delete", "path": "/memories/x"}),
            await tool.clear_all_memory(),
        ]

    assert [said.split("\n")[0] for said in asyncio.run(work())] == [
        "The memory file has been edited. Here is the snippet showing the change "
        "(with line numbers):",
        "The file /memories/0.md has been edited.",
        "Successfully renamed /memories/0.md to /memories/x",
        "Here's the content of /memories/x with line numbers:",
        "Successfully deleted /memories/x",
        "All memory cleared",
    ]


SENT: list[dict[str, Any]] = [
    {"command": "create", "path": FIRST, "file_text": "a\n"},
    {"command": "str_replace", "path": FIRST, "old_str": "a", "new_str": "b"},
    {"command": "insert", "path": FIRST, "insert_line": 1, "insert_text": "c"},
    {"command": "rename", "old_path": FIRST, "new_path": "/memories/x"},
    {"command": "view", "path": "/memories/x"},
    {"command": "delete", "path": "/memories/x"},
]


def test_the_typed_methods_are_there_for_those_who_dispatch_themselves(tmp_path: Path) -> None:
    with opened(str(tmp_path / "one.db")) as one, opened(str(tmp_path / "two.db")) as two:
        now, later = TacitMemoryTool(one), AsyncTacitMemoryTool(two)
        for given in SENT:
            known = TacitMemoryTool.execute(now, parse(given))
            assert asyncio.run(AsyncTacitMemoryTool.execute(later, parse(given))) == known

        assert [entry.op for entry in one.why(one.list(history=True)[0].id).history] == [
            "remember",
            "edit",
            "edit",
            "rename",
            "forget",
        ]


def test_it_can_be_opened_in_one_line(tmp_path: Path) -> None:
    place = str(tmp_path / "shop.db")
    for kind in (TacitMemoryTool, AsyncTacitMemoryTool):
        tool = kind.open(place, scope="project:shop/agent:ana")
        assert tool.tacit.scope.path == "project:shop/agent:ana"
        tool.close()


def test_the_example_runs() -> None:
    done = subprocess.run(
        [sys.executable, str(EXAMPLES / "memory_tool_agent.py")],
        capture_output=True,
        text=True,
        check=False,
        timeout=240,
        env=os.environ
        | {
            "TACIT_EMBEDDER": "off",
            "PYTHONPATH": os.pathsep.join(path for path in sys.path if path),
        },
    )

    assert done.returncode == 0, done.stderr
    assert "model: By invoice, as I noted." in done.stdout
    assert "tacit: memory-files#/memories/customers/ana.md" in done.stdout


def test_without_the_sdk_it_says_what_to_install() -> None:
    code = "import sys; sys.modules['anthropic'] = None; import tacit.adapters.memory_tool"
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path)},
    )

    assert "tacit.errors.Unavailable: the memory tool needs anthropic" in done.stderr
    assert "pip install 'tacit[anthropic]'" in done.stderr
