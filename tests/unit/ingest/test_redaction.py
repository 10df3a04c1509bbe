"""Redaction: what must vanish, what must stay, and the laws that hold for any text."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from secret_places import KINDS, PLACES
from secret_samples import ALNUM, BASE64, SAMPLES, drawn
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


# For each rule without a mark of its own: a text with a secret, the secret, and a text like it
# that holds none.
ODD_WORD, PLAIN_WORD, PHRASE = "hunt" + "er22x", "sun" + "flower", "abc " + "def!5"
MADE = drawn(ALNUM, 20)
RULES = {
    "blank in quotes": ("ADMIN_PASSWORD='{}'", PHRASE, "PASSWORD='must have 8 characters'"),
    "blank in json": ('{{"password": "{}"}}', PHRASE, '{"password": "Your password, 8 letters"}'),
    "yaml block": ("password: |\n  {}\n", ODD_WORD, "password: |\n  at least 8 letters\n"),
    "yaml next line": ("password:\n  {}\nuser: jo", ODD_WORD, "password:\n  type: base64\n"),
    "heredoc": ("password = <<EOF\n{}\nEOF", ODD_WORD, "password = <<EOF\n$DB_PASSWORD\nEOF"),
    "plain word": ("DB_PASSWORD={}\n", PLAIN_WORD, "DB_PASSWORD=postgres\nDB_PASSWORD=password\n"),
    "plain word of a flag": ("get --http-password={} u", PLAIN_WORD, "get --password=default"),
    "word with digits": ("API_KEY={}123", PLAIN_WORD + "field", "API_KEY=testkey12345"),
    "dockerfile": ("FROM x\nENV SECRET_TOKEN {}", MADE, "RUN env TOKEN_FILE ./run; ENV KEY_FILE x"),
    "windows": ("setx API_TOKEN {}", MADE, "setx TOKEN_PATH C:/tokens"),
    "fish": ("set -gx API_TOKEN {}", MADE, "set -e TOKEN_FILE"),
    "pass": ("user = jo\npass = {}\n", ODD_WORD, "pass = True\n--- PASS: TestLogin2 (0.0s)"),
    "pass with a colon": ("pass: {}\n", ODD_WORD, "pass: 128 fail: 0\nPASS: TestToken2"),
    "terraform": (
        'variable "db_password" {{\n  type = string\n  default = "{}"\n}}',
        ODD_WORD,
        'variable "token_ttl" {\n  default = "12h"\n}',
    ),
    "table": ("| password | {} |", ODD_WORD, "| password | string | the password |"),
    "table with marks": ("| **DB password** | `{}` |", ODD_WORD, "| token | the API token |"),
    "name and value": (
        "- name: DB_PASSWORD\n  value: {}\n",
        ODD_WORD,
        "- name: PASSWORD\n  value: $PW",
    ),
    "name and value of xml": (
        '<add key="password" value="{}"/>',
        ODD_WORD,
        'key="token" value="id"',
    ),
    "url with a slash": (
        "postgres://app:{}@db:5432/x",
        "ab/cd9x",
        "http://a.io:80/x@y http://h/a:b9@c",
    ),
    "said": (
        "log in with password {}, please",
        ODD_WORD,
        "the password field2_id, password sha256",
    ),
    "said with is": ("the pw is {}.", ODD_WORD, "the password is base64, the password is required"),
    "said for": (
        "the password for the staging db is {}",
        ODD_WORD,
        "the password for it is hashed",
    ),
    "said in quotes": ("use the password '{}'", PHRASE, 'the password "must have 8 digits"'),
    "mongo": ("mongosh -u root -p {} admin", PLAIN_WORD, "mongod -port 27017 --password"),
    "ldap": ("ldapsearch -x -D cn=a -w {} -b dc=x", PLAIN_WORD, "ldapsearch -W -x -b dc=x"),
    "zip": ("zip -rP {} out.zip docs", PLAIN_WORD, "unzip -p out.zip notes2.txt; gzip -9 f"),
    "7z": ("7z a -p{} out.7z", ODD_WORD, "7z x out2.7z"),
    "htpasswd": ("htpasswd -cb /etc/h jo {}", PLAIN_WORD, "htpasswd -c /etc/h jo someone"),
    "htpasswd to the screen": ("htpasswd -nb jo {}", PLAIN_WORD, "htpasswd -n jo someone"),
    "openssl": (
        "openssl enc -pass pass:{} -in f",
        PLAIN_WORD,
        "openssl -pass env:PW, bypass:x2y3z4",
    ),
    "chpasswd": ("echo 'root:{}' | sudo chpasswd", PLAIN_WORD, "echo root:x | tee f; chpasswd < f"),
    "chpasswd here": ("chpasswd <<< 'root:{}'", PLAIN_WORD, "chpasswd <<< $USERS"),
    "sqlplus": ("sqlplus -s scott/{}@orcl", PLAIN_WORD, "sqlplus /nolog @scripts/x.sql"),
    "smbclient": ("smbclient //h/s -U jo%{}", PLAIN_WORD, "smbclient //h/s -U jo -N"),
    "sudo": ("echo {} | sudo -S ls", ODD_WORD, "echo done | sudo tee f"),
    "gpg": ("gpg --passphrase {} f", PLAIN_WORD, "gpg --passphrase-file pw2.txt f"),
    "keytool": ("keytool -x -storepass {} -y", PLAIN_WORD, "keytool -list -keystore k2.jks"),
    "xfreerdp": ("xfreerdp /u:jo /p:{} /v:h", PLAIN_WORD, "xfreerdp /u:jo /v:h2"),
    "sqlcmd": ("sqlcmd -S h -U sa -P {}", ODD_WORD, "sqlcmd -S h -E"),
    "mosquitto": ("mosquitto_pub -u jo -P {}", ODD_WORD, "mosquitto_pub -p 1883"),
    "useradd": ("useradd -p {} jo", ODD_WORD, "useradd -m jo2"),
    "aws in csv": (
        "jo,AK" + "IAQX7EJ5Z2M4N6P8R0,{}\n",
        drawn(BASE64, 40),
        "AK" + "IA is how keys begin",
    ),
    "body of a key": (
        "MIIEvQ" + "IBADANBgkqhkiG9w0BAQEFAASC{}\n",
        drawn(BASE64, 30),
        "MIIDdzCCAl+gAwIBAgIEAgAAuTANBgkqhkiG9w0BAQUFADBa",
    ),
    "lines of a key": (
        "it is\n{}\nok",
        "\n".join([*(drawn(BASE64, 64) for _ in range(4)), drawn(ALNUM, 20)]),
        "-----BEGIN CERTIFICATE-----\n"
        + "\n".join([*(drawn(BASE64, 64) for _ in range(4)), drawn(ALNUM, 20)]),
    ),
    "zero width": ("ghp_{}", "\u200b".join(drawn(ALNUM, 12) for _ in range(3)), "na\u00efve gh p_"),
    "zero width in a name": ("pass\u2060word={}", ODD_WORD, "pass word = yes"),
}


@pytest.mark.parametrize("name", RULES)
def test_a_rule_finds_its_sample_and_leaves_its_counter_sample(name: str) -> None:
    text, secret, innocent = RULES[name]
    text = text.format(secret) if "{}" in text else text

    for written in (text, text.replace("\n", "\\n")):
        kept = redact(written)
        parts = secret.replace("\u200b", "\n").split("\n")
        assert [part for part in parts if part in kept.text] == []
        assert kept.counts
    assert redact(innocent).text == innocent


def test_a_mark_alone_is_no_secret() -> None:
    tables = (secrets.LONG_WORDS, secrets.PREFIXES, secrets.WORDS)
    marks = [mark for table in tables for _, marks, _ in table for mark in marks.split()]
    text = "".join(f"A key begins with {mark} and goes on, {mark}abc is none.\n" for mark in marks)

    assert redact(text).text == text


@pytest.mark.parametrize("place", PLACES)
def test_every_kind_of_secret_is_found_at_every_place(place: str) -> None:
    texts = {name: PLACES[place](kind.name, kind.value) for name, kind in KINDS.items()}
    found = {
        name: redact(text).text + redact(text.replace("\n", "\\n").replace('"', '\\"')).text
        for name, text in texts.items()
    }

    assert len(KINDS) >= 65
    assert len(PLACES) >= 10
    assert [name for name, text in found.items() if KINDS[name].secret in text] == []


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
        "print(r.compiled.cache_info().currsize)"
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
        "tacit.ingest.secret_values",
        "tacit.hidden",
        "tacit.pattern",
        "itertools",
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
