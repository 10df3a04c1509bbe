"""Memory as files under `/memories`: read, write what is still as it was read, rename, delete.

One file is one memory, every edit a revision. A file is known by the SHA-256 of its content:
that is its ETag, and a change may be made to depend on it (`If-Match`, or `content_sha256`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from fastapi import APIRouter, Query
from starlette.responses import Response

from tacit.body import Resource
from tacit.errors import Conflict, NotFound
from tacit.interfaces import wire_files
from tacit.interfaces.rest import asked_more, told_more
from tacit.interfaces.rest.desk import AtDesk
from tacit.session.file_paths import ROOT, resolve
from tacit.session.file_text import EMPTY
from tacit.session.memory_files import SOURCE

if TYPE_CHECKING:
    from tacit.interfaces.rest.desk import Memo
    from tacit.model import Memory
    from tacit.system import Tacit

router = APIRouter(tags=["files"])
At = Annotated[
    str,
    Query(
        max_length=1_024,
        description="of a file below /memories",
        examples=["/memories/notes.md"],
    ),
]
Under = Annotated[str, Query(max_length=1_024, description="a folder below /memories")]


@router.get("/files", responses={200: {"model": told_more.Files}})
async def list_files(desk: AtDesk, under: Under = ROOT) -> Response:
    """List the files of a folder and of those within it."""

    def give(tacit: Tacit) -> object:
        folder = resolve(under)
        found = {_uri(one): _content(one) for one in _every(tacit)}
        inside = {path: text for path, text in found.items() if path.startswith(f"{folder}/")}
        return {"files": [wire_files.named(path, inside[path]) for path in sorted(inside)]}

    return await desk.read(give)


@router.get("/files/content", responses={200: {"model": told_more.File}})
async def show_file(desk: AtDesk, path: At) -> Response:
    """Give one file; its ETag is the hash of its content."""
    return await desk.read(lambda tacit: _shape(tacit, path), tag=_tag)


@router.put(
    "/files/content",
    responses={200: {"model": told_more.File}, 201: {"model": told_more.File}},
)
async def write_file(desk: AtDesk, path: At, file: asked_more.File) -> Response:
    """Write a file: a new one, or one that is still what `content_sha256` or If-Match says.

    201 when it was not there before.
    """

    def do(tacit: Tacit) -> Memo:
        with tacit.store.transaction():
            found = _find(tacit, path)
            _still(path, found, file.content_sha256)
            _put(tacit, path, found, file.content)
            return {"new": found is None}

    return await desk.write(
        do,
        lambda tacit, _memo: _shape(tacit, path),
        status=lambda memo: 201 if memo["new"] else 200,
        current=lambda tacit: _shape(tacit, path),
        tag=_tag,
    )


@router.delete("/files/content", responses={200: {"model": told_more.FileDone}})
async def delete_file(desk: AtDesk, path: At) -> Response:
    """Forget a file, or all files of a folder; they can be restored."""
    return await desk.write(
        lambda tacit: {"done": tacit.memory_files.delete(path)},
        lambda _tacit, memo: memo,
        current=lambda tacit: _shape(tacit, path),
        tag=lambda shape: _tag(shape) if "content" in shape else "",
        itself=False,
    )


@router.post("/files/rename", responses={200: {"model": told_more.FileDone}})
async def rename_file(desk: AtDesk, what: asked_more.Renamed) -> Response:
    """Give a file or a folder another path; nothing is written over."""
    return await desk.write(
        lambda tacit: {"done": tacit.memory_files.rename(what.path, what.to)},
        lambda _tacit, memo: memo,
    )


def _every(tacit: Tacit) -> list[Memory]:
    return tacit.list(kinds=["resource"], parts_of=SOURCE, scopes=[tacit.scope])


def _find(tacit: Tacit, path: str) -> Memory | None:
    source = f"{SOURCE}#{resolve(path)}"
    found = tacit.list(kinds=["resource"], sources=(source,), scopes=[tacit.scope], order="id")
    return found[-1] if found else None


def _shape(tacit: Tacit, path: str) -> dict[str, Any]:
    memory = _find(tacit, path)
    if memory is None:
        raise NotFound(f"The path {path} does not exist. Please provide a valid path.")
    return wire_files.file(_uri(memory), _content(memory), memory)


def _still(path: str, found: Memory | None, sha: str | None) -> None:
    """Refuse a change that was made to something else than what is there."""
    if sha is None:
        return
    now = "" if found is None else wire_files.sha_of(_content(found))
    if sha != now:
        raise Conflict(f"{path} is not what was read (its hash is {now or 'none: it is gone'})")


def _put(tacit: Tacit, path: str, found: Memory | None, content: str) -> None:
    files = tacit.memory_files
    if found is None:
        files.create(path, content)
    elif old := _content(found):
        if old != content:
            files.str_replace(path, old, content)
    elif content:  # there is nothing in it that could be replaced
        files.delete(path)
        files.create(path, content)


def _uri(memory: Memory) -> str:
    assert isinstance(memory.body, Resource)
    return memory.body.uri


def _content(memory: Memory) -> str:
    return "" if memory.text == EMPTY else memory.text


def _tag(shape: dict[str, Any]) -> str:
    return f'"{shape["content_sha256"]}"'
