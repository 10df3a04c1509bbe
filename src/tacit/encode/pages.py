"""Documents → drafts, by what each is for: rules, changes, decisions, notes, and pages as evidence.

A page is cut at its headings into pieces small enough to be found and shown one by one; a change
in one section leaves the pieces of all others alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from hashlib import blake2b
from itertools import count, islice

from tacit.body import Fact, Resource
from tacit.draft import Draft, LinkTo
from tacit.encode.changelog import changelog_drafts
from tacit.encode.rules import SENTENCE, applies_to, rule_drafts
from tacit.markdown import (
    BULLET,
    Block,
    Section,
    blocks,
    in_code,
    plain_title,
    sections,
    without_comments,
)
from tacit.model import TITLE_CHARS, Anchor, Kind, Origin, Relation, Scope, Trust
from tacit.observation import Document, Sort
from tacit.text import shorten, squash
from tacit.value import Value

MOST_CHARS = 600
WHOLE_CHARS = 1600  # a code block, list or table up to this is not broken
SLUG_CHARS = 80
JOIN = " › "
_WORD = re.compile(r"[^\W_]+(?:\.[^\W_]+)*")

_IMPORTANCE = {
    Sort.RULE: 0.6,
    Sort.GUIDE: 0.5,
    Sort.DECISION: 0.5,
    Sort.README: 0.5,
    Sort.DOC: 0.4,
    Sort.MEMORY: 0.5,
    Sort.CHANGELOG: 0.3,
}
_MIMES = {"rst": "text/x-rst", "txt": "text/plain"}
# What is no help: licences, thanks, lists of contents, badges, what is generated from code.
_BOILERPLATE = re.compile(
    r"licen[cs]e|copyright|(?:table of )?contents|toc|sponsors?(?:hip)?|backers|contributors"
    r"|star history|acknowledg\w+|thanks|credits|badges|stargazers|our pledge|our standards|attribution",
    re.IGNORECASE,
)
_DECORATION = re.compile(
    r"\s*(?:(?:\[?!\[[^\[\]]*\][(\[][^()\[\]]*[)\]](?:\][(\[][^()\[\]]*[)\]])?|</?[a-zA-Z][^<>]*>|&nbsp;|\|[\w-]+\|)\s*)+"
    r"|\s*\.\. (?:\|[\w -]+\| )?image::.*|\s*:(?:target|alt|width|height|align|members|maxdepth|undoc-members|show-inheritance):.*"
    r"|\s*\.\. (?:auto\w+|toctree|contents|currentmodule|module|sectionauthor|only|highlight)::.*|\s*::: [\w.]+|\s*\[[^\[\]]+\]: +\S+\s*"
    r"|\s*[-*+] \[[^\[\]]*\]\(#[^()]*\)\s*"
)

MOST_STATEMENTS = 2000  # of one document
PARAGRAPH_CHARS = 400  # a longer statement is taken sentence by sentence
INDEX = "MEMORY.md"
MOST_LINKS = 20
_WHY = re.compile(r"^\s*(?:\*\*)?Why:?(?:\*\*)?:?\s*(.+?)(?=\n\s*\n|\n\s*\*\*|\Z)", re.M | re.S)
_POINTER = re.compile(r"\]\(<?([^()<>\s]+\.md)>?\)")
_WIKI = re.compile(r"\[\[([^\[\]|#\n]{1,100})")
_TYPES = ("user", "feedback", "project", "reference")


class Chunk(Value):
    """A piece of a document; `slug` names it by its heading, stable while other parts change."""

    path: tuple[str, ...]
    slug: str
    text: str  # under a line with its headings
    part: int = 1  # of the pieces of its section, from 1
    of: int = 1


def chunks(text: str, *, title: str = "", rst: bool = False) -> list[Chunk]:
    """Split a document; every line that says something is in one of the pieces, in order."""
    made: list[Chunk] = []
    taken: set[str] = set()
    for part, lines in _pieces(sections(text, rst=rst)):
        base = slug_of(part.path)
        names = (f"{base}+{number}" if number > 1 else base for number in count(1))
        slug = next(name for name in names if name not in taken)
        taken.add(slug)
        path = part.path if not title or part.path[:1] == (title,) else (title, *part.path)
        parts = list(_parts(lines)) or [""]
        made += [
            Chunk(
                path=path,
                slug=slug if number == 1 else f"{slug}~{number}",
                text="\n".join(filter(None, (JOIN.join(path), body))),
                part=number,
                of=len(parts),
            )
            for number, body in enumerate(parts, 1)
        ]
    return [chunk for chunk in made if chunk.text.strip()]


def document_drafts(
    documents: Iterable[Document],
    *,
    user: Scope | None = None,
    named: Callable[[str], bool] | None = None,
) -> Iterator[Draft]:
    """Give the drafts of documents; `user` is whose notes are that belong to no project.

    Records, notes and changelogs name each other, so all of them are to be given together.
    `named` tells whether a package stands in a manifest.
    """
    from tacit.encode.decisions import decision_drafts

    documents = list(documents)

    def of(*sorts: Sort) -> list[Document]:
        return [document for sort in sorts for document in documents if document.sort is sort]

    yield from rule_drafts(of(Sort.RULE, Sort.GUIDE, Sort.CHANGELOG), named)
    for document in of(Sort.RULE, Sort.GUIDE, Sort.README, Sort.DOC):
        yield from resource_drafts(document)
    yield from decision_drafts(of(Sort.DECISION))
    said: set[str] = set()
    for draft in changelog_drafts(of(Sort.CHANGELOG)):
        said.add(draft.source_ref.partition("#")[0])
        yield draft
    for document in of(Sort.CHANGELOG):
        if f"file:{document.path}" not in said:  # it has no entries: it is a page
            yield from resource_drafts(document)
    yield from note_drafts(of(Sort.MEMORY), user=user)


def resource_drafts(document: Document, *, under: str = "") -> Iterator[Draft]:
    """Give a resource for each piece of a document; `under` begins the names of the pieces."""
    ending = document.path.rpartition(".")[2].lower()
    rst = ending == "rst"
    patterns = applies_to(document) if document.sort is Sort.RULE else ""
    applies = f"\n\nApplies to: {patterns}" if patterns else ""
    subtype = "doc" if document.sort is Sort.GUIDE else document.sort.value
    text = worth_reading(without_comments(document.text), rst=rst)
    for chunk in chunks(text, title=document.title, rst=rst):
        yield Draft(
            text=chunk.text + applies,
            kind=Kind.RESOURCE,
            subtype=subtype,
            title=_title(chunk),
            # Counted within the section: a new section elsewhere changes no other piece.
            body=Resource(
                uri=document.path,
                mime=_MIMES.get(ending, "text/markdown"),
                chunk=chunk.part,
                of=chunk.of,
            ),
            importance=_IMPORTANCE[document.sort],
            origin=Origin.IMPORT,
            trust=Trust.REPOSITORY,
            source_ref=f"file:{document.path}#{under}{chunk.slug}",
            renews=True,
            evidence=True,
            files=(document.path,),
            tags=(subtype,),
            anchors=anchors_of(document),
        )


def worth_reading(text: str, *, rst: bool = False) -> str:
    """Give a page without badges, lists of contents, licences and what is generated from code."""
    kept: list[str] = []
    dropped = 0  # the level of a section that is left out, with all below it
    for part in sections(text, rst=rst):
        if dropped and part.level > dropped:
            continue
        name = part.path[-1].strip(" :") if part.path else ""
        dropped = part.level if _BOILERPLATE.fullmatch(name) else 0
        if not dropped:
            lines = zip(part.lines, in_code(part.lines), strict=True)
            kept += [line for line, code in lines if code or not _DECORATION.fullmatch(line)]
    return "\n".join(kept)


def anchors_of(document: Document) -> tuple[Anchor, ...]:
    """Give the file a document was read from, where it can be found again."""
    return (Anchor(path=document.path, sha=document.sha),) if document.sha else ()


def _title(chunk: Chunk) -> str:
    """Name a piece by its heading, with the one above where there is room."""
    both = JOIN.join(chunk.path[-2:])
    name = both if len(both) <= TITLE_CHARS else "".join(chunk.path[-1:])
    return shorten(name, TITLE_CHARS)


def slug_of(path: Sequence[str]) -> str:
    """Name a place by the headings over it, without the title of the whole where there is more."""
    named = path[1:] if len(path) > 1 else path
    words = ["-".join(_WORD.findall(heading.casefold())) for heading in named]
    slug = "/".join(word or "section" for word in words) or "top"
    return slug if len(slug) <= SLUG_CHARS else slug[: SLUG_CHARS // 2] + "…" + slug[-39:]


def _pieces(found: Sequence[Section]) -> Iterator[tuple[Section, list[str]]]:
    """Give the lines of each piece with the section it is named by."""
    place = 0
    while place < len(found):
        part = found[place]
        end = place + 1
        while part.level and end < len(found) and found[end].level > part.level:
            end += 1
        lines = [line for inner in found[place:end] for line in inner.lines]
        if part.level > 1 and sum(map(len, lines)) + len(lines) <= MOST_CHARS:
            yield part, lines[part.marks :]
            place = end
            continue
        own = list(part.lines[part.marks :])
        # A heading with nothing of its own is said by the pieces below it.
        if any(line.strip() for line in own) or end == place + 1:
            yield part, own
        place += 1


def _parts(lines: Sequence[str]) -> Iterator[str]:
    """Fill pieces with whole blocks, as many as fit."""
    for some in _filled(_blocks(lines), MOST_CHARS):
        text = "\n".join(line for block in some for line in block)
        if text.strip():
            yield text.strip("\n")


def _filled(parts: Iterable[Sequence[str]], most: int) -> Iterator[list[Sequence[str]]]:
    """Put as many parts together as fit into so many characters."""
    kept: list[Sequence[str]] = []
    size = 0
    for part in parts:
        length = sum(map(len, part)) + len(part)
        if kept and size + length > most:
            yield kept
            kept, size = [], 0
        if kept or any(line.strip() for line in part):
            kept.append(part)
            size += length
    if kept:
        yield kept


def _blocks(lines: Sequence[str]) -> Iterator[Sequence[str]]:
    """Give paragraphs, lists, tables and code blocks; what is too large in runs of its lines."""
    block: list[str] = []
    code_before = False
    for line, code in [*zip(lines, in_code(lines), strict=True), ("", None)]:
        ended = block and not block[-1].strip() and line.strip() and not code_before
        if block and (ended or code != code_before):
            whole = code_before or BULLET.match(block[0]) or "|" in block[0]
            yield from _broken(block, WHOLE_CHARS if whole else MOST_CHARS)
            block = []
        block.append(line)
        code_before = bool(code)


def _broken(block: list[str], most: int) -> Iterator[Sequence[str]]:
    if sum(map(len, block)) + len(block) <= most:
        yield block
        return
    cut = [
        [line[start : start + WHOLE_CHARS]]
        for line in block
        for start in range(0, max(len(line), 1), WHOLE_CHARS)
    ]
    for some in _filled(cut, most):
        yield [line for (line,) in some]


def rule_statements(text: str) -> list[Block]:
    """Give the statements of a Markdown text in order: items, sentences, commands, rows."""
    found = (
        block.replace(text=words, line=block.line + offset)
        for block in blocks(text)
        for offset, words in _statements(block)
        if any(char.isalnum() for char in words)
    )
    return list(islice(found, MOST_STATEMENTS))


def _statements(block: Block) -> Iterator[tuple[int, str]]:
    words = " ".join(block.text.split())
    if block.type == "code":
        for offset, line in enumerate(block.text.split("\n"), 1):
            yield offset, re.sub(r"^\s*(?:[$>%]\s+)?|\s+#\s.*$|^\s*#.*$", "", line).strip()
    elif len(words) <= PARAGRAPH_CHARS:
        yield 0, words
    else:
        yield from ((0, part) for part in SENTENCE.split(words))


def note_drafts(documents: Sequence[Document], *, user: Scope | None = None) -> Iterator[Draft]:
    """Give a draft for each note, and for each line of an index that points to none.

    Notes a user shares among projects are left out unless `user` says whose they are.
    """
    paths = {document.path for document in documents}
    names = {_name(document): document.path for document in documents}
    for document in documents:
        fields = dict(document.meta)
        shared = fields.get("shared") == "user"
        if shared and user is None:
            continue
        index = document.path.rpartition("/")[2] == INDEX
        made = _index_lines(document, paths) if index else [_note(document, names)]
        for draft in made:
            yield draft.replace(
                origin=Origin.IMPORT,
                trust=Trust.AGENT,
                author=fields.get("agent", ""),
                valid_from=document.at,
                renews=True,
                tags=(*draft.tags, "note"),
                scope=user if shared else None,
            )


def _note(document: Document, names: dict[str, str]) -> Draft:
    fields = dict(document.meta)
    type_ = (fields.get("type") or fields.get("metadata.type") or "").casefold()
    why = _WHY.search(document.text)
    named = dict.fromkeys(names.get(squash(name), "") for name in _WIKI.findall(document.text))
    known = [path for path in named if path and path != document.path]
    resource = type_ == "reference"
    return Draft(
        text=document.text,
        kind=Kind.RESOURCE if resource else Kind.FACT,
        body=Resource(uri=document.path, mime="text/markdown")
        if resource
        else Fact(why=shorten(why[1], 500) if why else ""),
        subtype="preference" if type_ in ("user", "feedback") else "",
        title=plain_title(fields.get("title") or fields.get("name") or document.title),
        hint=shorten(fields.get("description", ""), 300),
        source_ref=f"file:{document.path}#note",
        tags=(type_,) if type_ in _TYPES else (),
        links=tuple(
            LinkTo(relation=Relation.RELATED_TO, source_ref=f"file:{path}#note")
            for path in known[:MOST_LINKS]
        ),
        basis=shorten(document.text, 500),
    )


def _index_lines(document: Document, paths: set[str]) -> Iterator[Draft]:
    folder = document.path.rpartition("/")[0]
    found: dict[str, Draft] = {}
    for said in rule_statements(document.text):
        if any(f"{folder}/{name}" in paths for name in _POINTER.findall(said.text)):
            continue
        text = f"{said.heading[-1]}: {said.text}" if len(said.heading) > 1 else said.text
        # A line has no name: it is what it says.
        mark = blake2b(squash(text).encode(), digest_size=6).hexdigest()
        source = f"file:{document.path}#{mark}"
        found.setdefault(mark, Draft(text=text, source_ref=source, basis=said.text))
    yield from found.values()


def _name(document: Document) -> str:
    stem = document.path.rsplit("/", 1)[-1].removesuffix(".md")
    return squash(dict(document.meta).get("name") or stem)
