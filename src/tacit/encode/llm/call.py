"""One call through an official SDK: a hard deadline, a ceiling on the answer, plain errors.

The `openai` and `anthropic` SDKs come from one generator, so their clients, options and errors
have the same names; all that the two adapters share is here. Retries are the SDK's own: only
for 429, 5xx and connections that fail, a growing time apart.
"""

from __future__ import annotations

from tacit.encode.llm.port import Lost
from tacit.errors import Unavailable
from tacit.text import shorten
from tacit.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager
    from types import ModuleType
    from typing import Any

DEADLINE_SECONDS = 60.0
RETRIES = 2
MOST_BYTES = 4_000_000  # thirty times the longest answer that is ever asked for
MOST_SAID = 200  # characters of a server's error that are worth showing
NEVER_SENT = ("ConnectError", "ConnectTimeout")  # named alike in every HTTP library of the SDKs


class Limits(Value):
    """How long one call may take in all, and how often the SDK may try within that."""

    seconds: float = DEADLINE_SECONDS
    retries: int = RETRIES


def load_sdk(name: str) -> ModuleType:
    """Import an SDK, which takes a second or two; the error names the extra to install."""
    from importlib import import_module

    try:
        return import_module(name)
    except ImportError as missing:
        raise Unavailable(
            f"the language model needs the package {missing.name}; install tacit[{name}]"
        ) from missing


def open_client(
    sdk: ModuleType, name: str, make: Callable[..., Any], base_url: str, limits: Limits
) -> Any:
    """Open an SDK's client that keeps to the limits; the SDK finds the key by its own rules."""

    def hasten(response: Any) -> None:
        # The SDKs sleep for as long as a server asks, be it a day. They obey this header.
        if _wait_asked(response.headers) > limits.seconds:
            response.headers["x-should-retry"] = "false"

    web = sdk.DefaultHttpxClient(event_hooks={"response": [hasten]})
    named = {"base_url": base_url} if base_url else {}
    try:
        return make(**named, timeout=limits.seconds, max_retries=limits.retries, http_client=web)
    except sdk.APIError.__base__ as failed:
        web.close()
        raise _told(sdk, name, failed, secret=None) from failed


def ask(
    sdk: ModuleType,
    name: str,
    client: Any,
    send: Callable[[], AbstractContextManager[Any]],
    *,
    seconds: float,
) -> object:
    """Send one request and give the JSON of its answer; the client is closed afterwards.

    It runs in a thread of its own, because nothing else ends a look-up of a name or an answer
    that comes in drips. After the deadline the closed client can send nothing more.
    """
    from threading import Thread

    outcome: list[bytes | Exception] = []

    def run() -> None:
        try:
            with send() as response:
                outcome.append(_read(response, name))
        except Exception as failed:  # whatever an SDK raises is told where it was asked
            outcome.append(failed)

    thread = Thread(target=run, name=f"tacit {name}", daemon=True)
    thread.start()
    try:
        thread.join(seconds)
    finally:
        client.close()
    if not outcome:
        raise Lost(f"{name} gave no answer within {seconds:g} s; it may be slow or down")
    found = outcome[0]
    if isinstance(found, Exception):
        raise _told(sdk, name, found, secret=client.api_key) from found
    return _parsed(found, name)


def dig(data: object, *path: str | int) -> object:
    """Follow keys and places into JSON; None where the way ends."""
    for step in path:
        if isinstance(data, dict) and isinstance(step, str):
            data = data.get(step)
        elif isinstance(data, list) and isinstance(step, int) and step < len(data):
            data = data[step]
        else:
            return None
    return data


def whole(value: object) -> int:
    """Give a number of tokens as it was said; 0 for what cannot be one."""
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0


def need_text(text: str, name: str, *, most_tokens: int, why: object) -> str:
    """Give the text; `Lost` when there is none: tokens spent on thinking, or a refusal."""
    if text.strip():
        return text
    raise Lost(
        f"{name} answered without text ({why or 'no reason given'}); "
        f"it was allowed {most_tokens} tokens"
    )


def _read(response: Any, name: str) -> bytes:
    got = bytearray()
    for chunk in response.iter_bytes():
        got += chunk
        if len(got) > MOST_BYTES:
            raise Lost(f"{name} answered more than {MOST_BYTES:,} bytes; it was cut off")
    return bytes(got)


def _parsed(found: bytes, name: str) -> object:
    import json

    try:
        parsed: object = json.loads(found)
    except (ValueError, RecursionError) as broken:
        raise Lost(f"{name} answered with broken JSON: {broken}") from broken
    return parsed


def _told(sdk: ModuleType, name: str, failed: Exception, *, secret: object) -> Unavailable:
    """Say in our words what an SDK raised; some servers repeat the key they were given."""
    if isinstance(failed, Unavailable):
        return failed
    cause = type(failed.__cause__ or failed).__name__
    if isinstance(failed, sdk.APIStatusError):
        said = str(failed)
        if isinstance(secret, str) and secret:
            said = said.replace(secret, "…")
        return Unavailable(f"{name} refused: {shorten(said, MOST_SAID)}")
    if isinstance(failed, sdk.APIConnectionError):  # a timeout is one too
        if cause in NEVER_SENT:
            return Unavailable(f"{name} cannot be reached ({cause}); is it running?")
        return Lost(f"the connection to {name} broke before an answer came ({cause})")
    if isinstance(failed, (TypeError, sdk.APIError.__base__)):  # nothing was sent: no key, say
        return Unavailable(f"{name} cannot be asked: {shorten(str(failed), MOST_SAID)}")
    return Lost(f"the answer of {name} broke off ({cause})")


def _wait_asked(headers: Any) -> float:
    """Give the seconds a server asks to wait, 0 when it does not say; both SDKs know all forms."""
    from datetime import UTC, datetime
    from email.utils import parsedate_to_datetime

    for name, per_second in (("retry-after-ms", 1000), ("retry-after", 1)):
        asked = headers.get(name, "")
        try:
            return float(asked) / per_second
        except ValueError:  # not said, or not as a number
            continue
    try:
        return (parsedate_to_datetime(asked) - datetime.now(UTC)).total_seconds()
    except (ValueError, TypeError):  # no date, or one without a zone
        return 0.0
