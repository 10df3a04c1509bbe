"""Documents → drafts, by what each is for: rules, changes, decisions, notes, and pages as evidence.

A page is cut at its headings into pieces small enough to be found and shown one by one; a change
in one section leaves the pieces of all others alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from hashlib import blake2b

from tacit.body import Fact, Resource
from tacit.draft import Draft, LinkTo
from tacit.encode.changelog import changelog_drafts
from tacit.encode.rules import rule_drafts, rule_statements
from tacit.markdown import BULLET, Section, in_code, plain_title, sections, without_comments
from tacit.model import TITLE_CHARS, Anchor, Kind, Origin, Relation, Scope, Trust
from tacit.observation import Document, Sort
from tacit.text import shorten, squash
from tacit.value import Value

MOST_CHARS = 600
WHOLE_CHARS = 1600  # a code block, list or table up to this is not broken
SLUG_CHARS = 80
JOIN = " › "
_WORD = re.compile(r"[^\W_]+(?:\.[^\W_]+)*")

_SUBTYPES = {Sort.GUIDE: "doc"}
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
_SCOPE_FIELDS = ("globs", "paths", "applyTo")  # which files a rule of a host is for
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
    return _made(_pieces(sections(text, rst=rst)), title)


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

    by_sort: dict[Sort, list[Document]] = {}
    for document in documents:
        by_sort.setdefault(document.sort, []).append(document)
    yield from rule_drafts(
        (
            *by_sort.get(Sort.RULE, ()),
            *by_sort.get(Sort.GUIDE, ()),
            *by_sort.get(Sort.CHANGELOG, ()),
        ),
        named,
    )
    for sort in (Sort.RULE, Sort.GUIDE, Sort.README, Sort.DOC):
        for document in by_sort.get(sort, ()):
            yield from resource_drafts(document)
    yield from decision_drafts(by_sort.get(Sort.DECISION, ()))
    yield from _changes(by_sort.get(Sort.CHANGELOG, ()))
    yield from note_drafts(by_sort.get(Sort.MEMORY, ()), user=user)


def _changes(documents: Sequence[Document]) -> Iterator[Draft]:
    """Give the entries of changelogs; one that has none is a page."""
    said: set[str] = set()
    for draft in changelog_drafts(documents):
        said.add(draft.source_ref.partition("#")[0])
        yield draft
    for document in documents:
        if f"file:{document.path}" not in said:
            yield from resource_drafts(document)


def resource_drafts(document: Document, *, under: str = "") -> Iterator[Draft]:
    """Give a resource for each piece of a document; `under` begins the names of the pieces."""
    ending = document.path.rpartition(".")[2].lower()
    applies = _applies(document)
    for chunk in chunks(
        worth_reading(without_comments(document.text), rst=ending == "rst"),
        title=document.title,
        rst=ending == "rst",
    ):
        yield Draft(
            text=chunk.text + applies,
            kind=Kind.RESOURCE,
            subtype=_SUBTYPES.get(document.sort, document.sort.value),
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
            tags=(_SUBTYPES.get(document.sort, document.sort.value),),
            anchors=anchors_of(document),
        )


def worth_reading(text: str, *, rst: bool = False) -> str:
    """Give a page without badges, lists of contents, licences and what is generated from code."""
    kept: list[str] = []
    dropped = 0
    for part in sections(text, rst=rst):
        if dropped and part.level > dropped:
            continue
        dropped = (
            part.level if part.path and _BOILERPLATE.fullmatch(part.path[-1].strip(" :")) else 0
        )
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


def _applies(document: Document) -> str:
    fields = dict(document.meta)
    patterns = next((fields[name] for name in _SCOPE_FIELDS if fields.get(name)), "")
    return f"\n\nApplies to: {patterns}" if document.sort is Sort.RULE and patterns else ""


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


def _made(pieces: Iterator[tuple[Section, list[str]]], title: str) -> list[Chunk]:
    made: list[Chunk] = []
    taken: set[str] = set()
    for part, lines in pieces:
        slug = base = slug_of(part.path)
        count = 1
        while slug in taken:
            count += 1
            slug = f"{base}+{count}"
        taken.add(slug)
        path = part.path if not title or part.path[:1] == (title,) else (title, *part.path)
        parts = list(_parts(lines)) or [""]
        for number, body in enumerate(parts, 1):
            head = JOIN.join(path)
            made.append(
                Chunk(
                    path=path,
                    slug=slug if number == 1 else f"{slug}~{number}",
                    text=f"{head}\n{body}" if body and head else body or head,
                    part=number,
                    of=len(parts),
                )
            )
    return [chunk for chunk in made if chunk.text.strip()]


def _parts(lines: Sequence[str]) -> Iterator[str]:
    """Fill pieces with whole blocks, as many as fit."""
    kept: list[str] = []
    size = 0
    for block in _blocks(lines):
        length = sum(map(len, block)) + len(block)
        if kept and size + length > MOST_CHARS:
            yield "\n".join(kept).strip("\n")
            kept, size = [], 0
        if kept or any(line.strip() for line in block):
            kept += block
            size += length
    if any(line.strip() for line in kept):
        yield "\n".join(kept).strip("\n")


def _blocks(lines: Sequence[str]) -> Iterator[list[str]]:
    """Give paragraphs, lists, tables and code blocks; what is too large in runs of its lines."""
    block: list[str] = []
    code_before = False
    for line, code in zip(lines, in_code(lines), strict=True):
        ended = block and not block[-1].strip() and line.strip() and not code_before
        if ended or (block and code != code_before):
            yield from _broken(block, _most(block, code=code_before))
            block = []
        block.append(line)
        code_before = code
    if block:
        yield from _broken(block, _most(block, code=code_before))


def _most(block: Sequence[str], *, code: bool) -> int:
    """Give how long a block may be before it is broken: code, lists and tables stay whole."""
    return WHOLE_CHARS if code or BULLET.match(block[0]) or "|" in block[0] else MOST_CHARS


def _broken(block: list[str], most: int) -> Iterator[list[str]]:
    if sum(map(len, block)) + len(block) <= most:
        yield block
        return
    run: list[str] = []
    size = 0
    for line in block:
        for start in range(0, max(len(line), 1), WHOLE_CHARS):
            piece = line[start : start + WHOLE_CHARS]
            if run and size + len(piece) + 1 > most:
                yield run
                run, size = [], 0
            run.append(piece)
            size += len(piece) + 1
    if run:
        yield run


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
        made = (
            _index_lines(document, paths)
            if document.path.rsplit("/", 1)[-1] == INDEX
            else iter((_note(document, names),))
        )
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
    given = Draft(
        text=document.text,
        title=plain_title(fields.get("title") or fields.get("name") or document.title),
        hint=shorten(fields.get("description", ""), 300),
        source_ref=_ref(document.path),
        tags=(type_,) if type_ in _TYPES else (),
        links=_links(document, names),
        basis=shorten(document.text, 500),
    )
    if type_ == "reference":
        return given.replace(
            kind=Kind.RESOURCE, body=Resource(uri=document.path, mime="text/markdown")
        )
    return given.replace(
        kind=Kind.FACT,
        subtype="preference" if type_ in ("user", "feedback") else "",
        body=Fact(why=shorten(why[1], 500)) if why else Fact(),
    )


def _index_lines(document: Document, paths: set[str]) -> Iterator[Draft]:
    folder = document.path.rpartition("/")[0]
    seen: set[str] = set()
    for said in rule_statements(document.text):
        pointed = [f"{folder}/{name}" for name in _POINTER.findall(said.text)]
        if any(path in paths for path in pointed):
            continue
        heading = "" if len(said.heading) < 2 else f"{said.heading[-1]}: "
        text = heading + said.text
        # A line has no name: it is what it says.
        mark = blake2b(squash(text).encode(), digest_size=6).hexdigest()
        if mark not in seen:
            seen.add(mark)
            yield Draft(text=text, source_ref=f"file:{document.path}#{mark}", basis=said.text)


def _links(document: Document, names: dict[str, str]) -> tuple[LinkTo, ...]:
    found = dict.fromkeys(squash(name) for name in _WIKI.findall(document.text))
    known = [names[name] for name in found if name in names and names[name] != document.path]
    return tuple(
        LinkTo(relation=Relation.RELATED_TO, source_ref=_ref(path)) for path in known[:MOST_LINKS]
    )


def _name(document: Document) -> str:
    stem = document.path.rsplit("/", 1)[-1].removesuffix(".md")
    return squash(dict(document.meta).get("name") or stem)


def _ref(path: str) -> str:
    return f"file:{path}#note"
