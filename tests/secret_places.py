"""Kinds of secrets and the places where they are written down, each kind for each place."""

from __future__ import annotations

import json
from random import Random
from typing import TYPE_CHECKING, NamedTuple

from secret_samples import ALNUM, BASE64, DIGITS, HEX, LOWER, SAMPLES, UPPER

if TYPE_CHECKING:
    from collections.abc import Callable


class Kind(NamedTuple):
    """What is secret, the value it stands in, and the name such a value is given."""

    secret: str
    value: str
    name: str


# One sample for each owner of a format; they are known wherever they stand.
FORMED = (
    "age airtable anthropic atlassian aws brevo crates databricks digitalocean docker doppler "
    "dynatrace facebook figma fly groq hubspot huggingface jfrog langfuse langsmith linear mailchimp "
    "mailgun netlify notion npm nuget openai openrouter perplexity pinecone plaid planetscale postman "
    "pulumi razorpay replicate rubygems sendgrid shopify sonar square supabase tailscale telegram "
    "terraform vault xai jwt card"
).split()
SPACED = ("github ghp", "gitlab pat", "google api", "slack bot", "stripe live", "twilio key")

_chance = Random(20260801)


def _drawn(alphabet: str, length: int) -> str:
    """Draw characters of an alphabet, a digit the last but one."""
    middle = "".join(_chance.choice(alphabet) for _ in range(length - 3))
    return _chance.choice(alphabet[:6]) + middle + "7" + _chance.choice(alphabet[:6])


def _kinds() -> dict[str, Kind]:
    kinds = {
        name: Kind(SAMPLES[name].secret, SAMPLES[name].secret, "value")
        for name in (*FORMED, *SPACED)
    }
    named = {
        "password of a person": ("Tr0ub4" + "dor&3", "db_password"),
        "password of 8 letters and digits": (_drawn(LOWER + DIGITS, 8), "password"),
        "password of capitals and digits": (_drawn(UPPER + DIGITS, 9), "ftp_password"),
        "passphrase with signs": ("Blau-" + "Regen77!", "passphrase"),
        "passwd": (_drawn(ALNUM, 12), "root_passwd"),
        "key of 17 letters and digits": (_drawn(ALNUM, 17), "api_key"),
        "hex key": (_drawn(HEX, 32), "access_key"),
        "token": (_drawn(ALNUM, 24), "auth_token"),
        "secret token": (_drawn(LOWER + DIGITS, 20), "secret_token"),
        "client secret": (_drawn(ALNUM, 32), "client_secret"),
        "base64 key": (_drawn(BASE64, 44), "encryption_key"),
        "aws secret": (_drawn(BASE64, 40), "aws_secret_access_key"),
    }
    kinds |= {name: Kind(secret, secret, of) for name, (secret, of) in named.items()}
    slashed, plain = "k9/" + _drawn(ALNUM, 9), _drawn(ALNUM, 10)
    kinds["url"] = Kind(plain, f"postgres://app:{plain}@db.internal/shop", "database_url")
    kinds["url with a slash"] = Kind(slashed, f"amqp://app:{slashed}@mq:5672/v", "broker_url")
    return kinds


def _shell(name: str, value: str) -> str:
    return f"$ export {name.upper()}='{value}' && make deploy\n"


def _terraform(name: str, value: str) -> str:
    return f'variable "{name}" {{\n  type    = string\n  default = "{value}"\n}}\n'


def _sentence(name: str, value: str) -> str:
    return f'For staging the {name.replace("_", " ")} is "{value}", ask Jo about it.'


def _tool_output(name: str, value: str) -> str:
    output = json.dumps({name: value, "user": "jo"}, indent=1)
    return json.dumps({"type": "tool_result", "content": output})


PLACES: dict[str, Callable[[str, str], str]] = {
    "env file": lambda name, value: f"PORT=80\n{name.upper()}={value}\nDEBUG=1\n",
    "json": lambda name, value: json.dumps({"user": "jo", name: value}),
    "yaml": lambda name, value: f"db:\n  user: jo\n  {name}: {value}\n",
    "yaml block": lambda name, value: f"db:\n  {name}: |\n    {value}\n  user: jo\n",
    "toml": lambda name, value: f'[db]\n{name} = "{value}"\n',
    "shell": _shell,
    "dockerfile": lambda name, value: f"FROM python\nENV {name.upper()} {value}\nRUN make\n",
    "python": lambda name, value: f"client = Client({name}='{value}', user='jo')\n",
    "terraform": _terraform,
    "markdown table": lambda name, value: f"| name | value |\n|---|---|\n| {name} | {value} |\n",
    "sentence": _sentence,
    "log line": lambda name, value: f"2026-01-02 10:00:00 WARN retry user=jo {name}={value} n=3\n",
    "tool output": _tool_output,
}
KINDS: dict[str, Kind] = _kinds()
