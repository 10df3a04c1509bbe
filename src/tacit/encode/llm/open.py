"""The setting `llm` → a language model, or none.

    off                              no language model: the default
    openai:<model>[@<base_url>]      OpenAI, or any server that speaks chat completions
    anthropic:<model>[@<base_url>]   Anthropic, or any server that speaks messages
    command:<program and arguments>  a program that reads the prompt and prints the answer

Opening loads no SDK and reaches nothing; that happens at the first question.
"""

from __future__ import annotations

from tacit.errors import Invalid

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from tacit.encode.llm.guard import Guarded
    from tacit.encode.llm.port import Documents, LanguageModel
    from tacit.encode.ports import TokenCounter

FORMS = "off, openai:<model>[@<base_url>], anthropic:<model>[@<base_url>] or command:<program>"


def open_model(spec: str | None) -> LanguageModel | None:
    """Open a model by its setting, without any guard; None for `off` or nothing."""
    if spec in (None, "", "off"):
        return None
    sort, _, rest = str(spec).partition(":")
    if sort == "command":
        from tacit.encode.llm.command import CommandModel

        return CommandModel(rest)
    if sort not in ("openai", "anthropic"):
        raise Invalid(f"unknown language model; write {FORMS}")
    model, base_url = _split(rest)
    if sort == "openai":
        from tacit.encode.llm.openai_api import OpenAIModel

        return OpenAIModel(model, base_url)
    from tacit.encode.llm.anthropic_api import AnthropicModel

    return AnthropicModel(model, base_url)


def open_guarded(
    spec: str | None,
    documents: Documents,
    *,
    now: Callable[[], datetime],
    counter: TokenCounter,
    daily_tokens: int,
    allowed: Callable[[], bool],
    clean: Callable[[str], str],
) -> Guarded | None:
    """Open a model by its setting behind cache, permission, breaker and budget; None for `off`."""
    model = open_model(spec)
    if model is None:
        return None
    from tacit.encode.llm.cache import Cache
    from tacit.encode.llm.guard import Guarded
    from tacit.encode.llm.meter import Budget

    return Guarded(
        model,
        budget=Budget(documents, now, daily_tokens),
        cache=Cache(documents),
        counter=counter,
        allowed=allowed,
        clean=clean,
    )


def _split(rest: str) -> tuple[str, str]:
    """Split at the @ before an address; a model's name may hold others."""
    cut = max(rest.rfind("@http://"), rest.rfind("@https://"))
    model, base_url = (rest, "") if cut < 0 else (rest[:cut], rest[cut + 1 :])
    host = base_url.partition("://")[2].partition("/")[0]
    if "@" in base_url or "?" in base_url:  # the name of a model is shown and logged
        raise Invalid("an address must not hold a password; put the key into the environment")
    if not model or model != model.strip() or (base_url and not host):
        raise Invalid(f"the language model has no name or address; write {FORMS}")
    return model, base_url
