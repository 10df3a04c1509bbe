"""Writes docs/reference/cli.md from the parsers; with `--check` tells whether it is up to date.

python docs/cli_reference.py
python docs/cli_reference.py --check
"""

from __future__ import annotations

import json
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tacit.body import Fact
from tacit.interfaces import wire
from tacit.interfaces.cli.parser import GLOBAL, GROUPS, command_parser
from tacit.model import (
    Facet,
    FacetType,
    Levels,
    Memory,
    Mention,
    Scope,
    Validity,
)
from tacit.retrieve.query import Hit, Parts

if TYPE_CHECKING:
    from argparse import Action

PAGE = Path(__file__).parent / "reference" / "cli.md"
HEAD = """\
# The command line

<!-- Written by docs/cli_reference.py; change it there or in the code, then run: make docs -->

    tacit COMMAND [OPTIONS]

Results go to standard output, all else to standard error.
Text is for people and may change; `--json` is for programs and does not.
`-` stands for standard input.
A memory is named by its short name (`abcd2345`), the beginning of one, its id, or as it is cited (`[M:abcd2345]`).
One that was imported is also named as it was where it came from (`sem-001`, `skill:release`).
Times are dates (`2026-01-31`), times (`2026-01-31T09:30Z`; without a zone UTC is meant), how long ago (`7d`, `2h`, `3w`) or how far ahead (`+2w`).
"""
STATUS_WORDS = {
    "invalid": "the input cannot mean anything; change it",
    "not_found": "what was named is not there",
    "conflict": "it clashes with what is there: an existing file, a newer schema, several memories of that name",
    "denied": "not allowed, such as writing a read-only store",
    "unavailable": "could not look or write: no store, busy, damaged, no model",
    "internal": "a bug; run again with `TACIT_DEBUG=1` and report what it prints",
    "interrupted": "stopped by Ctrl-C",
}
# What each command prints with --json.
SHAPES = {
    "remember": "what was written: `memories` (one for each draft), `new`, `said_before`, `reinforced`, `superseded` (ids), `contradictions`, `redacted` (type → number)",
    "recall": "an array of hits; with `--explain` an object with `hits`, `pools`, `cut`, `missing`",
    "show": "a memory, with `usage`, `supersedes`, `superseded_by`; with `--history` also `history`",
    "list": "an array of memories",
    "timeline": "an array of memories, oldest first; with `--view` `text`, `tokens`, `recent_actions`, `key_decisions`, `active_context`, `more`",
    "why": "`memory`, `status`, `history`, `links`, `usage`, `near_misses`, `near_miss`, `contradictions`, `handed` (the latest: `query_id`, `session`, `at`, `kind`, `band`, `level`, `tokens`, `why`)",
    "edit": "the memory as it is now",
    "link": "`src`, `relation`, `dst`, `weight`, `origin`, `valid_from`, `valid_to`",
    "forget": "`memories` (`id`, `short`, `kind`, `title`), `done`",
    "restore": "`memories` (`id`, `short`, `kind`, `title`), `done`",
    "erase": "`memories` (`id`, `short`, `kind`, `title`), `done`",
    "init": "`store`, `user_store`, `project`, `scope`, `created` and, where something was read, what `observe` prints; with `--host` also `hosts`, the changes as `uninstall` prints them",
    "observe": "`dry_run`, `new`, `changed`, `sources` (`source`, `seen`, `drafts`, `new`, `renewed`, `refused`, `ended`, `seconds`), `kinds`, `evidence`, `refused`, `redacted`, `left_out` (each name → number), `examples` (of what was refused, by reason), `unverified`, `candidates`, `embedding_seconds`",
    "contradictions": "an array: `id`, `a` and `b` (ids), `detector`, `score`, `detected_at`, `note`, `suggestion`, `resolution`, `resolved_at`, `resolved_by`, `resolution_note`, `merged_into`, `memory_a` and `memory_b` (`id`, `short`, `kind`, `title`, `text`, `key`, `value`, `tier`, `state`, `valid_from`, `valid_to`, `recorded_at`, `author`, `trust`, `source_ref`)",
    "resolve": "the contradiction as it is now, as `contradictions` prints it",
    "review": "`waiting` (how many), `memories`: those that were settled, or else those that wait, and `coming`: what the next cycle will do (`counts`, `proposed`, `moves`)",
    "consolidate": "`deduped`, `compressed`, `forgotten`, `contradictions_found`, `patterns_created`, `patterns_merged`, `anti_patterns_created`, `links_created`, `episodes_processed`, `passes` (what each did, by name), `duration_seconds`, `finished`, `resumed`, `dry_run`; with a timer `kind`, `name`, `text`, `written`",
    "status": "`store`, `user_store`, `project`, `scope`, `memories`, `evidence`, `live`, `by_kind`, `by_state`, `by_tier`, `links`, `facets`, `revisions`, `usage`, `contradictions`, `vectors`, `pending`, `unverified`, `refused` (by reason: `number`, `example`), `embedder`, `language_model`, `profile`, `bytes`, `schema`",
    "doctor": "`ok`, `checks` (`name`, `ok`, `detail`)",
    "export": "with a file: `path`, `records`; in another format `path`, `format`, `memories`; to standard output the export itself",
    "import": "`read` (type → number), `new`; of another memory also `format`, `redacted`, `memories`, `edited`, `kept_ours`, `refused`, `dry_run`; with `--formats` an array of `name`, `summary`, `reads`, `writes`",
    "merge": "`new`, `updated`, `duplicates`, `superseded`, `contradictions` here; `kept_private`, `left_out`, `dry_run`; `given`: the same five there, or null; `verified`: `type`, `count`, `later`, `hash` of each type of record",
    "share": "`done`; `memories`",
    "team": "of create and join `team`, `member`, `role`; of invite `name`, `role`, `token`; of members `members` and `invited`; of audit a list of `at`, `member`, `act`, `subject`; else `name`, `done`",
    "vault": "of add a memory; of list memories",
    "backup": "create: `path`, `bytes`; list: an array of `path`, `bytes`, `made_at`; load: `store`, `loaded`, `memories`, `kept`",
    "reembed": "`model`, `embedded`, `pending`",
    "brief": "`context` (the text to hand over), `token_count`, `budget`, `bands` (band → tokens), `items` (`id`, `short`, `kind`, `tier`, `title`, `text`, `band`, `level`, `tokens`, `score`, `why`), `omitted` (shorts), `task_type`, `activity`, `query_id`",
    "predict": "`predicted_memories` (`memory`, `confidence`, `signal`, `why`), `predicted_files` (`path`, `confidence`, `why`), `confidence`, `query_id`",
    "index": "`text`, `tokens`, `memories`, `topics` (`id`, `memories`, `last`), `more`; with `--about` `exit`, `topics`, `entries`, `memories`, `omitted`, `scan_tokens`, `read_tokens`, `tokens`, `query_id`",
    "expand": "`memories` (each a memory with `level`, `shown` and `tokens`), `omitted`, `tokens`, `query_id`",
    "economics": "`session`, `queries`, `scan_tokens`, `read_tokens`, `spent_tokens`, `ratio`, `breakdown`, `baselines` (`full_load`, `top_k`, `no_memory`, each `tokens`, `saved`, `share`), `shown`, `used`, `metrics`, `actions`, `bypass`, `bypassed`; with `--checkpoint` `checkpoint`, `metrics`, `actions`; with `--roi` an array of what each memory cost and saved",
    "cite": "`event`, `recorded` (shorts)",
    "helpful": "`verdict`, `memories` as they are now",
    "wrong": "`verdict`, `memories` as they are now",
    "outdated": "`verdict`, `memories` as they are now",
    "session": "list: an array of sessions; show, incognito and close: one (`id`, `host`, `agent`, `scope`, `started`, `seen`, `ended`, `goal`, `turns`, `outcome`, `inject`, `context_used`, `files`, `transcript`, `pending`, `handed`, `cited`); injected: `session`, `injected` (`query_id`, `session`, `at`, `kind`, `text`, `task_type`, `activity`, `tokens`, `items`, `omitted`)",
    "uninstall": "an array of changes: `host`, `file`, `change` (create, edit, remove), `diff`",
    "profile": "list: an array of `name`, `version`, `in_use`, `changes` (of the default); show and export: every field of the profile; diff: `a`, `b`, `fields` (each `a`, `b`); set: `name`, `version`, `at`, `by`, `why`; history: an array of them; import: `name`, `version`",
    "detect": "`task_type`, `known`, `confidence`, `scores`, `matched` (`words`, `task_type`)",
    "strategies": "an array of `task_type`, `activity`, `kinds`, `avoid`, `bands_per_thousand`",
    "drift": "`verdict` (on, off, unknown), `confidence`, `reason`, `shared`, `signal`",
    "advise": "`quality`, `level`, `sentence`, `context_used`, `tokens_left`, `flush`, `warning`, `due`",
    "trim": "`text`, `stage`, `cut_chars`, `errors_kept`",
    "block": "a block: `label`, `owner`, `text`, `chars`, `limit`, `read_only`, `rewrite_wanted`, `rev`, `memory`; list: an array of them",
    "continuity": "`agent`, `goal`, `decisions`, `blockers`, `next`, `files`, `memories`, `mistakes`, `rest`, `text`, `chars`, `file`",
    "ledger": "`agent`, `ledger`, `rev`, `memory`; list: an array of them",
    "handoff": "`id`, `from_agent`, `to_agent`, `timestamp`, `context`, `accepted_at`, `accepted_by`, `handoff`, `memory`; inbox: an array of them",
}


