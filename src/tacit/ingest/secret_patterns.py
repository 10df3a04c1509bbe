r"""What a secret looks like: tables of formats.

Knows nothing about finding or replacing; `redaction` does that. A row is `(type, triggers, rest)`:
it is compiled only when one of its space-separated triggers occurs in the text, so harmless
text compiles nothing. Without a group the whole match is the secret; else the group is, and
the group's name is the check in `secret_values` that it has to pass. Of overlapping finds the row
that stands first names the placeholder, so the specific stand before the general.

Every pattern takes linear time: runs are possessive or bounded and start at a literal, so no
stretch of text is read from more than a few starts.
"""

from __future__ import annotations

Rule = tuple[str, str, str]


def word_start(width: int, inside: str = "A-Za-z0-9") -> str:
    """Give a condition on the `width` characters just read: that a word can begin with them.

    It looks back, because `re` searches fast only where a literal comes first. A word also
    begins after a line break or a byte written as an escape, and after a terminal's colour.
    """
    read = f".{{{width}}}"
    return (
        rf"(?:(?<![{inside}]{read})|(?<=\\[nrt]{read})|(?<=%[0-9A-F][0-9A-F]{read})"
        rf"|(?<=\[\dm{read})|(?<=[\[;]\d\dm{read}))"
    )


# Between the lines of a key may stand quotes, escapes, line numbers and the signs of a diff.
_GAP = r"(?:[\s\"',>|#*]|\\+[nrt]?|\d{1,6}(?:[→\t:|]|\\+(?:u2192|t))|-(?!-)){0,40}"
_HEADER = r"(?:Proc-Type|DEK-Info|Version|Comment|Charset|Hash): [^\n\\]{0,100}"
_CHUNK = r"(?=[a-z+/]{0,15}[A-Z0-9])[A-Za-z0-9+/]{16,}+={0,2}"
_END = r"-----END [A-Z0-9 ]{0,50}-----"
_PEM = (
    r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?=[^-]{0,200}[A-Za-z0-9+/]{16})"
    rf"(?:[^-]*+{_END}|(?:{_GAP}(?:{_HEADER}|{_CHUNK}))*"
    rf"(?:{_GAP}[A-Za-z0-9+/]{{0,15}}={{0,2}}{_GAP}{_END})?)"
)
# The body of a key whose header was left out: how RSA, EC, Ed25519 and OpenSSH keys begin.
_KEY_BODY = (
    r"(?:MII[\w+/]{3}IBA(?:AK|DANBgkqhkiG)|MI[\w+/]{2}AgEAM|MHcCAQEE|MC4CAQAw|b3BlbnNzaC1rZXktdjE)"
    rf"(?:[A-Za-z0-9+/]{{12,}}+(?:{_GAP}{_CHUNK})*(?:{_GAP}[A-Za-z0-9+/]{{1,15}}={{0,2}}(?!\w))?"
    rf"(?:{_GAP}{_END})?)"
)


def key_body(newline: str) -> str:
    """Give a pattern for lines of base64 that are all as wide as those of a key, and the last."""
    gap = newline.replace("\\", r"\\")
    lines = "|".join(
        rf"(?<![A-Za-z0-9+/]{{{width}}}{gap})(?:[A-Za-z0-9+/]{{{width}}}{gap}){{2,}}+"
        for width in (64, 70, 76)
    )
    return (
        rf"{gap}(?<!-----{gap})(?P<secret>(?=\S{{0,40}}[a-z])(?=\S{{0,40}}[A-Z])(?=\S{{0,40}}[0-9])"
        rf"(?:{lines})[A-Za-z0-9+/]{{4,76}}={{0,2}}(?:{gap}{_END})?)"
    )


