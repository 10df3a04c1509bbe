"""Old output made shorter: both ends and the errors stay, and nothing is cut twice."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacit.errors import Invalid
from tacit.session.trim import KEEP_CHARS, stage_for, trim

LINES = [f"step {number} went well" for number in range(1000)]


def output(*, amiss: str = "", at: int = 500) -> str:
    lines = list(LINES)
    if amiss:
        lines[at] = amiss
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize(
    ("used", "stage"),
    [(None, "soft"), (0.0, "none"), (0.29, "none"), (0.3, "soft"), (0.49, "soft"), (0.5, "hard")],
)
def test_how_hard_to_trim_follows_from_the_context(used: float | None, stage: str) -> None:
    assert stage_for(used) == stage
    assert trim(output(), context_used=used).stage == stage


def test_a_percentage_is_refused() -> None:
    with pytest.raises(Invalid, match=r"write 0\.4"):
        trim("x", context_used=40)
    with pytest.raises(Invalid, match="stage 'firm' is unknown"):
        trim("x", stage="firm")
    with pytest.raises(Invalid, match="not above 0"):
        trim("x", keep_chars=0)


def test_both_ends_stay_in_whole_lines_and_the_marker_tells_what_went() -> None:
    text = output()

    found = trim(text)

    head, _, rest = found.text.partition("[tacit: ")
    tail = rest.partition("]\n")[2]
    assert text.startswith(head)
    assert text.endswith(tail)
    assert head.endswith("well\n")
    assert tail.startswith("step ")
    assert KEEP_CHARS - 40 < len(head) <= KEEP_CHARS
    assert KEEP_CHARS - 40 < len(tail) <= KEEP_CHARS
    assert len(head) + len(tail) + found.cut_chars == len(text)
    assert f"[tacit: {found.cut_chars:,} characters left out; run the command" in found.text


def test_errors_from_the_middle_stay() -> None:
    found = trim(output(amiss="E   KeyError: 'user'"))

    assert "E KeyError: 'user'" in found.text
    assert found.errors_kept == 1


def test_the_same_error_is_kept_once_and_many_only_from_both_ends() -> None:
    same = "\n".join([*LINES[:200], *["ValueError: bad 1"] * 50, *LINES[200:]])
    many = "\n".join([*LINES[:200], *(f"Odd{chr(65 + n)}Error: no" for n in range(26)), *LINES])

    assert trim(same).text.count("ValueError") == 1
    kept = trim(many)
    assert kept.errors_kept == 10
    assert "OddAError" in kept.text
    assert "OddZError" in kept.text
    assert "OddMError" not in kept.text


def test_hard_leaves_a_note_and_the_errors() -> None:
    text = output(amiss="panic: runtime error: index out of range")

    found = trim(text, stage="hard", again="see build.log")

    assert found.text == (
        f"[tacit: {len(text):,} characters cleared; see build.log; what it said was amiss:]\n"
        "panic: runtime error: index out of range\n"
    )


def test_hard_after_soft_still_tells_how_much_there_was() -> None:
    text = output(amiss="KeyError: 'user'")

    soft = trim(text)
    hard = trim(soft.text, stage="hard")

    assert f"{len(soft.text) + soft.cut_chars:,} characters cleared" in hard.text
    assert hard.text.endswith("KeyError: 'user'\n")


@pytest.mark.parametrize("stage", ["soft", "hard"])
def test_short_output_stays_as_it_is(stage: str) -> None:
    assert trim("all good\n", stage=stage).text == "all good\n"
    assert trim("", stage=stage).text == ""


def test_a_marker_quoted_in_a_long_output_does_not_keep_it_from_being_trimmed() -> None:
    text = "[tacit: 5 characters cleared; see x]\n" + output()

    assert trim(text, stage="hard").stage == "hard"
    assert trim(text).stage == "soft"


def test_one_long_line_is_cut_between_characters_that_stand_alone() -> None:
    family = "\U0001f468\u200d\U0001f469\u200d\U0001f467"
    for shift in range(8):
        text = "x" * shift + family * 2000
        head = trim(text, keep_chars=100).text.partition("\n[tacit")[0]
        assert head[shift:].count("\U0001f468") == head.count("\U0001f467")
        assert not head.endswith("\u200d")


@settings(max_examples=80, deadline=None)
@given(
    st.lists(
        st.one_of(
            st.text(max_size=80),
            st.sampled_from(["Error: no", "FAILED tests/x.py::y", "\ud83d\ude00" * 30, "a" * 900]),
        ),
        max_size=60,
    ),
    st.sampled_from(["soft", "hard"]),
    st.integers(1, 300),
    st.sampled_from(["\n", "\r\n"]),
)
def test_trimming_never_grows_never_crashes_and_is_done_once(
    lines: list[str], stage: str, keep: int, ending: str
) -> None:
    text = ending.join(lines)

    once = trim(text, stage=stage, keep_chars=keep)

    assert len(once.text) <= len(text)
    assert trim(once.text, stage=stage, keep_chars=keep).text == once.text
    assert (once.stage == "none") == (once.text == text)
