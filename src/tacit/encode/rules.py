"""The rules that bind whoever works in a repository, sentence by sentence.

A rule is a whole sentence that says must, never, always, do not, only, should, prefer, avoid or
please, or an imperative in a file for agents, with its condition and, where it names no subject,
the heading it stands under. It is the repository's word, shown with file and line.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from hashlib import blake2b

from tacit.body import Fact
from tacit.draft import Draft
from tacit.encode.injection import harmful
from tacit.markdown import Block, blocks
from tacit.model import Anchor, Kind, Origin, State, Tier, Trust
from tacit.observation import Document, Sort
from tacit.text import content_words, shorten, squash
from tacit.value import Value

MOST_STATEMENTS = 2000
PARAGRAPH_CHARS = 400  # a longer statement is taken sentence by sentence
MOST_RULES = 300  # of one file
SHORTEST, LONGEST = 3, 700  # words and characters of a rule
LIST_CHARS = 500  # a list that is said with the sentence that introduces it

_SENTENCE = re.compile(
    r"(?<![.\s][A-Za-z]\.)(?<!\be\.g\.)(?<!\bi\.e\.)(?<!\betc\.)(?<!\bvs\.)(?<=[.!?。！？])[*_)\"”’]*\s+(?=[^\sa-z])"
)
_LINK = re.compile(
    r"!?\[([^\[\]]*)\](?:\([^()\s]*(?:\s+\"[^\"]*\")?\)|\[[^\[\]]*\])|`([^`<>]+?)\s*<[^<>`]+>`__?"
)
_ROLE = re.compile(r"(?::[\w:]+:|\{[\w:-]+\})`(?:~|!)?([^`<>]+?)(?:\s*<[^<>`]+>)?`")
_MARKUP = re.compile(
    r"\*\*|__(?=\w)|(?<=\w)__|(?<![\w*])\*(?=\S)|(?<=\S)\*(?![\w*])|(?<!\w)_(?=[^_\s])|(?<=[^_\s])_(?!\w)|</?\w+[^<>]*>|:\w+_?\w*:(?=\s|$)"
)
_SHORTCUT = re.compile(r"(?<!\S)\[([^\[\]`]{2,})\](?=[\s.,;:)]|$)")
_PLACEHOLDER = re.compile(
    r"<your|\byour[-_]?(?:name|username)\b.*<|\[(?:project|insert|name)[^\]]*\]|\bTODO\b|\{\{|lorem ipsum",
    re.I,
)

_STRONG = re.compile(
    r"\bmust(?:n't)?\b|\bmandatory\b|\b(?:is|are|be) (?:strictly |always )?required\b|\brequired to\b|\bnot (?:allowed|permitted|acceptable|accepted)\b"
    r"|\b(?:not|n't|never) be (?:accepted|merged|considered|reviewed|tolerated|used|added|changed|edited|modified|committed|removed)\b"
    r"|\b(?:is|are|be) (?:strictly |permanently )?(?:prohibited|forbidden|banned|generally required)\b|\bunder no circumstances\b|\bwe (?:require|only (?:accept|merge|support))\b"
    r"|\b(?:we|maintainers) (?:do not|don't|won't|will not|cannot|can't) (?:accept|merge|allow|take|use|add|review)\b"
    r"|\bwill be (?:closed|rejected|removed|reverted|declined)\b|\b(?:may|can) be (?:closed|rejected|declined)\b|\bhas to be\b|\bhave to be\b",
    re.I,
)  # fmt: skip
_CLAUSE = (
    r"(?:^|[.;:,—–(!]\s*|\s-\s+|\b(?:should|must|please|and|but|so|then|or|to|absolutely) )[\"“*_]*"
)
_ORDER = re.compile(
    rf"(?:{_CLAUSE}|\b(?:you|we) )(?:never|always)\b(?! (?:been|welcome|appreciated|a good|happy|be a|feel|hesitate))"
    rf"|{_CLAUSE}(?:do not|don't)\b(?! (?:worry|hesitate|be (?:afraid|shy|scared|concerned)|panic|feel|have|want|know|see|forget|need|think|like|understand|get)\b)"
    rf"|{_CLAUSE}only\b(?= \w)|^(?:absolutely )?no \w+\b(?! (?:is too|matter|need))|^not? [a-z]+ing\b",
    re.I,
)  # fmt: skip
_ANYWHERE = re.compile(r"\b(?:never|always)\b", re.I)
_WEAK = re.compile(
    r"\bshould(?:n't)?\b|\bprefer\b|\b(?:is|are) preferred\b|\bavoid\b|\bplease\b|\bmake sure\b|\bmaking sure\b|\bbe sure\b|\bensure\b|(?<!we )\bneeds? to\b|\bhas to\b|(?<!we )(?<!I )\bhave to\b|\bexpected to\b"
    r"|\bought to\b|\bremember to\b|\bdon't forget\b|\btry to\b|\bwe (?:ask|expect|follow|adhere|prefer|recommend|encourage|strive|aim)\b|\benforced?\b|\brecommended to\b|\bnot welcome\b|\bconsider \w+ing\b|\bis pinned\b",
    re.I,
)  # fmt: skip
_TALK = re.compile(
    r"\b(?:you|it|they|this|that|there|everything|output|which|should)\b(?:'ll)? should (?:now |then |also |all |already )?(?:see|get|be able|have|find|receive|look|work|appear|open|pass|be (?:available|visible|running|ready|able|good|set|all|something))|\bshould now\b|\bshould be (?:available|visible) (?:at|in|on)\b"
    r"|\bfeel free\b|^thank|\bmust have been\b|\bplease (?:see|note|visit|feel|join|reach|let|find|star|help|contact|check out|do(?:\.|$)|refer)\b|\b(?:always|never) (?:welcome|appreciated|too late)\b|\bcan (?:never|always)\b|\bif you (?:would like|want|wish) to (?:help|support|donate|sponsor)\b"
    r"|\bpledge\b|\bcommunity leaders\b|\bproject maintainers (?:are|have)\b|\bcode of conduct (?:team|committee)\b|\bwe (?:should|must) (?:be able|have)\b|\bbut (?:you|we) should be\b|\bno worries\b|n't (?:\w+ )?(?:have|need) to\b|\bnot expected to\b|\bwhether you prefer\b|\bplease understand\b|^remember that\b|\bshould (?:not )?expect\b|\bshouldn't (?:ever )?be afraid\b",
    re.I,
)  # fmt: skip
_POINTS_BACK = re.compile(
    r"\(?(?:it|they|this|these|that|those|he|she|such|otherwise|doing so|but|and|so|however|instead|then|also|in that case|if so|if not|for example|e\.g\.|therefore|if you (?:don't|do not),|same|both|either|neither|here|there|the (?:same|former|latter|following))\b",
    re.I,
)
_REASON = re.compile(
    r"(?:this is|otherwise|because|since|the reason|if you (?:don't|do not)|doing so|that (?:way|is)|it(?:'s| is| will| would| makes| may)|they|these|we (?:do this|cannot|can't)|this (?:will|would|makes|ensures|helps|keeps|lets|avoids))\b",
    re.I,
)
_IMPERATIVE = frozenset(
    "add adhere adopt align annotate apply ask assert assign assume avoid batch begin break bump call capture catch change check choose cite clean combine comment commit configure confirm consider consult convert cover create declare default define delete depend describe design document drop edit emit enable end enforce ensure escape exclude explain export expose extend extract fall favor favour fetch fix focus follow format gate generate give group guard handle hide honor implement import include increment inherit initialize inject inline inspect install instrument isolate iterate justify keep label leave let limit link lint list log lowercase maintain make mark match measure mention merge migrate minimize mirror mock modify mount move name nest never note omit only open optimize order organize override parametrize pass pin place populate prefer prefix preserve propagate provide put quote raise read rebase rebuild record reduce refactor refer reference regenerate register reject release rely remember remove rename render replace report request require reserve resolve respect restrict return reuse revert review rewrite run scope search separate set share sign skip sort specify split squash standardize start stay stick stop store structure summarize target test throw tie track translate treat trust try type understand unify update use validate verify wait walk wrap write yield".split()
)
_STEP_HEADINGS = re.compile(
    r"\b(?:install\w*|set ?up|setting up|getting (?:started|help|the)|quick ?start|prerequisites|environment|steps|fork\w*|clone|resources|community|support|questions|issues?|bugs?|license|attribution|enforcement|our (?:pledge|standards|responsibilities)|scope|acknowledg\w+|history|contents?)\b",
    re.I,
)
_RULE_HEADINGS = re.compile(
    r"\b(?:styles?|conventions?|standards?|guidelines?|rules?|polic(?:y|ies)|requirements?|checklist|principles?|best practices|pull requests?|prs?|commits?|commit messages?|submitting|changelog|news|code|coding|tests?|testing|documentation|docstrings?|naming|workflow|before you|patch(?:es)?|review\w*)\b",
    re.I,
)
_GENERIC = re.compile(
    r"(?:contribut\w+(?: (?:to|guide|guidelines)\b.*)?|how to contribute.*|(?:development )?guidelines|rules|overview|introduction|notes?|general|important|summary|miscellaneous|other|(?:agents|claude|gemini)(?:\.md)?.*|.*\binstructions|checklist|project|readme|…|welcome.*|table of contents|description|critical.*|guidance.*|repository guidelines)",
    re.I,
)
_ASIDE = frozenset(
    "fixtures fixture testdata test_data __snapshots__ examples example samples templates template cookiecutter vendor third_party node_modules cassettes".split()
)
_FILL_IN = re.compile(
    r"\bplease (?:read this template|tell us|describe|provide|fill|explain|delete|remove|check|include|link)\b|\b(?:this|the) template\b",
    re.I,
)
_REPORTING = re.compile(r"\b(?:report\w*|bugs?|issues?|feedback|questions|filing)\b", re.I)
_BUG_REPORT = re.compile(
    r"\bbug report|\breproduc|\bscreenshot|\btraceback|\berror message|\bas much (?:detail|information)|\bclear title\b|\bminimal\b|\bversion of\b",
    re.I,
)
_VULNERABLE = re.compile(
    r"\b(?:report\w*|disclos\w*|public(?:ly)?|vulnerabilit(?:y|ies) (?:to|via|through))\b", re.I
)
_ENGLISH_ENDING = re.compile(r"[.!?:;…]$")


# What each host puts before its agent by itself: names of files, and folders of rules.
LOADED_BY = {
    "claude": r"CLAUDE(?:\.local)?\.md|\.claude/(?:CLAUDE\.md|rules/.+)",
    "codex": r"AGENTS(?:\.override)?\.md",
    "gemini": r"GEMINI\.md",
    "cursor": r"\.cursor/rules/.+|\.cursorrules|AGENTS\.md",
    "copilot": r"\.github/copilot-instructions\.md|\.github/instructions/.+|AGENTS\.md",
    "opencode": r"AGENTS\.md",
    "windsurf": r"\.windsurfrules|\.windsurf/rules/.+|AGENTS\.md",
}


def host_loads(host: str, path: str) -> bool:
    """Tell whether a host reads this file of the root by itself, so that a start need not say it."""
    pattern = LOADED_BY.get(host.partition("-")[0])
    return pattern is not None and re.fullmatch(pattern, path) is not None


class RuleStatement(Value):
    """One thing a document says: its words, the headings over it, and its line, from 1."""

    text: str
    heading: tuple[str, ...]
    line: int


def rule_statements(text: str) -> list[RuleStatement]:
    """Give the statements of a Markdown text in order: items, sentences, commands, rows."""
    found = [
        RuleStatement(text=words, heading=block.heading, line=block.line + offset)
        for block in blocks(text)
        for offset, words in _statements(block)
        if any(char.isalnum() for char in words)
    ]
    return found[:MOST_STATEMENTS]


def _statements(block: Block) -> Iterator[tuple[int, str]]:
    if block.type == "code":
        for offset, line in enumerate(block.text.split("\n"), 1):
            if words := re.sub(r"^\s*(?:[$>%]\s+)?|\s+#\s.*$|^\s*#.*$", "", line).strip():
                yield offset, words
        return
    words = " ".join(block.text.split())
    short = len(words) <= PARAGRAPH_CHARS
    yield from ((0, part) for part in ([words] if short else _SENTENCE.split(words)))


def rule_drafts(
    documents: Iterable[Document], named: Callable[[str], bool] | None = None
) -> Iterator[Draft]:
    """Give a draft for each rule of rule files and guides, each said once.

    `named` tells whether a package stands in a manifest of the project.
    """
    said: set[str] = set()
    for document in documents:
        if document.sort not in (Sort.RULE, Sort.GUIDE) or not _is_own(document.path):
            continue
        for rule in read_rules(document):
            key = squash(rule.text)
            if key not in said:
                said.add(key)
                yield _draft(document, rule, named)


def _is_own(path: str) -> bool:
    return _ASIDE.isdisjoint(path.lower().split("/")[:-1])


class Rule(Value):
    """One rule of a document."""

    text: str
    tier: Tier
    line: int  # in the file


def read_rules(document: Document) -> list[Rule]:
    """Give the rules of a document in order."""
    found = blocks(document.text, rst=document.path.endswith(".rst"))
    reader = _Reader(document)
    for place, block in enumerate(found):
        reader.read(block, found[place + 1 : place + 40])
    return reader.rules[:MOST_RULES]


class _Reader:
    """Goes through the blocks of one document; knows what introduced the list it is in."""

    def __init__(self, document: Document) -> None:
        self.rules: list[Rule] = []
        self._agents = document.sort is Sort.RULE
        self._template = "pull_request_template" in document.path.lower()
        self._security = document.path.rpartition("/")[2].lower().startswith("security")
        self._offset = document.first_line - 1
        self._title = document.title if document.title != document.path else ""
        self._where = _where(document)
        self._lead = ""  # the sentence that introduces the list we are in
        self._lead_depth = 0
        self._taken = 0  # blocks that were said with the sentence before them

    def read(self, block: Block, after: Sequence[Block]) -> None:
        if self._taken:
            self._taken -= 1
            return
        if block.type == "paragraph" or block.depth <= self._lead_depth:
            self._lead = ""
        if block.type not in ("paragraph", "item"):
            return
        words = plain(block.text)
        if self._template:
            if block.boxed:
                self._boxed(block, words)
                return
            if _FILL_IN.search(words):
                return
        if _BUG_REPORT.search(words) and _REPORTING.search(" ".join(block.heading)):
            return
        if self._security and not _VULNERABLE.search(words):
            return
        sentences = [part.strip() for part in _SENTENCE.split(words) if part.strip()]
        kept = ""
        for place, sentence in enumerate(sentences):
            last = place == len(sentences) - 1
            if _POINTS_BACK.match(sentence):
                before = kept or (sentences[place - 1] if place else "")
                if kept and (_REASON.match(sentence) or self._binds(sentence, block)):
                    kept = f"{kept} {sentence}"
                    if not last:
                        continue
                elif before and self._binds(sentence, block):
                    kept = f"{before} {sentence}"
                    continue
                else:
                    continue
                self._keep(kept, block)
                kept = ""
                continue
            self._keep(kept, block)
            kept = ""
            if last and sentence.endswith(":"):
                self._introduce(sentence, block, after)
            elif self._binds(sentence, block):
                kept = sentence
        self._keep(kept, block)

    def _introduce(self, sentence: str, block: Block, after: Sequence[Block]) -> None:
        """Say a sentence with the list or the command it introduces."""
        below = []
        for other in after:
            if other.heading != block.heading or (other.type == "paragraph"):
                break
            if other.type == "item" and other.depth <= block.depth:
                break
            below.append(other)
            if other.type == "code":
                break
        binds = self._binds(sentence, block)
        if below and below[0].type == "code":
            lines = [line.strip() for line in below[0].text.split("\n") if line.strip()]
            commands = [
                re.sub(r"^[$>%]\s+", "", line) for line in lines if not line.startswith("#")
            ]
            if binds and len(commands) <= 3 and sum(map(len, commands)) < 200:
                shown = "; ".join(f"`{command}`" for command in commands)
                self._keep(f"{sentence} {shown}", block)
                self._taken = 1
            return
        items = [each for each in below if each.type == "item"]
        texts = [plain(item.text).rstrip(".;,") for item in items]
        if binds and items and sum(map(len, texts)) <= LIST_CHARS and len(items) == len(below):
            self._keep(f"{sentence} {'; '.join(texts)}", block)
            self._taken = len(items)
        elif binds and items:
            self._lead, self._lead_depth = sentence.rstrip(":").strip(), block.depth

    def _boxed(self, block: Block, words: str) -> None:
        if words.startswith(("...", "…")) and self.rules:
            last = self.rules.pop()
            self.rules.append(last.replace(text=f"{last.text} {words.lstrip('.… ')}"))
            return
        kinds = re.search(r"\btypes?\b|\bkind\b|category", " ".join(block.heading), re.I)
        if len(words.split()) > SHORTEST and not kinds and not _PLACEHOLDER.search(words):
            self._add(f"Pull request checklist: {words}", block, Tier.GUARDRAIL)

    def _binds(self, sentence: str, block: Block) -> bool:
        return self._tier(sentence, block) is not None

    def _tier(self, sentence: str, block: Block) -> Tier | None:
        """Tell how a sentence binds; None where it does not."""
        if _TALK.search(sentence) or sentence.endswith("?"):
            return None
        if _STRONG.search(sentence) or _ORDER.search(sentence):
            return Tier.MANDATE
        if self._agents and _ANYWHERE.search(sentence):
            return Tier.MANDATE
        if _WEAK.search(sentence) or (self._lead and block.type == "item"):
            return Tier.GUARDRAIL
        return Tier.GUARDRAIL if self._orders(sentence, block) else None

    def _orders(self, sentence: str, block: Block) -> bool:
        """Tell whether an imperative is a rule here: in files for agents, under such a heading."""
        label, colon, rest = sentence.partition(": ")
        first = (rest if colon and len(label.split()) <= 4 else sentence).split()
        if not first or first[0].lower().strip("`") not in _IMPERATIVE:
            return False
        headings = " ".join(block.heading[-2:])
        if _STEP_HEADINGS.search(headings):
            return False
        return self._agents or (block.type == "item" and bool(_RULE_HEADINGS.search(headings)))

    def _keep(self, text: str, block: Block) -> None:
        tier = self._tier(text, block) if text else None
        if tier is None or _PLACEHOLDER.search(text) or _about_conduct(block.heading):
            return
        if self._lead and block.type == "item" and not self._lead.endswith(text):
            text = f"{self._lead}: {text}"
        if (
            text.endswith(":")
            or len(text.split()) < (SHORTEST - self._agents)
            or len(text) > LONGEST
        ):
            return
        subject = self._subject(block.heading, text)
        self._add(f"{subject}: {text}" if subject else text, block, tier)

    def _add(self, text: str, block: Block, tier: Tier) -> None:
        self.rules.append(Rule(text=self._where + text, tier=tier, line=block.line + self._offset))

    def _subject(self, heading: tuple[str, ...], text: str) -> str:
        """Give the heading that says what a rule is about, unless it says so itself."""
        known = set(content_words(text))
        for name in reversed(heading or (self._title,) if heading or self._title else ()):
            name = plain(name).strip(" :.")
            if _GENERIC.fullmatch(name) or not any(char.isalpha() for char in name):
                continue
            return "" if set(content_words(name)) <= known else shorten(name, 60)
        return ""


def _about_conduct(heading: tuple[str, ...]) -> bool:
    return any(
        re.match(r"our (?:pledge|standards|responsibilities)|enforcement|attribution", name, re.I)
        for name in heading
    )


def plain(text: str) -> str:
    """Give prose without marks of emphasis and addresses of links; code keeps its ticks."""
    text = _LINK.sub(lambda match: match[1] or match[2] or "", text)
    text = _ROLE.sub(r"`\1`", text).replace("``", "`")
    parts = re.split(r"(`[^`\n]*`)", text)
    parts[::2] = [_SHORTCUT.sub(r"\1", _MARKUP.sub("", part)) for part in parts[::2]]
    return " ".join("".join(parts).split())


def _where(document: Document) -> str:
    """Say for which files a rule is, where that is not the whole project."""
    fields = dict(document.meta)
    if globs := next(
        (fields[name] for name in ("globs", "paths", "applyTo") if fields.get(name)), ""
    ):
        return "" if globs.strip("\"'") in ("*", "**", "**/*") else f"For {shorten(globs, 80)}: "
    folder = document.path.rpartition("/")[0]
    own = document.sort is Sort.RULE and folder and not folder.startswith((".", "/"))
    return f"In {folder}/: " if own else ""


def _draft(document: Document, rule: Rule, named: Callable[[str], bool] | None) -> Draft:
    mark = blake2b(squash(rule.text).encode(), digest_size=6).hexdigest()
    text = rule.text if _ENGLISH_ENDING.search(rule.text) else f"{rule.text}."
    flagged = harmful(text, named)
    return Draft(
        text=f"“{text}” ({document.path}:{rule.line})"
        if flagged
        else f"{text} ({document.path}:{rule.line})",
        kind=Kind.FACT,
        subtype="rule",
        body=Fact(),
        tier=Tier.REFERENCE if flagged else rule.tier,
        state=State.CANDIDATE if flagged else State.ACTIVE,
        importance=0.8 if rule.tier is Tier.MANDATE else 0.6,
        origin=Origin.IMPORT,
        trust=Trust.REPOSITORY,
        source_ref=f"file:{document.path}#rule-{mark}",
        renews=True,
        files=(document.path,),
        tags=("rule", "instruction-like") if flagged else ("rule",),
        anchors=(Anchor(path=document.path, sha=document.sha),) if document.sha else (),
        basis=text,
    )
