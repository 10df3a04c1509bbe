"""What is decided at each moment, with a briefing that only notes what it was asked for."""

from __future__ import annotations

import pytest

from builders import DAY, START, a_fact
from tacit.assemble.briefing import Briefing, Item
from tacit.assemble.budget import Band
from tacit.happening import Happening, Moment
from tacit.model import Level
from tacit.observation import Tool
from tacit.session.lifecycle import MOST_CHARS, MOST_FILES, Told, opened

ASKED = "Retry the payments in the checkout service"


class Briefs:
    """Briefs always with one and the same memory, and notes what was wanted."""

    def __init__(self):
        self.memory = a_fact()
        self.asked = []

    def __call__(self, wanted, *, kind, held=()):
        self.asked.append((kind, wanted))
        item = Item(
            memory=self.memory, level=Level.FULL, band=Band.CRITICAL, tokens=5, score=1.0, why="x"
        )
        return Briefing(text="told\n", tokens=5, budget=9, bands={}, items=(item,), omitted=())


def a_record(**fields):
    begun = opened(Happening(moment=Moment.PROMPT, host="claude"), "claude:s1", "p", "auto", START)
    return begun.replace(**fields)


def told(record, moment, *, brief=None, start_tokens=400, prompt_tokens=300, **fields):
    return Told(
        Happening(moment=moment, host="claude", **fields),
        record,
        brief=brief or Briefs(),
        held=list,
        pointers=lambda: ("Memory index: pay 1\n", 6),
        root="/shop",
        start_tokens=start_tokens,
        prompt_tokens=prompt_tokens,
        now=START + DAY,
    )


@pytest.mark.parametrize(
    ("moment", "fields", "kind"),
    [
        (Moment.SESSION_START, {"cause": "startup"}, "start"),
        (Moment.SESSION_START, {"cause": "clear"}, "start"),
        (Moment.SESSION_START, {"cause": "resume"}, "start"),
        (Moment.SESSION_START, {"cause": "compact"}, "compact"),
        (Moment.PROMPT, {"text": ASKED}, "prompt"),
        (Moment.PRE_TOOL, {"tool": Tool.EDIT, "target": "/shop/a.py"}, "tool"),
        (Moment.PRE_TOOL, {"tool": Tool.WRITE, "target": "/shop/a.py"}, "tool"),
        (Moment.TOOL_FAILED, {"tool": Tool.SHELL, "output": "no"}, "error"),
        (Moment.SUBAGENT_START, {}, "subagent"),
    ],
)
def test_at_these_moments_something_is_said_and_never_more_than_hosts_take(moment, fields, kind):
    brief = Briefs()

    answer = told(a_record(), moment, brief=brief, **fields).answer()

    [(asked, wanted)] = brief.asked
    assert asked == kind
    assert answer.context == "told\n"
    assert kind == "subagent" or wanted.most_chars == MOST_CHARS


@pytest.mark.parametrize(
    ("moment", "fields"),
    [
        (Moment.PROMPT, {"text": "yes"}),
        (Moment.PROMPT, {"text": ASKED, "asked": False}),
        (Moment.PRE_TOOL, {"tool": Tool.SHELL, "target": "ls"}),
        (Moment.PRE_TOOL, {"tool": Tool.READ, "target": "/shop/a.py"}),
        (Moment.PRE_TOOL, {"tool": Tool.EDIT, "target": ""}),
        (Moment.POST_TOOL, {"tool": Tool.EDIT, "target": "/shop/a.py"}),
        (Moment.TOOL_FAILED, {"tool": Tool.SHELL, "output": " "}),
        (Moment.TURN_END, {"text": "Done."}),
        (Moment.PRE_COMPACT, {}),
        (Moment.POST_COMPACT, {}),
        (Moment.SUBAGENT_END, {}),
        (Moment.SESSION_END, {}),
    ],
)
def test_at_these_nobody_is_asked(moment, fields):
    brief = Briefs()

    assert told(a_record(), moment, brief=brief, **fields).answer().context == ""
    assert brief.asked == []


