"""The words by which an action is judged: what only looks, what destroys, which areas there are."""

from __future__ import annotations

import re
from functools import lru_cache

from tacit.text import stem


def _stems(text: str) -> frozenset[str]:
    return frozenset(stem(word) for word in text.split())


LOOKING = _stems(
    """
    read view open cat ls list grep rg ag search find look check inspect show explain think plan ask
    review understand head tail less wc tree glob websearch webfetch browse explore analyze analyse
    study compare note remember recall pwd which type stat diff todowrite summarize verify test
    run_test run_tests read_file list_files search_files check_logs trace debug reproduce measure
    profile bash_output
    """
)

CHANGING = _stems(
    """
    edit write create change update add remove delete rename move refactor rewrite replace implement
    build design redesign redo make introduce migrate convert extract restructure upgrade bump
    multiedit write_file edit_file create_file apply_patch patch insert drop clean simplify install
    generate format fix
    """
)

# Words of working and of every path: two texts that share only these share nothing.
GENERIC = (
    _stems(
        """
        src lib app apps pkg package packages cmd internal main index init core common util utils
        helper helpers shared base module modules file files folder code project repo repository
        component components test tests spec doc docs js ts tsx jsx py go rs java rb php md json yaml
        yml toml css html sh new old issue task ticket bug fix feature work change error function
        method class line lines use using user users need want should make sure run running way thing
        things part all every first last next current existing please time page view data type
        types name value set get list item items broken wrong fail failing problem home work
        usr var opt tmp users system server client service api
        """
    )
    | LOOKING
    | CHANGING
)

AREAS = {
    name: _stems(words)
    for name, words in {
        "sign-in": "login logout auth authentication authorization oauth jwt password signin signup "
        "sso credential",
        "payments": "billing invoice payment payments checkout refund subscription pricing stripe tax "
        "cart discount",
        "the database": "database db sql migration postgres sqlite mysql orm",
        "the interface": "css button layout sidebar navbar modal dialog theme landing animation font "
        "logo banner colour color dark",
        "deployment": "deploy deployment docker kubernetes helm terraform nginx",
        "mail": "email mail smtp newsletter inbox",
        "uploads": "upload image photo thumbnail attachment avatar video",
        "analytics": "analytics telemetry metrics",
        "caching": "cache redis memcached",
        "translation": "i18n translation locale",
    }.items()
}

# Goes along with any change.
_COMPANIONS = (
    r"(?i)(?:^|/)(?:tests?|specs?|__tests__|docs?|fixtures|examples?|migrations|config|\.github)/"
    r"|(?:^|[/_.-])(?:test|tests|spec|conftest|mock|fixture)s?[_.]|_test\.|\.(?:test|spec)\."
    r"|(?:^|/)(?:readme|changelog|license|contributing|claude|agents|todo|plan|notes)\b"
    r"|(?:^|/)(?:package(?:-lock)?\.json|pyproject\.toml|cargo\.(?:toml|lock)|go\.(?:mod|sum)|"
    r"requirements[\w.-]*\.txt|makefile|dockerfile|setup\.\w+|tsconfig[\w.]*\.json|yarn\.lock|"
    r"uv\.lock|poetry\.lock|\.gitignore|\.env[\w.]*|__init__\.py|index\.[jt]sx?|types?\.\w+|"
    r"constants?\.\w+|utils?\.\w+|helpers?\.\w+|common\.\w+|config\.\w+|settings\.\w+)$"
    r"|\.(?:md|rst|txt|lock|snap)$"
)

