"""`init` and `observe`: memory from what is there already, and from sessions."""

from __future__ import annotations

import os
import sys
import time

from tacit.errors import Invalid, TacitError
from tacit.interfaces.cli import options, show
from tacit.interfaces.cli.progress import progress, steps

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from tacit.interfaces.cli.console import Console
    from tacit.observe.sources import Report, SourceReport
    from tacit.system import Tacit

INIT_EXAMPLES = """\
examples:
  tacit init --dry-run
  tacit init
  tacit init --only documents,git
  tacit init --host claude --host codex --dry-run

Reads the project's rule files, decision records, documents, manifests, git history, code and
past agent sessions, and keeps what is worth it in a store in your data directory. Nothing is
written into the work tree. Running it again reads only what has changed.

With --host agents are connected: their hooks and their MCP server are written into the host's
settings, after every change was shown and you said yes. tacit uninstall takes it back."""
NEXT = 'ask it something:  tacit recall "how are the tests run?"'
CYCLE_SECONDS = 20.0  # of a cycle after a session; the next one goes on
OBSERVE_EXAMPLES = """\
examples:
  tacit observe
  tacit observe ~/.claude/projects/-home-me-app/3f0c.jsonl
  my-agent --events | tacit observe -

Without FILE the project's sources are read again, as by init. A FILE holds sessions of
Claude Code, Codex, Gemini CLI or OpenCode, a chat in Markdown or JSON lines, or issues and
pull requests (gh issue list --json number,title,body,state). With - events are read from
stdin, and pieces of one session add up."""
_WHAT = {  # what a source's number counts
    "documents": "document",
    "notes": "note",
    "manifests": "manifest",
    "commands": "task file",
    "card": "card line",
    "git": "commit",
    "sessions": "session",
    "stream": "session",
    "reports": "report",
    "code": "code file",
    "routines": "past task",
}

_NO_SESSIONS = {  # what was counted → what to say of the file
    "unknown format": "holds no session and no issue in a known format",
    "not a file": "is not a file",
    "unreadable": "cannot be read",
    "broken archive": "is a broken archive",
}


def add_init(parser: ArgumentParser) -> None:
    """Add the arguments of `init`."""
    parser.epilog = INIT_EXAMPLES
    _add_choice(parser)
    parser.add_argument("--empty", action="store_true", help="make the store and read nothing")
    parser.add_argument(
        "--no-embed",
        action="store_true",
        help="only what is quick: leave code shapes to observe, vectors to reembed --pending",
    )
    _add_hosts(parser)


def _add_hosts(parser: ArgumentParser) -> None:
    from tacit.interfaces.install.hosts import NAMES, PLACES

    group = parser.add_argument_group("agents")
    group.add_argument(
        "--host",
        action="append",
        choices=[*NAMES, "all"],
        metavar="HOST",
        help=f"connect this host, of {', '.join(NAMES)}; all: those found; may be repeated",
    )
    group.add_argument(
        "--where",
        choices=PLACES,
        default=PLACES[0],
        metavar="PLACE",
        help="in the settings of the user (default), the project, or local to this checkout",
    )
    group.add_argument("--yes", action="store_true", help="connect without asking")
    group.add_argument("--no-host", action="store_true", help="do not look for hosts")


def run_init(given: Namespace, console: Console) -> int:
    """Make the project's store, fill it, and connect the hosts that were named."""
    if given.no_host and given.host:
        raise Invalid("--host and --no-host do not go together")
    if not given.host:
        status = _run_init(given, console)
        if not given.no_host and sys.stdin.isatty():
            from tacit.interfaces.cli.commands.install import offer

            offer(given, console)
        if console.terminal and not (console.json or given.dry_run):
            console.note(NEXT)
        return status
    from tacit.interfaces.cli.commands.install import connect, plan_hosts, wire

    here, changes = plan_hosts(given)  # settings that cannot be read are told before all else
    if console.json:
        connect(given, console, here, changes)
        return _run_init(given, console, {"hosts": wire(changes)})
    status = _run_init(given, console)
    connect(given, console, here, changes)
    return status


