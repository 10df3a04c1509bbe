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
# Longer texts are counted in parts: a million spaces overflow the stack of tiktoken's regex,
# and a cut adds at most a token or two to a count of thousands.
PART_CHARACTERS = 100_000

NO_LOWER_CASE = dict.fromkeys(range(ord("a"), ord("z") + 1))
NO_DIGITS = dict.fromkeys(range(ord("0"), ord("9") + 1))


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
        encode = self._load().encode_ordinary
        cuts = range(0, len(text), PART_CHARACTERS)
        return sum(len(encode(text[at : at + PART_CHARACTERS])) for at in cuts)

    def count_many(self, texts: Sequence[str]) -> list[int]:
        """Count the tokens of each text, in order."""
        return [self.count(text) for text in texts]

    def _load(self) -> Encoding:
        with self._loading:
            self._encoding = self._encoding or _o200k()
            return self._encoding


class Estimate:
    """Counts without a tokenizer, rather too many than too few.

    Against o200k_base on chat, prose, issues, code and JSON: 30 to 50 % too many on average,
    too few for two texts in a thousand at most. Of random hex, five texts in a hundred are
    counted low; scripts other than Latin come out up to four times too high.
    """

    name = "estimate"

    def count(self, text: str) -> int:
        """Estimate the tokens of a text, word by word."""
        breaks = text.count("\n") + len(text) // 128
        return breaks + sum([_word_tokens(word) for word in text.split()])

    def count_many(self, texts: Sequence[str]) -> list[int]:
        """Estimate the tokens of each text, in order."""
        return [self.count(text) for text in texts]


def _word_tokens(word: str) -> int:
    """Estimate from above: six letters a token, four inside code, hardly two in a hash."""
    if not word.isascii():
        return 1 + len(word.encode("utf-8", "replace")) // 2
    if word.isalpha():
        return 1 + (len(word) - 1) // 6
    odd = len(word.translate(NO_LOWER_CASE))
    plain = len(word) - odd
    if word.translate(NO_DIGITS) == word:
        return 1 + (5 * plain + 12 * odd + 10) // 20
    return 1 + (2 * plain + 3 * odd + 2) // 4


def _o200k() -> Encoding:
    """Build the encoding from the packaged ranks."""
    import gzip
    from binascii import a2b_base64

    try:
        import tiktoken

        import tacit_o200k
    except ImportError as missing:
        raise Unavailable(
            f"exact token counts need {missing.name}; pip install {missing.name}"
        ) from missing
    with gzip.open(tacit_o200k.ranks_path()) as file:
        fields = file.read().split()
    # One pass over all fields is half the time of tiktoken's own reader, line by line.
    ranks = dict(zip(map(a2b_base64, fields[::2]), map(int, fields[1::2]), strict=True))
    return tiktoken.Encoding(
        O200k.name, pat_str=O200K_PATTERN, mergeable_ranks=ranks, special_tokens=O200K_SPECIAL
    )
