"""Where a secret is, in place of the secret: what may be kept of it. Pure.

A reference names a place that has its own lock: the keyring of the machine, a variable of the
environment, a password manager, a vault. Tacit keeps that name and never what lies there.
"""

from __future__ import annotations

from tacit.body import Resource
from tacit.errors import Invalid
from tacit.ingest.redaction import redact
from tacit.pattern import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from tacit.model import Memory

SUBTYPE = "secret-reference"
_PART = r"[A-Za-z0-9][A-Za-z0-9 ._@+-]{0,99}"
FORMS = {  # how a reference begins → (what follows, how that is written for people)
    "keyring:": (pattern(rf"^{_PART}/{_PART}$"), "keyring:SERVICE/NAME"),
    "env:": (pattern(r"^[A-Za-z_][A-Za-z0-9_]{0,99}$"), "env:NAME"),
    "op://": (pattern(rf"^{_PART}(?:/{_PART}){{2,3}}$"), "op://VAULT/ITEM/FIELD"),
    "vault:": (pattern(rf"^{_PART}(?:/{_PART}){{0,9}}#{_PART}$"), "vault:PATH#FIELD"),
}


def check_reference(where: str) -> str:
    """Give a reference if it is one; the message leaves out what was given: it may be the secret."""
    for begins, (form, _) in FORMS.items():
        rest = where.removeprefix(begins)
        if where.startswith(begins) and form.search(rest) and redact(where).text == where:
            return where
    shown = ", ".join(told for _, told in FORMS.values())
    raise Invalid(
        f"this is not a place where a secret is; write one of {shown}. The secret itself is "
        "never kept: put it there first"
    )


def secret_fields(where: str) -> dict[str, Any]:
    """Give the fields of a draft that keeps where a secret is."""
    return {"body": Resource(uri=check_reference(where), mime=""), "subtype": SUBTYPE}


def place_of(memory: Memory) -> str:
    """Give where the secret is that a memory refers to; `Invalid` when it refers to none."""
    if memory.subtype != SUBTYPE or not isinstance(memory.body, Resource):
        raise Invalid(f"{memory.short} does not say where a secret is; see: tacit vault list")
    return check_reference(memory.body.uri)
