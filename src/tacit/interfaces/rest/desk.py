"""What every route does alike: read or write in a thread, and answer with the headers that fit.

A read has an `ETag`; who has the same answer already gets 304. A write may name what it has read
(`If-Match`) and may be sent again without being done again (`Idempotency-Key`).
"""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Annotated

from fastapi import Depends, Request
from starlette.responses import Response, StreamingResponse

from tacit.errors import NotFound
from tacit.interfaces import wire_http
from tacit.interfaces.mcp.late import asking, may_write
from tacit.interfaces.rest import repeats
from tacit.interfaces.rest.guard import CALLER
from tacit.interfaces.rest.problems import Problem, told
from tacit.interfaces.rest.spans import span

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from tacit.interfaces.rest.work import Say, Work
    from tacit.system import Tacit

    Object = dict[str, Any]
    Memo = dict[str, Any]
    Tagging = Callable[[Object], str]

JSON = "application/json"


class Desk:
    """Where one request is worked on."""

    def __init__(self, request: Request) -> None:
        self.request = request
        self._work: Work = request.app.state.work

    @property
    def caller(self) -> str:
        """The name of the token that was shown, empty where none is needed."""
        return str(self.request.scope.get(CALLER, ""))

    def by(self, tacit: Tacit) -> str:
        """Give who a change is put down to."""
        user = tacit.settings.user if tacit.settings else ""
        if asking.get():  # of a team: its member, whatever the token is called
            return user
        return self.caller or user or "rest"

    async def read(
        self,
        give: Callable[[Tacit], object],
        operation: str = "",
        *,
        tag: Tagging | None = None,
        long: bool = False,
    ) -> Response:
        """Answer with what a function gives; its tag is that of its bytes unless told."""
        body, tagged = await self._work.run(
            lambda tacit: _shaped(tacit, give, operation, tag), long=long
        )
        known = self.request.headers.get("if-none-match", "")
        headers = {"etag": tagged, "cache-control": "private, no-cache"}
        if self.request.method in ("GET", "HEAD") and matches(known, tagged):
            return Response(None, 304, headers)
        return Response(body, 200, headers, JSON)

    async def write(
        self,
        do: Callable[[Tacit], Memo],
        tell: Callable[[Tacit, Memo], object],
        *,
        operation: str = "",
        status: int | Callable[[Memo], int] = 200,
        current: Callable[[Tacit], object] | None = None,
        tag: Tagging | None = None,
        itself: bool = True,
        whole: bool = True,
    ) -> Response:
        """Do something once and tell what came of it.

        `do` gives what is worth keeping of it in ids and numbers, `tell` the answer made from
        that: a request that is sent again is told anew, and no text is kept twice. `current`
        gives what an `If-Match` is compared with; where the answer is not the thing `itself`, it
        has no tag. What is not `whole` (one transaction with what
        is kept of it) must be harmless when it is done twice.
        """
        headers = self.request.headers
        key, match = headers.get("idempotency-key"), headers.get("if-match")
        absent = headers.get("if-none-match", "").strip() == "*" and current is not None
        print_ = await self._print() if key is not None else ""

        def work(tacit: Tacit) -> tuple[bytes, str, bool, int]:
            may_write(tacit)
            once = repeats.Once(tacit.store, self.caller, key, print_, tacit.clock.now)

            def done() -> Memo:
                if match is not None:
                    _unchanged(tacit, match, current, tag)
                if absent and current is not None:
                    _absent(tacit, current)
                return do(tacit)

            named = key is not None or match is not None or absent
            memo, again = once.done(done, whole=whole and named)
            code = status(memo) if callable(status) else status
            return *_shaped(tacit, lambda t: tell(t, memo), operation, tag), again, code

        body, tagged, again, code = await self._work.run(work)
        more = {"idempotency-replayed": "true"} if again else {}
        if current is not None and itself:  # the answer is what a read would give
            more["etag"] = tagged
        return Response(body, code, more, JSON)

    def stream(
        self, function: Callable[[Tacit, Say], None], *, writes: bool = False, media: str = ""
    ) -> Response:
        """Answer with what a function in a thread says, as it says it."""

        def work(tacit: Tacit, say: Say) -> None:
            if writes:
                may_write(tacit)
            function(tacit, say)

        return StreamingResponse(
            self._work.stream(work),
            media_type=media or wire_http.LINES,
            headers={"cache-control": "no-store", "x-accel-buffering": "no"},
        )

    async def long(self, function: Callable[[Tacit], object], *, writes: bool = True) -> Response:
        """Answer with what takes longer than other requests may."""

        def work(tacit: Tacit) -> bytes:
            if writes:
                may_write(tacit)
            return dumped(function(tacit))

        return Response(await self._work.run(work, long=True), 200, None, JSON)

    def wants_lines(self) -> bool:
        """Tell whether the answer is wanted line by line."""
        return wire_http.LINES in self.request.headers.get("accept", "")

    async def _print(self) -> str:
        """Give by what a request is known again: what was asked for, and with which body."""
        made = hashlib.sha256(await self.request.body())
        asked = f"{self.request.method} {self.request.url.path}?{self.request.url.query}"
        made.update(asked.encode("utf-8", "replace"))
        return made.hexdigest()


