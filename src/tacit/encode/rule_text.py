"""What the rules of a project say, one by one, and what only pretends to be a rule. Pure.

A rule file is prose for an agent; its statements are its bullets, its short paragraphs and
the commands it shows. A text of strangers that speaks to an agent as if it were its user is
recognised by its words: such text is shown as a quotation, and never binds.
"""

from __future__ import annotations

import re
from functools import cache

from tacit.encode.sections import in_code, sections
from tacit.text import fold
from tacit.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

MOST_STATEMENTS = 2000
PARAGRAPH_CHARS = 400  # a longer one is taken sentence by sentence

_BULLET = re.compile(r"(\s*)(?:[-*+•]|\d{1,3}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?(.*)")
_SENTENCE = re.compile(r"(?<=[.!?。！？])\s+(?=\S)")
_TABLE_RULE = re.compile(r"[\s|:+=-]*")
_COMMAND_NOISE = re.compile(r"^\s*(?:[$>%]\s+)?|\s+#\s.*$|^\s*#.*$")


class RuleStatement(Value):
    """One thing a document says: its words, the headings over it, and its line, from 1."""

    text: str
    heading: tuple[str, ...]
    line: int


def rule_statements(text: str) -> list[RuleStatement]:
    """Give the statements of a Markdown text in order."""
    found: list[RuleStatement] = []
    for section in sections(text):
        for line, words in _statements(section.lines, section.marks):
            if len(found) >= MOST_STATEMENTS:
                return found
            found.append(RuleStatement(text=words, heading=section.path, line=section.line + line))
    return found


def _statements(lines: tuple[str, ...], marks: int) -> Iterator[tuple[int, str]]:
    """Give line and words of each statement of a section."""
    start, kept = 0, ""
    for place, (line, code) in enumerate(zip(lines, in_code(lines), strict=True)):
        bullet = None if code else _BULLET.fullmatch(line)
        row = not code and line.lstrip().startswith("|")
        apart = code or row or bullet is not None or not line.strip()
        if place < marks:
            continue
        if apart and kept:
            yield from _said(start, kept)
            kept = ""
        if code or row:
            words = _command(line) if code else _row(line)
            if words:
                yield place, words
        elif bullet is not None:
            start, kept = place, bullet[2].strip()
        elif line.strip():
            start, kept = (start, f"{kept} {line.strip()}") if kept else (place, line.strip())
    if kept:
        yield from _said(start, kept)


def _said(line: int, words: str) -> Iterator[tuple[int, str]]:
    short = len(words) <= PARAGRAPH_CHARS
    for sentence in [words] if short else _SENTENCE.split(words):
        if any(char.isalnum() for char in sentence):
            yield line, sentence.strip()


def _command(line: str) -> str:
    if line.lstrip().startswith(("```", "~~~")):
        return ""
    return _COMMAND_NOISE.sub("", line).strip()


def _row(line: str) -> str:
    if _TABLE_RULE.fullmatch(line):
        return ""
    return ": ".join(cell.strip() for cell in line.strip().strip("|").split("|") if cell.strip())


