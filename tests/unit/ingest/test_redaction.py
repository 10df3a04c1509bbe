"""Redaction: what must vanish, what must stay, and the laws that hold for any text."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from secret_samples import SAMPLES
from tacit.ingest import secret_patterns as secrets
from tacit.ingest.redaction import redact

INNOCENT = {
    "prose": "The token expires after an hour, so the secret is to refresh it early.",
    "prose about passwords": "Password: must be at least 8 characters. The password is required.",
    "prose about keys": "The key is rotated daily; api keys are in the vault, not in the env.",
    "prose about basics": "Authorization: Basic authentication is off, use a Bearer token123 later.",
    "commit": "commit 3f2a9c1b7d8e4f5061728394a5b6c7d8e9f00112\nAuthor: Jo <jo@acme.io>",
    "short commit": "Reverted in 4f9d2e1, see also #1234 and v2.14.3-rc.1+build.77",
    "uuid": "session 3f2504e0-4f89-11d3-9a0c-0305e82c3301 resumed",
    "session id": 'sessionId: "3f2504e0-4f89-11d3-9a0c-0305e82c3301", session_id=01J8ZQ3V5K',
    "npm lock": '"integrity": "sha512-' + "Zk3b9XvQ" * 10 + '==", "js-tokens": "^4.0.0"',
    "pip hash": "requests==2.32.3 --hash=sha256:" + "70761cfe03c773ceb22aa2f671b4757976145175" * 2,
    "go sum": "golang.org/x/crypto v0.31.0 h1:ihbySMvVjLAeSH1IbfcRTkD/iNscyz8rGzjF/E5hV6U=",
    "yarn lock": 'js-tokens@^4.0.0:\n  resolved "https://r.io/js-tokens-4.0.0.tgz#19203fb59991df98e3a2"',
    "cargo lock": 'name = "secrecy"\nchecksum = "' + "e891af845473308773346dc847b2c23e" * 2 + '"',
    "docker digest": "FROM python@sha256:"
    + "1d52838af602b4b5a831beb13a0e4d073280665ea7be7f69ce2382f29c5a613f",
    "image": "![](data:image/png;base64,"
    + "iVBORw0KGgoAAAANSUhEUgAAAAUA" * 20
    + "AAAFCAYAAACNbyblAAAA==)",
    "path": "/home/jo/.config/tokens/secret_store/key-2024-11-05.json was not found",
    "windows path": r"token_file = C:\Users\jo\AppData\Roaming\acme\token2.json",
    "python": "def refresh(token: str, password: str | None = None) -> Token:",
    "python environ": 'password = os.environ["DB_PASSWORD"]\ntoken = os.getenv("TOKEN2")',
    "python attribute": "client = Client(api_key=settings.api_key_v2, secret=self.config.secret1)",
    "python call": "token = base64.b64encode(hashlib.sha256(seed1).digest())",
    "python type": "private_key: ed25519.Ed25519PrivateKey, token: Optional[str] = None",
    "javascript": "const token = process.env.TOKEN2 ?? getToken(); headers.authorization = `Bearer ${token}`",
    "minified": "{password:e.password,token:t.token2,apiKey:n}function(e){return e.key1}",
    "shell": 'TOKEN=$(gh auth token) PASSWORD="${DB_PASSWORD}" API_KEY=$API_KEY_2 make deploy',
    "github action": "token: ${{ secrets.GITHUB_TOKEN }}\npassword: ${{ secrets.PYPI_2 }}",
    "compose": "POSTGRES_PASSWORD: ${POSTGRES_PASSWORD:-changeme}\nSECRET_KEY=changeme",
    "placeholders": "api_key=<your-api-key>\ntoken: YOUR_TOKEN_123\npassword=xxxxxxxx\nsecret=********",
    "template": "postgres://user:password@localhost/db postgres://${U}:${P}@h/db redis://:<pw>@h",
    "f-string": 'url = f"postgresql://{user}:{password}@{host}:{port}/{name}"',
    "port and at": "open http://localhost:3000/@jo/profile and http://a.io:8080/x?to=jo@acme.io",
    "scp": "git clone git@github.com:acme/shop.git && scp app.tar jo@host:/srv/app2",
    "settings": "max_tokens=200000 token_count: 12345678 PASSWORD_RESET_TIMEOUT = 259200",
    "camel case": "The AbstractSingletonProxyFactoryBean2Configuration keyGeneratorForAES256Blocks",
    "kubernetes": "secretName: shop-db-credentials-v2\nkey: tls.crt\nsecretKeyRef: {name: shop2}",
    "public key": "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ0dYx3Zk9vQpRt6bW8 jo@host\npublic_key: "
    + "Qx7" * 14,
    "public pem": "-----BEGIN PUBLIC KEY-----\nMIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A\n-----END PUBLIC KEY-----",
    "pem in prose": "It starts with -----BEGIN PRIVATE KEY----- and ends with -----END PRIVATE KEY-----.",
    "amazon name": "arn:aws:secretsmanager:eu-west-1:123456789012:secret:shop/db-AbCdEf",
    "numbers": "1700000000000000 ns, 4111111111111112, 0.4111111111111111, order 41111111111111111",
    "dates": "token: 2024-11-05T10:00:00Z, key: 2024-11-05, password changed 2024-11-05T10:00:00Z",
    "tests": "PASS: test_login2 (0.12s)\nFAIL: test_token_3\npass: 128 fail: 0",
    "regex": r"TOKEN = r'[A-Za-z0-9_-]{20,}'" + "\npassword_or_key = r'(?:key|pwd|password1)'",
    "task ids": "task-0123456789abcdef done, risk-1234, disk-usage, sk-learn, desk-lamp-12",
    "docker user": "docker run -u 1000:1000 --user node:node app; ssh -p 2222 jo@host",
    "enum": "if (token != JsDocToken.LP || key == Keys.F12) return TokenKind.OpenBrace2",
    "private word": "a private method, `private` key word, </private> alone, <privately>",
    "redacted": "password=[REDACTED:password] and [REDACTED:aws-access-key] stay as they are",
    "list of names": 'METHODS = ("md5", "password", "scram-sha-256", "token", "oauth2-v1")',
    "home assistant": "password: !secret mqtt_password2\nanchor: *token_1",
    "hashes by name": "cache_key = 5f4dcc3b5aa765d61d8327deb882cf99 key: 3f2504e0-4f89-11d3-9a0c-0305e82c3301",
    "monkey": "monkey: banana2\nkeyboard: qwerty1\nauthor: Jo2\ncompass: N0rth\nbypass: true1",
    "words": "Turkey, hockey, passenger, tokenizer=cl100k_base, secretary: Jo, authority: 42",
}


@pytest.mark.parametrize("name", SAMPLES)
def test_a_secret_gives_way_to_a_placeholder_and_the_rest_stays(name: str) -> None:
    text, secret, type_ = SAMPLES[name]

    redacted = redact(text)

    assert redacted.text == text.replace(secret, f"[REDACTED:{type_}]")
    assert dict(redacted.counts) == {type_: 1}


@pytest.mark.parametrize("name", INNOCENT)
def test_an_innocent_text_is_left_as_it_is(name: str) -> None:
    redacted = redact(INNOCENT[name])

    assert redacted.text == INNOCENT[name]
    assert redacted.counts == ()


def test_every_type_of_secret_has_a_sample() -> None:
    tables = (
        secrets.PATTERNS,
        secrets.LONG_WORDS,
        secrets.PREFIXES,
        secrets.WORDS,
        secrets.CONTEXTS,
        secrets.OWNERS,
    )
    types = {type_ for table in tables for type_, _, _ in table}
    types |= {type_ for _, type_, check in secrets.ENDINGS if check != "never"}

    assert types <= {sample.type for sample in SAMPLES.values()}


def test_all_samples_in_one_text_are_found() -> None:
    closed = {name: sample for name, sample in SAMPLES.items() if name != "private open"}
    text = "\n\n".join(sample.text for sample in closed.values())

    redacted = redact(text)

    assert [name for name, sample in closed.items() if sample.secret in redacted.text] == []
    assert {type_ for type_, _ in redacted.counts} == {sample.type for sample in closed.values()}


def test_counts_are_sorted_by_type() -> None:
    text = "\n".join(SAMPLES[name].text for name in ("vault", "jwt", "age", "vault"))

    assert redact(text).counts == (("age-key", 1), ("jwt", 1), ("vault-token", 2))


def test_scheme_user_and_host_of_a_url_stay_visible() -> None:
    text = SAMPLES["url mongodb+srv"].text

    assert (
        redact(text).text == "mongodb+srv://app:[REDACTED:connection-string]@db.internal:5432/shop"
    )


def test_the_specific_rule_names_the_placeholder() -> None:
    key = SAMPLES["github ghp"].secret

    assert redact(f"password={key}").text == "password=[REDACTED:github-token]"
    assert (
        redact(f"https://jo:{key}@github.com").text
        == "https://jo:[REDACTED:github-token]@github.com"
    )
    assert (
        redact(f"Authorization: Bearer {key}").text
        == "Authorization: Bearer [REDACTED:github-token]"
    )


def test_private_spans_may_be_nested_and_a_stray_end_means_nothing() -> None:
    text = "a</private> b <private>c<private>d</private>e</private> f <private>g"

    assert redact(text).text == "a</private> b [REDACTED:private] f [REDACTED:private]"


def test_private_spans_are_seen_through_html_and_json_escapes() -> None:
    text = r"a &lt;private&gt;b&lt;/private&gt; c \u003cprivate\u003ed\u003c/private\u003e"

    assert redact(text).text == "a [REDACTED:private] c [REDACTED:private]"


def test_a_neighbour_is_found_once_the_secret_beside_it_has_gone() -> None:
    beside = SAMPLES["aws sts"].secret + SAMPLES["github ghp"].secret

    assert redact(beside).text == "[REDACTED:aws-access-key][REDACTED:github-token]"


@pytest.mark.parametrize("value", ["3f2504e0-9f89-41d3-8a0c-0305e82c3301", "0-9f" * 9])
def test_a_token_is_not_mistaken_for_a_range_of_a_regular_expression(value: str) -> None:
    assert redact(f"token: {value}").text == "token: [REDACTED:token]"


def test_a_long_run_that_turns_out_to_be_a_call_stays() -> None:
    text = "token = " + "aB3x" * 30 + "(seed)"

    assert redact(text).text == text


def test_a_long_value_goes_whole_though_it_is_judged_by_its_beginning() -> None:
    assert redact("token=" + "aB3x" * 5000 + " end").text == "token=[REDACTED:token] end"


NASTY = {
    "one letter": "a",
    "spaces": " ",
    "digits": "4111 ",
    "base64": "QUJDREVGR0hJSktMTU5PUFFS",
    "private": "<private>",
    "pem": "-----BEGIN PRIVATE KEY-----",
    "pem with body": "-----BEGIN PRIVATE KEY-----\n" + "A" * 24,
    "names": "PASSWORD=",
    "open quotes": "password=\"password='password=`",
    "flags": "curl -u a:b mysql -p ",
    "jwt heads": "eyJ",
    "urls": "://a:",
    "cookies": "cookie: a=",
    "colours": "\x1b[32meyJ",
    "growing letter": "İtoken=",
    "every trigger": " ".join(
        triggers
        for table in (
            secrets.PATTERNS,
            secrets.LONG_WORDS,
            secrets.PREFIXES,
            secrets.WORDS,
            secrets.CONTEXTS,
        )
        for _, triggers, _ in table
    ),
}


@pytest.mark.parametrize("name", NASTY)
def test_a_megabyte_of_almost_secrets_takes_no_longer_than_its_length_warrants(name: str) -> None:
    unit = NASTY[name]
    text = unit * (1_000_000 // len(unit))

    redacted = redact(text)  # quadratic time would take hours here, and pytest has a limit

    assert len(redacted.text) <= 2 * len(text)


def test_importing_loads_nothing_heavy_and_compiles_nothing() -> None:
    source = Path(secrets.__file__).parents[2]
    program = (
        "import re, sys; before = set(sys.modules); import tacit.ingest.redaction as r;"
        "print(*sorted(set(sys.modules) - before)); r.redact('A plain sentence.');"
        "print(r.secrets.compiled.cache_info().currsize)"
    )

    out = subprocess.run(
        [sys.executable, "-c", program],
        env={"PYTHONPATH": str(source)},
        capture_output=True,
        text=True,
        check=True,
    ).stdout.splitlines()

    light = {
        "__future__",
        "tacit",
        "tacit.ingest",
        "tacit.ingest.redaction",
        "tacit.ingest.secret_patterns",
        "tacit.hidden",
        "tacit.pattern",
        "tacit.value",
    }
    assert set(out[0].split()) <= light
    assert out[1] == "0"


fragments = st.sampled_from(
    [sample.text for sample in SAMPLES.values()]
    + [sample.secret for sample in SAMPLES.values()]
    + [sample.secret[: len(sample.secret) // 2] for sample in SAMPLES.values()]
    + list(INNOCENT.values())
    + [
        "password",
        "token",
        "key",
        "=",
        ": ",
        '"',
        "'",
        "\\n",
        "\n",
        " ",
        "-",
        "_",
        ".",
        "/",
        "@",
        "://",
    ]
    + [
        "<private>",
        "</private>",
        "[REDACTED:jwt]",
        "\x1b[32m",
        "İ",
        "$",
        "{",
        "}",
        "(",
        ")",
        "a1B2",
    ]
)
texts = st.one_of(st.text(), st.lists(st.one_of(fragments, st.text(max_size=5))).map("".join))


@settings(max_examples=300, deadline=None)
@given(texts)
def test_redacting_twice_changes_nothing(text: str) -> None:
    once = redact(text)

    twice = redact(once.text)

    assert twice.text == once.text
    assert twice.counts == ()


@given(st.text(st.characters(exclude_categories=())))
def test_any_string_is_accepted_even_with_lone_surrogates(text: str) -> None:
    assert isinstance(redact(text).text, str)


@given(st.text("abcdefgh ilmnoqrvz,.;!?\n"))
def test_a_text_without_a_trigger_is_unchanged(text: str) -> None:
    assert redact(text).text == text


@given(st.lists(st.sampled_from(sorted(set(SAMPLES) - {"private open"})), max_size=8))
def test_no_secret_survives_beside_other_secrets(names: list[str]) -> None:
    text = "\n\n".join(SAMPLES[name].text for name in names)

    redacted = redact(text).text

    assert [name for name in names if SAMPLES[name].secret in redacted] == []