async def desk(request: Request) -> Desk:
    """Give the desk of a request."""
    return Desk(request)


AtDesk = Annotated[Desk, Depends(desk)]


def dumped(shape: object) -> bytes:
    """Write JSON; half of a character, as broken programs leave it, is shown as unknown."""
    return json.dumps(shape, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")


def tag_of(body: bytes) -> str:
    """Give the tag of an answer: the same bytes have the same."""
    return f'"{hashlib.sha256(body).hexdigest()[:32]}"'


def matches(given: str, tag: str) -> bool:
    """Tell whether a list of tags, or a star, names a tag."""
    named = {one.strip().removeprefix("W/") for one in given.split(",")}
    return "*" in named or tag in named


def lines(function: Callable[[Tacit, Callable[[str, int], None]], Object]) -> Any:
    """Make of long work that reports its steps a function that says them as lines of JSON."""

    def work(tacit: Tacit, say: Say) -> None:
        try:
            shape = function(tacit, lambda name, count: say(_line(wire_http.step(name, count))))
        except Exception as error:  # the answer has begun: what went wrong is its last line
            problem = told(error)
            say(_line(wire_http.failure(problem.status, problem.detail, problem.code)))
            if problem.status == 500:
                raise
        else:
            say(_line(wire_http.result(shape)))

    return work


def batched(texts: Iterator[str], size: int = 1 << 16) -> Iterator[bytes]:
    """Join short texts into chunks worth sending."""
    held: list[str] = []
    chars = 0
    for text in texts:
        held.append(text)
        chars += len(text)
        if chars >= size:
            yield "".join(held).encode()
            held, chars = [], 0
    if held:
        yield "".join(held).encode()


def _shaped(
    tacit: Tacit, give: Callable[[Tacit], object], operation: str, tag: Tagging | None
) -> tuple[bytes, str]:
    with span(operation, tacit) as note:
        shape = give(tacit)
        note(shape)
    body = dumped(shape)
    return body, tag(shape) if tag and isinstance(shape, dict) else tag_of(body)


def _unchanged(
    tacit: Tacit,
    match: str,
    current: Callable[[Tacit], object] | None,
    tag: Tagging | None,
) -> None:
    if current is None:
        raise Problem(412, "this has no state to compare with; leave If-Match out")
    try:
        now = _shaped(tacit, current, "", tag)[1]
    except NotFound as error:
        raise Problem(412, f"it is gone since it was read: {error}") from error
    if not matches(match, now):
        raise Problem(412, "it has changed since it was read; read it again and redo the change")


def _absent(tacit: Tacit, current: Callable[[Tacit], object]) -> None:
    try:
        current(tacit)
    except NotFound:
        return
    raise Problem(412, "it is there already, and was to be made anew")


def _line(shape: Object) -> bytes:
    return dumped(shape) + b"\n"
