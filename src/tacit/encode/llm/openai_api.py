"""Chat completions through the official `openai` SDK, of OpenAI or any server that speaks so."""

from __future__ import annotations

from tacit.encode.llm.call import Limits, ask, dig, load_sdk, need_text, open_client, whole
from tacit.encode.llm.port import Completion

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType
    from typing import Any

OPENAI_HOST = "api.openai.com"
NO_KEY = "none"  # what a local server is told where no key is set; the SDK insists on one


class OpenAIModel:
    """A model behind `/chat/completions`; the key is the SDK's own `OPENAI_API_KEY`."""

    def __init__(self, model: str, base_url: str = "", *, limits: Limits | None = None) -> None:
        """Name the model and, unless it is OpenAI's, the server; nothing is loaded yet."""
        self.name = f"openai:{model}" + (f"@{base_url}" if base_url else "")
        self._model = model
        self._base_url = base_url
        self._limits = limits or Limits()

    def complete(self, system: str, prompt: str, *, most_tokens: int) -> Completion:
        """Answer the prompt, or raise `Unavailable`."""
        sdk = load_sdk("openai")
        client = self._client(sdk)
        # OpenAI's newer models refuse the old name of the limit, other servers the new one.
        limit = "max_completion_tokens" if client.base_url.host == OPENAI_HOST else "max_tokens"
        messages = [{"role": "system", "content": system}] if system else []
        messages.append({"role": "user", "content": prompt})
        answer = ask(
            sdk,
            self.name,
            client,
            lambda: client.chat.completions.with_streaming_response.create(
                model=self._model, messages=messages, **{limit: most_tokens}
            ),
            seconds=self._limits.seconds,
        )
        text = need_text(
            _text(dig(answer, "choices", 0, "message", "content")),
            self.name,
            most_tokens=most_tokens,
            why=dig(answer, "choices", 0, "finish_reason"),
        )
        return Completion(
            text=text,
            tokens_in=whole(dig(answer, "usage", "prompt_tokens")),
            tokens_out=whole(dig(answer, "usage", "completion_tokens")),
        )

    def _client(self, sdk: ModuleType) -> Any:
        import os
        from functools import partial

        local = self._base_url and not os.environ.get("OPENAI_API_KEY")
        make = partial(sdk.OpenAI, api_key=NO_KEY) if local else sdk.OpenAI
        return open_client(sdk, self.name, make, self._base_url, self._limits)


def _text(content: object) -> str:
    """Give the text of a message; some servers send it in parts."""
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else []
    texts = [dig(part, "text") for part in parts]
    return "".join(text for text in texts if isinstance(text, str))
