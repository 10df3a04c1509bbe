"""Make the table of pieces that are one token, from the packaged ranks of o200k_base.

Run in the development environment:  python tools/single_tokens/make.py [FILE]

Of the tokens with the lowest ranks, which are the most frequent, it lists words of two letters
or more, and parts of names and paths with the character before them (`_id`, `.py`, `-f`, `/src`).
A word stands alone where it is a token with and without a blank before it; one that is a token
only after a blank is listed with the blank. Sorted, a line each: the same ranks give the same
bytes. Without FILE the table of `assemble/ceiling.py` is written.
"""

from __future__ import annotations

import gzip
import re
import sys
from base64 import b64decode

import tacit_o200k
from tacit.assemble.ceiling import TABLE

COMMON = 40_000  # of 200,000: hooks read the table, and rarer words would hardly shorten a bound
WORD = re.compile("[A-Za-z]{2,}")
AFTER_BLANK = re.compile(" [A-Za-z]{2,}")
PART = re.compile("[-_./][A-Za-z]+")


def common_tokens() -> set[str]:
    """Give the common tokens that are ASCII."""
    with gzip.open(tacit_o200k.ranks_path()) as file:
        fields = file.read().split()
    tokens = zip(map(b64decode, fields[::2]), map(int, fields[1::2]), strict=True)
    return {token.decode() for token, rank in tokens if rank < COMMON and token.isascii()}


def listed(common: set[str]) -> list[str]:
    """Choose what the table lists."""
    words = {token for token in common if WORD.fullmatch(token) and f" {token}" in common}
    blank = {token for token in common if AFTER_BLANK.fullmatch(token) and token[1:] not in words}
    parts = {token for token in common if PART.fullmatch(token)}
    return sorted(words | blank | parts)


def main(path: str) -> None:
    """Write the table."""
    lines = listed(common_tokens())
    with open(path, "w", encoding="ascii", newline="\n") as file:
        file.writelines(f"{line}\n" for line in lines)
    print(f"{len(lines):,} lines to {path}")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else TABLE)