# Who an instruction is for, and what it speaks of, in the words attacks are made of.
_AI = r"(?:ai|llms?|language models?|assistants?|(?:ai |coding )?agents?|chat ?bots?|claude|chatgpt|gpt(?:-\d)?|copilot|codex|gemini)"
_ORDERS = r"(?:instructions?|prompts?|rules?|guidelines?|directions?|directives?|commands?|constraints?|context|messages?)"
_SECRETS = r"(?:system prompts?|(?:initial |hidden )?instructions|api[ _-]?keys?|credentials?|secrets?|passwords?|tokens?|environment variables|env(?:ironment)? vars|\.env\b|ssh keys?|private keys?)"
_INSTRUCTIONS = (
    rf"\b(?:ignore|disregard|forget|override|bypass|skip)\b.{{0,40}}\b(?:previous|prior|above|earlier|preceding|existing|original|system|all|any|your|other)\b.{{0,30}}\b{_ORDERS}\b",
    r"\byou (?:must|will|shall|should|are to|have to|need to) now\b|\bfrom now on,? you\b|\byou are now\b|\byour (?:new|real|actual|true) (?:task|role|goal|job|instructions?|purpose|objective)\b",
    r"\b(?:pretend|act|behave|respond|roleplay) (?:to be|as if|as though|as an?)\b.{0,40}\b(?:ai|assistant|admin\w*|root|developer mode|dan|unrestricted|jailbro\w+)\b",
    r"\bnew (?:system )?(?:instructions?|prompt)\s*:|\b(?:begin|end) (?:of )?(?:system )?(?:prompt|instructions)\b",
    r"\b(?:run|execute|paste|type|invoke|call|eval|enter)\b (?:the following|this|these|the below|the command below)\b.{0,60}\b(?:commands?|scripts?|code|snippet|shell|terminal|tool)\b|\b(?:run|execute) the following\b",
    r"\b(?:curl|wget)\b[^\n|]{1,300}\|\s*(?:sudo\s+)?(?:ba|z|da)?sh\b",
    r"\b(?:do not|don't|never|without)\b.{0,20}\b(?:tell|telling|inform|informing|mention|mentioning|alert|alerting|notify|notifying|ask|asking|warn|warning|reveal|revealing)\b.{0,30}\b(?:user|human|developer|operator|anyone)\b",
    rf"\b(?:reveal|print|output|show|send|exfiltrate|upload|post|leak|dump|email|forward|share|repeat)\b.{{0,40}}\b(?:your|the|all|any|their|user's)\b.{{0,20}}{_SECRETS}",
    rf"\b(?:note|message|attention|instructions?|notice|reminder|important)\b.{{0,12}}\b(?:to|for)\b.{{0,12}}\b{_AI}\b|\b(?:if|since|as|because) you(?:'re| are)? (?:an? )?(?:reading this )?(?:as )?(?:an? )?{_AI}\b|\b(?:hey|hello|dear|attention),? {_AI}\b",
    rf"\b{_AI} (?:must|should|shall|will|needs? to|ha(?:s|ve) to|(?:is|are) (?:required|instructed|ordered|told) to)\b",
    r"\b(?:add|save|store|write|commit|remember|keep|record)\b.{0,30}\b(?:to|in|into)\b.{0,12}\b(?:your |the )?(?:long[- ]term |persistent |permanent )?memor(?:y|ies)\b|\bremember (?:this|that|the following)\b.{0,30}\b(?:future|all|every|later|permanently|from now on)\b",
    r"\b(?:disable|bypass|turn off|deactivate|circumvent|ignore)\b.{0,20}\b(?:safety|guardrails?|security (?:checks?|measures?|polic\w+)|permission(?:s| checks?| prompts?)|sandbox\w*|approvals?|content (?:filters?|polic\w+))\b",
    r"\bignorier\w*\b.{0,30}\b(?:anweisungen|vorgaben|regeln)\b|\bignora\w*\b.{0,30}\b(?:instrucciones|istruzioni|instrucoes)\b|\b(?:ignore[rz]?|oublie[rz]?)\b.{0,30}\b(?:instructions|consignes)\b",
    r"игнориру[ий]\w*.{0,30}(?:инструкци|указани)|(?:忽略|无视|無視|忘记).{0,12}(?:指令|指示|提示|規則|规则|命令)|(?:指示|命令)を(?:すべて)?(?:無視|忘れ)",
)
# Marks of a conversation, and labels at the start of a line.
_MARKS = r"</?(?:system|system-reminder|system_prompt|assistant|user|human|instructions?|important|tool_result|function_calls?)\b[^>]{0,80}>|<\|[\w ]{1,30}\|>|\[/?inst\]|<</?sys>>|^[ \t]*(?:#+[ \t]*)?(?:system|assistant|human)[ \t]*:|^#+ *(?:system )?instructions?\b"
# Characters nobody sees, with which words are taken apart to slip through.
_UNSEEN = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff\U000e0000-\U000e007f]")


def instruction_like(text: str) -> bool:
    """Tell whether a text speaks to an agent as if it might command it.

    Errs on the side of yes: a text that is quoted needlessly loses nothing.
    """
    plain = fold(_UNSEEN.sub("", text)).lower()
    words = " ".join(re.sub(r"[*_`]+", " ", plain).split())  # also those broken over lines
    commands, marks = _compiled()
    return bool(marks.search(plain)) or any(pattern.search(words) for pattern in commands)


@cache
def _compiled() -> tuple[list[re.Pattern[str]], re.Pattern[str]]:
    """Compile at the first text, not at the start of every process."""
    return [re.compile(pattern) for pattern in _INSTRUCTIONS], re.compile(_MARKS, re.MULTILINE)