_AWS_PAIR = (
    r"A[KS]IA[A-Z0-9]{16}\\*[\"']?\s?[\s,;:|]\s?\\*[\"']?(?P<secret>[A-Za-z0-9+/]{40})(?![\w+/=])"
)
_CARD = (
    r"(?P<card>[2-6](?<![\w.-].)\d{3}[ -]?(?:\d{4}[ -]?\d{4}[ -]?\d{4}|\d{6}[ -]?\d{5}))"
    r"(?!\w|[.-]\d)"
)
_PUTTY = (
    r"Private-Lines: \d+(?:\s|\\+[nr])(?P<secret>[\w+/=]{16,}+(?:(?:\s|\\+[nr])[\w+/=]{16,}+)*)"
)
_JWT = rf"eyJ{word_start(3, '_A-Za-z0-9-')}[\w-]{{10,}}+(?:\.[\w-]{{10,}}+)(?:\.[\w-]{{10,}}+)*"
_DIGITS64 = r"[MNO][DTjz][AEIMQUYcgk][w-z0-5]"  # three digits in base64
_DISCORD = rf"{_DIGITS64}(?:{_DIGITS64}){{4,5}}[\w-]{{0,4}}\.[\w-]{{5,8}}\.[\w-]{{27,}}+"

# The trigger is a literal somewhere inside the pattern.
PATTERNS: tuple[Rule, ...] = (
    ("private-key", "PRIVATE", _PEM),
    ("private-key", "Private-Lines:", _PUTTY),
    ("private-key", "MII MHcCAQEE MC4CAQAw b3BlbnNzaC1rZXktdjE", _KEY_BODY),
    ("password", "zip ", r"zip\s(?:[^\n]{0,100}?\s)?-\w{0,5}P ?[\"']?(?P<real>[^\s\"']+)"),
    ("credit-card", "2 3 4 5 6", _CARD),
)

# The same, where nothing but letters, digits and signs stand: one long word holds all of it.
LONG_WORDS: tuple[Rule, ...] = (
    ("aws-secret-key", "AKIA ASIA", _AWS_PAIR),
    ("azure-client-secret", "Q~", r"[\w~.-](?<![\w~.-].)[\w~.-]{2}\dQ~[\w~.-]{31,}+"),
    ("azure-key", "JQQJ9", r"[A-Za-z0-9](?<!\w.)[A-Za-z0-9]{51}JQQJ9[A-Za-z0-9]{20,}+"),
    ("firebase-key", ":APA91b", r"AAAA[\w-]{7}:APA91b[\w-]{100,}+"),
    ("mailchimp-key", "-us", r"[0-9a-f](?<!\w.)[0-9a-f]{31}-us\d{1,2}(?!\w)"),
    ("newrelic-key", "NRAL", r"[0-9a-f](?<!\w.)[0-9a-f]{35}NRAL(?!\w)"),
    ("telegram-token", ":AA", r"\d(?<!\d.)\d{7,9}:AA[\w-]{32,}+"),
    ("terraform-token", ".atlasv1.", r"[A-Za-z0-9](?<!\w.)[A-Za-z0-9]{13}\.atlasv1\.[\w=-]{50,}+"),
    ("jwt", "eyJ", _JWT),
    ("discord-token", "MD MT Mj Mz ND NT Nj Nz OD OT Oj Oz", _DISCORD),
)

