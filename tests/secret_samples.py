"""Fake secrets, one or more for every rule, each in a text as it might turn up in a session.

They are put together at run time from a prefix and characters drawn by a seeded generator, so
that no scanner of repositories finds anything here, and none of them opens a door.
"""

from __future__ import annotations

import base64
from random import Random
from typing import NamedTuple

LOWER = "abcdefghijklmnopqrstuvwxyz"
UPPER = LOWER.upper()
DIGITS = "0123456789"
HEX = DIGITS + "abcdef"
ALNUM = LOWER + UPPER + DIGITS
BASE64 = ALNUM + "+/"
URLSAFE = ALNUM + "-_"


class Sample(NamedTuple):
    """A text, the part of it that must vanish, and the type its placeholder must name."""

    text: str
    secret: str
    type: str


_chance = Random(20260704)


def _some(alphabet: str, length: int) -> str:
    """Draw characters, ending in a letter or digit so that the end is beyond doubt."""
    body = "".join(_chance.choice(alphabet) for _ in range(length - 2))
    return body + _chance.choice(UPPER if "A" in alphabet else "abcdef") + _chance.choice("3579")


def drawn(alphabet: str, length: int) -> str:
    """Draw characters, letters, capitals and digits among them if the alphabet has them."""
    return "Z4q"[: length - 1] + _some(alphabet, length - 3)


def _uuid() -> str:
    return "-".join(_some(HEX, length) for length in (8, 4, 4, 4, 12))


def _base64(text: str) -> str:
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


def _pem(label: str, *, newline: str = "\n", end: bool = True) -> str:
    lines = [f"-----BEGIN {label}-----", *(_some(BASE64, 64) for _ in range(8)), _some(ALNUM, 21)]
    return newline.join([*lines, f"-----END {label}-----"] if end else lines)


def _card(start: str) -> str:
    digits = start + "".join(_chance.choice(DIGITS) for _ in range(15 - len(start)))
    total = sum(sum(divmod(int(d) * (2 - i % 2), 10)) for i, d in enumerate(digits))
    return digits + str(-total % 10)


