"""The setting `llm` → a language model, or none.

    off                              no language model: the default
    openai:<model>[@<base_url>]      OpenAI, or any server that speaks chat completions
    anthropic:<model>[@<base_url>]   Anthropic, or any server that speaks messages
    command:<program and arguments>  a program that reads the prompt and prints the answer

Opening loads no SDK and reaches nothing; that happens at the first question. The two SDKs come
from one generator, so their clients, options and errors have the same names. They find their
keys by their own rules, and try again by themselves: only for 429, 5xx and connections that
fail, a growing time apart.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from contextlib import AbstractContextManager
from importlib import import_module
from threading import Thread
from types import ModuleType
from typing import Any

from tacit.encode.llm.answers import dig, need_text, used, whole
from tacit.encode.ports import Completion, LanguageModel, Lost
from tacit.errors import Invalid, Unavailable
from tacit.text import shorten
from tacit.value import Value

FORMS = "off, openai:<model>[@<base_url>], anthropic:<model>[@<base_url>] or command:<program>"
OPENAI_HOST = "api.openai.com"
NO_KEY = "none"  # what a local server is told where no key is set; the SDK insists on one
DEADLINE_SECONDS = 60.0
RETRIES = 2
MOST_BYTES = 4_000_000  # thirty times the longest answer that is ever asked for
MOST_SAID = 200  # characters of a server's error that are worth showing
NEVER_SENT = ("ConnectError", "ConnectTimeout")  # named alike in every HTTP library of the SDKs


def open_model(spec: str | None) -> LanguageModel | None:
    """Open a model by its setting, without any guard; None for `off` or nothing."""
    if spec in (None, "", "off"):
        return None
    sort, _, rest = str(spec).partition(":")
    if sort == "command":
        from tacit.encode.llm.command import CommandModel

        return CommandModel(rest)
    if sort not in PROVIDERS:
        raise Invalid(f"unknown language model; write {FORMS}")
    # Split at the @ before an address; a model's name may hold others.
    cut = max(rest.rfind("@http://"), rest.rfind("@https://"))
    model, base_url = (rest, "") if cut < 0 else (rest[:cut], rest[cut + 1 :])
    host = base_url.partition("://")[2].partition("/")[0]
    if "@" in base_url or "?" in base_url:  # the name of a model is shown and logged
        raise Invalid("an address must not hold a password; put the key into the environment")
    if not model or model != model.strip() or (base_url and not host):
        raise Invalid(f"the language model has no name or address; write {FORMS}")
    return PROVIDERS[sort](model, base_url)


class Limits(Value):
    """How long one call may take in all, and how often the SDK may try within that."""

    seconds: float = DEADLINE_SECONDS
    retries: int = RETRIES


class _SdkModel:
    """A model behind an official SDK, with a hard deadline and a ceiling on the answer."""

    sdk_name = ""

    def __init__(self, model: str, base_url: str = "", *, limits: Limits | None = None) -> None:
        """Name the model and, unless it is the maker's own, the server; nothing is loaded yet."""
        self.name = f"{self.sdk_name}:{model}" + (f"@{base_url}" if base_url else "")
        self._model = model
        self._base_url = base_url
        self._limits = limits or Limits()

    def _open(self, sdk: ModuleType, make: Callable[..., Any]) -> Any:
        """Open an SDK's client that keeps to the limits."""

        def hasten(response: Any) -> None:
            # An SDK may sleep for as long as a server asks, be it a day. It obeys this header.
            asked = response.headers.get("retry-after", "")
            if asked.isdecimal() and int(asked) > self._limits.seconds:
                response.headers["x-should-retry"] = "false"

        web = sdk.DefaultHttpxClient(event_hooks={"response": [hasten]})
        named = {"base_url": self._base_url} if self._base_url else {}
        limits = {"timeout": self._limits.seconds, "max_retries": self._limits.retries}
        try:
            return make(**named, **limits, http_client=web)
        except sdk.APIError.__base__ as failed:
            web.close()
            raise self._unavailable(sdk, failed, secret=None) from failed

    def _ask(
        self, sdk: ModuleType, client: Any, send: Callable[[], AbstractContextManager[Any]]
    ) -> object:
        """Send one request and give the JSON of its answer; the client is closed afterwards.

        It runs in a thread of its own, because nothing else ends a look-up of a name or an
        answer that comes in drips. After the deadline the closed client can send nothing more.
        """
        outcome: list[bytes | Exception] = []

        def run() -> None:
            try:
                with send() as response:
                    outcome.append(self._read(response))
            except Exception as failed:  # whatever an SDK raises is told where it was asked
                outcome.append(failed)

        thread = Thread(target=run, name=f"tacit {self.name}", daemon=True)
        thread.start()
        try:
            thread.join(self._limits.seconds)
        finally:
            client.close()
        if not outcome:
            seconds = f"{self._limits.seconds:g} s"
            raise Lost(f"{self.name} gave no answer within {seconds}; it may be slow or down")
        found = outcome[0]
        if isinstance(found, Exception):
            raise self._unavailable(sdk, found, secret=client.api_key) from found
        try:
            parsed: object = json.loads(found)
        except (ValueError, RecursionError) as broken:
            raise Lost(f"{self.name} answered with broken JSON: {broken}") from broken
        return parsed

    def _read(self, response: Any) -> bytes:
        got = bytearray()
        for chunk in response.iter_bytes():
            got += chunk
            if len(got) > MOST_BYTES:
                raise Lost(f"{self.name} answered more than {MOST_BYTES:,} bytes; it was cut off")
        return bytes(got)

    def _unavailable(self, sdk: ModuleType, failed: Exception, *, secret: object) -> Unavailable:
        """Say in our words what an SDK raised; some servers repeat the key they were given."""
        if isinstance(failed, Unavailable):
            return failed
        cause = type(failed.__cause__ or failed).__name__
        if isinstance(failed, sdk.APIStatusError):
            said = str(failed)
            if isinstance(secret, str) and secret:
                said = said.replace(secret, "…")
            return Unavailable(f"{self.name} refused: {shorten(said, MOST_SAID)}")
        if isinstance(failed, sdk.APIConnectionError):  # a timeout is one too
            if cause in NEVER_SENT:
                return Unavailable(f"{self.name} cannot be reached ({cause}); is it running?")
            return Lost(f"the connection to {self.name} broke before an answer came ({cause})")
        if isinstance(failed, (TypeError, sdk.APIError.__base__)):  # nothing was sent: no key, say
            return Unavailable(f"{self.name} cannot be asked: {shorten(str(failed), MOST_SAID)}")
        return Lost(f"the answer of {self.name} broke off ({cause})")


