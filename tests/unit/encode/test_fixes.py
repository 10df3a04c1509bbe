"""Errors and their fixes: by edits after which the same command passed; nothing by chance."""

from __future__ import annotations

import pytest

from sessions import a_call, a_prompt, a_reply, a_result, a_session, edited, ran
from tacit.encode.fixes import changed, find_fixes
from tacit.encode.tasks import cut_tasks
from tacit.observation import Tool

NO_CART = "Traceback (most recent call last):\nKeyError: 'cart'"


def fixes(*events):
    """Find the fixes of a session that is one task."""
    [task] = cut_tasks(a_session(a_prompt("Add a cart to the shop"), *events))
    return find_fixes(task)


def failed(command="make test", output=NO_CART):
    return ran(command, output, failed=True)


def test_an_edit_after_which_the_same_command_passed_is_the_fix():
    [fix] = fixes(failed(), edited("src/cart.py", "c['cart']", "c.get('cart')"), ran("make test"))

    assert fix.problem.type == "KeyError"
    assert fix.command == "make test"
    assert fix.resolution == "changed in src/cart.py: `c['cart']` → `c.get('cart')`"
    assert fix.files == ("src/cart.py",)
    assert fix.telling
    assert not fix.slip
    for seen in (NO_CART, "c.get('cart')", "make test"):
        assert seen in fix.words


def test_the_reason_the_agent_gave_comes_first():
    [fix] = fixes(
        failed(),
        a_reply("Let me look. The problem is that an empty shop has no cart. I will edit it."),
        edited("src/cart.py"),
        ran("make test"),
    )

    assert fix.cause == "The problem is that an empty shop has no cart."
    assert fix.resolution == "changed in src/cart.py"
    assert fix.telling


@pytest.mark.parametrize(
    "said",
    [
        "Let me look at the file.",
        "Now let me wrap the error.",
        "I'll mend the bug.",
        "I need to read the test first.",
        "I see the issue now!",
        "The tests confirm the bug.",
        "",
    ],
)
def test_what_the_agent_is_about_to_do_is_no_reason(said):
    [fix] = fixes(failed(), a_reply(said), edited("src/cart.py"), ran("make test"))

    assert fix.resolution == "changed in src/cart.py"
    assert not fix.telling


def test_a_reason_given_after_the_edit_or_before_the_failure_is_not_its_reason():
    [fix] = fixes(
        a_reply("We do this because carts matter."),
        failed(),
        edited("src/cart.py"),
        a_reply("It broke because of me."),
        ran("make test"),
    )

    assert "because" not in fix.resolution


def test_an_error_that_went_away_by_itself_has_no_fix():
    [fix] = fixes(failed(), ran("make test"))

    assert fix.resolution == ""
    assert not fix.telling


def test_an_error_that_stayed_has_no_fix():
    [fix] = fixes(failed(), edited(), failed())

    assert fix.resolution == ""


def test_an_edit_before_the_failure_or_after_the_success_fixed_nothing():
    [fix] = fixes(edited("a.py"), failed(), ran("make test"), edited("b.py"))

    assert fix.resolution == ""
    assert fix.files == ()


def test_another_command_that_passed_after_the_edit_proves_nothing():
    [fix] = fixes(failed(), edited(), ran("make build"))

    assert fix.resolution == ""


def test_the_same_command_on_quite_other_things_proves_nothing():
    [fix] = fixes(
        failed("pytest tests/a.py"), edited("src/a.py", "x", "y"), ran("pytest tests/b.py")
    )

    assert fix.resolution == ""


def test_a_narrower_or_wider_run_proves_it():
    for wrong, then in (("pytest", "pytest tests/a.py"), ("pytest -q tests/a.py", "pytest")):
        [fix] = fixes(failed(wrong), edited("src/a.py", "x", "y"), ran(then))
        assert fix.telling