# The trigger is how the secret begins, and says enough to be believed anywhere.
PREFIXES: tuple[Rule, ...] = (
    ("age-key", "AGE-SECRET-KEY-", r"[A-Z0-9-]{40,}+"),
    ("anthropic-key", "sk-ant-", r"[\w-]{20,}+"),
    ("atlassian-token", "ATATT3 ATCTT3", r"[\w=+/.-]{50,}+"),
    ("aws-mws-key", "amzn.mws.", r"[0-9a-f-]{36}"),
    ("azure-storage-key", "AccountKey= SharedAccessKey=", r"(?P<secret>[\w+/]{20,}+={0,2})"),
    ("braintree-token", "access_token$", r"\w{1,20}\$[0-9a-z]{16}\$[0-9a-f]{32}"),
    ("brevo-key", "xkeysib- xsmtpsib-", r"[0-9a-f]{60,}+[\w-]*+"),
    ("cloudflare-key", "v1.0-", r"[0-9a-f]{24}-[0-9a-f]{100,}+"),
    ("digitalocean-token", "doo_v1_ dop_v1_ dor_v1_", r"[0-9a-f]{60,}+"),
    ("discord-webhook", "/api/webhooks/", r"\d{15,}+/(?P<secret>[\w-]{30,}+)"),
    ("docker-token", "dckr_pat_ dckr_oat_", r"[\w-]{20,}+"),
    ("dynatrace-token", "dt0c01. dt0s01. dt0s02.", r"[A-Z0-9]{20,}+\.[A-Z0-9]{60,}+"),
    ("figma-token", "figd_", r"[\w-]{30,}+"),
    ("fly-token", "fm1_ fm2_ fo1_", r"[\w+/=-]{40,}+"),
    ("github-token", "ghp_ gho_ ghu_ ghs_ ghr_", r"[A-Za-z0-9]{30,}+"),
    ("github-token", "github_pat_", r"\w{30,}+"),
    ("gitlab-token", "glpat- gldt- glrt- glptt- glcbt- glsoat-", r"[\w-]{20,}+(?:\.[\w-]{2,}+)*"),
    ("gitlab-token", "glft- gloas- glimt- glagent- GR1348941", r"[\w-]{20,}+"),
    ("google-oauth-secret", "GOCSPX-", r"[\w-]{20,}+"),
    ("google-oauth-token", "ya29.", r"[\w.-]{20,}+"),
    ("grafana-token", "glsa_ glc_", r"[\w+/=]{30,}+"),
    ("groq-key", "gsk_", r"[A-Za-z0-9]{40,}+"),
    ("heroku-key", "HRKU-", r"[\w-]{30,}+"),
    ("huggingface-token", "hf_ api_org_", r"[A-Za-z0-9]{30,}+"),
    ("langfuse-key", "sk-lf-", r"[0-9a-f-]{36}"),
    ("langsmith-key", "lsv2_pt_ lsv2_sk_", r"[0-9a-f]{32}_[0-9a-f]{10}"),
    ("linear-key", "lin_api_ lin_oauth_", r"[A-Za-z0-9]{30,}+"),
    ("netlify-token", "nfp_", r"[A-Za-z0-9]{30,}+"),
    ("newrelic-key", "NRAK- NRAA- NRJS- NRIQ- NRII- NRRA- NRSP-", r"[\w-]{16,}+"),
    ("notion-token", "ntn_", r"[A-Za-z0-9]{40,}+"),
    ("npm-token", "npm_", r"[A-Za-z0-9]{30,}+"),
    ("onepassword-token", "ops_eyJ", r"[\w+/=-]{100,}+"),
    ("openai-key", "sk-proj- sk-svcacct- sk-admin- sk-None-", r"[\w-]{20,}+"),
    ("openrouter-key", "sk-or-", r"[\w-]{30,}+"),
    ("perplexity-key", "pplx-", r"[A-Za-z0-9]{40,}+"),
    ("pinecone-key", "pcsk_", r"\w{40,}+"),
    ("plaid-token", "access-production- access-development- access-sandbox-", r"[0-9a-f-]{36}"),
    ("planetscale-token", "pscale_tkn_ pscale_pw_ pscale_oauth_", r"[\w=.-]{30,}+"),
    ("postman-key", "PMAK-", r"[0-9a-f]{24}-[0-9a-f]{30,}+"),
    ("pulumi-token", "pul-", r"[0-9a-f]{40}"),
    ("pypi-token", "pypi-AgE", r"[\w-]{40,}+"),
    ("razorpay-key", "rzp_live_ rzp_test_", r"[A-Za-z0-9]{14,}+"),
    ("rubygems-key", "rubygems_", r"[0-9a-f]{40,}+"),
    ("sendgrid-key", "SG.", r"[\w-]{16,}+\.[\w-]{16,}+"),
    ("sentry-token", "sntrys_ sntryu_ sntrya_", r"[\w+/=.-]{40,}+"),
    ("shopify-token", "shpat_ shpca_ shppa_ shpss_", r"[0-9a-fA-F]{32,}+"),
    ("signed-url", "?sig= &sig= ;sig=", r"(?P<secret>[\w%+/.-]{20,}+={0,2})"),
    ("signed-url", "X-Amz-Signature= X-Goog-Signature=", r"(?P<secret>[0-9a-f]{60,}+)"),
    ("signed-url", "X-Amz-Security-Token=", r"(?P<secret>[\w%+/=.-]{20,}+)"),
    ("slack-token", "xoxa- xoxb- xoxc- xoxd- xoxe- xoxo- xoxp- xoxr- xoxs-", r"[\w%-]{10,}+"),
    ("slack-token", "xapp- xoxe.", r"[\w.-]{20,}+"),
    ("slack-webhook", "hooks.slack.com/", r"[a-z]{5,15}/(?P<secret>[\w/-]{20,}+)"),
    ("sonar-token", "sqp_ squ_ sqa_", r"[0-9a-f]{40}"),
    ("square-token", "sq0atp- sq0csp- sq0idp-", r"[\w-]{22,}+"),
    ("stripe-key", "sk_live_ sk_test_ sk_prod_ rk_live_ rk_test_ rk_prod_", r"[A-Za-z0-9]{10,}+"),
    ("stripe-webhook-secret", "whsec_", r"[A-Za-z0-9+/]{24,}+={0,2}"),
    ("supabase-key", "sbp_ sb_secret_", r"[\w-]{30,}+"),
    ("tailscale-key", "tskey-", r"[a-z]{2,10}-[\w-]{20,}+"),
    ("teams-webhook", "webhook.office.com/", r"webhookb2/(?P<secret>[\w@/-]{40,}+)"),
    ("vault-token", "hvs. hvb. hvr.", r"[\w-]{20,}+"),
    ("xai-key", "xai-", r"[A-Za-z0-9]{60,}+"),
)

