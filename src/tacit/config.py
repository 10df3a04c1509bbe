"""The settings, read once at the edge from the environment and `<home>/config.toml`.

Knows where Tacit's files lie on each system; makes none of them and knows no project (that is
`project`). The environment wins over the file, and an empty value counts as not given. A
missing home is an error only for those who need a path in it: a Postgres store needs none.
"""

from __future__ import annotations

import os
import sys

from tacit.errors import Invalid, Unavailable
from tacit.plain_toml import read_toml
from tacit.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    Scalar = str | bool | int
    Number = bool | int | float

CONFIG_FILE = "config.toml"
EMBED_THREADS_MAX = 64
LLM_DAILY_TOKENS_MAX = 999_999_999

# How much may be written without being asked: all that passes the gate, the same but waiting for
# review, only what a person writes, nothing.
WRITE_MODES = ("auto", "review", "manual", "off")

# What hooks hand to an agent by themselves: nothing, only what there is by topic, or what fits.
INJECT_MODES = ("off", "index", "auto")
CONSOLIDATE_MODES = ("auto", "manual")
IDLE_SECONDS_MAX = 86_400
INJECTED_TOKENS_MAX = 2300  # some hosts put more aside in a file

# The parts of the pipeline that a function of somebody's may stand for (a store is its own address).
PARTS = ("encode_by", "recall_by", "care_by")

# The keys of the file, the kind of each and what may stand there. `home` says where the file
# is and `project` would make one project of every folder: both belong to the environment.
FILE_KEYS: dict[str, tuple[type, str]] = {
    "store": (str, "a path, sqlite://path, postgresql://login@host/database or http://server"),
    "token": (str, "text: the token a server asks for"),
    "tenant": (str, "the name of a tenant of a PostgreSQL store"),
    "skip": (bool, "true or false"),
    "embedder": (str, "text: default, off or <library>:<model>"),
    "profile": (str, "text: the name of a profile"),
    "reranker": (str, "text: off or onnx:<folder>"),
    **dict.fromkeys(PARTS, (str, "module:function")),
    "user": (str, "a name without / and control characters"),
    "write": (str, f"one of {', '.join(WRITE_MODES)}"),
    "embed_threads": (int, f"a whole number from 1 to {EMBED_THREADS_MAX}"),
    "llm": (str, "text: off, openai:<model>, anthropic:<model> or command:<program>"),
    "llm_daily_tokens": (int, f"a whole number from 0 to {LLM_DAILY_TOKENS_MAX}"),
    "inject": (str, f"one of {', '.join(INJECT_MODES)}"),
    "start_tokens": (int, f"a whole number from 0 to {INJECTED_TOKENS_MAX}"),
    "prompt_tokens": (int, f"a whole number from 0 to {INJECTED_TOKENS_MAX}"),
    "worker": (bool, "true or false"),
    "bypass": (bool, "true or false"),
    "consolidate": (str, f"one of {', '.join(CONSOLIDATE_MODES)}"),
    "idle_seconds": (int, f"a whole number from 0 to {IDLE_SECONDS_MAX}"),
}
# The keys of the table `[rules]` (`consolidate.room.Rules`): their kind, the least and the most.
RULES = "rules"
RULE_KEYS: dict[str, tuple[type, int, int]] = {
    "archive_episode_after": (float, 1, 36_500),
    "archive_behind": (int, 1, 999_999),
    "forget_behind": (int, 1, 999_999),
    "archive_after": (float, 1, 36_500),
    "archive_cited_below": (int, 0, 999_999),
    "grace": (float, 1, 36_500),
    "exempt_importance": (float, 0, 1),
    "pattern_confidence": (float, 0, 1),
    "most_memories": (int, 1, 999_999_999),
    "promote_to_mandate": (bool, 0, 1),
}
_WORDS = {"1": True, "true": True, "yes": True, "on": True}
_WORDS |= {"0": False, "false": False, "no": False, "off": False}


class Settings(Value):
    """What the user chose. Paths are absolute; `home` is empty where none could be found."""

    home: str
    user: str
    user_home: str = ""
    store: str = ""
    token: str = ""
    tenant: str = ""
    project: str = ""
    skip: bool = False
    embedder: str = "default"
    profile: str = "default"
    reranker: str = "off"
    encode_by: str = ""
    recall_by: str = ""
    care_by: str = ""
    write: str = "auto"
    embed_threads: int = 1
    llm: str = "off"
    llm_daily_tokens: int = 100_000
    inject: str = "auto"
    start_tokens: int = 400
    prompt_tokens: int = 300
    worker: bool = True
    bypass: bool = False
    consolidate: str = "auto"
    idle_seconds: int = 600
    rules: tuple[tuple[str, Number], ...] = ()  # those that were set, of `RULE_KEYS`

    @property
    def shown_store(self) -> str:
        """The store as it may be shown."""
        return shown_location(self.store)

    def __repr__(self) -> str:
        """Show the fields; a password or a token must not reach a log through a traceback."""
        token = "…" if self.token else ""
        return Value.__repr__(self.replace(store=self.shown_store, token=token))


