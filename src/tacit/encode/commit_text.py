"""What of a commit's message is worth reading: its words without trailers, lists and noise. Pure."""

from __future__ import annotations

import re

from tacit.text import STOP_WORDS

BODY_CHARS, PROSE_CHARS = 1200, 2000
POINT_CHARS = 72  # of a point in a list that argues

# `Name-by: somebody`, ids of review tools, what a program signs with.
_TRAILER = re.compile(
    r"^(?:[A-Z][\w-]*-by|cc|change-id|reviewed-on|differential revision|piperorigin-revid|git-svn-id"
    r"|bug-url|pr-url|refs?|see-also|release-note|auto-submit|commit-queue|tree-sha\w*)\s?:",
    re.IGNORECASE,
)
_NOISE = re.compile(
    r"^(?:🤖|generated with \[|for more information, see https://pre-commit\.ci|<!--|!\[|-{3,}|={3,}|\* \* \*|this reverts commit|"
    r"\(cherry picked from|conflicts:|#\s|\[skip ci\]|\[ci skip\])",
    re.IGNORECASE,
)
_MACHINE = re.compile(
    r"^(?:updated-dependencies:|bumps the |bumps \[|\[//\]: #|dependabot )", re.IGNORECASE
)
_PREFIX = re.compile(r"^(?:\w+(?:\([^)]{0,60}\))?!?:\s*|\[[^\]]{1,30}\]\s*)*")
_PR = re.compile(r"\s*\((?:[\w./-]*#|!)(\d+)\)")
_NUMBER = re.compile(r"(?<![\w&])(?:[\w.-]+/[\w.-]+)?[#!](\d{1,7})\b")
_TRIVIAL = re.compile(
    r"(?:(?:fix(?:ed|es|ing)?\s+)?(?:a\s+|some\s+|another\s+|more\s+)?(?:typo|spelling|grammar)s?\b.{0,40}"
    r"|(?:update|updated|edit|tweak|change|improve|fix)s?\s+(?:the\s+)?(?:readme|changelog|docs?|license"
    r"|\.gitignore|gitignore|contributing|history|authors|copyright|badges?)(?:\.\w+)?"
    r"|(?:add(?:ed)?\s+)?(?:changelog|change log|news)(?:\s+entry)?"
    r"|(?:run\s+|apply\s+|fix(?:ed)?\s+|make\s+)?(?:auto-?)?(?:format(?:ted|ting)?|lint(?:s|ed|ing)?|fmt"
    r"|black|isort|prettier|ruff|eslint|flake8|pre-commit|gofmt|rustfmt|style|whitespace|pep8)"
    r"(?:\s+(?:code|files|fix|fixes|fixed|errors?|issues?|happy|it|all|again))?"
    r"|(?:minor|small|trivial)(?:\s+(?:fix|fixes|change|changes|cleanup|update|updates|tweaks?))?"
    r"|clean up|bug fix|fix(?:ed)? (?:it|tests?|ci|build|lint|bug)"
    r"|initial commit|first commit|merge\b.*"
    r"|(?:auto(?:matic)?\s+)?(?:bump|increment)\s+version|version bump|bump version number"
    r"|review(?:\s+(?:comments?|feedback|suggestions))?|address(?:ed)?\s+(?:review\s+)?(?:comments?|feedback)"
    r"|update\s+(?:dependencies|deps|lock ?files?|requirements|snapshots?|submodules?|translations?)"
    r"|pre-commit autoupdate|\[pre-commit\.ci\].*|empty commit|trigger ci|rebuild|remove unused imports?)",
    re.IGNORECASE,
)  # fmt: skip
_BOTS = re.compile(
    r"\[bot\]|\bbot$|^(?:dependabot|renovate|greenkeeper|github-actions|pre-commit-ci|snyk-bot)",
    re.IGNORECASE,
)
_CHAT = re.compile(
    r"\b(?:review (?:feedback|comments?)|code review|screenshots?|let me know|attaching|thanks?|(?:this|the) pr)\b",
    re.IGNORECASE,
)
_LEADS_TO_CODE = re.compile(r"(?:^|(?<=[.!?])\s)[^.!?]*:$")
_WORD = re.compile(r"[^\W_]{2,}")
_TYPE = re.compile(
    r"^(?:feat|fix|perf|refactor|chore|docs|build|ci|tests?|bug|bugfix|style)(?:\([^)]*\))?!?:\s*",
    re.IGNORECASE,
)
_FENCE = re.compile(r"^(```|~~~).*?(?:^\1|\Z)", re.MULTILINE | re.DOTALL)
_CODE = ("    ", "\t", ">", "$ ")
_POINT = re.compile(r"^[*+•-]\s+")
_STEP = re.compile(r"^(?:[*+•-]|\d+[.)])\s+")
_REFERENCE = re.compile(
    r"^(?:(?:fix(?:es|ed)?|close[sd]?|resolve[sd]?|relate[sd]?(?:[- ]to)?|refs?|see(?: also)?|issue|pr"
    r"|part of|supersedes|replaces)\b:?\s*)?(?:[\w./-]*#\d+|https?://\S+|\[\d+\]:?.*)[\s,.;]*$",
    re.IGNORECASE,
)