def test_edits_do_not_fix_what_asks_the_world():
    [fix] = fixes(
        failed("gh api repos/a/b/1 --jq .id", "gh: Not Found (HTTP 404)"),
        edited("src/a.py", "x", "y"),
        ran("gh api repos/a/b/1 --paginate"),
    )

    assert fix.resolution == ""
    assert fix.files == ()


def test_a_call_without_a_result_proves_nothing():
    [fix] = fixes(failed(), edited(), a_call("make test", call="lost"))

    assert fix.resolution == ""


def test_an_edit_that_failed_is_no_part_of_the_fix():
    wrong = (
        a_call("b.py", Tool.EDIT, call="w", before="x", after="y"),
        a_result("EACCES: permission denied", call="w", failed=True),
    )
    found = fixes(failed(), wrong, edited("a.py", "x", "y"), ran("make test"))

    assert found[0].files == ("a.py",)


@pytest.mark.parametrize(
    ("wrong", "output", "then"),
    [
        ("pytest -q", "bash: pytest: command not found", "uv run pytest -q"),
        ("make test", "Command timed out after 2m 0.0s", "make test"),
        ("npm test", "Error: getaddrinfo ENOTFOUND registry.example.com", "npm test"),
        ("cd web && make test", "bash: cd: web: No such file or directory", "make test"),
        ("./run.sh test", "bash: ./run.sh: Permission denied", "./run.sh test"),
        ("python -m mypy .", "/usr/bin/python: No module named mypy", "python -m mypy ."),
    ],
)
def test_a_failure_of_the_machine_is_no_error_of_the_work(wrong, output, then):
    assert fixes(failed(wrong, output), edited("src/a.py", "x", "y"), ran(then)) == ()


@pytest.mark.parametrize(
    ("wrong", "output", "then"),
    [
        ("gh pr diff 88 --stat", "unknown flag: --stat", "gh pr diff 88 --name-only"),
        ("git push", " ! [rejected] main -> main (non-fast-forward)", "git pull --rebase && git push"),
    ],
)  # fmt: skip
def test_asking_a_tool_otherwise_teaches_nothing(wrong, output, then):
    [fix] = fixes(failed(wrong, output), ran(then))

    assert fix.resolution == ""


@pytest.mark.parametrize("path", ["/tmp/try_cart.py", "repro_cart.py", "check_it.py"])
def test_a_script_made_for_trying_gives_no_fix(path):
    write = a_call(path, Tool.WRITE, call="w", after="x"), a_result("ok", call="w")
    found = fixes(
        write, failed(f"python {path}"), edited("src/cart.py", "x", "y"), ran(f"python {path}")
    )

    assert [(fix.resolution, fix.files) for fix in found] == [("", ())]


def test_edits_of_scripts_made_for_trying_are_no_part_of_a_fix():
    write = a_call("debug_cart.py", Tool.WRITE, call="w", after="x"), a_result("ok", call="w")
    [fix] = fixes(failed(), write, edited("src/cart.py", "x", "y"), ran("make test"))

    assert fix.files == ("src/cart.py",)


def test_running_other_tests_is_no_fix_of_those_that_failed():
    [fix] = fixes(
        failed("go test -run TestTotal ./...", "--- FAIL: TestTotal (0.0s)"),
        ran("go test -run TestName ./..."),
    )

    assert fix.resolution == ""


@pytest.mark.parametrize(
    ("wrong", "output", "then"),
    [
        ("git rebase main", "error: ambiguous argument 'main'", "git rebase --abort"),
        ("shopctl --print x", "Error: input must be provided", "shopctl --help"),
        ("git add a.py", "fatal: pathspec not found: a.py", "git add a.py b.py"),
        ("gh api repos/a/b/1", "gh: Not Found (HTTP 404)", "gh api repos/a/b"),
        ("./farm.sh verify", "✗ branch not found", "./farm.sh cleanup"),
        ("make a && make b", "make: *** No rule to make target 'b'", "make a"),
    ],
)
def test_going_on_with_something_else_is_no_fix(wrong, output, then):
    [fix] = fixes(failed(wrong, output), ran(then))

    assert fix.resolution == ""