class OpenAIModel(_SdkModel):
    """A model behind `/chat/completions`; the key is the SDK's own `OPENAI_API_KEY`."""

    sdk_name = "openai"

    def complete(self, system: str, prompt: str, *, most_tokens: int) -> Completion:
        """Answer the prompt, or raise `Unavailable`."""
        sdk = load_sdk("openai")
        keyless = self._base_url and not os.environ.get("OPENAI_API_KEY")
        key = {"api_key": NO_KEY} if keyless else {}
        client = self._open(sdk, lambda **options: sdk.OpenAI(**key, **options))
        # OpenAI's newer models refuse the old name of the limit, other servers the new one.
        limit = "max_completion_tokens" if client.base_url.host == OPENAI_HOST else "max_tokens"
        messages = [{"role": "system", "content": system}] if system else []
        messages.append({"role": "user", "content": prompt})
        create = client.chat.completions.with_streaming_response.create
        given = {"model": self._model, "messages": messages, limit: most_tokens}
        answer = self._ask(sdk, client, lambda: create(**given))
        content = dig(answer, "choices", 0, "message", "content")
        text = content if isinstance(content, str) else joined_texts(content)  # some send parts
        why = dig(answer, "choices", 0, "finish_reason")
        return Completion(
            text=need_text(text, self.name, most_tokens=most_tokens, why=why),
            tokens_in=whole(dig(answer, "usage", "prompt_tokens")),
            tokens_out=whole(dig(answer, "usage", "completion_tokens")),
        )


class AnthropicModel(_SdkModel):
    """A model behind `/v1/messages`; the key is the SDK's own `ANTHROPIC_API_KEY`."""

    sdk_name = "anthropic"

    def complete(self, system: str, prompt: str, *, most_tokens: int) -> Completion:
        """Answer the prompt, or raise `Unavailable`."""
        sdk = load_sdk("anthropic")
        client = self._open(sdk, sdk.Anthropic)
        given = {"model": self._model, "messages": [{"role": "user", "content": prompt}]}
        given |= {"system": system} if system else {}
        create = client.messages.with_streaming_response.create
        answer = self._ask(sdk, client, lambda: create(max_tokens=most_tokens, **given))
        content = dig(answer, "content")
        blocks = content if isinstance(content, list) else []
        text = joined_texts([b for b in blocks if dig(b, "type") == "text"])  # no thinking
        need_text(text, self.name, most_tokens=most_tokens, why=dig(answer, "stop_reason"))
        return used(text, dig(answer, "usage"))


PROVIDERS = {model.sdk_name: model for model in (OpenAIModel, AnthropicModel)}


def load_sdk(name: str) -> ModuleType:
    """Import an SDK, which takes a second or two; the error names the extra to install."""
    try:
        return import_module(name)
    except ImportError as missing:
        raise Unavailable(
            f"the language model needs the package {missing.name}; install tacit[{name}]"
        ) from missing


def joined_texts(parts: object) -> str:
    """Join the texts of a list of parts."""
    texts = [dig(part, "text") for part in parts] if isinstance(parts, list) else []
    return "".join(text for text in texts if isinstance(text, str))
