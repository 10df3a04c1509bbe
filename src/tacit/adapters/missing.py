"""What is said when the package an adapter stands on is not installed."""

from __future__ import annotations

from tacit.errors import Unavailable


def missing(what: str, extra: str, error: ImportError) -> Unavailable:
    """Give the error that names what to install; one of a broken package tells what broke."""
    return Unavailable(f"{what} needs {error.name or error}; pip install 'tacit[{extra}]'")
