"""Messages through the official `anthropic` SDK."""

from __future__ import annotations

from tacit.encode.llm.call import Limits, ask, dig, load_sdk, need_text, open_client, whole
from tacit.encode.llm.port import Completion

# What went in is billed under three names, depending on what the provider had kept of it.
TOKENS_IN = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")


class AnthropicModel:
    """A model behind `/v1/messages`; the key is the SDK's own `ANTHROPIC_API_KEY`."""

    def __init__(self, model: str, base_url: str = "", *, limits: Limits | None = None) -> None:
        """Name the model and, unless it is Anthropic's, the server; nothing is loaded yet."""
        self.name = f"anthropic:{model}" + (f"@{base_url}" if base_url else "")
        self._model = model
        self._base_url = base_url
        self._limits = limits or Limits()

    def complete(self, system: str, prompt: str, *, most_tokens: int) -> Completion:
        """Answer the prompt, or raise `Unavailable`."""
        sdk = load_sdk("anthropic")
        client = open_client(sdk, self.name, sdk.Anthropic, self._base_url, self._limits)
        given = {"system": system} if system else {}
        answer = ask(
            sdk,
            self.name,
            client,
            lambda: client.messages.with_streaming_response.create(
                model=self._model,
                max_tokens=most_tokens,
                messages=[{"role": "user", "content": prompt}],
                **given,
            ),
            seconds=self._limits.seconds,
        )
        text = need_text(
            _text(dig(answer, "content")),
            self.name,
            most_tokens=most_tokens,
            why=dig(answer, "stop_reason"),
        )
        usage = dig(answer, "usage")
        return Completion(
            text=text,
            tokens_in=sum(whole(dig(usage, name)) for name in TOKENS_IN),
            tokens_out=whole(dig(usage, "output_tokens")),
        )


def _text(content: object) -> str:
    """Give the text of all text blocks; thinking and the like are left out."""
    blocks = content if isinstance(content, list) else []
    texts = [dig(block, "text") for block in blocks if dig(block, "type") == "text"]
    return "".join(text for text in texts if isinstance(text, str))
