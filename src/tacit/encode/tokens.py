"""Text → number of tokens, exact for a named tokenizer or estimated from above.

Importing this module costs nothing; tiktoken and the packaged ranks are loaded at the first
count. Counts are stored with each level at write time, so a hook needs neither.
"""

from __future__ import annotations

from tacit.errors import Unavailable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from tiktoken import Encoding

    from tacit.encode.ports import TokenCounter

# How o200k_base splits text before merging bytes; part of the tokenizer, as in tiktoken (MIT).
O200K_PATTERN = "|".join(
    (
        r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+"
        r"(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
        r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*"
        r"(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
        r"\p{N}{1,3}",
        r" ?[^\s\p{L}\p{N}]+[\r\n/]*",
        r"\s*[\r\n]+",
        r"\s+(?!\S)",
        r"\s+",
    )
)
O200K_SPECIAL = {"<|endoftext|>": 199999, "<|endofprompt|>": 200018}


def open_counter() -> TokenCounter:
    """Give the exact counter where tiktoken and its ranks are installed, else the estimate."""
    from importlib.util import find_spec

    if find_spec("tiktoken") and find_spec("tacit_o200k"):
        return O200k()
    return Estimate()


class O200k:
    """tiktoken's o200k_base with the packaged ranks: nothing is downloaded."""

    name = "o200k_base"

    def __init__(self) -> None:
        """Load nothing yet; the first count takes some 0.3 s."""
        from threading import Lock

        self._loading = Lock()
        self._encoding: Encoding | None = None

    def count(self, text: str) -> int:
        """Count the tokens of a text; special tokens in it count as the text they are."""
        return len(self._load().encode_ordinary(text))

    def count_many(self, texts: Sequence[str]) -> list[int]:
        """Count the tokens of each text, in order."""
        return [self.count(text) for text in texts]

    def _load(self) -> Encoding:
        with self._loading:
            if self._encoding is None:
                self._encoding = _o200k()
            return self._encoding


class Estimate:
    """Counts without a tokenizer, rather too much than too little."""

    name = "estimate"

    def count(self, text: str) -> int:
        """Estimate the tokens of a text."""
        return -(-len(text.encode("utf-8", "replace")) // 3)

    def count_many(self, texts: Sequence[str]) -> list[int]:
        """Estimate the tokens of each text, in order."""
        return [self.count(text) for text in texts]


def _o200k() -> Encoding:
    """Build the encoding from the packaged ranks."""
    import gzip
    from binascii import a2b_base64

    try:
        import tacit_o200k
        import tiktoken
    except ImportError as missing:
        raise Unavailable(
            f"exact token counts need {missing.name}; install tacit[tokens]"
        ) from missing
    with gzip.open(tacit_o200k.ranks_path()) as file:
        fields = file.read().split()
    # One pass over all fields is half the time of tiktoken's own reader, line by line.
    ranks = dict(zip(map(a2b_base64, fields[::2]), map(int, fields[1::2]), strict=True))
    return tiktoken.Encoding(
        O200k.name, pat_str=O200K_PATTERN, mergeable_ranks=ranks, special_tokens=O200K_SPECIAL
    )
