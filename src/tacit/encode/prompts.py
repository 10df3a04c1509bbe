"""What a person asked: the part of a prompt that is about this task and no other. Pure.

Prompts come wrapped: a role, a template with its steps, an issue between tags, a pasted log. Of
those only what tells one task from another is a goal, and only what the person wrote is theirs.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from tacit.text import content_words, shorten

GOAL_CHARS = 300
TELLING = 3  # words with meaning, from which on a prompt says something
_GO_AHEAD = frozenset(
    "yes yep yeah ok okay sure please do it that this them all both these those go ahead on continue proceed push pr prs "
    "commit commits committed changes change merge rebase open create make nice good great fine cool perfect thanks thank "
    "you now then next again retry try keep going start lets let us and the a an to for me with as well too also message "
    "messages branch new main master remote up run apply approve approved lgtm looks sounds works ship correct right exactly "
    "done finish whats what is remaining not no nope stop wait hi hello hey can could we i still so just one more".split()
)
_VAGUE = frozenset(
    "comment comments same feedback address thing things stuff respond review".split()
)
# Between such tags stands what one task is about; what is around them is the same every time.
_ASKED = re.compile(
    r"(?si)<(\w*(?:issue|problem|pr|bug|task|request|query|question|ticket|feature|goal|objective)(?:_\w+)?)>(.+?)</\1>"
)
_PASTED = re.compile(r"(?s)<([a-zA-Z][\w-]*)(?: [^<>]*)?>.*?</\1>|```.*?(?:```|\Z)")
_BOILERPLATE = re.compile(
    r"(?i)(?:you are (?:an?|the|now|working|operating|acting|in|on|claude|codex|going|helping)\b|you(?:'re| have| will| can| must| should)\b|"
    r"your (?:task|job|role|goal|thinking|working|output|response)\b|follow (?:these|the) (?:steps|instructions)|"
    r"i(?:'ve| have) (?:uploaded|already|provided|given|attached)|(?:please )?(?:make sure|note|remember|ensure|do not|don't|keep in mind)\b|"
    r"(?:important|instructions?|context|requirements?|rules?|guidelines?|notes?|background|constraints?|output format)\b\W*$|"
    r"important\b|can you help me implement the necessary changes|(?:today's|the current) date|current (?:date|branch|directory)|"
    r"(?:please )?(?:implement|execute|follow) the following (?:plan|spec\w*|steps)\W*$|here (?:is|are) (?:the|some)\b.*:$|"
    r"## (?:context|instructions?|rules|output)\b|\d+\.\s+(?:as a first step|create a script|rerun|edit the source|think about))"
)
_LEAD = re.compile(r"^(?:[-*•>#\s]+|\d+[.)]\s+)+")
_PRINTED = re.compile(
    r"(?i)^(?:\s*(?:Traceback|at \S+\(|File \"|\+\+\+|---|@@|\$ |> |❯ |npm |error\b|warning\b|\[?\d{4}-\d\d-\d\d|\d\d:\d\d|[\w./-]+:\d+[:)]|[{}\[\]();]+$)|"
    r".*[{};]\s*$)"
)
_ASKING = re.compile(
    r"(?i)^(?:(?:hey|hi|ok(?:ay)?|so|now|also|argh|hmm|well|please|thanks)\b[,.! ]*)*(?:(?:can|could|would|will) (?:you|we)|i(?:'d| would) like (?:you )?to|"
    r"i (?:want|need)(?: you)? to|i'm (?:seeing|getting)|i (?:get|got|see)|getting|let's|we (?:need|want|have) to|help me)?\s*(?:please )?(?:help me )?(?:to )?"
    r"(?:fix ?: ?)?"
)


def goal_of(prompts: Iterable[str]) -> str:
    """Give what was asked first that says something; empty where nothing does."""
    words = [asked(prompt) for prompt in prompts if not is_go_ahead(prompt)]
    telling = [one for one in words if _telling(one)] or [one for one in words if one]
    return shorten(telling[0], GOAL_CHARS) if telling else ""


def matter(goal: str) -> str:
    """Give a goal without the words that only ask."""
    plain = _ASKING.sub("", goal, count=1)
    return plain if _telling(plain) else goal


def is_go_ahead(text: str) -> bool:
    """Tell whether a prompt merely lets the work go on: `yes`, `ok do it`, `push and PR`."""
    words = re.findall(r"[a-z]+", text.lower().replace("'", ""))
    return len(words) <= 12 and all(word in _GO_AHEAD for word in words)


def asked(text: str) -> str:
    """Give what a prompt asks: without the template around it and what was pasted below."""
    for _, inner in _ASKED.findall(text):
        if _telling(inner):
            return " ".join(inner.split())
    pieces = [_written(piece) for piece in re.split(r"\n\s*\n", _PASTED.sub("\n", text))]
    own = [piece for piece in pieces if piece and not _BOILERPLATE.match(piece)]
    first = next((place for place, piece in enumerate(own) if _telling(piece)), 0)
    return " ".join(" ".join(own[first:] or pieces).split())


def own_words(text: str) -> str:
    """Give what the person wrote of a prompt: what was pasted into it is nobody's word here."""
    kept: list[str] = []
    for line in _PASTED.sub("\n", text).splitlines():
        if line.startswith(("    ", "\t", ">")) or _PRINTED.match(line):
            continue
        if line.startswith("#") and kept:
            break  # a document begins
        kept.append(line)
    return "\n".join(kept)


def _written(piece: str) -> str:
    """Give the lines of a paragraph that a person wrote for this task, as one."""
    lines = [line for line in piece.splitlines() if line.strip() and not _PRINTED.match(line)]
    return " ".join(_LEAD.sub("", line).strip() for line in lines)


def _telling(text: str) -> bool:
    return len(set(content_words(text[:2000])) - _GO_AHEAD - _VAGUE) >= TELLING