def plain_subject(subject: str) -> str:
    """Give a subject without the number of its pull request."""
    return _PR.sub("", subject).strip() if ")" in subject else subject.strip()


def numbers_in(text: str) -> tuple[str, ...]:
    """Give the issues and pull requests a text names, each once, in order."""
    return tuple(dict.fromkeys(_NUMBER.findall(text))) if "#" in text or "!" in text else ()


def without_type(subject: str) -> str:
    """Give a subject without what sort of change it is: `fix(x): `."""
    return _TYPE.sub("", subject)


def is_trivial(subject: str) -> bool:
    """Tell whether a subject says nothing that anybody would ask for later."""
    if subject[:3].lower() == "wip":
        return True
    said = _PREFIX.sub("", plain_subject(subject), count=1).strip(" .!")
    if _TRIVIAL.fullmatch(said):
        return True
    words = {word.lower() for word in _WORD.findall(said)} - STOP_WORDS
    return len(words) < 2 and len(said) < 24


def is_bot(author: str) -> bool:
    """Tell whether an author is a program."""
    return _BOTS.search(author) is not None


def useful_body(body: str, most: int = BODY_CHARS) -> str:
    """Give the lines of a body that explain something, without a program's own part."""
    if not body:
        return ""
    kept: list[str] = []
    for raw in body.splitlines():
        line = raw.strip()
        if _MACHINE.match(line):
            break  # what a bot appends goes on to the end
        bare = line.lstrip("*-+• ").strip()
        if _TRAILER.match(line) or _NOISE.match(line) or (bare != line and is_trivial(bare)):
            continue
        if line or (kept and kept[-1]):
            kept.append(line)
    text = "\n".join(kept).strip()
    if len(text) <= most:
        return text
    return text[:most].rpartition(" ")[0].rstrip(" ,;:") + " …"


def prose(body: str) -> list[str]:
    """Give the paragraphs of a body that say something in words, each on one line.

    Code, logs, quotations, references and the subjects of squashed commits are left out.
    """
    if not body:
        return []
    plain = _FENCE.sub("", body) if "```" in body or "~~~" in body else body
    lines = [line for line in plain.splitlines() if not line.startswith(_CODE)]
    shown = useful_body("\n".join(lines), PROSE_CHARS)
    parts: list[str] = []
    begun = False  # whether the last part may go on
    for line in shown.splitlines():
        if not line or _REFERENCE.match(line):
            begun = False
        elif begun and not _STEP.match(line):
            parts[-1] = f"{parts[-1]} {line}"
        else:
            parts.append(line)
            begun = True
    following = [*parts[1:], ""][: len(parts)]
    whole = [_without_code(part, after) for part, after in zip(parts, following, strict=True)]
    return [part for part in whole if _says_something(part)]


def _without_code(part: str, after: str) -> str:
    """Leave out a last sentence that leads to code, which is not there."""
    return part if _STEP.match(after) else _LEADS_TO_CODE.sub("", part)


def _says_something(part: str) -> bool:
    if _CHAT.search(part):
        return False
    point = _POINT.match(part)
    # A point is often the subject of a squashed commit, which is no sentence.
    return len(part) > POINT_CHARS if point else len(part.split()) >= 4