# The trigger is how the secret begins, but is believed only where a word can begin.
WORDS: tuple[Rule, ...] = (
    ("airtable-token", "pat", r"[A-Za-z0-9]{14}\.[0-9a-f]{60,}+"),
    ("aws-bedrock-key", "ABSK", r"(?<![+/]....)[A-Za-z0-9+/]{80,}+={0,2}"),
    ("aws-access-key", "AKIA ASIA ABIA ACCA", r"[A-Z0-9]{16}(?!\w)"),
    ("bitbucket-password", "ATBB", r"[A-Za-z0-9]{32}(?!\w)"),
    ("crates-token", "cio", r"[A-Za-z0-9]{32}(?!\w)"),
    ("databricks-token", "dapi", r"[0-9a-f]{32}(?:-\d)?(?!\w)"),
    ("doppler-token", "dp.pt. dp.st. dp.ct. dp.sa. dp.scim. dp.audit.", r"[\w.-]{40,}+"),
    ("facebook-token", "EAA", r"(?<![+/]...)[A-Za-z0-9]{90,}+"),
    ("google-api-key", "AIza", r"[\w-]{35,}+"),
    ("google-oauth-token", "1//0", r"[\w-]{30,}+"),
    ("hubspot-token", "pat-na1- pat-na2- pat-eu1-", r"[0-9a-f-]{36}"),
    ("jfrog-key", "AKCp", r"[A-Za-z0-9]{60,}+"),
    ("mailgun-key", "key-", r"[0-9a-f]{32}(?!\w)"),
    ("notion-token", "secret_", r"[A-Za-z0-9]{43}(?!\w)"),
    ("nuget-key", "oy2", r"[a-z0-9]{43}(?!\w)"),
    ("openai-key", "sk-", r"[A-Za-z0-9]{32,}+"),
    ("password-hash", "$1$ $5$ $6$ $y$ $apr1$ $2a$ $2b$ $2y$ $argon2id$", r"[\w./$=,+-]{20,}+"),
    ("replicate-token", "r8_", r"[A-Za-z0-9]{30,}+"),
    ("square-token", "EAAA", r"(?<![+/]....)[\w-]{60}(?!\w)"),
    ("twilio-auth-token", "AC", r"[0-9a-f]{32}[\"']?[:,\s] ?[\"']?(?P<secret>[0-9a-f]{32})(?!\w)"),
    ("twilio-key", "SK", r"[0-9a-f]{32}(?!\w)"),
)