def cli_page() -> str:
    """Give the page of the command line."""
    parts = [HEAD, _globals(), _statuses()]
    for title, commands in GROUPS.items():
        parts.append(f"## {title}\n")
        parts += [_command(name) for name, _, _ in commands]
    return "\n".join([*parts, _shapes()]).rstrip()


def _globals() -> str:
    rows = [(f"{name} {metavar}".strip(), text) for name, (metavar, text) in GLOBAL.items()]
    rows += [
        ("--help", "show the help of Tacit or of a command"),
        ("--version", "print the version"),
    ]
    return "\n".join(
        [
            "## Options of every command\n",
            "They may stand before or after the command.\n",
            _table(rows),
        ]
    )


def _statuses() -> str:
    rows = [
        ("0", "all went well; also when nothing was found"),
        ("1", "`doctor`: something is wrong"),
    ]
    rows += [
        (str(wire.EXIT_STATUS[code]), f"`{code}`: {text}") for code, text in STATUS_WORDS.items()
    ]
    rows.append(("141", "the reader of a pipe has gone"))
    said = "An error is one line on standard error, or with `--json` on standard output:\n"
    shape = json.dumps(wire.error("not_found", "there is no memory zzzz; see: tacit list"))
    return "\n".join(["## Exit status\n", _table(rows, code=False), said, f"    {shape}\n"])


