"""Where the packaged o200k_base ranks lie on disk; data only, nothing is loaded here."""

import os

NAME = "o200k_base"

_HERE = os.path.dirname(os.path.abspath(__file__))


def ranks_path() -> str:
    """Give the path of the gzipped ranks, one `base64-token rank` pair a line."""
    return os.path.join(_HERE, "o200k_base.tiktoken.gz")