def _option(command: str, option: str) -> str:
    """Give a pattern for an option of a command on the same line, up to where its value begins."""
    return rf"{command}(?:(?!{command})[^\n]){{0,200}}?\s{option}[\"']?"


# The words around it betray the secret. Read in lower case, triggers and patterns alike.
_Q = r"[\"'\\]*+"
_PHRASE = r"pass(?:word|wd|phrase)"
_AUTH = rf"authorization{_Q}\s?[:=,]\s?{_Q}"
_LOGIN = r"[^\s:@/?#\"'<>\[\]]{0,100}+:(?P<real>[^\s/?\"'<>`\\]{1,2000})@[\w.\[-]"
_SLASHED = (  # a slash in the password, not one that follows a port
    r"[^\s:@/?#\"'<>\[\]]{0,100}+:(?!\d{1,5}[/?#])"
    r"(?P<password>[^\s/?@\"'<>`\\]{0,200}/[^\s@\"'<>`\\]{0,200})@[\w.\[-]"
)
_QUOTED = r"[\"'`](?P<%s>[^\s\"'`]+)[\"'`]"
_WORDS = r"(?P<secret>[a-z]{3,8}(?: [a-z]{3,8}){11,23})(?! ?\w)"
_VALUE = r"(?P<%s>(?<=')[^'\n]{1,200}(?=')|(?<=\")[^\"\n]{1,200}(?=\")|[^\s\"'`]+)"
_REAL, _PASSWORD, _MADE = (_VALUE % check for check in ("real", "password", "token"))
_UNTIL_AT = r"(?P<real>[^\s\"'@]{3,})"
# A command, how its option for a password is written, whether what follows is surely one.
_OPTIONS = (
    ("mysql", r"-p(?![\d.]+:)", False),
    ("login ", "-p ", False),
    ("redis-cli", "-a ", True),
    ("sshpass", "-p ?", True),
    ("mongo", r"(?:-p[ =]?(?!ort|assw)|--password[ =])", True),
    ("gpg", "--passphrase ", True),
    ("ldap", "-w ", True),
    ("7z ", "-p", False),
    ("sqlcmd", "-p ?", False),
    ("mosquitto_", "-p ?(?:w )?", False),
    ("keytool", "-(?:store|key)pass ", True),
    ("xfreerdp", "/p:", True),
    ("useradd", "-p ", False),
)
_PASSWORDS = (  # trigger, pattern
    ("curl", _option("curl", r"(?:-u ?|--user[ =])") + rf"[^\s:\"']{{1,100}}:[\"']?{_REAL}"),
    *(
        (command, _option(command, option) + (_REAL if sure else _PASSWORD))
        for command, option, sure in _OPTIONS
    ),
    ("pass:", rf"\b(?:pass(?:in|out)?[ =]|-k )?pass:{_REAL}"),
    ("chpasswd", rf"(?:echo|printf)\s[\"']?[\w.-]{{1,64}}:{_REAL}[^\n]{{0,40}}chpasswd"),
    ("chpasswd", rf"chpasswd\s?<<<\s?[\"']?[\w.-]{{1,64}}:{_REAL}"),
    ("sqlplus", rf"sqlplus\s(?:-\w+\s){{0,4}}[\"']?[\w$#]{{1,64}}/{_UNTIL_AT}"),
    ("htpasswd", rf"htpasswd\s-\w*b\w*\s\S{{1,200}}\s[\w.@-]{{1,64}}\s[\"']?{_REAL}"),
    ("htpasswd", rf"htpasswd\s-\w*n\w*b\w*\s[\w.@-]{{1,64}}\s[\"']?{_REAL}"),
    ("smbclient", rf"smbclient\s[^\n]{{0,200}}?-u\s?[\"']?[^\s%]{{1,64}}%{_REAL}"),
    ("sudo", r"echo\s[\"']?(?P<password>[^\s\"'|]+)[\"']?\s?\|\s?sudo\s-\w*s"),
    ("machine", r"machine\s+\S{1,200}\s+login\s+\S{1,200}\s+password\s+(?P<real>\S+)"),  # .netrc
    (":5432:", rf":5432:[^\s:]{{1,99}}:[^\s:]{{1,99}}:{_REAL}"),  # .pgpass
    ("-pass", rf"-{_PHRASE} [\"']?{_PASSWORD}"),
    ("</", rf"{_PHRASE}>\s?(?P<password>[^<>\s]{{6,}}+)</"),
    ("password identified", rf"(?:{_PHRASE}|identified by) {_QUOTED % 'password'}"),
    ("auth", rf"auth=?\(\\*[\"'][^\s\"'\\]{{1,100}}\\*[\"'], ?\\*{_QUOTED % 'real'}\)"),
)
CONTEXTS: tuple[Rule, ...] = (
    ("sentry-dsn", "sentry", r"://(?P<secret>[0-9a-f]{32}(?::[0-9a-f]{32})?)@[\w.-]{1,99}sentry"),
    ("url-credentials", "http", rf"https?://{_LOGIN}"),
    ("url-credentials", "http", r"https?://(?P<token>[\w.~%-]{20,}+)@"),
    ("connection-string", "://", rf"://{_LOGIN}"),
    ("connection-string", "://", rf"://{_SLASHED}"),
    (
        "cookie",
        "cookie",
        rf"cookie{_Q}[ :=]{{1,3}}{_Q}(?P<cookie>[\w.-]{{1,80}}=[^\r\n\"']{{8,}}+)",
    ),
    ("cookie", "sessid=", r"sessid=(?P<token>[\w.%+/-]{16,}+)"),
    ("cookie", "sessionid=", r"sessionid=(?![0-9a-f]{8}-)(?P<token>[\w.%+/-]{16,}+)"),
    ("cookie", "connect.sid=", r"connect\.sid=(?P<secret>[\w.%+/-]{16,}+)"),
    ("basic-auth", "basic", rf"{_AUTH}basic\s{{1,4}}(?P<token>[\w+/]{{8,}}+={{0,2}})"),
    ("bearer-token", "bearer", r"bearer\s{1,4}(?P<token>[\w.~+/%-]{12,}+={0,2})"),
    ("authorization", "authorization", rf"{_AUTH}(?:[a-z]{{3,12}} )?(?P<token>[\w.~+/-]{{12,}}+)"),
    *(("password", trigger, pattern) for trigger, pattern in _PASSWORDS),
    ("aws-secret-key", "access_key ", r"secret_access_key (?P<secret>[\w/+]{40})(?![\w/+])"),
    ("token", "token secret", rf"(?:token|secret) {_QUOTED % 'token'}"),
    ("token", "-token", rf"-token [\"']?{_MADE}"),
    ("secret", "-secret", rf"-secret [\"']?{_MADE}"),
    ("api-key", "-api", rf"-api-?key [\"']?{_MADE}"),
    ("seed-phrase", "mnemonic", rf"mnemonic{_Q}\s?[:=]\s?{_Q}{_WORDS}"),
    ("seed-phrase", "phrase", rf"(?:seed|recovery)[ _-]?phrase{_Q}\s?[:=]\s?{_Q}{_WORDS}"),
)