@pytest.mark.parametrize("moment", Moment)
@pytest.mark.parametrize("inject", ["off", "index"])
def test_only_a_start_may_speak_where_injection_is_not_automatic(moment, inject):
    brief = Briefs()
    fields = {"text": ASKED, "tool": Tool.EDIT, "target": "/shop/a.py", "output": "no"}

    answer = told(a_record(inject=inject), moment, brief=brief, **fields).answer()

    assert brief.asked == []
    speaks = inject == "index" and moment is Moment.SESSION_START
    assert ("Memory index: pay 1" in answer.context) == speaks


def test_no_tokens_no_words():
    quiet = {"start_tokens": 0, "prompt_tokens": 0}

    assert told(a_record(), Moment.SESSION_START, **quiet).answer().context == ""
    assert told(a_record(), Moment.PROMPT, text=ASKED, **quiet).answer().context == ""


def test_what_was_shown_is_left_out_next_time_and_asked_for_again_after_a_fresh_start():
    brief = Briefs()
    first = told(a_record(), Moment.SESSION_START, cause="startup", brief=brief)
    first.answer()
    second = told(first.record, Moment.PROMPT, text=ASKED, brief=brief)
    second.answer()
    third = told(second.record, Moment.SESSION_START, cause="compact", brief=brief)
    third.answer()

    assert [wanted.exclude for _, wanted in brief.asked] == [(), (brief.memory.id,), ()]
    assert brief.asked[2][1].task == ASKED
    assert third.record.shown == (brief.memory.id,)


def test_a_start_that_goes_on_does_not_name_the_topics_again():
    brief = Briefs()

    told(a_record(), Moment.SESSION_START, cause="startup", brief=brief).answer()
    told(a_record(), Moment.SESSION_START, cause="resume", brief=brief).answer()

    assert [wanted.pointers[1] for _, wanted in brief.asked] == [6, 0]


def test_a_file_that_was_worked_on_is_not_spoken_of_again():
    brief = Briefs()
    after = told(a_record(), Moment.POST_TOOL, tool=Tool.READ, target="/shop/src/a.py")
    after.answer()

    assert after.record.files == ("src/a.py",)
    told(
        after.record, Moment.PRE_TOOL, tool=Tool.EDIT, target="/shop/src/a.py", brief=brief
    ).answer()
    assert brief.asked == []


def test_files_are_bounded_and_the_last_are_kept():
    record = a_record()
    for number in range(MOST_FILES + 10):
        one = told(record, Moment.POST_TOOL, tool=Tool.EDIT, target=f"/shop/{number}.py")
        one.answer()
        record = one.record

    assert len(record.files) == MOST_FILES
    assert record.files[-1] == f"{MOST_FILES + 9}.py"


def test_a_prompt_is_the_goal_unless_it_merely_goes_on():
    one = told(a_record(), Moment.PROMPT, text=f"  {ASKED} ")
    one.answer()
    two = told(one.record, Moment.PROMPT, text="yes, go on")
    two.answer()

    assert one.record.goal == two.record.goal == ASKED
    assert two.record.turns == 2
    assert two.record.pending


def test_a_full_context_is_warned_of_once_at_each_mark():
    one = told(a_record(), Moment.PROMPT, text="yes", context_used=0.6)
    said = one.answer().context
    two = told(one.record, Moment.PROMPT, text="yes", context_used=0.61)

    assert "%" in said
    assert two.answer().context == ""


@pytest.mark.parametrize("share", [-1.0, 1.5, 60.0])
def test_a_share_of_the_context_that_is_none_is_not_believed(share):
    one = told(a_record(context_used=0.3), Moment.TURN_END, context_used=share)
    one.answer()

    assert one.record.context_used == 0.3


def test_an_end_is_noted_and_waits_to_be_made_into_memories():
    one = told(a_record(), Moment.SESSION_END)
    one.answer()

    assert one.record.ended == START + DAY
    assert one.record.pending
