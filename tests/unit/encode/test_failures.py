"""Error output: the line that tells, its sort, and a signature that is the same at every run."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacit.encode.failures import MESSAGE_CHARS, SIGNATURE_CHARS, read_problem, signature

PYTHON = """Traceback (most recent call last):
  File "/home/ana/shop/app.py", line 41, in <module>
    main()
  File "/home/ana/shop/app.py", line 12, in main
    cart["total"]
KeyError: 'total'
"""
PYTEST = """============================= test session starts ==============================
collected 12 items

tests/test_cart.py ..F                                                    [100%]

=================================== FAILURES ===================================
    def test_total():
>       assert total([2, 3]) == 6
E       AssertionError: expected six
E       assert 5 == 6

tests/test_cart.py:14: AssertionError
=========================== short test summary info ============================
FAILED tests/test_cart.py::test_total - AssertionError: expected six
========================= 1 failed, 11 passed in 0.12s =========================
"""
PLAIN_ASSERT = """>       assert total([2, 3]) == 6
E       assert 5 == 6

FAILED tests/test_cart.py::test_total - assert 5 == 6
"""
GO_BUILD = """Exit code 1
[test] $ go test ./...
?   	shop.example/cmd	[no test files]
# shop.example/cart [shop.example/cart.test]
cart/total_test.go:31:9: cannot use price (variable of type int) as string value in argument
FAIL	shop.example/cart [build failed]
ok  	shop.example/user	(cached)
FAIL
"""
GO_TEST = """=== RUN   TestTotal
--- FAIL: TestTotal (0.00s)
    --- FAIL: TestTotal/empty (0.00s)
        total_test.go:12: starting with an empty cart
        total_test.go:18: expected 0, got 7
FAIL
FAIL	shop.example/cart	0.5s
"""
GO_VERBOSE = """=== RUN   TestTotal
    total_test.go:18: total is 7, want 0
--- FAIL: TestTotal (0.03s)
FAIL
"""
GO_LOGGING = """=== RUN   TestPay
    hooks.go:55: Hook said: 2026/01/12 15:18:40 INFO not paid component=pay
    pay_test.go:18: the card should be charged
    pay_test.go:19: 2026/01/12 15:18:40 INFO got a card
--- FAIL: TestPay (0.03s)
"""
GO_PANIC = """--- FAIL: TestLoad (0.01s)
panic: runtime error: index out of range [3] with length 3 [recovered]
goroutine 35 [running]:
"""
TYPESCRIPT = """> shop@1.0.0 build
> tsc -p .

src/cart.ts(12,5): error TS2322: Type 'string' is not assignable to type 'number'.
src/user.ts(3,1): error TS2304: Cannot find name 'foo'.
"""
RUST = """   Compiling shop v0.1.0 (/home/ana/shop)
error[E0382]: borrow of moved value: `cart`
  --> src/main.rs:12:20
error: could not compile `shop` (bin "shop") due to 1 previous error
"""
RUST_PANIC = """running 1 test
test tests::total ... FAILED

---- tests::total stdout ----
thread 'tests::total' panicked at src/lib.rs:12:9:
assertion `left == right` failed
"""
NPM = """npm error code ERESOLVE
npm error ERESOLVE unable to resolve dependency tree
npm error
npm error A complete log of this run can be found in: /home/ana/.npm/_logs/x.log
"""
NPM_SCRIPT = """npm ERR! Missing script: "biuld"
npm ERR!
npm ERR! A complete log of this run can be found in: /home/ana/.npm/_logs/x.log
"""
JEST = """FAIL src/cart.test.ts
  Cart
    ✕ adds (5 ms)

  ● Cart › adds

    expect(received).toBe(expected)
"""
ESLINT = """
/home/ana/shop/src/cart.js
  12:5  error  'total' is assigned a value but never used  no-unused-vars
"""
PUSH = """To github.com:ana/shop.git
 ! [rejected]        main -> main (non-fast-forward)
