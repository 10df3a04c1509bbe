"""The command adapter with real small programs: echoing, failing, hanging, flooding."""

from __future__ import annotations

import json
import os
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tacit.encode.llm.command import MOST_BYTES, CommandModel
from tacit.encode.ports import Lost
from tacit.errors import Invalid, Unavailable

if TYPE_CHECKING:
    from collections.abc import Callable

    Program = Callable[..., CommandModel]


@pytest.fixture
def program(tmp_path: Path) -> Program:
    """Give a function that makes a model of a Python program."""

    def make(code: str, *arguments: str, seconds: float = 60) -> CommandModel:
        path = tmp_path / "my program.py"
        path.write_text(code)
        line = shlex.join([sys.executable, str(path), *arguments])
        return CommandModel(line, seconds=seconds)

    return make


def test_the_prompt_goes_in_and_what_is_printed_comes_back(program: Program) -> None:
    echo = program("import sys; sys.stdout.write(sys.stdin.read())")

    answer = echo.complete("Be brief.", "Which? ü", most_tokens=5)

    assert answer.text == "Be brief.\n\nWhich? ü"
    assert (answer.tokens_in, answer.tokens_out) == (0, 0)
    assert echo.complete("", "Which?", most_tokens=5).text == "Which?"


def test_arguments_are_passed_as_they_are_and_no_shell_reads_them(program: Program) -> None:
    show = program("import sys; print(sys.argv[1:])", "$HOME; echo *", "-p")

    assert show.complete("", "x", most_tokens=5).text.strip() == "['$HOME; echo *', '-p']"