# A telling name and its value, joined in another way than by a sign of assignment. Read in lower
# case; the last word is the check of a password that stands so, if it is another than its own.
_TELLING = (
    r"(?P<name>[\w .-]{0,40}?(?:pass(?:word|wd|phrase|code)?|pwd|\bpw|secret|token|credential|key)"
    r"[\w.-]{0,20}+)"
)
_SAID = r"(?P<name>pass(?:word|wd|phrase|code)|pwd|\bpw)"
_CELL = r"[ \t]{0,40}+[*_`\"]{0,3}"
_BARE = r"(?P<value>(?<=')[^'\n]{1,200}|(?<=\")[^\"\n]{1,200}|[^\s\"'`\\]+)"
NAMED: tuple[tuple[str, str, str], ...] = (
    (
        "env ,arg ",
        rf"(?:env|arg)(?:(?<![\w-]...)|(?<=\\n...))[ \t]{{1,4}}{_TELLING}[ \t]{{1,4}}[\"']?{_BARE}",
        "setting",
    ),
    ("setx ,setenv ", rf"\bset(?:x|env) {_TELLING} [\"']?{_BARE}", "setting"),
    ("set -", rf"\bset -\w{{1,6}} {_TELLING} [\"']?{_BARE}", "setting"),
    (
        "variable",
        rf"variable[ \t]{{1,4}}\\*\"?{_TELLING}\\*\"?\s{{0,9}}\{{(?:(?!variable)[\s\S]){{0,400}}?default\s{{0,9}}=\s{{0,9}}"
        r"\\*\"(?P<value>[^\"\n\\]+)",
        "",
    ),
    (
        "|",
        rf"\|{_CELL}{_TELLING}{_CELL}[ \t]{{0,40}}\|{_CELL}(?P<value>[^|\n`]{{1,200}}?)"
        r"[*_`\"]{0,3}[ \t]{0,40}\|",
        "",
    ),
    (
        "value",
        rf"(?:name|key)\\*[\"']?\s?[:=]\s?\\*[\"']?{_TELLING}\\*[\"']?,?(?:\s|\\n){{1,40}}\\*[\"']?value"
        rf"\\*[\"']?\s?[:=]\s?\\*[\"']?{_BARE}",
        "",
    ),
    (
        "pass,pwd,pw",
        rf"{_SAID}s?(?: (?:for|of|to|on|in)(?: [\w./-]{{1,30}}){{1,5}}?(?: (?:is|was|=)|:) "
        r"|:? (?:(?:is|was|are|to|be|now|set)[ :,=-]{1,3}){0,3})"
        rf"\\*[\"'`]?{_BARE}",
        "spoken",
    ),
)

