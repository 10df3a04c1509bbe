"""The rules that bind whoever works in a repository, sentence by sentence.

A rule is a whole sentence that says to its reader, or of the code, what must, should or may not
be, with its condition and, where it names no subject, the heading it stands under. It is the
repository's word, shown with file and line.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from hashlib import blake2b

from tacit.body import Fact
from tacit.draft import Draft
from tacit.encode.injection import harmful
from tacit.markdown import Block, blocks, plain
from tacit.model import Anchor, Kind, Origin, State, Tier, Trust
from tacit.observation import Document, Sort
from tacit.text import content_words, shorten, squash
from tacit.value import Value

MOST_RULES = 300  # of one file
SHORTEST, LONGEST = 3, 800  # words and characters of a rule
LIST_CHARS = 600  # a list that is said with the sentence that introduces it
HEAD_CHARS = 3000  # of a changelog: what stands above its releases

SENTENCE = re.compile(
    r"(?<![.\s][A-Za-z]\.)(?<!\be\.g\.)(?<!\bi\.e\.)(?<!\betc\.)(?<!\bvs\.)(?<=[.!?。！？])[*_)\"”’]*\s+(?=[^\sa-z])"
)
_PLACEHOLDER = re.compile(
    r"<your|\[(?:project|insert|name)[^\]]*\]|\bTODO\b|\{\{|lorem ipsum", re.I
)


def _words(said: str) -> re.Pattern[str]:
    """Match any of some words, whatever their capitals."""
    return re.compile(rf"\b(?:{said})\b", re.IGNORECASE)


# How a sentence binds: what becomes of a contribution, what is forbidden, what ought to be, what
# is asked for, and what "we" do.
_VERDICT = re.compile(
    r"\b(?:is|are) (?:\w+ly )?(?:not (?:allowed|permitted|acceptable|accepted|welcome)|prohibited|forbidden|banned|mandatory)\b"
    r"|\b(?:not|n't|never) be (?:accepted|merged|considered|reviewed|tolerated)\b|\b(?:will|may|can) be (?:closed|rejected|reverted|declined)\b"
    r"|\bwe (?:require|only (?:accept|merge)|(?:do not|don't|won't|will not|cannot|can't) (?:accept|merge|allow|take|review))\b",
    re.I,
)  # fmt: skip
_FORBIDS = re.compile(
    r"(?:^|[.;:,—–(!]\s*|\b(?:please|and|but|so|then|should|must|or) )[\"“]*(?:never (?!(?:the|an?|from|to|in|on|by|been|\w+[^s]s)\b|`)|do not|don't|avoid)\b(?! (?:worry|hesitate|be (?:afraid|shy|scared|concerned)|panic|feel|have|want|know|see|forget|need|think|like|understand|get|waste)\b)"
    r"|^(?:absolutely )?no (?!matter|need|worries)\w+\b(?!.*\b(?:is|are|will)\b)",
    re.I,
)  # fmt: skip
_MODAL = _words(
    r"must|should|shall)(?:n't)?\b|\bought to\b|\bneeds? to\b|\bha(?:s|ve) to\b|\b(?:is|are) (?:expected|required|recommended|preferred"
)
_ASKS = re.compile(
    r"(?:just )?(?:please|always|only|prefer|make sure|be sure|ensure|remember to|don't forget to|try to|consider \w+ing)\b",
    re.I,
)
_HOUSE = re.compile(r"(?:^|, )we (?:follow|adhere|enforce|prefer|recommend|expect|pin)\b", re.I)
# What is no rule for the work: what one sees, politeness, steps with accounts and machines.
_TALK = re.compile(
    r"\bshould (?:\w+ )?(?:now|see|get|be able|appear|feel|expect|fork|install|clone)\b|\bshould (?:then |all |also )?be (?:available|visible|running|ready|good|set)\b|\bfeel free\b|^thank|\bmust have been\b|\bno worries\b|n't (?:\w+ )?(?:have|need) to\b|\bcan (?:never|always)\b|\btoo late\b"
    r"|\bplease (?:see|note|visit|feel|join|reach|let|find|star|help|contact|check out|do(?:\.|$)|refer|read|review|tell|understand|ask|be|report|give|submit|take|work)\b|\bpledge\b|\brespectful\b|\bcode of conduct\b|\bwhether you prefer\b|\bresponsib\w+ (?:very )?seriously\b"
    r"|\b(?:push permissions?|allow (?:edits|maintainers)|vulnerabilit(?:y|ies) (?:to|via|through))\b|\bradio button\b|\bany questions\b|^remember that\b|\byou need to have\b|\btick\b|\btalk to\b",
    re.I,
)  # fmt: skip
_POINTS_BACK = re.compile(
    r"\(?(?:it|they|this|these|that|those|he|she|such|otherwise|doing so|but|and|so|or|however|instead|then|also|in (?:that|this) case|if (?:so|not)|for example|e\.g\.|therefore|thus|hence|if you (?:don't|do not)|same|both|either|neither|here|there|the (?:same|former|latter|following)|as (?:such|stated|mentioned)|like this)\b",
    re.I,
)
_OBJECT_BACK = re.compile(r"(?:\w+ ){1,3}(?:these|them|it)\b|\w+ this\b")
_REASON = re.compile(
    r"(?:this is|otherwise|if you (?:don't|do not)|doing so|that (?:way|is)|it(?:'s| is| will| would| makes)|they|this (?:will|would|makes|ensures|helps|keeps|lets|avoids))\b",
    re.I,
)
_CONDITION = re.compile(
    r"(?:(?:if|when|whenever|while|before|after|for|unless|once|in|on|with|by|during|where|since|besides|because|as|to|additionally|finally|also)\b[^,;:]*,|[^:`.]{1,40}:)\s+",
    re.I,
)
# Who and what a rule is for.
_READER = _words(r"you|contributors?|authors?|developers?|agents?|persons?|everyone")
_WORK = _words(
    r"contribut\w+|pull[- ]requests?|prs?|patch(?:es)?|commits?|changes?|changelog|fragments?|entr(?:y|ies)|tests?|coverage|code|functions?|class(?:es)?|methods?|modules?|files?|names?|variables?|docstrings?|docs?|documentation|comments?|imports?|features?|fix(?:es)?|apis?|types?|annotations?|errors?|exceptions?|warnings?|lines?|symbols?|dependenc(?:y|ies)|ci|checks?|branch(?:es)?|releases?|messages?|versions?|snapshots?|styles?"
)
_OTHERS = _words(
    r"it|they|this|that|these|those|which|who|there|we|i|maintainers?|members?|collaborators?|teams?|users?|someone|servers?|following|output|results?)(?: \w+ly)?\W*$|^(?:the |our )?(?:maintainers?|team|core|users?|we"
)
_IMPERATIVE = frozenset(
    "add adhere adopt align annotate apply ask assert assign assume avoid batch begin break bump call capture catch change check choose cite clean combine comment commit configure confirm consider consult convert cover create declare default define delete depend describe design document drop edit emit enable end enforce ensure escape exclude explain export expose extend extract fall favor favour fix focus follow format gate generate give group guard handle hide honor implement import include increment inherit initialize inject inline inspect instrument isolate iterate justify keep label leave limit link lint list log lowercase maintain make mark match measure mention merge migrate minimize mirror mock modify mount move name nest omit open optimize order organize override parametrize pass pin place populate prefer prefix preserve propagate provide put quote raise read rebase rebuild record reduce refactor refer reference regenerate register reject rely remember remove rename render replace report request require reserve resolve respect restrict return reuse revert review rewrite run scope search set share sign skip sort specify split squash standardize start stay stick stop store structure summarize target throw tie track translate treat trust try type understand unify update use validate verify wait walk wrap write yield".split()
)
_SETUP = _words(
    r"install\w*|set ?up|setting up|getting started|quick ?start|prerequisites|environment|steps|fork\w*|local development|contents?|history|license|resources"
)
_ELSEWHERE = _words(
    r"report\w*|bugs?|issues?|triage|vulnerabilit\w+|security|support|questions?|help|feature requests?|enhancements?|ideas?|communit\w+|pledge|our (?:standards|responsibilities)|enforcement|attribution|o(?:n|ff)boarding|governance|teams?|members?|collaborators?|commit bit|admin|who|human|stale|clos(?:e|ing)|merge|expectations|philosophy|context|certificates?|signing|docker|proxy|(?:vs|visual studio) ?code|editors?|plugins?"
)
_RULE_HEADINGS = _words(
    r"styles?|conventions?|standards?|guidelines?|rules?|polic(?:y|ies)|checklist|check list|principles?|best practices|pull requests?|prs?|commits?|commit messages?|submitting|changelog|news|code|coding|tests?|testing|documentation|docstrings?|naming|workflow|before you|patch(?:es)?"
)
_GENERIC = re.compile(
    r"(?:contribut\w+(?: (?:to|guide|guidelines)\b.*)?|how to contribute.*|(?:development |repository )?guidelines|rules|overview|introduction|notes?|general|important|summary|miscellaneous|other|(?:agents|claude|gemini)(?:\.md)?.*|.*\binstructions|checklist|project|readme|…|welcome.*|table of contents|description|critical.*|guidance.*|change ?log.*)",
    re.I,
)
_STRONG = re.compile(
    r"\b(?:must|never|always|do not|don't|only|required|prohibited|forbidden)\b|^(?:absolutely )?no ",
    re.I,
)
_GRAVE = re.compile(
    r"\b(?:MUST|NEVER|DO NOT|ALWAYS)\b|(?i:\b(?:secrets?|credentials?|security|sign(?:ed)?|cla|licen[cs]e|copyright|force|push(?:ed)?|publish\w*|generated|lock ?files?|by hand|hand-edit\w*|manually|vendor\w*|migrations?|compatib\w+|break\w*|api|delete|data|production|ci|merged?|closed|rejected|accepted|changelog|release\w*|version numbers?|ai|llm|agentic|agents?|human|dependenc(?:y|ies)|coverage|pull requests?|branch(?:es)?)\b)"
)
_BOXED = "Pull request checklist"
_STYLE_GUIDE = re.compile(r"style|convention|guideline|standards|policy", re.I)
_PEOPLE = re.compile(r"code[-_]of[-_]conduct|governance", re.I)
_ASIDE = frozenset(
    "fixtures fixture testdata test_data __snapshots__ examples example samples templates template cookiecutter vendor third_party node_modules cassettes".split()
)
_CONTRIBUTION = _words(r"contributions?|pull[- ]requests?|prs?|patch(?:es)?|commits?|branch(?:es)?")


class Rule(Value):
    """One rule of a document."""

    text: str
    tier: Tier
    line: int  # in the file


def rule_drafts(
    documents: Iterable[Document], named: Callable[[str], bool] | None = None
) -> Iterator[Draft]:
    """Give a draft for each rule of rule files, guides and heads of changelogs, each said once.

    `named` tells whether a package stands in a manifest of the project.
    """
    said: set[str] = set()
    for document in documents:
        for rule in read_rules(document):
            key = squash(rule.text)
            if key not in said:
                said.add(key)
                yield _draft(document, rule, named)


def read_rules(document: Document) -> list[Rule]:
    """Give the rules of a document in order."""
    if _PEOPLE.search(document.path) or not _ASIDE.isdisjoint(document.path.lower().split("/")):
        return []
    if document.sort is Sort.CHANGELOG:
        found = blocks(_head(document.text))
    elif document.sort in (Sort.RULE, Sort.GUIDE):
        found = blocks(document.text, rst=document.path.endswith(".rst"))
    else:
        return []
    reader = _Reader(document)
    for place, block in enumerate(found):
        reader.read(block, found[place + 1 : place + 40])
    return reader.rules[:MOST_RULES]


def _head(text: str) -> str:
    """Give what a changelog says before its first release, comments to its writers included."""
    head = re.split(r"^##\s|^(?:\S.*\n)[-=~^*]{3,}$(?<!\A)", text[:HEAD_CHARS], flags=re.M)[0]
    return re.sub(r"<!--|-->|^\.\.(?: |$)|^[ \t]+", "", head, flags=re.M)


class _Reader:
    """Goes through the blocks of one document; knows what introduced the list it is in."""

    def __init__(self, document: Document) -> None:
        name = document.path.rpartition("/")[2].lower()
        self.rules: list[Rule] = []
        self._agents = document.sort is Sort.RULE
        self._plain = self._agents or bool(_STYLE_GUIDE.search(name))  # a bare imperative binds
        self._template = "pull_request_template" in document.path.lower()
        self._security = name.startswith("security")
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
        if self._template and block.boxed:
            self._boxed(block, words)
            return
        sentences = _sentences(words)
        if words.endswith(":") and not _POINTS_BACK.match(last := sentences.pop()):
            self._introduce(last, block, after)
        for place, unit in enumerate(_units(sentences)):
            lead = "" if place or block.type != "item" else self._lead
            if self._binds(unit[0], block) and not unit[0][0].islower():
                lead = ""
            elif not lead and unit[0][0].islower() and block.type == "item":
                continue  # half a sentence
            self._keep(self._bound(unit, block, lead), block, lead)

    def _bound(self, unit: list[str], block: Block, lead: str) -> str:
        """Give what of a sentence and those that point back to it is a rule."""
        binds = [
            bool(lead and not place) or self._binds(said, block) for place, said in enumerate(unit)
        ]
        if True not in binds:
            return ""
        end = binds.index(True) + 1
        while end < len(unit) and (binds[end] or _REASON.match(unit[end])):
            end += 1
        return " ".join(unit[:end])

    def _introduce(self, sentence: str, block: Block, after: Sequence[Block]) -> None:
        """Say a sentence with the list or the command it introduces."""
        below: list[Block] = []
        for other in after:
            nested = other.type == "item" and other.depth > block.depth
            follows = nested or (other.type == "code" and not below)
            if other.heading != block.heading or not follows:
                break
            below.append(other)
            if other.type == "code":
                break
        if not below or not self._binds(sentence, block):
            return
        if below[0].type == "code":
            lines = [re.sub(r"^[$>%]\s+", "", line.strip()) for line in below[0].text.split("\n")]
            texts = [f"`{line}`" for line in lines if line and not line.startswith("#")]
            if len(texts) > 3:
                return
        else:
            texts = [plain(item.text).rstrip(".;,") for item in below]
        if sum(map(len, texts)) <= LIST_CHARS:
            if not any(text.endswith("?") for text in texts):
                self._keep(f"{sentence} {'; '.join(texts)}".replace(":; ", ": "), block)
            self._taken = len(below)
        else:
            self._lead, self._lead_depth = sentence.rstrip(": "), block.depth

    def _boxed(self, block: Block, words: str) -> None:
        if words.startswith(("...", "…")) and self.rules:
            last = self.rules.pop()
            self.rules.append(last.replace(text=f"{last.text} {words.lstrip('.… ')}"))
            return
        kinds = re.search(r"\btypes?\b|\bkind\b|category", " ".join(block.heading), re.I)
        said = re.match(r"i (?:acknowledge|agree|have read|confirm)\b", words, re.I)
        if len(words.split()) > SHORTEST and not (kinds or said or _TALK.search(words)):
            self._keep(words, block, _BOXED)

    def _binds(self, sentence: str, block: Block) -> bool:
        """Tell whether a sentence binds whoever works here, or would have an agent do harm."""
        if self._agents and harmful(sentence):
            return True  # it waits for a person
        if sentence.endswith("?") or _TALK.search(sentence):
            return False
        headings = " ".join(block.heading[-2:])
        forbids, verdict = _FORBIDS.search(sentence), _VERDICT.search(sentence)
        if self._security:
            return bool(forbids and "public" in sentence)
        core = _core(sentence)
        owing = self._owing(core)
        if self._agents:
            return bool(forbids or verdict or owing or _ASKS.match(core) or _orders(core))
        if _ELSEWHERE.search(headings):
            return bool(_CONTRIBUTION.search(owing or (sentence if forbids or verdict else "")))
        if forbids or verdict or owing:
            return True
        if self._template:
            return False  # what it asks for is filled in below
        if _SETUP.search(headings):
            return core.lower().startswith("always ")
        if _ASKS.match(core) or _HOUSE.search(sentence):
            return True
        ruled = self._plain or (block.type == "item" and _RULE_HEADINGS.search(headings))
        about = (
            core != sentence and not sentence.startswith("To ") and _CONTRIBUTION.search(sentence)
        )
        return bool(_orders(core) and (ruled or about))

    def _owing(self, core: str) -> str:
        """Give who or what must or should be something, where that is the reader or the work."""
        core = re.sub(r", (?:unless|if|when|where)\b[^,]*,", "", core)
        for modal in _MODAL.finditer(core):
            subject = re.split(r"[,;:(—]\s", core[: modal.start()])[-1]
            done = core[modal.end() :]
            if not subject.strip():
                return core if self._plain else ""
            if not _OTHERS.search(subject) and (
                self._plain
                or _WORK.search(subject)
                or (_READER.search(subject) and _WORK.search(done))
            ):
                return subject
        return ""

    def _keep(self, text: str, block: Block, lead: str = "") -> None:
        if not text or _PLACEHOLDER.search(text) or text.endswith(":"):
            return
        strong = _STRONG.search(text) or _VERDICT.search(text)
        grave = strong and _GRAVE.search(re.sub(r"https?://\S+", "", text))
        text = f"{lead}: {text}" if lead else text
        if not SHORTEST - self._agents <= len(text.split()) or len(text) > LONGEST:
            return
        subject = "" if lead == _BOXED else self._subject(block.heading, text)
        self.rules.append(
            Rule(
                text=self._where + (f"{subject}: {text}" if subject else text),
                tier=Tier.MANDATE if grave else Tier.GUARDRAIL,
                line=block.line + self._offset,
            )
        )

    def _subject(self, heading: tuple[str, ...], text: str) -> str:
        """Give the heading that says what a rule is about, unless it says so itself."""
        known = set(content_words(text))
        for name in reversed(heading or (self._title,)):
            name = plain(name).strip(" :.")
            if _GENERIC.fullmatch(name) or not any(char.isalpha() for char in name):
                continue
            return "" if set(content_words(name)) <= known else shorten(name, 60)
        return ""


def _sentences(words: str) -> list[str]:
    """Split prose into sentences; what stands in code ends none."""
    masked = re.sub(r"`[^`]*`", lambda match: match[0].replace(" ", "\0"), words)
    parts = (part.replace("\0", " ").strip() for part in SENTENCE.split(masked))
    return [part for part in parts if part]


def _units(sentences: Iterable[str]) -> list[list[str]]:
    """Put each sentence that points back to the one before it with that; one that cannot falls."""
    units: list[list[str]] = []
    for sentence in sentences:
        back = _POINTS_BACK.match(sentence) or (_orders(sentence) and _OBJECT_BACK.match(sentence))
        if not back:
            units.append([sentence])
        elif units:
            units[-1].append(sentence)
    return units


def _core(sentence: str) -> str:
    """Give a sentence without the conditions and the label before it."""
    for _ in range(3):
        if not (match := _CONDITION.match(sentence)):
            break
        sentence = sentence[match.end() :]
    return sentence


def _orders(core: str) -> bool:
    return core.partition(" ")[0].lower().strip("`*,") in _IMPERATIVE


def _where(document: Document) -> str:
    """Say for which files a rule is, where that is not the whole project."""
    if globs := applies_to(document):
        return "" if globs.strip("\"'") in ("*", "**", "**/*") else f"For {shorten(globs, 80)}: "
    folder = document.path.rpartition("/")[0]
    own = document.sort is Sort.RULE and folder and not folder.startswith((".", "/"))
    return f"In {folder}/: " if own else ""


def applies_to(document: Document) -> str:
    """Give the patterns of the files that a rule of a host is for, where it says so."""
    fields = dict(document.meta)
    return next((fields[name] for name in ("globs", "paths", "applyTo") if fields.get(name)), "")


def _draft(document: Document, rule: Rule, named: Callable[[str], bool] | None) -> Draft:
    mark = blake2b(squash(rule.text).encode(), digest_size=6).hexdigest()
    text = rule.text if rule.text.endswith((".", "!", "?", "…")) else f"{rule.text}."
    flagged = harmful(text, named)
    where = f"({document.path}:{rule.line})"
    return Draft(
        text=f"“{text}” {where}" if flagged else f"{text} {where}",
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