def _command(name: str) -> str:
    parser, _ = command_parser(name)
    lines = [f"### {name}\n", f"{parser.description}\n", f"    {parser.usage}\n"]
    for group in parser._action_groups:
        actions = [action for action in group._group_actions if action.dest != "help"]
        if not actions or group.title == "options of every command":
            continue
        if group.title not in ("positional arguments", "options"):
            lines.append(f"{str(group.title).capitalize()}:\n")
        lines.append(_table([(_name(action), action.help or "") for action in actions]))
    examples, _, prose = (parser.epilog or "").removeprefix("examples:\n").partition("\n\n")
    lines += ["```sh", *(line.strip() for line in examples.split("\n")), "```\n"]
    if prose:
        lines.append(" ".join(prose.split()).replace(". ", ".\n") + "\n")
    if name in SHAPES:
        lines.append(f"`--json` prints {SHAPES[name]}.\n")
    return "\n".join(lines)


def _name(action: Action) -> str:
    names = ", ".join(action.option_strings)
    value = "" if action.nargs == 0 else str(action.metavar or action.dest.upper())
    return f"{names} {value}".strip()


def _table(rows: list[tuple[str, str]], *, code: bool = True) -> str:
    mark = "`" if code else ""
    lines = ["| | |", "|---|---|"]
    lines += [f"| {mark}{name}{mark} | {text.replace('|', chr(92) + '|')} |" for name, text in rows]
    return "\n".join([*lines, ""])


def _shapes() -> str:
    memory = _sample()
    hit = Hit(memory=memory, score=0.75, parts=Parts(text=0.5, human=0.25, coverage=1.0))
    shown: dict[str, Any] = wire.hit(hit) | {"memory": "…"}
    return "\n".join(
        [
            "## Shapes\n",
            "Fields are always there; new ones may be added.\n",
            "A memory:\n",
            f"```json\n{_json(wire.memory(memory))}\n```\n",
            "A hit; `parts` tells how the score came about:\n",
            f"```json\n{_json(shown)}\n```\n",
        ]
    )


def _sample() -> Memory:
    start = datetime(2026, 1, 31, 9, 30, tzinfo=UTC)
    text = "Sign tokens with RS256"
    return Memory(
        id="019c1350-0000-7000-8000-000000000001",
        short="abcd2345",
        body=Fact(key="auth.jwt_alg", value="RS256"),
        levels=Levels(full=text, summary=text, hint=text, title=text, tokens=(6, 6, 6, 6)),
        hash="5f2b",
        scope=Scope(path="project:shop"),
        validity=Validity(valid_from=start),
        recorded_at=start,
        mentions=(Mention(facet=Facet(type=FacetType.FILE, name="src/auth.py")),),
    )


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2)


def main(arguments: list[str]) -> int:
    """Write the page; with `--check` write nothing and give 1 when it is out of date."""
    text = cli_page() + "\n"
    if PAGE.exists() and PAGE.read_text(encoding="utf-8") == text:
        return 0
    if "--check" in arguments:
        sys.stderr.write(f"{PAGE.name} is out of date; run: make docs\n")
        return 1
    PAGE.parent.mkdir(exist_ok=True)
    PAGE.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
