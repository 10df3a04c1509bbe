"""`learn`: find out which profile helps, use it more, and take it back."""

from __future__ import annotations

from tacit.errors import Invalid
from tacit.interfaces import wire_learn
from tacit.interfaces.cli import options, show
from tacit.interfaces.cli.commands import learn_rank, learn_transfer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from types import ModuleType

    from tacit.interfaces.cli.console import Console
    from tacit.interfaces.cli.show import Cell
    from tacit.learn.policy import Policy
    from tacit.learn.standing import Arm, Standing, Task

EXAMPLES = """\
examples:
  tacit learn start
  tacit learn start --arms semantic-heavy,episodic-heavy --compare
  tacit learn status
  tacit learn explain episodic-heavy
  tacit learn pause
  tacit learn rollback
{apart}
Sessions are given different profiles, and what becomes of them tells which one helps. The profile
in use is the control. With --compare every arm has the same share and nothing is changed; without,
the better ones are used more: by at most 5 % a day, a tenth of all sessions explore, and what does
clearly worse than the control is taken out. Until there is evidence enough, no winner is named.
It is off until you start it; `stop` ends it, `rollback` takes its last change back and pauses it."""
ACTIONS = ("status", "start", "pause", "resume", "stop", "update", "rollback", "explain")
# What has a module of its own: its options and what it does.
APART: dict[str, ModuleType] = {"rank": learn_rank, "transfer": learn_transfer}
_STYLES = {"better": "good", "worse": "bad", "out": "bad"}
OFF = "Learning is off: every session gets the profile in use. To begin: tacit learn start"


def add_learn(parser: ArgumentParser) -> None:
    """Add the arguments of `learn`."""
    parser.epilog = EXAMPLES.format(apart=learn_rank.EXAMPLES + learn_transfer.EXAMPLES)
    parser.add_argument(
        "action",
        nargs="?",
        default="status",
        choices=(*ACTIONS, *APART),
        metavar="ACTION",
        help=f"{', '.join((*ACTIONS, *APART))} (default status)",
    )
    parser.add_argument("arm", nargs="?", default="", metavar="ARM", help="of explain: one arm")
    parser.add_argument(
        "--arms",
        type=options.words,
        default=[],
        metavar="NAMES",
        help="of start: profiles, with commas; name@version for one version",
    )
    parser.add_argument(
        "--compare", action="store_true", help="of start: give all the same share, change nothing"
    )
    parser.add_argument("--seed", type=int, metavar="N", help="of start: of the draws")
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="NAME=NUMBER",
        help="of start: discount, explore, shift, guardrail, least or stretch",
    )
    for part in APART.values():
        part.add(parser)


def run_learn(given: Namespace, console: Console) -> int:
    """Do what the action says."""
    if given.arm and given.action != "explain":
        raise Invalid(f"learn {given.action} takes no {given.arm!r}; see: tacit learn --help")
    if given.action in APART:
        done: int = APART[given.action].run(given, console)
        return done
    with options.open_tacit(given) as tacit:
        match given.action:
            case "status":
                return _status(tacit.learn_status(), console)
            case "explain":
                return _explain(tacit.learn_explain(given.arm), console)
            case "update":
                taken = tacit.learn_update()
                if console.json:
                    console.data(wire_learn.step(taken))
                for one in () if console.json else taken.notes:
                    console.result(f"{one.event} {one.subject}  {show.plain(one.why)}")
                if not taken.notes and not console.json:
                    console.result("Nothing to change yet; see: tacit learn status")
                return 0
            case "start":
                policy = tacit.learn_start(
                    given.arms, compare=given.compare, seed=given.seed, limits=_limits(given.set)
                )
            case "pause":
                policy = tacit.learn_pause()
            case "resume":
                policy = tacit.learn_resume()
            case "stop":
                policy = tacit.learn_stop()
            case _:
                policy = tacit.learn_rollback()
    return _policy(policy, console)


def _limits(given: list[str]) -> dict[str, float]:
    found: dict[str, float] = {}
    for one in given:
        name, _, number = one.partition("=")
        try:
            found[name] = float(number)
        except ValueError:
            raise Invalid(f"{one!r} sets nothing; write a limit so: discount=0.98") from None
    return found


def _policy(policy: Policy, console: Console) -> int:
    if console.json:
        console.data(wire_learn.policy(policy))
        return 0
    console.result(_headed(policy, console))
    return 0


def _headed(policy: Policy, console: Console) -> str:
    if policy.mode == "off":
        return OFF
    since = f" since {show.date(policy.since)}" if policy.since else ""
    doing = {
        "compare": "compares profiles, each with the same share",
        "adapt": "uses more what helps more",
        "paused": "is paused: every session gets the profile in use",
    }[policy.state]
    return f"{console.paint('Learning', 'bold')} {doing}{since}; the control is {policy.control}."


def _status(found: Standing, console: Console) -> int:
    if console.json:
        console.data(wire_learn.standing(found))
        return 0
    console.result(_headed(found.policy, console))
    for task in found.tasks:
        console.result("")
        for line in _task(task, console):
            console.result(line)
    return 0


def _task(task: Task, console: Console) -> list[str]:
    title = task.task_type or "tasks of no known type"
    rows: list[list[Cell]] = [
        [
            (name, "dim")
            for name in ("arm", "share", "sessions", "went well", "between", "against the control")
        ]
    ]
    rows += [_row(one) for one in task.arms]
    lines = [console.paint(title, "bold"), *show.table(console, rows, text=None)]
    if task.more is None:
        lines.append("No arm can be told from the control so far.")
    elif task.more:
        about = show.count(task.more, "more session")
        lines.append(f"Too early to tell: needs about {about}.")
    if task.sessions:
        lines.append(
            f"About {task.regret:.1f} of {show.count(task.sessions, 'session')} would have gone "
            "well with what now seems best."
        )
    return lines


def _row(one: Arm) -> list[Cell]:
    known = bool(one.sessions)
    over = one.over_control
    against = "" if over is None or not known else f"{over.low:+.0%} to {over.high:+.0%}  "
    return [
        (one.arm, "bold"),
        (f"{one.share:.1%}", ""),
        (f"{one.sessions:,}", ""),
        (f"{one.mean:.0%}" if known else "–", ""),
        (f"{one.interval.low:.0%} to {one.interval.high:.0%}" if known else "–", ""),
        (f"{against}{one.verdict}", _STYLES.get(one.verdict, "dim")),
    ]


def _explain(lines: list[str], console: Console) -> int:
    if console.json:
        console.data({"lines": lines})
        return 0
    for line in lines:
        console.result(line)
    return 0