def _samples() -> dict[str, Sample]:  # a table, one row after the other
    samples: dict[str, Sample] = {}

    def add(name: str, type_: str, secret: str, text: str = "export VALUE={}") -> None:
        samples[name] = Sample(text.replace("{}", secret), secret, type_)

    add("age", "age-key", "AGE-SECRET-" + "KEY-1" + _some(UPPER + DIGITS, 58), "# key\n{}\n")
    add("airtable", "airtable-token", "pat" + _some(ALNUM, 14) + "." + _some(HEX, 64))
    add("anthropic", "anthropic-key", "sk-" + "ant-api03-" + _some(URLSAFE, 95), "use {} for now")
    add("atlassian", "atlassian-token", "ATA" + "TT3xFfGF0" + _some(URLSAFE, 170) + "=1A2B3C4D")
    add("aws", "aws-access-key", "AK" + "IA" + "IOSFODNN7" + "EXAMPLE", "aws_access_key_id = {}\n")
    add("aws sts", "aws-access-key", "AS" + "IA" + _some(UPPER + "234567", 14) + "Q4", "id\\n{}\\n")
    add("aws bedrock", "aws-bedrock-key", "AB" + "SK" + _some(BASE64, 110) + "==")
    add("aws mws", "aws-mws-key", "amzn." + "mws." + _uuid())
    add(
        "aws secret",
        "aws-secret-key",
        "wJalrXUtnFEMI/" + "K7MDENG/bPxRfiCY" + "EXAMPLEKEY",
        "aws_secret_access_key = {}\nregion = eu-west-1",
    )
    add("aws secret json", "aws-secret-key", "/" + _some(BASE64, 39), '{"SecretAccessKey": "{}"}')
    add(
        "aws session",
        "aws-session-token",
        "IQoJb3JpZ2luX2Vj" + _some(BASE64, 700) + "==",
        "AWS_SESSION_TOKEN={}",
    )
    add(
        "azure storage",
        "azure-storage-key",
        _some(BASE64, 86) + "==",
        "DefaultEndpointsProtocol=https;AccountName=shop;AccountKey={};EndpointSuffix=core.net",
    )
    add("azure bus", "azure-storage-key", _some(BASE64, 43) + "=", "Name=root;SharedAccessKey={}")
    add(
        "azure sas",
        "signed-url",
        _some(ALNUM, 20) + "%2B" + _some(ALNUM, 20) + "%3D",
        "GET https://shop.blob.core.windows.net/c/f.txt?sv=2023-11-03&sp=r&sig={}&se=2026-01-01",
    )
    add("azure client", "azure-client-secret", "Ab1" + "8Q~" + _some(ALNUM + "_.-~", 34))
    add("azure ai", "azure-key", _some(ALNUM, 52) + "JQQ" + "J99" + _some(ALNUM, 26))
    add("bitbucket", "bitbucket-password", "AT" + "BB" + _some(ALNUM, 32), "git password {} (app)")
    add(
        "braintree",
        "braintree-token",
        "access_token" + "$production$" + _some(LOWER + DIGITS, 16) + "$" + _some(HEX, 32),
    )
    add("brevo", "brevo-key", "xkey" + "sib-" + _some(HEX, 64) + "-" + _some(ALNUM, 16))
    add(
        "cloudflare origin", "cloudflare-key", "v1.0" + "-" + _some(HEX, 24) + "-" + _some(HEX, 146)
    )
    add("cloudflare token", "cloudflare-key", _some(URLSAFE, 40), "CLOUDFLARE_API_TOKEN={}")
    add("cloudflare key", "cloudflare-key", _some(HEX, 37), 'cloudflare_api_key: "{}"')
    add("crates", "crates-token", "ci" + "o" + _some(ALNUM, 32), "cargo login {}")
    add("databricks", "databricks-token", "da" + "pi" + _some(HEX, 32), 'host=x token="{}"')
    add("datadog", "datadog-key", _some(HEX, 32), "DD_API_KEY={} datadog-agent start")
    add("datadog app", "datadog-key", _some(HEX, 40), "datadog_app_key: {}")
    add("digitalocean", "digitalocean-token", "dop_" + "v1_" + _some(HEX, 64))
    add(
        "discord bot",
        "discord-token",
        _base64(str(_chance.randrange(10**17, 10**18)))
        + "."
        + _some(URLSAFE, 6)
        + "."
        + _some(URLSAFE, 38),
        "client.login('{}')",
    )
    add(
        "discord webhook",
        "discord-webhook",
        _some(URLSAFE, 68),
        "https://discord.com/api/webhooks/1098765432109876543/{}",
    )
    add("docker", "docker-token", "dckr_" + "pat_" + _some(URLSAFE, 27), "docker login -u me -p {}")
    add("doppler", "doppler-token", "dp." + "pt." + _some(ALNUM, 43))
    add("dynatrace", "dynatrace-token", f"dt0{'c01'}.{_some(UPPER, 24)}.{_some(UPPER, 64)}")
    add("facebook", "facebook-token", "EA" + "A" + _some(ALNUM, 150))
    add("fastly", "fastly-key", _some(URLSAFE, 32), "fastly_api_token = {}")
    add("figma", "figma-token", "fig" + "d_" + _some(URLSAFE, 40), "X-Figma-Token: {}")
    add("firebase", "firebase-key", "AAAA" + _some(ALNUM, 7) + ":APA" + "91b" + _some(URLSAFE, 134))
    add("fly", "fly-token", "fm" + "2_" + _some(BASE64, 120), "FLY_API_TOKEN='FlyV1 {}'")
    for kind in "pousr":
        add(f"github gh{kind}", "github-token", f"gh{kind}" + "_" + _some(ALNUM, 36), "token {}.")
    add(
        "github fine",
        "github-token",
        "github" + "_pat_" + _some(ALNUM, 22) + "_" + _some(ALNUM, 59),
    )
    add("github colour", "github-token", "gh" + "p_" + _some(ALNUM, 36), "\x1b[32m{}\x1b[0m")
    for kind in ("pat", "dt", "rt"):
        add(f"gitlab {kind}", "gitlab-token", f"gl{kind}" + "-" + _some(URLSAFE, 20), "PRIVATE: {}")
    add("gitlab runner", "gitlab-token", "GR13" + "48941" + _some(URLSAFE, 20))
    add("google api", "google-api-key", "AI" + "za" + _some(URLSAFE, 35), "maps/api/js?key={}&v=3")
    add("google secret", "google-oauth-secret", "GOC" + "SPX-" + _some(URLSAFE, 28))
    add("google access", "google-oauth-token", "ya" + "29." + _some(URLSAFE, 160))
    add("google refresh", "google-oauth-token", "1/" + "/0" + _some(URLSAFE, 60), '"refresh": "{}"')
    add("grafana", "grafana-token", "gl" + "sa_" + _some(ALNUM, 32) + "_" + _some(HEX, 8))
    add("grafana cloud", "grafana-token", "gl" + "c_" + _some(BASE64, 80))
    add("groq", "groq-key", "gs" + "k_" + _some(ALNUM, 52))
    add("heroku", "heroku-key", _uuid(), "HEROKU_API_KEY={} git push heroku main")
    add("heroku new", "heroku-key", "HR" + "KU-" + _some(URLSAFE, 60))
    add("hubspot", "hubspot-token", "pat-" + "na1-" + _uuid())
    add("huggingface", "huggingface-token", "h" + "f_" + _some(LOWER + UPPER, 34))
    add("jfrog", "jfrog-key", "AK" + "Cp" + _some(ALNUM, 69), "curl -H 'X-JFrog-Art-Api: {}' x")
    add("langfuse", "langfuse-key", "sk-" + "lf-" + _uuid())
    add("langsmith", "langsmith-key", f"lsv2{'_pt_'}{_some(HEX, 32)}_{_some(HEX, 10)}")
    add("linear", "linear-key", "lin_" + "api_" + _some(ALNUM, 40))
    add("mailchimp", "mailchimp-key", _some(HEX, 32) + "-" + "us14", "the list uses {}, see docs")
    add("mailgun", "mailgun-key", "ke" + "y-" + _some(HEX, 32), "curl -s --user 'api:{}' https://x")
    add("netlify", "netlify-token", "nf" + "p_" + _some(ALNUM, 36))
    add("new relic", "newrelic-key", "NR" + "AK-" + _some(UPPER + DIGITS, 27))
    add("new relic licence", "newrelic-key", _some(HEX, 36) + "NR" + "AL")
    add("notion", "notion-token", "nt" + "n_" + _some(ALNUM, 46))
    add("notion old", "notion-token", "sec" + "ret_" + _some(ALNUM, 43), "Client(auth='{}')")
    add("npm", "npm-token", "np" + "m_" + _some(ALNUM, 36), "//registry.npmjs.org/:_authToken={}")
    add("nuget", "nuget-key", "oy" + "2" + _some(LOWER + DIGITS, 43), "dotnet nuget push x -k {}")
    add("one password", "onepassword-token", "ops_" + _base64('{"signIn') + _some(ALNUM, 300))
    add("openai", "openai-key", "s" + "k-" + _some(ALNUM, 20) + "T3Blbk" + "FJ" + _some(ALNUM, 20))
    add("openai project", "openai-key", "sk-" + "proj-" + _some(URLSAFE, 120), "OPENAI={}")
    add("openai service", "openai-key", "sk-" + "svcacct-" + _some(URLSAFE, 120))
    add("openrouter", "openrouter-key", "sk-" + "or-v1-" + _some(HEX, 64))
    add("perplexity", "perplexity-key", "pp" + "lx-" + _some(ALNUM, 48))
    add("pinecone", "pinecone-key", "pc" + "sk_" + _some(ALNUM, 6) + "_" + _some(ALNUM, 60))
    add("plaid", "plaid-token", "access" + "-production-" + _uuid())
    add("planetscale", "planetscale-token", "pscale" + "_pw_" + _some(URLSAFE, 43))
    add("postman", "postman-key", "PM" + "AK-" + _some(HEX, 24) + "-" + _some(HEX, 34))
    add("pulumi", "pulumi-token", "pu" + "l-" + _some(HEX, 40))
    add("pypi", "pypi-token", "pypi-" + "AgEIcHlwaS5vcmc" + _some(URLSAFE, 150), "twine -p {}")
    add("razorpay", "razorpay-key", "rzp_" + "live_" + _some(ALNUM, 14))
    add("replicate", "replicate-token", "r" + "8_" + _some(ALNUM, 37))
    add("rubygems", "rubygems-key", "ruby" + "gems_" + _some(HEX, 48))
    add("s3 url", "signed-url", _some(HEX, 64), "https://b.s3.amazonaws.com/k?X-Amz-Signature={}")
    add("s3 session", "signed-url", _some(ALNUM, 200), "https://b/k?X-Amz-Security-Token={}&x=1")
    add("sendgrid", "sendgrid-key", "S" + "G." + _some(URLSAFE, 22) + "." + _some(URLSAFE, 43))
    add("sentry token", "sentry-token", "sntr" + "ys_" + _base64('{"iat":1}') + _some(BASE64, 80))
    add("sentry dsn", "sentry-dsn", _some(HEX, 32), 'init("https://{}@o99.ingest.sentry.io/42")')
    add("shopify", "shopify-token", "shp" + "at_" + _some(HEX, 32))
    add("slack bot", "slack-token", "xox" + "b-1234567890123-1234567890123-" + _some(ALNUM, 24))
    add("slack app", "slack-token", "xap" + "p-1-A0B1C2D3E4F-1234567890123-" + _some(HEX, 64))
    add(
        "slack webhook",
        "slack-webhook",
        "T0A1B2C3D/" + "B0A1B2C3D/" + _some(ALNUM, 24),
        "POST https://hooks.slack.com/services/{} failed",
    )
    add("sonar", "sonar-token", "sq" + "p_" + _some(HEX, 40))
    add("square", "square-token", "sq0" + "csp-" + _some(URLSAFE, 43))
    add("square access", "square-token", "EA" + "AA" + _some(ALNUM, 60))
    add("stripe live", "stripe-key", "sk_" + "live_" + _some(ALNUM, 24), 'stripe.api_key = "{}"')
    add("stripe test", "stripe-key", "sk_" + "test_" + _some(ALNUM, 99))
    add("stripe restricted", "stripe-key", "rk_" + "live_" + _some(ALNUM, 24))
    add("stripe webhook", "stripe-webhook-secret", "wh" + "sec_" + _some(ALNUM, 32))
    add("supabase", "supabase-key", "sb" + "p_" + _some(HEX, 40))
    add(
        "tailscale", "tailscale-key", "ts" + "key-auth-" + _some(ALNUM, 12) + "-" + _some(ALNUM, 32)
    )
    add(
        "teams webhook",
        "teams-webhook",
        f"{_uuid()}@{_uuid()}/IncomingWebhook/{_some(HEX, 32)}/{_uuid()}",
        "https://acme.webhook.office.com/webhookb2/{}",
    )
    add("telegram", "telegram-token", "123456789" + ":AA" + _some(URLSAFE, 33), "bot {} started")
    add("terraform", "terraform-token", _some(ALNUM, 14) + ".atlas" + "v1." + _some(URLSAFE, 67))
    add("twilio key", "twilio-key", "S" + "K" + _some(HEX, 32))
    add("twilio auth", "twilio-auth-token", _some(HEX, 32), "TWILIO_AUTH_TOKEN: {}")
    add("twilio pair", "twilio-auth-token", _some(HEX, 32), f"curl -u AC{_some(HEX, 32)}:{{}} x")
    add("vault", "vault-token", "hv" + "s." + _some(URLSAFE, 90), "vault login {}")
    add("xai", "xai-key", "xa" + "i-" + _some(ALNUM, 80))

    token = _base64('{"alg":"HS256","typ":"JWT"}') + "." + _base64('{"sub":"1234567890","n":"Jo"}')
    add("jwt", "jwt", token + "." + _some(URLSAFE, 43), "Authorization: Bearer {}")
    add("jwt cut short", "jwt", token, "the token was {} ...")
    for label in ("RSA PRIVATE KEY", "EC PRIVATE KEY", "OPENSSH PRIVATE KEY", "PRIVATE KEY"):
        add(f"pem {label}", "private-key", _pem(label), "$ cat key\n{}\n$ ls")
    add("pem pgp", "private-key", _pem("PGP PRIVATE KEY BLOCK", newline="\n\n"), "key:\n{}\ndone")
    add(
        "pem cut short",
        "private-key",
        _pem("RSA PRIVATE KEY", end=False),
        "{}\n\nAnd then it broke.",
    )
    add(
        "pem service account",
        "private-key",
        _pem("PRIVATE KEY", newline="\\n"),
        '{"type": "service_account", "private_key": "{}\\n", "client_email": "a@b.example"}',
    )
    add(
        "pem numbered",
        "private-key",
        _pem("RSA PRIVATE KEY", newline="\n     7→", end=False),
        "     1→{}",
    )
    add(
        "putty",
        "private-key",
        _some(BASE64, 64) + "\n" + _some(BASE64, 40),
        "Private-Lines: 2\n{}\n",
    )

    for scheme in ("postgres", "postgresql+psycopg", "mysql", "mongodb+srv", "redis", "amqp"):
        secret = _some(ALNUM, 14)
        add(
            f"url {scheme}",
            "connection-string",
            secret,
            f"{scheme}://app:{{}}@db.internal:5432/shop",
        )
    add(
        "url https",
        "url-credentials",
        "p@ss-" + _some(ALNUM, 9),
        "git clone https://jo:{}@git.acme.io/x",
    )
    add("url no user", "connection-string", _some(ALNUM, 8), "REDIS_URL=redis://:{}@cache:6379/0")
    add(
        "url token",
        "url-credentials",
        _some(ALNUM, 40),
        "git remote add o https://{}@git.acme.io/x",
    )
    add(
        "bearer", "bearer-token", _some(URLSAFE, 40), "curl -H 'Authorization: Bearer {}' https://x"
    )
    add(
        "basic",
        "basic-auth",
        _base64("jo:" + _some(ALNUM, 12)),
        "Authorization: Basic {}\r\nHost: x",
    )
    add("authorization", "authorization", _some(ALNUM, 40), '{"Authorization": "Token {}"}')
    add("cookie", "cookie", f"sid={_some(ALNUM, 40)}; theme=dark", "> Cookie: {}\n> Accept: */*")
    add("session cookie", "cookie", _some(LOWER + DIGITS, 32), "sessionid={}; Path=/")
    add("php session", "cookie", _some(LOWER + DIGITS, 26), "PHPSESSID={}")
    add(
        "connect sid",
        "cookie",
        "s%3A" + _some(URLSAFE, 32) + "." + _some(ALNUM, 43),
        "connect.sid={};",
    )
    add("curl", "password", "open-" + "sesame", "curl -s -u jo:{} https://api.acme.io/v1/me")
    add("mysql", "password", "S3same" + "Open", "mysqldump -h db -u root -p{} shop > dump.sql")
    add("sshpass", "password", "open" + "sesame", "sshpass -p {} ssh jo@host")
    add("netrc", "password", "open" + "sesame", "machine git.acme.io\n  login jo\n  password {}\n")
    add("redis", "password", "open" + "sesame", "redis-cli -h cache -a {} ping")
    add("docker login", "password", "Tr0ub4" + "dor", "docker login -u jo -p {} registry.acme.io")
    add("sql", "password", "Tr0ub4" + "dor", "CREATE USER jo WITH PASSWORD '{}';")
    add("requests", "password", "open" + "sesame", 'requests.get(url, auth=("jo", "{}"))')
    add("docker config", "basic-auth", _base64("jo:hunt" + "er2"), '{"r.io": {"auth": "{}"}}')
    add("quoted token", "token", _some(ALNUM, 24), "Use the token `{}` for staging.")
    add(
        "aws set", "aws-secret-key", _some(BASE64, 40), "aws configure set aws_secret_access_key {}"
    )
    add("curl cookie", "cookie", f"sid={_some(ALNUM, 32)}", "curl --cookie '{}' https://acme.io")
    add("pgpass", "password", "open" + "sesame", "db.acme.io:5432:shop:app:{}")
    add("flag password", "password", "Tr0ub4" + "dor", "pg --host db --password {} --list")
    add("flag token", "token", _some(ALNUM, 20), "deploy --auth-token {} --prod")
    add("flag secret", "secret", _some(ALNUM, 20), "deploy --client-secret {}")
    add("flag key", "api-key", _some(ALNUM, 20), "deploy --api-key {}")
    add("xml", "password", "hunt" + "er2", "<server><password>{}</password></server>")
    add("yaml password", "password", "hunt" + "er2", "db:\n  user: jo\n  password: {}\n")
    add("env password", "password", "a,b;c" + "!9z", "DB_PASSWORD={}\nDB_USER=jo")
    add("python password", "password", "Tr0ub4" + "dor&3", 'password: str = "{}"')
    add("go password", "password", "Tr0ub4" + "dor&3", 'dbPassword := "{}"')
    add("json in json", "password", "c0rrect" + "-horse", '"body": "{\\"password\\": \\"{}\\"}"')
    add("spoken password", "password", "Tr0ub4" + "dor&3", "the root password is {}.")
    add("call", "password", "Tr0ub4" + "dor&3", 'driver.setPassword("{}");')
    add("ado", "password", "Tr0ub4" + "dor!3", "Server=db;Database=shop;User Id=jo;Password={};")
    add("markdown", "password", "Tr0ub4" + "dor!3", "- **Password:** {}")
    add("api key", "api-key", _some(ALNUM, 32), "X-API-Key: {}")
    add("api key js", "api-key", _some(HEX, 32), "const apiKey = '{}';")
    add("query token", "token", _some(ALNUM, 24), "https://acme.io/cb?access_token={}&state=1")
    add("ruby token", "token", _some(LOWER + DIGITS, 32), ':auth_token => "{}"')
    add("client secret", "secret", _some(ALNUM, 32), "client_secret: {}")
    add("private key hex", "secret", "0x" + _some(HEX, 64), 'PRIVATE_KEY="{}"')
    add("rails", "secret", _some(HEX, 128), "secret_key_base: {}")
    add("high entropy", "high-entropy", _some(ALNUM, 40), "STORE_KEY={}")
    add("high entropy json", "high-entropy", _some(BASE64, 44), '"authKey2": "{}"')
    add("bcrypt", "password-hash", "$2b" + "$12$" + _some(ALNUM + "./", 53), "hash {} stored")
    add(
        "shadow",
        "password-hash",
        "$6$" + _some(ALNUM, 8) + "$" + _some(ALNUM, 86),
        "root:{}:19000:",
    )
    words = "ripple cabin lunar orbit maple silent harbor velvet candle pigeon tunnel rocket"
    add("seed phrase", "seed-phrase", words, "seed phrase: {}")
    add("mnemonic", "seed-phrase", words, 'mnemonic = "{}"')
    add("card", "credit-card", _card("4"), "paid with {}.")
    number = _card("51")
    spaced = " ".join(number[i : i + 4] for i in range(0, 16, 4))
    add("card spaced", "credit-card", spaced, "card {} expires 12/29")
    add("private", "private", "<private>call Jo</private>", "plan: {} then ship")
    add("private nested", "private", "<private>a<PRIVATE>b</PRIVATE>c</private>", "x {} y")
    add("private open", "private", "<private>\nall the rest", "keep this {}")
    return samples


SAMPLES: dict[str, Sample] = _samples()
