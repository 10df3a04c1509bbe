"""What the reference says of agents: results of the facade for them, hooks and the MCP server.

`make_reference` puts it on its pages. The tables of hosts, events, tools, resources and prompts
are read from the code; only what each moment is answered with is said here.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from tacit import happening, interval, profile, record
from tacit.assemble import (
    briefing,
    disclose,
    economics,
    loading,
    predict,
    thresholds,
    topics,
)
from tacit.config import INJECTED_TOKENS_MAX, Settings
from tacit.interfaces.hooks import events, hosts
from tacit.interfaces.install.entries import HOOKS
from tacit.learn import earned, effects, usage
from tacit.retrieve import before_task, task
from tacit.session import advise, drift, lifecycle, trim
from tacit.value import Value

if TYPE_CHECKING:
    from collections.abc import Iterable

RESULTS: dict[type[Value], dict[str, str]] = {
    briefing.Briefing: {
        "text": "what to hand over: Markdown, fenced as data; the same bytes while nothing is written",
        "tokens": "what the text costs; never more than the budget",
        "budget": "what it was allowed to cost",
        "bands": "tokens spent in each band",
        "items": "the memories in it, each with its band, level and reason",
        "omitted": "shorts of what was considered and had no room",
        "query_id": "under which it was recorded; empty without a session",
        "task_type": "what the task was taken for; empty where nobody knows",
        "activity": "whose shares the bands have",
        "profile": "it was made with, as name@version",
        "drawn": "whether learning drew that profile for the session",
    },
    briefing.Item: {
        "memory": "the memory",
        "level": "how much of it is shown",
        "band": "critical, relevant, background or index",
        "tokens": "what its line costs",
        "score": "what it was worth to the choice",
        "why": "why it is there",
        "shares": "what share of its score each part gave, in per cent",
    },
    happening.Happening: {
        "moment": "when in a session it happens",
        "host": "who tells it",
        "event": "the host's own name of it",
        "session": "the host's own id of the session",
        "folder": "where the agent works",
        "cause": "of a start: startup, resume, clear, compact, fork; of an end: why",
        "agent": "inside a subagent: which",
        "model": "the model that speaks",
        "transcript": "the host's own file of the session",
        "text": "the prompt, the agent's last words, or a summary",
        "asked": "of a prompt: whether a person wrote it",
        "tool": "what sort of tool it is",
        "name": "the host's own name of the tool",
        "call": "joins what is told before and after one use",
        "target": "a path, a command, a pattern or an address",
        "before": "of an edit: what stood there",
        "after": "of an edit or a new file: what stands there now",
        "output": "what the tool gave back, or its error",
        "context_used": "share of the agent's context in use, 0 to 1",
        "at": "when; without it, now",
        "heard": "whether the host hands on to the agent what is said now",
    },
    happening.Answer: {
        "context": "said to the agent; empty where nothing is worth saying",
        "notice": "said to the person",
    },
    record.SessionRecord: {
        "id": "the host and its id of the session, such as `claude:3f0c`",
        "host": "which host",
        "scope": "of the project it works in",
        "started": "when it was first heard of",
        "seen": "when something last happened in it",
        "ended": "when it ended; empty: it has not",
        "agent": "the model",
        "outcome": "success, failure, partial or unknown, once it was made into memories or closed",
        "goal": "the last thing a person asked for",
        "topic": "hashes of the terms it was last briefed about",
        "profile": "which profile served it",
        "inject": "what it is handed: auto, index or off",
        "transcript": "the host's own file",
        "folder": "where it works",
        "context_used": "share of its context in use, where the host tells",
        "warned": "the share it was last warned at",
        "turns": "prompts so far",
        "briefed_at_turn": "the turn of the last briefing",
        "shown": "ids of memories that are in the agent's context now",
        "at_errors": "ids of those that were brought back at an error",
        "cited": "ids of memories the agent said it used",
        "files": "the last it worked on",
        "pending": "seen, but not yet made into memories",
        "told": "whether somebody said how it ended",
    },
    record.QueryRecord: {
        "id": "usage events name it",
        "at": "when",
        "session": "whose it is",
        "kind": "start, prompt, error, tool, compact, subagent, brief, recall, predict, expand, …",
        "text": "what was asked, redacted and cut",
        "task_type": "what the task was taken for",
        "activity": "whose shares the bands had",
        "profile": "that was used, as name@version",
        "drawn": "whether learning drew that profile for the session",
        "channels": "what each channel gave: `channel`, `results`, `ms`",
        "pool": "how many candidates there were",
        "selected": "what was handed over",
        "omitted": "ids of what had no room",
        "scan_tokens": "spent on looking: indexes, hints, titles",
        "read_tokens": "spent on reading: full texts and summaries",
        "full_tokens": "what the full texts of all that was chosen would have cost",
        "outcome": "what became of it",
    },
    record.Chosen: {
        "memory": "id of the memory",
        "band": "where it stood",
        "level": "how much of it",
        "tokens": "what that cost",
        "score": "what it was worth",
        "why": "why it was there",
        "channel": "which spoke most for it: text, vector or graph; empty: it was not asked for",
        "shares": "what share of its score each part gave, in per cent",
    },
    predict.Prediction: {
        "memories": "memories likely to be needed, the surest first",
        "files": "files likely to be needed, the surest first",
        "confidence": "that at least one of the memories, or else the files, is needed",
        "query_id": "under which it was recorded; empty when it was not",
    },
    predict.Predicted: {
        "memory": "the memory",
        "confidence": "how often such a prediction comes true, 0 to 1",
        "why": "why it is likely",
        "signal": "which signal called it up",
        "expected": "the confidence before what came true in this store corrected it",
    },
    predict.Likely: {
        "path": "the file",
        "confidence": "how often such a prediction comes true, 0 to 1",
        "why": "why it is likely",
    },
    disclose.IndexView: {
        "text": "the topics with how many memories each has, at most 100 tokens",
        "tokens": "what the text costs; exact with `exact=True`, else from above",
        "memories": "how many there are in all",
        "topics": "those named in the text",
        "more": "whether there are topics that had no room",
        "made": "above those, the topics that `consolidate` has made",
    },
    topics.MadeTopic: {
        "memory": "the topic itself: expand it by its id to read its members",
        "name": "what it is called",
        "memories": "how many belong to it and hold",
        "tokens": "what reading all of them in full costs",
        "last": "when one of them was last used, or else recorded",
    },
    topics.Topic: {
        "name": "what it is called",
        "memories": "how many are about it",
        "last": "when the newest of them was recorded",
        "facets": "what belongs to it",
    },
    disclose.TimelineView: {
        "text": "recent work, decisions and what is going on, at most 500 tokens",
        "tokens": "what the text costs",
        "actions": "what was done, newest first",
        "decisions": "what was decided, newest first",
        "context": "what is going on: `focus`, `blocked_by`, `next_up`",
        "more": "whether older entries had no room",
    },
    loading.Loaded: {
        "exit": "how far it went: no topic, the timeline, or full texts",
        "topics": "the topics near the question, nearest first",
        "entries": "lines of their timeline",
        "memories": "what was read in full",
        "omitted": "shorts of what had no room",
        "scan_tokens": "spent on looking",
        "read_tokens": "spent on reading",
        "query_id": "under which it was charged; empty without a session",
    },
    loading.Expanded: {
        "memories": "the memories, each with `level` and `tokens`",
        "omitted": "shorts of what had no room",
        "tokens": "what they cost together",
        "query_id": "under which it was charged; empty without a session",
    },
    economics.Economics: {
        "session": "of which session; empty: of all",
        "queries": "how often memory was asked",
        "scan_tokens": "spent on looking",
        "read_tokens": "spent on reading",
        "breakdown": "the same by index, timeline and full texts",
        "full_load": "against the whole store, once a session: `tokens`, `saved`",
        "top_k": "against all that was shown, in full",
        "no_memory": "against learning again what was used",
        "shown": "memories that were shown",
        "used": "of those, memories that were used",
        "metrics": "what the thresholds look at",
        "actions": "what to do where a metric is out of bounds",
        "bypass": "whether sessions like this may as well go without memory",
        "bypassed": "prompts that did go without, by their type of task (the setting `bypass`)",
    },
    economics.Return: {
        "memory": "the memory",
        "learn_tokens": "what it cost to find out; 0 where that is not known",
        "read_tokens": "what it cost to show it, all times together",
        "shown": "how often it was shown",
        "used": "how often it was cited or helped",
    },
    effects.Effects: {
        "since": "since when",
        "until": "until when",
        "whole": "all of it together",
        "strategies": "by type of task and profile, the most asked first",
        "profiles": "by profile",
        "channels": "by the channel that spoke most for a memory, or why it was there unasked",
        "sessions": "each session with its figures, the last seen first",
        "memories": "what each memory earned, the most cited first",
    },
    usage.Figures: {
        "key": "what they are of: task type and profile, a profile, a channel or a session",
        "queries": "how often memory was asked",
        "sessions": "in how many sessions",
        "handed": "memories that were handed over, once a session",
        "cited": "of those, how many were used",
        "ignored": "how many were not, where the agent answered",
        "helped": "how many were used where the session went well, or by a person's word",
        "hurt": "how many were used where it failed, or by a person's word",
        "completed": "sessions that went well, of those whose end is known",
        "latency_ms": "of a query, on average; none where nothing was looked up",
        "tokens": "of a query, on average",
    },
    earned.Earned: {
        "returned": "what it cost and saved",
        "handed": "sessions it was handed to",
        "cited": "of those, how many used it",
        "ignored": "how many did not",
        "helped": "how many it helped",
        "hurt": "how many it hurt",
        "near_misses": "sessions that passed it over and used others, since it was last cited",
        "value": "new is .5, always ignored nears .2, always helpful nears 1",
    },
    interval.Rate: {
        "hits": "how often it came true; `share`, `least` and `most` tell what that means",
        "chances": "of how many; `clear` tells whether these are enough to tell anything",
    },
    thresholds.Action: {
        "metric": "which figure is out of bounds",
        "value": "what it is",
        "threshold": "what it should not pass",
        "action": "what to do",
        "reason": "why",
        "priority": "1 comes first",
    },
    task.Detected: {
        "task_type": "exploration, implementation, debugging, review or refactoring",
        "confidence": "how sure that is, 0 to 1; 0 where nothing decides it",
        "scores": "what speaks for each type",
        "matched": "the words that were met, each with its type",
    },
    profile.Strategy: {
        "task_type": "which type of task",
        "activity": "what it is called among briefings",
        "kinds": "factors by kind, for `profile=` of that name",
        "avoid": "factor of patterns that warn",
        "bands": "shares of a briefing, per thousand",
    },
    drift.Drift: {
        "verdict": "on, off or unknown",
        "confidence": "how sure that is, 0 to 1",
        "reason": "why",
        "goal": "what was to be done",
        "action": "what is planned",
        "shared": "stems both are about",
    },
    advise.Advice: {
        "quality": "peak, good, degrading, poor or unknown",
        "level": "ok, warn or stop",
        "sentence": "what to do, in words",
        "context_used": "the share it is about",
        "tokens_left": "how many are left, where that is known",
        "flush": "save now: the host may compact next",
        "warning": "the mark that was passed",
        "due": "whether it was passed since the last warning",
    },
    trim.Trimmed: {
        "text": "what is left",
        "stage": "how it was trimmed",
        "cut_chars": "how many characters went",
        "errors_kept": "lines of errors that stayed",
    },
    before_task.BeforeTask: {
        "detected": "what the task was taken for",
        "relevant": "what works and what is so",
        "avoid": "what to avoid",
        "skills": "how it is done here",
    },
}

# Moment → when a host tells it, and what is answered.
MOMENTS = {
    "session_start": (
        "a session begins, goes on, or was compacted",
        "a briefing of `start_tokens`: what binds, what is going on, decisions and habits, what "
        "lately happened; then which topics there are; after a compaction also what the goal needs; after a resume "
        "only what the agent has not seen",
    ),
    "prompt": (
        "somebody asks for something",
        "up to `prompt_tokens` of what is clearly relevant, when the talk has moved on, with files "
        "of such work; a word "
        "about a context that fills, once at each mark",
    ),
    "pre_tool": (
        "a tool is about to run",
        f"before the first change of a file, up to {lifecycle.TOOL_TOKENS} tokens of what binds "
        "or warns about it",
    ),
    "post_tool": ("a tool has run", "nothing; what happened is kept"),
    "tool_failed": (
        "a tool has failed",
        f"up to {lifecycle.ERROR_TOKENS} tokens: the earlier fix of that error",
    ),
    "turn_end": (
        "the agent has answered",
        "nothing; memories it cites are credited, and where the work stands is noted",
    ),
    "pre_compact": ("the context is about to be cut", "nothing; memories are made of it now"),
    "post_compact": ("it was cut", "nothing; the summary is kept"),
    "subagent_start": (
        "a subagent begins",
        f"up to {lifecycle.SUBAGENT_TOKENS} tokens of what binds",
    ),
    "subagent_end": ("a subagent has answered", "nothing; memories it cites are credited"),
    "session_end": ("a session ends", "nothing; memories are made of it in a process of its own"),
    "task_end": ("a task is done, as a program tells it", "nothing; as at the end of a session"),
    "phase_end": ("a phase of work is over, likewise", "nothing; as at the end of a session"),
    "idle": ("an agent has nothing to do, likewise", "nothing; as at the end of a session"),
}


def hooks_page(made: str) -> list[str]:
    """The moments, the events of each host, deadlines and limits."""
    known = {moment.value for moment in happening.Moment}
    assert set(MOMENTS) == known, set(MOMENTS) ^ known
    lines = [
        "# Hooks",
        "",
        made,
        "",
        "A host calls `tacit hook HOST EVENT`, writes what happened to its standard input as JSON, "
        "and reads from its standard output what the agent is to be told.",
        "[`tacit init --host`](../howto/connect-an-agent.md) writes these calls into the settings "
        "of hosts.",
        "What a session was told, and why, is shown by `tacit session injected`.",
        "",
        "## The moments",
        "",
        "Hosts have different names for the same things; Tacit has one.",
        "",
        *_table(
            ("moment", "when", "what is answered", "seconds at most", "by a warm process"),
            (
                (
                    f"`{name}`",
                    when,
                    said,
                    f"{events.deadline(name):g}",
                    "yes" if name in events.WARM else "no",
                )
                for name, (when, said) in MOMENTS.items()
            ),
        ),
        "",
        "## The events of each host",
        "",
        "An event that is not listed is answered with nothing.",
        "What no host tells by itself, a program that runs agents may tell in the words of any "
        f"host: the events {', '.join(f'`{name}`' for name in events.BOUNDARIES)} are moments "
        "for each of them.",
        "OpenCode has no hooks of this form: its plugin is a small file that `tacit init` writes, "
        "and it tells the same in the words of Claude Code.",
    ]
    for host, named in events.EVENTS.items():
        nothing = events.EMPTY.get(host, "")
        asked = {hook.event for hook in HOOKS[host]}
        lines += [
            "",
            f"### {host}",
            "",
            f"Nothing to say is `{nothing}`." if nothing else "Nothing to say is no output at all.",
            "",
            *_table(
                ("event", "moment", "connected by `tacit init`"),
                (
                    (f"`{event}`", f"`{moment}`", "yes" if event in asked else "no")
                    for event, moment in named.items()
                ),
            ),
        ]
    defaults = Settings._defaults
    return [
        *lines,
        "",
        "## What always holds",
        "",
        "- A hook ends with status 0, whatever happens, and writes a whole answer or none.",
        "- It ends within the seconds above; what went wrong is a line in `tacit.log` in the data "
        "directory, also where it cost no answer: a note that could not be taken, a process that "
        "could not be started.",
        f"- An answer has at most {hosts.LONGEST_ANSWER:,} characters, since hosts put longer ones "
        "aside.",
        f"- `start_tokens` ({defaults['start_tokens']}) and `prompt_tokens` "
        f"({defaults['prompt_tokens']}) can be [set](settings.md) from 0 to {INJECTED_TOKENS_MAX}; "
        "0 says nothing.",
        "- Where the store cannot be read, the start of a session is answered with the last good "
        "briefing.",
        "- `TACIT_SKIP=1` switches every hook off; all that Tacit starts by itself has it.",
        "- A warm process is an MCP server of the same project and settings; without one, each "
        "hook answers by itself.",
        "- With `inject = \"off\"`, or `tacit session incognito`, nothing is said and nothing of the "
        "session is kept; with `inject = \"index\"` only the topics are said, at the start.",
    ]  # fmt: skip


def mcp_page(made: str) -> list[str]:
    """The tools, resources and prompts, as the server itself lists them."""
    from tacit.interfaces.mcp.sets import SETS

    plain = _listed()
    lines = [
        "# MCP",
        "",
        made,
        "",
        "`tacit mcp` serves the memory over standard input and output; how to connect it is in "
        "[Use Tacit from an agent by MCP](../howto/use-from-mcp.md).",
        "Arguments in brackets may be left out.",
        "",
        "## Tools",
        "",
        *_tools(plain["tools"]),
    ]
    for name in SETS:
        known = {tool.name for tool in plain["tools"]}
        added = [tool for tool in _listed(name)["tools"] if tool.name not in known]
        lines += ["", f"## Tools of the set {name}", "", f"Added by `--tools {name}`.", ""]
        lines += _tools(added)
    addresses = [(str(one.uri), one.description) for one in plain["resources"]]
    addresses += [(one.uri_template, one.description) for one in plain["templates"]]
    lines += ["", "## Resources", ""]
    lines += _table(("address", "is"), ((f"`{a}`", d or "") for a, d in addresses))
    lines += ["", "## Prompts", ""]
    rows = [
        (f"`{one.name}`", ", ".join(f"`{a.name}`" for a in one.arguments or ()), one.description)
        for one in plain["prompts"]
    ]
    return [*lines, *_table(("prompt", "arguments", "is"), rows)]


def _listed(*sets: str) -> dict[str, Any]:
    from tacit.interfaces.mcp.late import Late
    from tacit.interfaces.mcp.serve import build

    app = build(Late(), sets)

    async def ask() -> dict[str, Any]:
        return {
            "tools": await app.list_tools(),
            "resources": await app.list_resources(),
            "templates": await app.list_resource_templates(),
            "prompts": await app.list_prompts(),
        }

    return asyncio.run(ask())


def _tools(tools: Iterable[Any]) -> list[str]:
    return _table(
        ("tool", "arguments", "when", "changes something"),
        (
            (
                f"`{tool.name}`",
                _arguments(tool.input_schema),
                str(tool.description).partition("\n")[0],
                "no" if tool.annotations.read_only_hint else "yes",
            )
            for tool in tools
        ),
    )


def _arguments(schema: dict[str, Any]) -> str:
    needed = schema.get("required", [])
    names = (f"`{name}`" if name in needed else f"[`{name}`]" for name in schema["properties"])
    return ", ".join(names) or "–"


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> list[str]:
    lines = [head, ("---",) * len(head), *rows]
    return ["| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines]
