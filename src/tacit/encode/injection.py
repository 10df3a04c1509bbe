"""Texts that speak to an agent as if they might command it, and rules that ask for harm. Pure.

A text of strangers of this kind is shown as a quotation, and never binds; a rule of a repository
waits for a person. The expressions are compiled when first used, not at every start.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from tacit.text import fold

# Who an instruction is for, and what it speaks of, in the words attacks are made of.
_AI = r"(?:ai|llms?|language models?|assistants?|(?:ai |coding )?agents?|chat ?bots?|claude|chatgpt|gpt(?:-\d)?|copilot|codex|gemini)"
_ORDERS = r"(?:instructions?|prompts?|rules?|guidelines?|directions?|directives?|commands?|constraints?|context|messages?)"
_SECRETS = r"(?:system prompts?|(?:initial |hidden )?instructions|api[ _-]?keys?|credentials?|secrets?|passwords?|tokens?|environment variables|env(?:ironment)? vars|\.env\b|ssh keys?|private keys?)"
_OVERRIDES = (
    rf"\b(?:ignore|disregard|forget|override|bypass|skip)\b.{{0,40}}\b(?:previous|prior|above|earlier|preceding|existing|original|system|all|any|your|other)\b.{{0,30}}\b{_ORDERS}\b",
    r"\bnew (?:system )?(?:instructions?|prompt)\s*:|\b(?:begin|end) (?:of )?(?:system )?(?:prompt|instructions)\b",
    r"\b(?:curl|wget)\b[^\n|]{1,300}\|\s*(?:sudo\s+)?(?:ba|z|da)?sh\b",
    r"\b(?:do not|don't|never|without)\b.{0,20}\b(?:tell|telling|inform|informing|mention|mentioning|alert|alerting|notify|notifying|warn|warning|reveal|revealing)\b.{0,30}\b(?:user|human|developer|operator|anyone)\b",
    rf"\b(?:reveal|print|output|show|send|exfiltrate|upload|post|leak|dump|email|forward|share|repeat)\b.{{0,40}}\b(?:your|the|all|any|their|user's)\b.{{0,20}}{_SECRETS}",
    r"\b(?:disable|bypass|turn off|deactivate|circumvent|ignore)\b.{0,20}\b(?:safety|guardrails?|security (?:checks?|measures?|polic\w+)|permission(?:s| checks?| prompts?)|sandbox\w*|approvals?|content (?:filters?|polic\w+))\b",
    r"\bignorier\w*\b.{0,30}\b(?:anweisungen|vorgaben|regeln)\b|\bignora\w*\b.{0,30}\b(?:instrucciones|istruzioni|instrucoes)\b|\b(?:ignore[rz]?|oublie[rz]?)\b.{0,30}\b(?:instructions|consignes)\b",
    r"игнориру[ий]\w*.{0,30}(?:инструкци|указани)|(?:忽略|无视|無視|忘记).{0,12}(?:指令|指示|提示|規則|规则|命令)|(?:指示|命令)を(?:すべて)?(?:無視|忘れ)",
)
_ADDRESSES = (
    r"\b(?:do not|don't|never|without)\b.{0,20}\b(?:ask|asking)\b.{0,30}\b(?:user|human|developer|operator|anyone)\b",
    r"\byou (?:must|will|shall|should|are to|have to|need to) now\b|\bfrom now on,? you\b|\byou are now\b|\byour (?:new|real|actual|true) (?:task|role|goal|job|instructions?|purpose|objective)\b",
    r"\b(?:pretend|act|behave|respond|roleplay) (?:to be|as if|as though|as an?)\b.{0,40}\b(?:ai|assistant|admin\w*|root|developer mode|dan|unrestricted|jailbro\w+)\b",
    r"\b(?:run|execute|paste|type|invoke|call|eval|enter)\b (?:the following|this|these|the below|the command below)\b.{0,60}\b(?:commands?|scripts?|code|snippet|shell|terminal|tool)\b|\b(?:run|execute) the following\b",
    rf"\b(?:note|message|attention|instructions?|notice|reminder|important)\b.{{0,12}}\b(?:to|for)\b.{{0,12}}\b{_AI}\b|\b(?:if|since|as|because) you(?:'re| are)? (?:an? )?(?:reading this )?(?:as )?(?:an? )?{_AI}\b|\b(?:hey|hello|dear|attention),? {_AI}\b",
    rf"\b{_AI} (?:must|should|shall|will|needs? to|ha(?:s|ve) to|(?:is|are) (?:required|instructed|ordered|told) to)\b",
    r"\b(?:add|save|store|write|commit|remember|keep|record)\b.{0,30}\b(?:to|in|into)\b.{0,12}\b(?:your |the )?(?:long[- ]term |persistent |permanent )?memor(?:y|ies)\b|\bremember (?:this|that|the following)\b.{0,30}\b(?:future|all|every|later|permanently|from now on)\b",
)
# What a rule may not ask for: to send something out, to fetch secrets, to switch checks off.
_OUT = r"(?:https?://|[\w.+-]+@[\w-]+\.\w|webhooks?\b|pastebin|external (?:servers?|services?|hosts?|urls?)|third[- ]part(?:y|ies)\b|remote (?:server|host|endpoint)s?)"
_HELD = r"(?:\.env\b|~?/\.ssh|id_rsa|\.aws\b|\.netrc|\.pypirc|keychain|secrets?\b|credentials?\b|passwords?\b|api[ _-]?keys?\b|private keys?\b|access tokens?\b|env(?:ironment)? (?:variables|vars)\b)"
_CHECKS = r"(?:tests?|checks?|(?:git |commit |pre-commit )?hooks?|ci|linters?|linting|type[- ]?check(?:s|ing|er)?|verification|validation|signing|signatures?|ssl|tls|certificates?|sandbox\w*|permissions?|approvals?|security|confirmations?|firewalls?|branch protection)"
_HARM = (
    rf"\b(?:send|post|upload|e-?mail|forward|transmit|exfiltrate|report|push|copy)\b.{{0,80}}\b(?:to|at|via)\b.{{0,30}}{_OUT}",
    rf"\b(?:send|upload|transmit|exfiltrate|leak)\b.{{0,60}}{_HELD}",
    r"\bcurl\b[^\n]{0,200}\s(?:-d|--data\S*|-f|--form|-t|--upload-file)\b|\bwget\b[^\n]{0,200}--post",
    rf"\b(?:reveal|print|show|display|echo|dump|cat|paste|fetch|collect|retrieve|open|read)\b.{{0,40}}{_HELD}",
    rf"\b(?:disable|turn off|switch off|deactivate|bypass|circumvent|skip|suppress)\b.{{0,25}}\b{_CHECKS}\b",
    r"--no-verify\b|--dangerously\S+|--no-gpg-sign\b|\bverify\s?=\s?false\b|--yolo\b|--trusted-host\b|\bauto-?approve\b",
)
_FORBIDS = r"\b(?:never|not|don't|doesn't|avoid|without|instead of|refuse|cannot|can't|mustn't|no|unless|nor|won't)\b"
_INSTALLS = r"\b(?:pip3? install|uv (?:add|pip install|tool install)|(?:npm|pnpm) (?:install|i|add)|yarn add|brew install|apt(?:-get)? install|cargo install|go install|gem install|npx|uvx|pipx (?:run|install))((?: +(?:-[\w-]+|[\w@./=<>~!\[\]-]+)){1,6})"
# Marks of a conversation, and labels at the start of a line.
_MARKS = r"(?m)</?(?:system|system-reminder|system_prompt|assistant|user|human|instructions?|important|tool_result|function_calls?)\b[^>]{0,80}>|<\|[\w ]{1,30}\|>|\[/?inst\]|<</?sys>>|^[ \t]*(?:#+[ \t]*)?(?:system|assistant|human)[ \t]*:|^#+ *(?:system )?instructions?\b"
# Characters nobody sees, with which words are taken apart to slip through.
_UNSEEN = "[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff\U000e0000-\U000e007f]"


def instruction_like(text: str) -> bool:
    """Tell whether a text speaks to an agent as if it might command it.

    Errs on the side of yes: a text that is quoted needlessly loses nothing.
    """
    plain = _seen(text)
    words = " ".join(re.sub(r"[*_`]+", " ", plain).split())  # also those broken over lines
    return bool(re.search(_MARKS, plain)) or any(
        re.search(source, words) for source in (*_OVERRIDES, *_ADDRESSES)
    )


def harmful(text: str, named: Callable[[str], bool] | None = None) -> bool:
    """Tell whether a rule asks for what no rule of a project may ask for unseen.

    That is to send something out, to reveal or fetch secrets, to switch checks off, to override
    other instructions, or to install a package that is not `named` anywhere. What forbids these
    things is no such rule.
    """
    words = " ".join(_seen(text).replace("*", "").split())
    if any(re.search(source, words) for source in _OVERRIDES):
        return True
    asked = (match for source in _HARM for match in re.finditer(source, words))
    if any(not re.search(_FORBIDS, words[: m.start()].rpartition(". ")[2]) for m in asked):
        return True
    return named is not None and any(not named(name) for name in _installed(words))


def _seen(text: str) -> str:
    """Give a text as a reader sees it, in lower case."""
    return fold(re.sub(_UNSEEN, "", text)).lower()


def _installed(words: str) -> Iterator[str]:
    """Give the packages a text asks to install, in lower case."""
    for match in re.finditer(_INSTALLS, words):
        for word in match[1].split():
            name = re.split(r"[=<>~!@\[;,]", word)[0] or word
            if re.fullmatch(r"@?[a-z0-9][\w./-]*", name):
                yield name.strip(".")
