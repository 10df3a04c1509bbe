"""A shop's memory as it is after some months: every page of it has something to show."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from tacit.clock import Clock
from tacit.happening import Happening, Moment
from tacit.model import Scope
from tacit.observation import Tool
from tacit.store.connect import connect
from tacit.system import Tacit

if TYPE_CHECKING:
    from pathlib import Path

    from tacit.model import Memory

SCOPE = Scope(path="project:shop")
START = datetime.now(UTC).replace(microsecond=0) - timedelta(days=240)
DAY = timedelta(days=1)


class Calendar(Clock):
    """A clock that is set by hand."""

    at = START

    def now(self) -> datetime:
        """Give the time it was set to."""
        return self.at


# Days after the start, what was said, and its fields.
SAID: tuple[tuple[float, str, dict[str, object]], ...] = (
    (
        0,
        "We run Postgres 14 in production",
        {"key": "db.version", "value": "14", "tags": ["database"], "author": "ana"},
    ),
    (
        1,
        "Sign tokens with RS256",
        {
            "key": "auth.jwt_alg",
            "value": "RS256",
            "tier": "mandate",
            "files": ["src/auth.py"],
            "tags": ["security"],
            "author": "ana",
        },
    ),
    (
        3,
        "Never retry a refund: the bank books it twice",
        {
            "kind": "pattern",
            "polarity": "avoid",
            "tier": "guardrail",
            "files": ["src/refund.py"],
            "tags": ["payments"],
            "author": "ana",
        },
    ),
    (
        5,
        "We keep orders in Postgres, because several workers write orders at once and SQLite made them wait",
        {
            "subtype": "decision",
            "tags": ["database", "orders"],
            "files": ["docs/adr/0003.md"],
            "author": "ben",
        },
    ),
    (
        9,
        "Round only after tax has been added, never before",
        {
            "kind": "pattern",
            "polarity": "do",
            "files": ["src/cart.py"],
            "tags": ["tax"],
            "author": "ana",
        },
    ),
    (
        14,
        "The worker retries a webhook three times, with a pause of 1, 5 and 25 seconds",
        {"files": ["src/webhooks.py"], "tags": ["webhooks"], "author": "ben"},
    ),
    (
        20,
        "pytest tests/test_cart.py failed: AssertionError: the total is 1099, not 1100. Fixed by rounding after tax in src/cart.py",
        {
            "kind": "episode",
            "files": ["src/cart.py", "tests/test_cart.py"],
            "tags": ["tax"],
            "author": "agent",
            "learn_tokens": 5200,
        },
    ),
    (
        26,
        "Moved the cart to integer cents; the float totals were off by one in three of a hundred orders",
        {
            "kind": "episode",
            "files": ["src/cart.py"],
            "tags": ["orders"],
            "author": "ben",
            "learn_tokens": 4100,
        },
    ),
    (
        33,
        "To release: run make check, tag the commit with the version, push the tag; the pipeline builds and deploys to staging, and production waits for a person",
        {"kind": "skill", "tags": ["release"], "author": "ana"},
    ),
    (
        40,
        "The payment provider's sandbox is down every Sunday from 02:00 to 04:00 UTC",
        {"tags": ["payments"], "author": "ben"},
    ),
    (
        47,
        "Feature flags live in config/flags.toml and are read once at the start of a worker",
        {"files": ["config/flags.toml"], "tags": ["configuration"], "author": "ana"},
    ),
    (
        55,
        "Refunds above 500 euros need a second person to approve them",
        {
            "tier": "mandate",
            "files": ["src/refund.py"],
            "tags": ["payments", "security"],
            "author": "ana",
        },
    ),
    (
        63,
        "Do not log the Authorization header, not even at debug level",
        {
            "kind": "pattern",
            "polarity": "avoid",
            "tier": "guardrail",
            "files": ["src/auth.py"],
            "tags": ["security"],
            "author": "ben",
        },
    ),
    (
        70,
        "Migrations run before the new version starts, so a column may only be dropped one release after the code stopped using it",
        {"kind": "pattern", "polarity": "do", "tags": ["database", "release"], "author": "ana"},
    ),
    (
        84,
        "The flaky test of the webhook worker was a clock that stepped back; the test now passes its own clock in",
        {
            "kind": "episode",
            "files": ["tests/test_webhooks.py"],
            "tags": ["webhooks", "tests"],
            "author": "agent",
            "learn_tokens": 7300,
        },
    ),
    (
        98,
        "We run Postgres 16 in production",
        {"key": "db.version", "value": "16", "tags": ["database"], "author": "ana"},
    ),
    (
        110,
        "The search index is rebuilt every night at 03:30 UTC and takes about twelve minutes",
        {"tags": ["search"], "author": "ben"},
    ),
    (
        121,
        "Use the money module for every amount; a plain float in a signature is refused in review",
        {
            "kind": "pattern",
            "polarity": "do",
            "files": ["src/money.py"],
            "tags": ["orders"],
            "author": "ana",
        },
    ),
    (
        135,
        "Sign tokens with ES256, RS256 keys are retired",
        {
            "key": "auth.jwt_alg",
            "value": "ES256",
            "tier": "mandate",
            "files": ["src/auth.py"],
            "tags": ["security"],
            "author": "ana",
        },
    ),
    (
        150,
        "To rotate the signing keys: add the new key to the key set, wait a day for caches, switch the signer, remove the old key after a week",
        {"kind": "skill", "files": ["src/auth.py"], "tags": ["security"], "author": "ana"},
    ),
    (
        166,
        "Rotated the signing keys after the leak of a staging secret; nothing in production was touched",
        {"kind": "episode", "tags": ["security"], "author": "ana"},
    ),
    (
        180,
        "The mobile app still calls the first version of the cart interface; it can go when less than one in a thousand requests use it",
        {"tags": ["mobile", "orders"], "author": "ben"},
    ),
    (
        195,
        "A webhook is never retried by the worker",
        {"files": ["src/webhooks.py"], "tags": ["webhooks"], "author": "agent", "trust": "agent"},
    ),
    (
        205,
        "Staging has its own payment account, so refunds there are real calls to the sandbox",
        {"tags": ["payments"], "author": "ben"},
    ),
    (
        216,
        "Checkout broke on a cart without a country; the tax table now has a default and the form asks for it",
        {
            "kind": "episode",
            "files": ["src/tax.py", "src/cart.py"],
            "tags": ["tax"],
            "author": "agent",
            "learn_tokens": 6100,
        },
    ),
    (
        228,
        "Translations are pulled from the repository of the design team each morning",
        {"tags": ["configuration"], "author": "ben"},
    ),
)
DRAFTS = (
    ("Deploys on Fridays are only for fixes", ["release"]),
    ("The invoice template is rendered twice, once without a logo", ["orders"]),
    ("Use uv to install what the tests need", ["tests"]),
)
PROMPTS = (
    (
        60,
        "Make refunds above 500 euros ask a second person",
        "src/refund.py",
        "Applied: [M:{refunds}]",
    ),
    (136, "Rotate the keys that sign tokens", "src/auth.py", "Done. Applied: [M:{keys}]"),
    (217, "Why is the total of a cart without a country wrong?", "src/tax.py", "Fixed."),
)


def fill(path: Path | str) -> dict[str, Memory]:
    """Fill a store through the facade; give some of its memories by a name."""
    clock = Calendar()
    with Tacit(connect(str(path)), scope=SCOPE, clock=clock) as tacit:
        kept: list[Memory] = []
        for days, text, fields in SAID:
            clock.at = START + days * DAY
            kept.append(tacit.remember(text, **fields))
        named = {"auth": kept[18], "refunds": kept[11], "keys": kept[18], "cart": kept[6]}
        tacit.link(kept[16].id, "related_to", kept[15].id)
        tacit.link(kept[19].id, "requires", kept[18].id)
        tacit.link(kept[20].id, "example_of", kept[19].id)
        clock.at = START + 200 * DAY
        tacit.edit(
            kept[9].id,
            "The payment provider's sandbox is down every Sunday from 01:00 to 04:00 UTC",
            by="ben",
        )
        for text, tags in DRAFTS:
            tacit.remember(
                text,
                tags=tags,
                state="candidate",
                author="agent",
                origin="extracted",
                trust="agent",
            )
        _sessions(tacit, clock, named)
        clock.at = START + 239 * DAY
        tacit.consolidate(only=("contradict", "connect", "topics"))
        return named


def _sessions(tacit: Tacit, clock: Calendar, named: dict[str, Memory]) -> None:
    """Let agents work: they are handed memory, and say what they used of it."""
    for number, (days, prompt, file, answer) in enumerate(PROMPTS):
        session = f"5e551{number}00-0000-4000-8000-00000000000{number}"
        said = answer.format(**{name: memory.short for name, memory in named.items()})
        for minute, (moment, fields) in enumerate(
            (
                (Moment.SESSION_START, {}),
                (Moment.PROMPT, {"text": prompt}),
                (Moment.POST_TOOL, {"tool": Tool.EDIT, "name": "Edit", "target": file}),
                (Moment.TURN_END, {"text": said}),
                (Moment.SESSION_END, {}),
            )
        ):
            clock.at = START + days * DAY + timedelta(minutes=minute)
            tacit.attend(Happening(host="claude", moment=moment, session=session, **fields))