def _run_init(given: Namespace, console: Console, more: dict[str, object] | None = None) -> int:
    there = _is_there(given)
    if given.dry_run and not there:
        return _rehearse(given, console, more)
    with _opened(given) as tacit:
        if not (console.json or console.quiet):
            console.result("The store is there already." if there else "Made the store.")
            for line in show.fields(console, show.place(tacit)):
                console.result(line)
        report = None if given.empty or tacit.project is None else _read(tacit, given, console)
        embedding = (
            _embed(tacit, console) if report and not (given.dry_run or given.no_embed) else 0.0
        )
        _tell(tacit, console, report, embedding=embedding, created=not there, more=more)
    return 0


def _read(tacit: Tacit, given: Namespace, console: Console) -> Report:
    """Read what is quick first: a run that is broken off has then kept most of it."""
    from tacit.observe.sources import GATHERERS, SLOW

    only = options.words(given.only)
    quick = only or [name for name in GATHERERS if name not in SLOW]
    with steps(console) as step:
        if given.dry_run:
            return tacit.observe(
                only=quick if given.no_embed else only, dry_run=True, progress=step
            )
        report = tacit.observe(only=quick, progress=step)
        if only or given.no_embed:
            return report
        return report.joined(tacit.observe(only=SLOW, progress=step))


def add_observe(parser: ArgumentParser) -> None:
    """Add the arguments of `observe`."""
    parser.epilog = OBSERVE_EXAMPLES
    parser.add_argument(
        "file", metavar="FILE", nargs="?", help="a file with sessions or issues; - for stdin"
    )
    parser.add_argument(
        "--pending",
        action="store_true",
        help="make memories of the sessions hooks have seen, as hooks themselves see to",
    )
    parser.add_argument(
        "--ask-model",
        action="store_true",
        help="also ask the language model of the settings; what it says waits for review",
    )
    _add_choice(parser)


def run_observe(given: Namespace, console: Console) -> int:
    """Read the project's sources again, a file of sessions, or a stream of events."""
    if given.file and given.only:
        raise Invalid("--only chooses among the project's sources; it does not go with FILE")
    if given.pending and (given.file or given.only or given.dry_run or given.ask_model):
        raise Invalid("--pending goes by itself: it reads what hooks have seen")
    if given.ask_model and (given.file in (None, "-") or given.dry_run):
        raise Invalid("--ask-model goes with a FILE, and not with --dry-run")
    if given.file == "-" and given.dry_run:
        raise Invalid("a stream cannot be read twice; give a file for a dry run")
    if given.file and given.file != "-":
        os.stat(given.file)  # raises before a store is made
    with options.open_tacit(given, create=True) as tacit:
        if given.pending:
            report = _pending(tacit)
        elif given.file == "-":
            report = tacit.observe_stream(sys.stdin.buffer)
        elif given.file:
            report = tacit.observe_file(
                given.file, ask_model=given.ask_model, dry_run=given.dry_run
            )
            _check_read(given.file, report)
        else:
            with steps(console) as step:
                report = tacit.observe(
                    only=options.words(given.only), dry_run=given.dry_run, progress=step
                )
        _tell(tacit, console, report)
    return 0


def _pending(tacit: Tacit) -> Report:
    """Read what hooks have seen; then another process may be started for what comes."""
    from tacit.session.worker import done

    try:
        report = tacit.observe_pending()
        if tacit.embedder is not None:  # there is time: nobody waits for this process
            tacit.reembed(pending=True)
        wanted = tacit.settings is not None and tacit.settings.consolidate == "auto"
        if wanted and tacit.may("consolidate"):
            tacit.consolidate(seconds=CYCLE_SECONDS)
        return report
    finally:
        if tacit.settings is not None and tacit.project is not None:
            done(tacit.settings, tacit.project.id)


def _check_read(path: str, report: Report) -> None:
    """Say what is wrong with a file in which no session was found."""
    wrong = [name for name in _NO_SESSIONS if name in report.left_out]
    if wrong and not report.sources[0].seen:
        raise Invalid(f"{path} {_NO_SESSIONS[wrong[0]]}; see: tacit observe --help")


def _add_choice(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--dry-run", action="store_true", help="say what would be kept, and keep nothing"
    )
    parser.add_argument(
        "--only",
        metavar="SOURCES",
        default="",
        help="only these, with commas: documents, notes, git, manifests, commands, sessions, code",
    )


def _is_there(given: Namespace) -> bool:
    try:
        options.open_tacit(given).close()
    except TacitError:
        return False
    return True


def _opened(given: Namespace) -> Tacit:
    """Open or make the store; without an embedder where vectors are to wait."""
    if not given.no_embed:
        return options.open_tacit(given, create=True)
    from tacit.config import load_settings
    from tacit.system import Tacit

    settings = load_settings(os.environ).replace(embedder="off")
    return Tacit.open(given.store, project=given.project, settings=settings)


