"""Sessions for tests: every field has a default, so a test names only what it is about.

Ids count up from one within a session, and times run a minute apart unless a test gives them.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from tacit.observation import Change, Commit, Event, Session, Tool, What

MORNING = datetime(2026, 2, 3, 9, 0, tzinfo=UTC)
MINUTE = timedelta(minutes=1)


def a_session(*events: Event | tuple[Event, ...], **fields: object) -> Session:
    """Make a session of events or pairs of them; ids and times are filled in where a test gave none."""
    flat = [one for given in events for one in (given if isinstance(given, tuple) else (given,))]
    filled = tuple(
        event.replace(id=event.id or f"e{place}", at=event.at or MORNING + place * MINUTE)
        for place, event in enumerate(flat, 1)
    )
    defaults: dict[str, object] = {
        "id": "s1",
        "host": "claude",
        "source": "claude:s1",
        "branch": "main",
        "author": "ana",
    }
    return Session(events=filled, **defaults | fields)


def a_prompt(text: str = "Please make the login form remember me", **fields: object) -> Event:
    """Make the words of a person."""
    return Event(**{"id": "", "what": What.PROMPT, "text": text} | fields)


def a_reply(text: str = "The form now keeps the name.", **fields: object) -> Event:
    """Make the words of the agent."""
    return Event(**{"id": "", "what": What.REPLY, "text": text} | fields)


def a_call(
    target: str = "make test", tool: Tool = Tool.SHELL, *, call: str = "", **fields: object
) -> Event:
    """Make a use of a tool, the shell unless told."""
    names = {Tool.SHELL: "Bash", Tool.EDIT: "Edit", Tool.WRITE: "Write", Tool.READ: "Read"}
    defaults = {"id": "", "what": What.CALL, "name": names.get(tool, tool.value)}
    return Event(target=target, tool=tool, call=call, **defaults | fields)


def a_result(text: str = "", *, call: str = "", failed: bool = False, **fields: object) -> Event:
    """Make what a tool gave back."""
    defaults = {"id": "", "what": What.RESULT, "tool": Tool.SHELL}
    return Event(text=text, call=call, failed=failed, **defaults | fields)


_calls = iter(range(1, 10**9))


def ran(
    command: str = "make test", output: str = "ok", *, failed: bool = False, **fields: object
) -> tuple[Event, Event]:
    """Make a shell call and its result."""
    call = f"c{next(_calls)}"
    return a_call(command, call=call, **fields), a_result(output, call=call, failed=failed)


def edited(
    path: str = "src/login.py", before: str = "", after: str = "", **fields: object
) -> tuple[Event, Event]:
    """Make an edit that went well."""
    call = f"c{next(_calls)}"
    made = a_call(path, Tool.EDIT, call=call, before=before, after=after, **fields)
    return made, a_result("done", call=call, tool=Tool.EDIT)


def committed(subject: str = "Remember the user", sha: str = "1a2b3c4d") -> tuple[Event, Event]:
    """Make a commit, with what git prints of it."""
    printed = f"[main {sha}] {subject}\n 1 file changed, 2 insertions(+)"
    return ran(f'git commit -m "{subject}"', printed)


def a_commit(*paths: str, **fields: object) -> Commit:
    """Make a commit of the history that changed some files."""
    defaults: dict[str, object] = {
        "sha": "9f8e7d6c5b4a39281706f5e4d3c2b1a098765432",
        "at": MORNING + 5 * MINUTE,
        "author": "ana",
        "subject": "Remember the user",
    }
    changes = tuple(Change(path=path) for path in paths)
    return Commit(changes=changes, **defaults | fields)