# Names whose value may be a secret. Read in lower case; the match begins at the first telling
# word, and what stands before it in the name does not matter.
NAME_TRIGGERS = "pass pwd pw secret token credential auth key heroku twilio".split()
NAME = (
    r"(?P<name>(?:pass(?:word|wd|phrase|code|(?<=[_-]....)(?![a-z])|(?:(?<![a-z]....)|(?<=\\n....))(?= ?[=:]))|pwd|pw(?<![a-z]..)(?![a-z])|secret"
    r"|(?:session|security)[ _.-]?token|token(?<!publickeytoken)|credential|auth"
    r"|(?:api|access|private|signing|encryption|master)[ _.-]?key|key(?<!pub...)(?<!pub....)"
    r"(?<!public...)(?<!public....)|heroku|cloudflare|fastly|datadog|dd_ap|twilio)"
    r"[\w.-]{0,40}+(?: (?:api key|key|token|secret)\b)?)"
)

# Some owners' secrets have no mark of their own: the name says whose, the shape says whether.
OWNERS: tuple[Rule, ...] = (
    ("aws-secret-key", "secretaccesskey secretkey awssecret", r"[A-Za-z0-9/+]{40}"),
    ("aws-session-token", "sessiontoken securitytoken", r"[A-Za-z0-9/+]{64}"),
    ("cloudflare-key", "cloudflare", r"[\w-]{37,40}"),
    ("datadog-key", "datadog ddapi ddapp", r"[0-9a-f]{32}|[0-9a-f]{40}"),
    ("fastly-key", "fastly", r"[\w-]{32}"),
    ("heroku-key", "heroku", r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"),
    ("twilio-auth-token", "twilio", r"[0-9a-f]{32}"),
)

# How the name ends, the type of the placeholder, the check of the value.
ENDINGS: tuple[tuple[tuple[str, ...], str, str], ...] = (
    (("password", "passwd", "passphrase", "passcode", "pass", "pwd", "pw"), "password", "password"),
    (("apikey",), "api-key", "token"),
    (("auth",), "basic-auth", "token"),
    (("token", "jwt", "bearer"), "token", "token"),
    (("secret", "credential", "secretkey", "privatekey", "accesskey"), "secret", "token"),
    (("signingkey", "encryptionkey", "masterkey", "secretkeybase"), "secret", "token"),
    (("id", "url", "uri", "name", "path", "file", "hash", "digest", "pubkey"), "", "never"),
    (("publickey",), "", "never"),
    (("",), "high-entropy", "random"),
)