def _rehearse(given: Namespace, console: Console, more: dict[str, object] | None) -> int:
    """Do a dry run where there is no store yet: in a store that is thrown away."""
    from tempfile import TemporaryDirectory

    from tacit.config import load_settings
    from tacit.project import resolve_project
    from tacit.system import Tacit

    settings = load_settings(os.environ)
    project = resolve_project(given.project or os.getcwd(), settings)
    with TemporaryDirectory() as folder, Tacit.open(os.path.join(folder, "dry.db")) as tacit:
        with steps(console) as step:
            report = tacit.observe(
                project.root, only=options.words(given.only), dry_run=True, progress=step
            )
        _tell(tacit, console, report, more=more)
    return 0


def _embed(tacit: Tacit, console: Console) -> float:
    """Compute the vectors of what is new; give the seconds it took."""
    waiting = tacit.pending()
    if not waiting:
        return 0.0
    started = time.perf_counter()
    with progress(console, "embedding", waiting) as step:
        tacit.reembed(pending=True, progress=step)
    return time.perf_counter() - started


def _tell(
    tacit: Tacit,
    console: Console,
    report: Report | None,
    *,
    embedding: float = 0.0,
    created: bool | None = None,
    more: dict[str, object] | None = None,
) -> None:
    if console.json:
        from tacit.interfaces import wire

        about = {} if created is None else wire.place(tacit) | {"created": created}
        seconds = {"embedding_seconds": round(embedding, 3)} if report else {}
        console.data(about | seconds | (wire.report(report) if report else {}) | (more or {}))
        return
    if console.quiet and created is not None:
        console.result(tacit.store.path)
        return
    if report is None:
        console.note("keep something with: tacit remember TEXT")
        return
    for line in report_lines(report, console, embedding):
        console.result(line)


def report_lines(report: Report, console: Console, embedding: float = 0.0) -> list[str]:
    """Give a report for people: what was read, what was kept, what was left out and why."""
    verb = "would keep" if report.dry_run else "kept"
    rows = [
        (_source(one), _became(one, report.dry_run))
        for one in report.sources
        if one.ended or one.new or one.renewed or (one.seen and one.source != "routines")
    ]
    lines = show.fields(console, rows) if rows else ["nothing was found to read"]
    kinds = ", ".join(f"{number:,} {name}" for name, number in report.kinds.items())
    beside = ", ".join(f"{number:,} {name}" for name, number in report.evidence.items())
    seconds = sum(one.seconds for one in report.sources)
    lines.append("")
    told = f"{verb} {show.memories(report.new)} in {seconds:.1f} s"
    lines += show.wrapped(console, f"{told}: {kinds}" if kinds else told)
    if beside:
        number = sum(report.evidence.values())
        lines += show.wrapped(console, f"and {number:,} of evidence, to be searched: {beside}")
    if embedding:
        lines.append(f"embedded them in {embedding:.1f} s")
    refused = "; ".join(
        f"{number:,} {reason}" + (f", such as “{show.plain(said)}”" if said else "")
        for reason, number in report.refused.items()
        for said in [report.examples.get(reason, "")]
    )
    redacted = ", ".join(f"{number:,} {name}" for name, number in report.redacted.items())
    left = ", ".join(f"{number:,} {name}" for name, number in report.left_out.items())
    lines += show.wrapped(console, f"refused: {refused}") if refused else []
    lines += [f"redacted: {redacted}"] if redacted else []
    lines += [f"left out: {left}"] if left else []
    if report.candidates:
        lines.append(f"waiting for review: {report.candidates:,}; see: tacit review")
    if report.unverified:
        lines.append(
            f"unverified: {show.memories(report.unverified)} whose files have changed since"
        )
    return lines


def _source(one: SourceReport) -> str:
    return show.count(one.seen, _WHAT.get(one.source, one.source))


def _became(one: SourceReport, dry_run: bool) -> str:
    parts = [f"{one.new:,} new" if one.new else "nothing new"]
    parts += [f"{one.renewed:,} renewed"] if one.renewed else []
    parts += [f"{one.refused:,} refused"] if one.refused else []
    parts += [f"{one.ended:,} ended"] if one.ended else []
    return ", ".join(parts) + f"  ({one.seconds:.1f} s)"