def test_the_program_runs_beside_the_project_and_its_hooks_are_off(
    program: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MY_OWN", "kept")
    code = "import os; print(os.getcwd(), os.listdir(), os.environ['TACIT_SKIP'], os.environ['MY_OWN'])"

    printed = program(code).complete("", "x", most_tokens=5).text.split()

    assert printed[1:] == ["[]", "1", "kept"]
    assert Path(printed[0]).resolve() != tmp_path.resolve()
    assert not Path(printed[0]).exists()


def test_a_program_named_by_a_relative_path_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = tmp_path / "model"
    script.write_text(f"#!{sys.executable}\nprint('here')\n")
    script.chmod(0o755)
    monkeypatch.chdir(tmp_path)

    assert CommandModel("./model").complete("", "x", most_tokens=5).text == "here\n"


def test_a_long_prompt_and_a_long_answer_do_not_block_each_other(program: Program) -> None:
    code = "import sys\nfor line in sys.stdin: sys.stdout.write(line); sys.stderr.write(line)"
    prompt = "a line of the prompt\n" * 20_000

    assert program(code).complete("", prompt, most_tokens=5).text == prompt


def test_a_program_need_not_read_its_input(program: Program) -> None:
    model = program("import os; os.close(0); print('done')")

    assert model.complete("", "x" * 1_000_000, most_tokens=5).text == "done\n"


def test_a_program_that_fails_is_told_with_its_last_words(program: Program) -> None:
    model = program("import sys; sys.exit('warning: old\\nnot logged in')")

    with pytest.raises(Unavailable, match="status 1: not logged in") as caught:
        model.complete("", "x", most_tokens=5)
    assert not isinstance(caught.value, Lost)


def test_a_program_that_says_nothing_is_lost(program: Program) -> None:
    with pytest.raises(Lost, match="printed nothing"):
        program("").complete("", "x", most_tokens=5)


def test_bytes_that_are_no_text_do_not_stop_it(program: Program) -> None:
    model = program("import sys; sys.stdout.buffer.write(b'a\\xffb')")

    assert model.complete("", "half \ud800", most_tokens=5).text == "a\ufffdb"


@pytest.mark.skipif(os.name != "posix", reason="needs process groups and pipes with names")
def test_a_program_that_hangs_is_ended_with_all_it_started(
    program: Program, tmp_path: Path
) -> None:
    pipe = tmp_path / "alive"
    os.mkfifo(pipe)
    # The grandchild holds the pipe open for writing; when nobody does any more, it is gone.
    code = (
        "import subprocess, sys, time\n"
        "child = 'import sys, time; held = open(sys.argv[1], \"w\"); time.sleep(600)'\n"
        "subprocess.Popen([sys.executable, '-c', child, sys.argv[1]])\n"
        "time.sleep(600)\n"
    )
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    model = program(code, str(pipe), seconds=1.5)

    with pytest.raises(Lost, match=r"within 1\.5 s"):
        model.complete("", "x", most_tokens=5)

    os.set_blocking(reader, True)
    assert os.read(reader, 1) == b""
    os.close(reader)


def test_a_program_that_closes_its_output_and_goes_on_is_ended(program: Program) -> None:
    model = program("import os, time; os.close(1); time.sleep(600)", seconds=1)

    with pytest.raises(Lost, match="did not end within 1 s"):
        model.complete("", "x", most_tokens=5)


def test_a_program_that_floods_is_ended(program: Program) -> None:
    model = program("while True: print('x' * 10_000)")

    with pytest.raises(Lost, match=f"more than {MOST_BYTES:,} bytes"):
        model.complete("", "x", most_tokens=5)


def test_a_flood_of_errors_is_drained_and_its_end_kept(program: Program) -> None:
    code = "import sys\nfor n in range(50_000): sys.stderr.write(f'line {n}\\n')\nsys.exit(3)"

    with pytest.raises(Unavailable, match="status 3: line 49999"):
        program(code).complete("", "x", most_tokens=5)


def test_a_program_that_is_not_there_is_told() -> None:
    with pytest.raises(Unavailable, match="no-such-program is not there"):
        CommandModel("no-such-program -p").complete("", "x", most_tokens=5)


@pytest.mark.skipif(os.name != "posix", reason="needs permissions")
def test_a_program_that_cannot_be_run_is_told(tmp_path: Path) -> None:
    broken = tmp_path / "model"
    broken.write_text("#!/no/such/interpreter\n")
    broken.chmod(0o755)

    with pytest.raises(Unavailable, match="cannot be run: No such file"):
        CommandModel(str(broken)).complete("", "x", most_tokens=5)


@pytest.mark.parametrize("line", ["", "   ", "claude 'open quote"])
def test_a_line_that_names_no_program_is_refused(line: str) -> None:
    with pytest.raises(Invalid, match="command"):
        CommandModel(line)


def printing(said: object) -> str:
    return f"print({json.dumps(said)!r})"


def test_the_json_of_an_agent_tells_what_it_really_used(program: Program) -> None:
    usage = {"input_tokens": 4, "cache_read_input_tokens": 15_000, "output_tokens": 9}
    said = {"type": "result", "is_error": False, "result": "RS256", "usage": usage}

    answer = program(printing(said)).complete("", "x", most_tokens=5)

    assert (answer.text, answer.tokens_in, answer.tokens_out) == ("RS256", 15_004, 9)


def test_an_agent_that_reports_an_error_has_failed(program: Program) -> None:
    said = {"type": "result", "is_error": True, "result": "limit reached"}

    with pytest.raises(Unavailable, match="the agent failed: limit reached"):
        program(printing(said)).complete("", "x", most_tokens=5)


@pytest.mark.parametrize(
    "said", [{"memories": []}, {"type": "result"}, {"type": "x", "result": ""}]
)
def test_other_json_is_an_answer_like_any(program: Program, said: object) -> None:
    answer = program(printing(said)).complete("", "x", most_tokens=5)

    assert json.loads(answer.text) == said


def test_json_that_breaks_off_is_an_answer_like_any(program: Program) -> None:
    answer = program('print(\'{"type": "result"\')').complete("", "x", most_tokens=5)

    assert answer.text == '{"type": "result"\n'