def shown_location(location: str) -> str:
    """Give where a store is without the user, password and options of an address."""
    scheme, mark, rest = location.partition("://")
    if not mark:
        return location
    address, _, options = rest.partition("?")
    # An @ after the ? may end a password with a ? in it: then nothing is safe to show.
    return f"{scheme}://" + ("…" if "@" in options else address.rpartition("@")[2])


def load_settings(environ: Mapping[str, str], platform: str = sys.platform) -> Settings:
    """Read the settings; `Invalid` names the file or variable, the key and what is allowed."""
    user_home = find_user_home(environ, platform)
    home = _absolute(environ.get("TACIT_HOME", ""), os.curdir, user_home)
    home = home or default_home(environ, platform)
    from_file = _read_file(os.path.join(home, CONFIG_FILE)) if home else {}
    from_environ = _read_environ(environ)
    if "store" in from_file:
        from_file["store"] = _absolute(str(from_file["store"]), home, user_home)
    if "store" in from_environ:
        from_environ["store"] = _absolute(str(from_environ["store"]), os.curdir, user_home)
    chosen = from_file | from_environ
    return Settings(
        home=home,
        user=str(chosen.pop("user", "")) or _login_name(environ),
        user_home=user_home,
        project=environ.get("TACIT_PROJECT", "").strip(),
    ).replace(**chosen)


def project_store_path(settings: Settings, project_id: str) -> str:
    """Where the memories of one project lie; the id is that of `Project`."""
    # An id may come from a request: it must never lead out of the folder.
    if not project_id or project_id.strip(".") != project_id or set(project_id) & set("/\\:\0"):
        raise Invalid(f"{project_id!r} is not the id of a project")
    return os.path.join(_need_home(settings), "projects", f"{project_id}.db")


def user_store_path(settings: Settings) -> str:
    """Where the user's own memories lie, which belong to no project."""
    return os.path.join(_need_home(settings), "user.db")


def backup_dir(settings: Settings) -> str:
    """Where copies of stores are kept."""
    return os.path.join(_need_home(settings), "backups")


def log_path(settings: Settings) -> str:
    """Where hooks write what went wrong, since they may not say it to the agent."""
    return os.path.join(_need_home(settings), "tacit.log")


def make_folder(path: str) -> str:
    """Make a folder of Tacit's for its owner alone, if it is missing, and give its path."""
    try:
        os.makedirs(path, mode=0o700, exist_ok=True)
    except OSError as error:
        raise Unavailable(
            f"{path} cannot be made ({error.strerror}); set TACIT_HOME to a folder you can write"
        ) from error
    return path


def default_home(environ: Mapping[str, str], platform: str) -> str:
    """Give the user data directory by the system's convention; empty when there is none.

    Written out because importing `platformdirs` costs as much as starting the interpreter.
    """
    user_home = find_user_home(environ, platform)
    if platform == "win32":
        local = environ.get("LOCALAPPDATA") or (user_home and user_home + r"\AppData\Local")
        return local and local + r"\tacit"
    if platform == "darwin":
        return user_home and user_home + "/Library/Application Support/tacit"
    data = environ.get("XDG_DATA_HOME", "")
    if not data.startswith("/"):  # the XDG specification: a relative path is to be ignored
        data = user_home and user_home + "/.local/share"
    return data and data.rstrip("/") + "/tacit"


def find_user_home(environ: Mapping[str, str], platform: str) -> str:
    """Give the user's home directory, empty when the environment does not name one."""
    if platform == "win32":
        return environ.get("USERPROFILE", "").rstrip("\\/")
    home = environ.get("HOME", "")
    return (home.rstrip("/") or "/") if home.startswith("/") else ""


def _read_file(path: str) -> dict[str, object]:
    """Read the settings file if there is one."""
    if not os.path.isfile(path):
        return {}
    found: dict[str, object] = {}
    for key, value in read_toml(path).items():
        if key == RULES:
            found[key] = _check_rules(value, path)
            continue
        if key not in FILE_KEYS:
            raise Invalid(
                f"{path}: unknown key {key!r}; allowed are {', '.join(sorted(FILE_KEYS))} "
                f"and the table [{RULES}]"
            )
        if value != "":
            found[key] = _check(key, value, path)
    return found


