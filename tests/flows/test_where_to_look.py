"""A briefing names the files of such work, and an error brings its fix back, once."""

from tacit.happening import Happening, Moment
from tacit.observation import Tool

ERROR = "Traceback (most recent call last):\nModuleNotFoundError: No module named 'stripe'"


def remembered(tacit):
    """Keep how a refund was mended, in which files."""
    return tacit.remember(
        "Refunds are retried by the payment worker after the bank timed out",
        kind="pattern",
        files=["src/payments.py", "src/worker.py"],
    )


def told(tacit, moment, **fields):
    """Give what a session is told at a moment."""
    happening = Happening(moment=moment, host="claude", session="s1", **fields)
    return tacit.attend(happening).context


def test_a_briefing_names_the_files_of_what_it_found(tacit):
    remembered(tacit)

    text = tacit.brief("retry refunds in the payment worker", budget_tokens=500).text

    assert "Files of such work: src/payments.py, src/worker.py\n" in text


def test_a_file_that_is_open_is_not_named_again(tacit):
    remembered(tacit)

    briefing = tacit.brief(
        "retry refunds in the payment worker",
        signals={"file": "src/payments.py"},
        budget_tokens=500,
    )

    assert "Files of such work: src/worker.py\n" in briefing.text
    assert briefing.tokens <= 500


def test_nothing_found_names_no_file(tacit):
    remembered(tacit)

    assert tacit.brief("weather on the moon tonight?", budget_tokens=500).text == ""


def test_an_error_brings_its_fix_back_though_it_was_read_at_the_start_and_only_once(tacit):
    from tacit.encode.failures import read_problem
    from tacit.model import Facet, FacetType, Mention, Role

    problem = read_problem(ERROR)
    fixed = Mention(facet=Facet(type=FacetType.ERROR, name=problem.signature), role=Role.FIXES)
    tacit.remember(
        "No module named 'stripe': pip install stripe, then it works",
        kind="pattern",
        subtype="error-fix",
        mentions=[fixed],
    )
    failed = {"tool": Tool.SHELL, "name": "Bash", "target": "python app.py", "output": ERROR}

    assert "pip install stripe" in told(tacit, Moment.SESSION_START, cause="startup")
    assert "pip install stripe" in told(tacit, Moment.TOOL_FAILED, call="c1", **failed)
    assert told(tacit, Moment.TOOL_FAILED, call="c2", **failed) == ""


def test_where_a_host_drops_what_is_said_nothing_counts_as_handed_over(tacit):
    remembered(tacit)
    asked = {"text": "Please retry refunds in the payment worker", "heard": False}

    assert told(tacit, Moment.PROMPT, **asked) == ""
    assert tacit.injected("claude:s1") == []
    assert tacit.store.session("claude:s1").shown == ()