def test_one_package_more_is_what_this_machine_lacked():
    missing = failed("pytest -q", "ModuleNotFoundError: No module named 'yaml'")

    assert fixes(missing, ran("pip install pyyaml"), ran("pytest -q")) == ()


def test_a_build_before_other_tests_is_no_fix():
    [fix] = fixes(
        failed("go test -run TestTotal ./...", "--- FAIL: TestTotal (0.0s)"),
        ran("go build ./..."),
        ran("go test -run TestName ./..."),
    )

    assert fix.resolution == ""


def test_an_install_that_failed_is_no_fix():
    found = fixes(
        failed("pytest -q", "ModuleNotFoundError: No module named 'yaml'"),
        failed("pip install pyyaml", "ERROR: no network"),
        ran("pytest -q"),
    )

    assert [fix.resolution for fix in found] == [""]


@pytest.mark.parametrize(
    "output",
    [
        "cart.go:3:1: declared and not used: total",
        'cart.go:3:1: "fmt" imported and not used',
        "cart.go:3:1: undefined: total",
        "  File \"a.py\", line 1\nSyntaxError: '(' was never closed",
        "NameError: name 'total' is not defined",
        "src/a.ts(1,2): error TS2304: Cannot find name 'total'.",
    ],
)
def test_a_slip_of_the_pen_is_known_as_one(output):
    [fix] = fixes(failed("make build", output), edited("cart.go", "a", "b"), ran("make build"))

    assert fix.slip


def test_the_fix_of_an_unclear_failure_tells_nothing():
    [fix] = fixes(failed("make test", "lint   pass   24s"), edited("a.py", "x", "y"), ran())

    assert fix.resolution
    assert not fix.telling


def test_the_same_error_counts_once_and_its_fix_wins():
    [fix] = fixes(failed(), failed(), edited("src/cart.py", "a", "b"), ran("make test"))

    assert fix.resolution == "changed in src/cart.py: `a` → `b`"


def test_a_package_the_project_had_not_named_is_its_own_fault():
    [fix] = fixes(
        failed("pytest -q", "ModuleNotFoundError: No module named 'yaml'"),
        edited("requirements.txt", "flask", "flask\npyyaml"),
        ran("pytest -q"),
    )

    assert fix.resolution == "changed in requirements.txt: added `pyyaml`"


def test_errors_that_differ_by_a_name_are_two():
    one, two = (f"KeyError: '{name}'" for name in ("cart", "shop"))
    found = fixes(failed("pytest", one), failed("pytest", two))

    assert [fix.problem.message for fix in found] == [one, two]


def test_looking_for_a_file_that_is_not_there_is_no_error_of_the_work():
    looked = a_call("src/gone.py", Tool.READ, call="r"), a_result("File does not exist.", call="r", failed=True)  # fmt: skip

    assert fixes(looked) == ()


def test_a_failure_that_says_nothing_is_left_out():
    assert fixes(failed("make test", "Exit code 1")) == ()


def test_many_edits_are_told_by_the_first_and_the_number_of_the_rest():
    edits = [edited(f"src/{name}.py", "x", "y" * 400) for name in "abcde"]

    [fix] = fixes(failed(), *edits, ran("make test"))

    assert fix.resolution == "changed in src/a.py; in src/b.py; in src/c.py and 2 more"
    assert len(fix.files) == 5
    assert not fix.telling


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        ("a\nb", "a\nc", "`b` → `c`"),
        ("a", "a\nb", "added `b`"),
        ("a\nb", "a", "removed `b`"),
        ("a", "  a  ", ""),
        ("", "", ""),
        ("a", "b" * 161, ""),
    ],
)
def test_a_change_is_told_by_the_lines_that_differ(before, after, told):
    assert changed(before, after) == told