def _read_environ(environ: Mapping[str, str]) -> dict[str, Scalar]:
    """Read the variables that stand for keys of the file."""
    found: dict[str, Scalar] = {}
    for key, (kind, _) in FILE_KEYS.items():
        variable = "TACIT_" + key.upper()
        text = environ.get(variable, "").strip()
        if not text:
            continue
        value: object = text
        if kind is bool:
            value = _WORDS.get(text.lower())
        elif kind is int:
            value = int(text) if text.isascii() and text.isdigit() and len(text) < 10 else None
        found[key] = _check(key, value, f"environment variable {variable}")
    return found


def _check(key: str, value: object, where: str) -> Scalar:
    """Give the value if the key allows it; the message leaves it out, it may hold a password."""
    kind, allowed = FILE_KEYS[key]
    fits = type(value) is kind
    if key == "embed_threads" and isinstance(value, int):
        fits = fits and 1 <= value <= EMBED_THREADS_MAX
    if key == "llm_daily_tokens" and isinstance(value, int):
        fits = fits and 0 <= value <= LLM_DAILY_TOKENS_MAX
    if key == "idle_seconds" and isinstance(value, int):
        fits = fits and 0 <= value <= IDLE_SECONDS_MAX
    if key in ("start_tokens", "prompt_tokens") and isinstance(value, int):
        fits = fits and 0 <= value <= INJECTED_TOKENS_MAX
    if isinstance(value, str):
        fits = fits and value == value.strip() and min(value) >= " "
        fits = fits and not (key == "user" and "/" in value)
        fits = fits and not (key in PARTS and not _names_function(value))
        fits = fits and not (key == "write" and value not in WRITE_MODES)
        fits = fits and not (key == "inject" and value not in INJECT_MODES)
        fits = fits and not (key == "consolidate" and value not in CONSOLIDATE_MODES)
    if not fits or not isinstance(value, (str, bool, int)):
        raise Invalid(f"{where}: {key} must be {allowed}")
    return value


def _names_function(text: str) -> bool:
    module, colon, name = text.partition(":")
    return bool(colon) and all(part.isidentifier() for part in (*module.split("."), name))


def _check_rules(table: object, path: str) -> tuple[tuple[str, Number], ...]:
    """Give the rules that are set, if each is one and has a value it may have."""
    if not isinstance(table, dict):
        raise Invalid(f"{path}: {RULES} must be a table: [{RULES}], and below it its keys")
    found: list[tuple[str, Number]] = []
    for key, value in sorted(table.items()):
        if key not in RULE_KEYS:
            raise Invalid(
                f"{path}: unknown key {key!r} in [{RULES}]; allowed are {', '.join(RULE_KEYS)}"
            )
        kind, least, most = RULE_KEYS[key]
        fits = type(value) is kind or (kind is float and type(value) is int)
        if not fits or not least <= value <= most:
            raise Invalid(f"{path}: {key} in [{RULES}] must be {allowed_rule(key)}")
        found.append((key, kind(value)))
    return tuple(found)


def allowed_rule(key: str) -> str:
    """Say what a rule may be."""
    kind, least, most = RULE_KEYS[key]
    if kind is bool:
        return "true or false"
    return f"a {'whole ' if kind is int else ''}number from {least} to {most}"


def _absolute(place: str, base: str, user_home: str) -> str:
    """Make a path absolute, with `~` as the user's home; addresses stay as they are."""
    place = place.strip()
    if not place or "://" in place or place == ":memory:":
        return place
    if place == "~" or place.startswith(("~/", "~\\")):
        if not user_home:
            raise Unavailable(
                f"{place} needs a home directory and none is set; write the whole path"
            )
        place = user_home + place[1:]
    return os.path.abspath(os.path.join(base, place))


def _login_name(environ: Mapping[str, str]) -> str:
    """Give the name the user is logged in by, as `getpass` finds it without its imports."""
    for variable in ("LOGNAME", "USER", "LNAME", "USERNAME"):
        name = environ.get(variable, "").strip()
        if name and name.isprintable():
            return name.replace("/", "-")
    try:
        import pwd

        return pwd.getpwuid(os.getuid()).pw_name
    except (ImportError, KeyError):  # Windows has no such list; a container may not know its user
        return "user"


def _need_home(settings: Settings) -> str:
    if not settings.home:
        raise Unavailable(
            "no data directory: the environment names no home directory; "
            "set TACIT_HOME to a folder you can write"
        )
    return settings.home