error: failed to push some refs to 'github.com:ana/shop.git'
hint: Updates were rejected because the tip of your current branch is behind
"""
LOGGING = """2026/02/03 11:36:54 INFO starting component=shop
✓ Created the table
2026/02/03 11:36:55 INFO stopping component=shop
could not open the ledger
"""


@pytest.mark.parametrize(
    ("output", "type_", "said"),
    [
        (PYTHON, "KeyError", "KeyError: 'total'"),
        (PYTEST, "AssertionError", "AssertionError: expected six"),
        (PLAIN_ASSERT, "", "FAILED tests/test_cart.py::test_total - assert 5 == 6"),
        (GO_BUILD, "", "cart/total_test.go:31:9: cannot use price (variable of type int) as string value in argument"),
        (GO_TEST, "", "--- FAIL: TestTotal/empty: expected 0, got 7"),
        (GO_VERBOSE, "", "--- FAIL: TestTotal: total is 7, want 0"),
        (GO_LOGGING, "", "--- FAIL: TestPay: the card should be charged"),
        (GO_PANIC, "", "panic: runtime error: index out of range [3] with length 3 [recovered]"),
        (TYPESCRIPT, "TS2322", "src/cart.ts(12,5): error TS2322: Type 'string' is not assignable to type 'number'."),
        (RUST, "E0382", "error[E0382]: borrow of moved value: `cart`"),
        (RUST_PANIC, "", "thread 'tests::total' panicked at src/lib.rs:12:9: assertion `left == right` failed"),
        (NPM, "ERESOLVE", "npm error ERESOLVE unable to resolve dependency tree"),
        (NPM_SCRIPT, "", 'npm ERR! Missing script: "biuld"'),
        (JEST, "", "● Cart › adds"),
        (ESLINT, "", "12:5 error 'total' is assigned a value but never used no-unused-vars"),
        (PUSH, "", "! [rejected] main -> main (non-fast-forward)"),
        (LOGGING, "", "could not open the ledger"),
        ("bash: line 1: frobnicate: command not found", "", "bash: line 1: frobnicate: command not found"),
        ("(eval):cd:1: no such file or directory: web", "", "(eval):cd:1: no such file or directory: web"),
        ("fatal: not a git repository", "", "fatal: not a git repository"),
        ("make: *** No rule to make target 'chek'.  Stop.", "", "make: *** No rule to make target 'chek'. Stop."),
        ("make: *** [Makefile:3: test] Error 1\ncart.c:5:3: error: expected ';'", "", "cart.c:5:3: error: expected ';'"),
        ("Error: Cannot find module 'left-pad'", "", "Error: Cannot find module 'left-pad'"),
        ("Uncaught TypeError: cart is undefined", "TypeError", "Uncaught TypeError: cart is undefined"),
        ("\x1b[31mValueError: bad\x1b[0m", "ValueError", "ValueError: bad"),
        ("[build] ERROR task failed\ncart.go:1: : # shop/cart\ncart.go:9:2: G104: Errors unhandled (gosec)", "", "cart.go:9:2: G104: Errors unhandled (gosec)"),
    ],
)  # fmt: skip
def test_the_telling_line_is_found(output, type_, said):
    problem = read_problem(output)

    assert problem is not None
    assert (problem.type, problem.message) == (type_, said)
    assert problem.clear


@pytest.mark.parametrize(
    "output", ["", "\n \n", "Exit code 1", "Exit code 2\n$ make\nok  \tshop\t0.1s\nFAIL"]
)
def test_output_that_says_nothing_is_no_problem(output):
    assert read_problem(output) is None


def test_without_a_line_that_tells_of_an_error_the_first_one_is_taken_and_said_to_be_unclear():
    problem = read_problem("lint   pass   24s\ntest   pending   0")

    assert problem is not None
    assert problem.message == "lint pass 24s"
    assert not problem.clear


def test_a_line_that_goes_on_in_the_next_is_joined_with_it():
    problem = read_problem(
        "The following paths are ignored by one of your .gitignore files:\nbuild"
    )

    assert problem is not None
    assert problem.message.endswith(".gitignore files: build")


def test_the_exception_that_ended_a_run_is_the_last_one_printed():
    output = "KeyError: 'a'\n\nDuring handling of the above, another one occurred:\n\nValueError: no cart"

    problem = read_problem(output)

    assert problem is not None
    assert problem.type == "ValueError"


def test_a_compiler_is_read_from_its_first_error():
    problem = read_problem("a.go:1:2: cannot use x as y\nb.go:3:4: missing something else")

    assert problem is not None
    assert problem.message.startswith("a.go")


def test_both_ends_of_a_long_output_are_read():
    problem = read_problem("compiling\n" * 20_000 + "ValueError: the cart is empty")

    assert problem is not None
    assert problem.type == "ValueError"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("FileNotFoundError: /home/ana/shop/cart.json", "FileNotFoundError: /srv/builds/77/shop/cart.json"),
        ("ValueError: took 31 of 7 seats", "ValueError: took 2 of 90 seats"),
        ("KeyError: 'total'", "KeyError: 'sum'"),
        ("fatal: bad object 3f9c2ab", "fatal: bad object 77aa01c9d2e4"),
        ("RuntimeError: object at 0x7f3a10", "RuntimeError: object at 0x55e0bb"),
        ("error: no job 550e8400-e29b-41d4-a716-446655440000", "error: no job 6fa459ea-ee8a-3ca4-894e-db77e160355e"),
        ("cart/total.go:12:3: cannot use price as string", "user/name.go:990:14: cannot use price as string"),
        ("TimeoutError: gave up after 1m30s", "TimeoutError: gave up after 12s"),
        ("error: server said no at 2026-02-03T10:11:12Z", "error: server said no at 2025-12-24T01:02:03Z"),
        ("error: cannot get https://a.example/x?id=1", "error: cannot get https://b.example/y"),
        ("--- FAIL: TestTotal (0.01s)\n    a_test.go:3: got 1", "--- FAIL: TestTotal (9.20s)\n    a_test.go:4: got 2"),
        ("! [rejected] main -> main (fetch first)", " ! [rejected]   topic -> topic (fetch first)"),
        ("bash: line 1: frob: command not found", "zsh:4: frob: command not found"),
    ],
)  # fmt: skip
def test_the_same_error_has_the_same_signature_elsewhere(one, other):
    first, second = read_problem(one), read_problem(other)

    assert first is not None
    assert second is not None
    assert first.signature == second.signature


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("KeyError: 'total'", "IndexError: 'total'"),
        ("error[E0382]: borrow of moved value: `a`", "error[E0502]: cannot borrow `a` as mutable"),
        ("a.go:1:2: G104: Errors unhandled (gosec)", "a.go:1:2: G304: Potential file inclusion (gosec)"),
        ("gh: Not Found (HTTP 404)", "gh: Server Error (HTTP 500)"),
        ("bash: frob: command not found", "bash: grub: command not found"),
        ("--- FAIL: TestTotal (0.01s)", "--- FAIL: TestSum (0.01s)"),
        ("--- FAIL: TestTotal/empty (0.01s)", "--- FAIL: TestSum/empty (0.01s)"),
        ("a.ts(1,2): error TS2322: Type 'a'", "a.ts(1,2): error TS2345: Type 'a'"),
        ("No such file: /srv/cart.json", "No such file: /srv/user.json"),
    ],
)  # fmt: skip
def test_different_errors_have_different_signatures(one, other):
    first, second = read_problem(one), read_problem(other)

    assert first is not None
    assert second is not None
    assert first.signature != second.signature


def test_numbers_within_names_stay_in_a_signature():
    assert (
        signature("", "cannot use int64 as utf8, rule G104")
        == "cannot use int64 as utf8, rule g104"
    )


def test_a_path_is_reduced_to_its_last_part_whether_it_is_whole_or_not():
    for path in ("/a/b/cart.go", "a/b/cart.go", "./a/cart.go", "~/x/cart.go", r"C:\a\cart.go"):
        assert signature("", f"cannot read {path} now") == "cannot read cart.go now"


@settings(max_examples=80)
@given(st.text(max_size=400) | st.lists(st.sampled_from([*GO_TEST.splitlines(), *PYTEST.splitlines(), *RUST.splitlines(), "a" * 2000, "x/" * 900])).map("\n".join))  # fmt: skip
def test_any_output_is_read_within_its_bounds(output):
    problem = read_problem(output)

    assert problem == read_problem(output)
    if problem is not None:
        assert problem.message
        assert len(problem.message) <= MESSAGE_CHARS
        assert len(problem.signature) <= 2 * SIGNATURE_CHARS  # lower case may be longer