_DESTRUCTIVE = (
    r"(?i)\brm\s+-\w*[rf]\w*|\bgit\s+reset\s+--hard|\bgit\s+clean\s+-\w*f|\bgit\s+checkout\s+--\s+\."
    r"|\bgit\s+push\b[^|;&]*(?:--force\b(?!-with-lease)|\s-f\b|\s\+\w)|\bgit\s+branch\s+-D"
    r"|\bgit\s+(?:filter-branch|filter-repo|stash\s+(?:drop|clear))"
    r"|\bdrop\s+(?:table|database|schema|index|collection)\b|\btruncate\s+table\b|\bdropdb\b"
    r"|\bdelete\s+from\s+\S+\s*(?:;|$|\")|\bterraform\s+destroy|\bkubectl\s+delete|\bhelm\s+uninstall"
    r"|\bdocker\s+(?:system|volume|image)\s+(?:prune|rm)|\baws\s+s3\s+(?:rm|rb)\b|\bmkfs\b"
    r"|\bdd\s+if=|\bfind\b[^|;&]*\s-delete\b|\bflushall\b|\bflushdb\b|\b(?:wipe|purge|destroy)\b"
    r"|\bdelete\s+(?:all|every|the\s+whole|the\s+entire)\b|\bremove\s+(?:all|every)\b"
)
# One of these stands in all that destroys; cheaper to look for than to compile the above.
_HARM = (
    "rm reset clean checkout push branch filter stash drop truncate delete destroy kubectl helm "
    "docker aws mkfs dd flush wipe purge remove"
).split()
DESTROYING = _stems(
    "delete remove drop clean cleanup reset revert undo purge wipe destroy prune erase discard "
    "truncate uninstall clear rebase rewrite teardown rollback"
)
THROWAWAY = re.compile(
    r"(?i)(?:^|/)(?:dist|build|out|target|node_modules|__pycache__|coverage|htmlcov|tmp|temp|"
    r"\.cache|\.next|\.turbo|\.venv|venv|\.pytest_cache|\.mypy_cache|\.ruff_cache|\.tox|\.nox|"
    r"[\w.*-]+\.(?:log|pyc|tmp|egg-info|bak|orig))/?$|^/tmp/|^\$?\{?TMPDIR|^/var/folders/"
)
OUTWARD = re.compile(
    r"(?i)\b(?:npm|yarn|pnpm|cargo|twine|poetry|uv|gem)\s+(?:publish|upload)\b|\bterraform\s+apply"
    r"|\bkubectl\s+apply|\bhelm\s+upgrade|\b(?:fly|flyctl|vercel|netlify|heroku|serverless)\s+deploy"
    r"|\bgh\s+release\s+create|\b(?:deploy|publish|ship|release)(?:s|ed|ing)?\b.*\b(?:production|prod|live)\b"
)
WRITES_BY_SHELL = re.compile(
    r"(?<![-=0-9&])>{1,2}\s*(?!/dev/null|&)\S|\bsed\s+-\w*i|\btee\s+\S|-delete\b"
    r"|(?:^|[;&|]\s*)(?:mkdir|touch|cp|mv|ln|chmod|chown|rm)\s"
)
# A line that begins with one of these, or with a script, is for a shell.
PROGRAMS = frozenset(
    """
    git go npm npx pnpm yarn bun node deno python python3 pip uv poetry pytest cargo rustc make just
    mise docker kubectl helm terraform gh aws gcloud curl wget cd export source bash sh zsh sudo env
    echo printf mkdir touch cp mv rm ln chmod sed awk sort uniq cut tr xargs jq ps kill sleep time
    ruff mypy eslint prettier tsc jest vitest rspec bundle rails rake mix gradle mvn dotnet php
    composer psql sqlite3 mysql redis-cli ssh scp rsync tar unzip brew apt apt-get golangci-lint
    """.split()
)
PATH = re.compile(r"(?<![\w:/])[\w.@~+-]*(?:/[\w.@~+-]+)+|(?<![\w./])[\w@+-]+\.[A-Za-z]\w{0,9}\b")


def destructive(action: str) -> str:
    """Give the words of an action that destroy something; empty where none do."""
    lower = action.lower()
    if not any(sign in lower for sign in _HARM):
        return ""
    found = _compiled(_DESTRUCTIVE).search(action)
    return found[0] if found else ""


def companion(path: str) -> bool:
    """Tell whether a file goes along with any change."""
    return bool(_compiled(_COMPANIONS).search(path))


@lru_cache(maxsize=4)
def _compiled(pattern: str) -> re.Pattern[str]:
    """Compile when first needed: a hook that sees an agent read a file needs none of them."""
    return re.compile(pattern)
