"""Settings: from the environment and the file, and where Tacit's files lie."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tacit
from tacit.config import (
    FILE_KEYS,
    RULE_KEYS,
    Settings,
    backup_dir,
    default_home,
    load_settings,
    log_path,
    make_folder,
    project_store_path,
    user_store_path,
)
from tacit.consolidate.room import Rules
from tacit.errors import Invalid, Unavailable
from tacit.plain_toml import read_plain_toml, read_toml

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def home(tmp_path: Path) -> Path:
    folder = tmp_path / "data"
    folder.mkdir()
    return folder


def load(home: Path, config: str = "", **environ: str) -> Settings:
    if config:
        (home / "config.toml").write_text(config, encoding="utf-8")
    return load_settings({"TACIT_HOME": str(home), "HOME": "/home/ada", "USER": "ada"} | environ)


def test_without_any_choice_the_defaults_hold(home: Path) -> None:
    settings = load(home)

    assert settings == Settings(
        home=str(home),
        user="ada",
        user_home="/home/ada",
        store="",
        project="",
        skip=False,
        embedder="default",
        profile="default",
        reranker="off",
        embed_threads=1,
    )


def test_every_key_can_be_set_in_the_file(home: Path) -> None:
    settings = load(
        home,
        """
        # what I like
        store = "postgresql://db.example/team"
        token = "tacit_x"
        tenant = "acme"
        skip = true
        embedder = "model2vec:/models/small"   # fast
        profile = "seed"
        reranker = "onnx:/models/rerank"
        encode_by = "mine.parts:encode"
        recall_by = "mine.parts:recall"
        care_by = "mine.parts:care"
        user = "Ada Lovelace"
        embed_threads = 4
        llm = "openai:small@http://127.0.0.1:11434/v1"
        llm_daily_tokens = 0
        write = "review"
        inject = "index"
        start_tokens = 500
        prompt_tokens = 0
        worker = false
        bypass = true
        consolidate = "manual"
        idle_seconds = 0
        """,
    )

    chosen = {key: getattr(settings, key) for key in FILE_KEYS}
    assert chosen == {
        "store": "postgresql://db.example/team",
        "token": "tacit_x",
        "tenant": "acme",
        "skip": True,
        "embedder": "model2vec:/models/small",
        "profile": "seed",
        "reranker": "onnx:/models/rerank",
        "encode_by": "mine.parts:encode",
        "recall_by": "mine.parts:recall",
        "care_by": "mine.parts:care",
        "user": "Ada Lovelace",
        "embed_threads": 4,
        "llm": "openai:small@http://127.0.0.1:11434/v1",
        "llm_daily_tokens": 0,
        "write": "review",
        "inject": "index",
        "start_tokens": 500,
        "prompt_tokens": 0,
        "worker": False,
        "bypass": True,
        "consolidate": "manual",
        "idle_seconds": 0,
    }


def test_every_key_can_be_set_in_the_environment_and_wins_over_the_file(home: Path) -> None:
    settings = load(
        home,
        'store = "a.db"\nskip = false\nembedder = "off"\nprofile = "p"\nreranker = "off"\n'
        'user = "u"\nembed_threads = 2\n',
        TACIT_STORE="postgresql://db.example/team",
        TACIT_TOKEN="tacit_x",
        TACIT_TENANT="acme",
        TACIT_SKIP="1",
        TACIT_EMBEDDER="default",
        TACIT_PROFILE="seed",
        TACIT_RERANKER="onnx:/m",
        TACIT_USER="grace",
        TACIT_EMBED_THREADS="8",
        TACIT_PROJECT="shop",
    )

    assert settings == Settings(
        home=str(home),
        user="grace",
        user_home="/home/ada",
        token="tacit_x",
        tenant="acme",
        store="postgresql://db.example/team",
        project="shop",
        skip=True,
        embedder="default",
        profile="seed",
        reranker="onnx:/m",
        embed_threads=8,
    )


def test_an_empty_value_counts_as_not_given(home: Path) -> None:
    settings = load(home, 'profile = "seed"\nembedder = ""\n', TACIT_PROFILE="", TACIT_SKIP=" ")

    assert (settings.profile, settings.embedder, settings.skip) == ("seed", "default", False)


@pytest.mark.parametrize("word", ["1", "true", "YES", "on"])
def test_a_switch_in_the_environment_is_set_by_the_usual_words(home: Path, word: str) -> None:
    assert load(home, TACIT_SKIP=word).skip


@pytest.mark.parametrize("word", ["0", "false", "No", "off"])
def test_a_switch_in_the_environment_is_unset_by_the_usual_words(home: Path, word: str) -> None:
    assert not load(home, "skip = true", TACIT_SKIP=word).skip


@pytest.mark.parametrize(
    ("variable", "value", "allowed"),
    [
        ("TACIT_SKIP", "perhaps", "true or false"),
        ("TACIT_EMBED_THREADS", "many", "a whole number from 1 to 64"),
        ("TACIT_EMBED_THREADS", "0", "a whole number from 1 to 64"),
        ("TACIT_EMBED_THREADS", "-2", "a whole number from 1 to 64"),
        ("TACIT_EMBED_THREADS", "9" * 5000, "a whole number from 1 to 64"),
        ("TACIT_USER", "team/ada", "a name without /"),
        ("TACIT_USER", "a\nb", "a name without /"),
    ],
)
def test_a_wrong_variable_is_named_with_what_is_allowed(
    home: Path, variable: str, value: str, allowed: str
) -> None:
    with pytest.raises(Invalid) as raised:
        load(home, **{variable: value})

    assert variable in str(raised.value)
    assert allowed in str(raised.value)


@pytest.mark.parametrize(
    ("config", "key", "allowed"),
    [
        (
            'embeder = "off"',
            "embeder",
            "allowed are bypass, care_by, consolidate, embed_threads, embedder, encode_by, idle_seconds, inject, llm, llm_daily_tokens, profile",
        ),
        ('home = "/elsewhere"', "home", "allowed are"),
        ('project = "everything"', "project", "allowed are"),
        ("[store]\nurl = 'x'", "store", "a path, sqlite://path"),
        ("skip = 1", "skip", "true or false"),
        ('skip = "yes"', "skip", "true or false"),
        ("embed_threads = true", "embed_threads", "a whole number from 1 to 64"),
        ("embed_threads = 65", "embed_threads", "a whole number from 1 to 64"),
        ("llm_daily_tokens = -1", "llm_daily_tokens", "a whole number from 0 to 999999999"),
        ("idle_seconds = 86401", "idle_seconds", "a whole number from 0 to 86400"),
        ("embed_threads = 1.5", "embed_threads", "a whole number from 1 to 64"),
        ("embedder = ['a']", "embedder", "default, off or <library>:<model>"),
        ("user = 1815-12-10", "user", "a name without /"),
        ('profile = " "', "profile", "the name of a profile"),
    ],
)
def test_a_wrong_line_of_the_file_is_named_with_what_is_allowed(
    home: Path, config: str, key: str, allowed: str
) -> None:
    with pytest.raises(Invalid) as raised:
        load(home, config)

    for part in (str(home / "config.toml"), key, allowed):
        assert part in str(raised.value)


def test_the_rules_that_are_set_are_those_of_their_table(home: Path) -> None:
    settings = load(
        home,
        """
        profile = "seed"
        [rules]
        promote_to_mandate = true
        grace = 14          # days
        pattern_confidence = 0.9
        most_memories = 5000
        """,
    )

    assert settings.profile == "seed"
    assert dict(settings.rules) == {
        "promote_to_mandate": True,
        "grace": 14.0,
        "pattern_confidence": 0.9,
        "most_memories": 5000,
    }


def test_without_a_table_no_rule_is_set(home: Path) -> None:
    assert load(home, 'profile = "seed"').rules == load(home, "[rules]").rules == ()


def test_every_rule_can_be_set_and_its_usual_value_is_allowed(home: Path) -> None:
    assert list(RULE_KEYS) == list(Rules._fields)
    usual = {name: value for name, value in Rules._defaults.items() if value is not None}
    lines = [f"{name} = {str(value).lower()}" for name, value in usual.items()]

    settings = load(home, "\n".join(["[rules]", *lines]))

    assert Rules(**dict(settings.rules)) == Rules()
    for name, (kind, _, _) in RULE_KEYS.items():
        assert name not in usual or type(usual[name]) is kind


@pytest.mark.parametrize(
    ("config", "parts"),
    [
        ("rules = 3", ["rules must be a table: [rules]"]),
        ("[rules]\ngraze = 3", ["'graze' in [rules]", "archive_episode_after, archive_behind"]),
        ("[rules]\ngrace = 0", ["grace in [rules] must be a number from 1 to 36500"]),
        ('[rules]\ngrace = "a month"', ["grace in [rules] must be a number from 1 to 36500"]),
        ("[rules]\ngrace = true", ["grace in [rules] must be a number"]),
        ("[rules]\ngrace = nan", ["grace in [rules] must be a number"]),
        ("[rules]\nmost_memories = 1.5", ["most_memories in [rules] must be a whole number"]),
        ("[rules]\nmost_memories = -5", ["must be a whole number from 1 to 999999999"]),
        ("[rules]\npattern_confidence = 80", ["pattern_confidence in [rules] must be a number from 0 to 1"]),
        ("[rules]\npromote_to_mandate = 1", ["promote_to_mandate in [rules] must be true or false"]),
        ("[rules.more]\ngrace = 3", ["'more' in [rules]"]),
        ("[[rules]]\ngrace = 3", ["rules must be a table"]),
    ],
)  # fmt: skip
def test_a_wrong_rule_is_named_with_what_is_allowed(
    home: Path, config: str, parts: list[str]
) -> None:
    with pytest.raises(Invalid) as raised:
        load(home, config)

    for part in (str(home / "config.toml"), *parts):
        assert part in str(raised.value)


def test_a_rule_given_from_python_is_checked_too() -> None:
    with pytest.raises(Invalid, match="the rule most_memories must be a whole number from 1"):
        Rules(most_memories=0)


@pytest.mark.parametrize(
    "data",
    [b"store = ", b"store = 'a", b"skip = true\nskip = true", b"\xff\xfe", b"[" * 3000, b"= 1"],
)
def test_a_broken_file_is_an_error_that_names_it(home: Path, data: bytes) -> None:
    (home / "config.toml").write_bytes(data)

    with pytest.raises(Invalid, match="is not valid TOML"):
        load(home)


def test_a_file_too_large_to_be_settings_is_refused(home: Path) -> None:
    with pytest.raises(Invalid, match="larger than"):
        load(home, "#" * 70_000)


def test_a_file_saved_with_a_byte_order_mark_is_read(home: Path) -> None:
    (home / "config.toml").write_bytes(b'\xef\xbb\xbfprofile = "seed"\r\n')

    assert load(home).profile == "seed"


def test_a_file_that_cannot_be_read_is_unavailable_not_empty(tmp_path: Path) -> None:
    with pytest.raises(Unavailable, match="cannot be read"):
        read_toml(str(tmp_path))


def test_a_password_is_in_no_message_and_no_repr(home: Path) -> None:
    with pytest.raises(Invalid) as raised:
        load(home, '[store]\nurl = "postgresql://ada:hunter2@db.example/team"')
    (home / "config.toml").unlink()
    settings = load(home, TACIT_STORE="postgresql://ada:hunter2@db.example/team?sslmode=require")

    assert "hunter2" not in str(raised.value)
    assert "hunter2" not in repr(settings)
    assert settings.shown_store == "postgresql://db.example/team"
    assert settings.store.endswith("ada:hunter2@db.example/team?sslmode=require")


@given(st.text(alphabet="ab:/?#@&=%", min_size=1, max_size=12))
def test_no_password_makes_the_shown_store_show_it(password: str) -> None:
    settings = Settings(
        home="/h", user="u", store=f"postgresql://ada:S3{password}T@db.example/team"
    )

    assert settings.shown_store in ("postgresql://db.example/team", "postgresql://…")


def test_a_store_path_is_made_absolute_from_where_it_was_written(home: Path) -> None:
    assert load(home, 'store = "team.db"').store == str(home / "team.db")
    assert load(home, TACIT_STORE="~/team.db").store == "/home/ada/team.db"
    assert load(home, TACIT_STORE="team.db").store == os.path.abspath("team.db")
    assert load(home, TACIT_STORE="/x/team.db").shown_store == "/x/team.db"
    assert load(home, TACIT_STORE=":memory:").store == ":memory:"
    assert load(home, TACIT_STORE="sqlite:///x.db").store == "sqlite:///x.db"


def test_the_home_given_is_absolute_and_may_start_with_a_tilde() -> None:
    environ = {"HOME": "/home/ada", "USER": "ada"}

    assert load_settings(environ | {"TACIT_HOME": "~/memory"}).home == "/home/ada/memory"
    assert load_settings(environ | {"TACIT_HOME": "here"}).home == os.path.abspath("here")


@pytest.mark.parametrize(
    ("platform", "environ", "expected"),
    [
        ("linux", {"HOME": "/home/ada"}, "/home/ada/.local/share/tacit"),
        ("linux", {"HOME": "/home/ada/"}, "/home/ada/.local/share/tacit"),
        ("linux", {"HOME": "/home/ada", "XDG_DATA_HOME": "/data/"}, "/data/tacit"),
        ("linux", {"HOME": "/home/ada", "XDG_DATA_HOME": "data"}, "/home/ada/.local/share/tacit"),
        ("linux", {"XDG_DATA_HOME": "/data"}, "/data/tacit"),
        ("freebsd14", {"HOME": "/home/ada"}, "/home/ada/.local/share/tacit"),
        ("darwin", {"HOME": "/Users/ada"}, "/Users/ada/Library/Application Support/tacit"),
        (
            "darwin",
            {"HOME": "/Users/ada", "XDG_DATA_HOME": "/x"},
            "/Users/ada/Library/Application Support/tacit",
        ),
        (
            "win32",
            {"LOCALAPPDATA": r"C:\Users\ada\AppData\Local"},
            r"C:\Users\ada\AppData\Local\tacit",
        ),
        ("win32", {"USERPROFILE": r"C:\Users\ada"}, r"C:\Users\ada\AppData\Local\tacit"),
        ("linux", {}, ""),
        ("linux", {"HOME": "ada"}, ""),
        ("darwin", {"HOME": ""}, ""),
        ("win32", {"HOME": "/home/ada"}, ""),
    ],
)
def test_each_system_keeps_user_data_where_it_is_used_to(
    platform: str, environ: dict[str, str], expected: str
) -> None:
    assert default_home(environ, platform) == expected
    assert load_settings({"USER": "ada"} | environ, platform).home == expected


def test_without_a_home_directory_settings_load_and_only_paths_in_it_fail() -> None:
    settings = load_settings({"TACIT_STORE": "postgresql://db.example/team"})

    assert settings.store == "postgresql://db.example/team"
    for path in (user_store_path, backup_dir, log_path):
        with pytest.raises(Unavailable, match="set TACIT_HOME"):
            path(settings)
    with pytest.raises(Unavailable, match="set TACIT_HOME"):
        project_store_path(settings, "shop-0123456789")


def test_a_tilde_without_a_home_directory_is_refused() -> None:
    with pytest.raises(Unavailable, match="whole path"):
        load_settings({"TACIT_STORE": "~/team.db"})


def test_all_files_lie_in_the_home(home: Path) -> None:
    settings = load(home)

    assert project_store_path(settings, "shop-0123456789") == str(
        home / "projects" / "shop-0123456789.db"
    )
    assert user_store_path(settings) == str(home / "user.db")
    assert backup_dir(settings) == str(home / "backups")
    assert log_path(settings) == str(home / "tacit.log")
    assert list(home.iterdir()) == []


@pytest.mark.parametrize("id_", ["", "..", "../user", "a/b", r"a\b", "/etc/passwd", "C:x", "a\0"])
def test_an_id_cannot_lead_out_of_the_folder_of_projects(home: Path, id_: str) -> None:
    with pytest.raises(Invalid, match="not the id of a project"):
        project_store_path(load(home), id_)


def test_a_folder_is_made_for_its_owner_alone(home: Path) -> None:
    made = make_folder(str(home / "a" / "b"))

    assert os.stat(made).st_mode & 0o777 == 0o700
    assert make_folder(made) == made


def test_a_folder_that_cannot_be_made_advises_to_set_the_home(home: Path) -> None:
    (home / "file").write_text("in the way")

    with pytest.raises(Unavailable, match="set TACIT_HOME"):
        make_folder(str(home / "file" / "backups"))


@pytest.mark.parametrize(
    ("environ", "user"),
    [
        ({"TACIT_USER": "grace", "USER": "ada"}, "grace"),
        ({"LOGNAME": "ada", "USER": "root"}, "ada"),
        ({"USERNAME": "ada"}, "ada"),
        ({"USER": "DOMAIN/ada"}, "DOMAIN-ada"),
    ],
)
def test_the_user_is_the_one_named_or_the_login_name(environ: dict[str, str], user: str) -> None:
    assert load_settings(environ).user == user


def test_a_user_is_found_even_where_the_environment_names_none() -> None:
    assert load_settings({}).user


_LINES = st.lists(
    st.one_of(
        st.builds("{} = {}".format, st.sampled_from(["a", "b-c", "d_1"]), st.text(max_size=8)),
        st.builds(
            '{}="{}"{}'.format,
            st.sampled_from(["k", "l ", " m"]),
            st.text(max_size=8),
            st.sampled_from(["", " # note", "#", " x", "\r"]),
        ),
        st.builds(
            "{} = {}".format,
            st.sampled_from(["n", "n.o", '"n"', "é"]),
            st.sampled_from(["0", "01", "7", "true", "false # no", "1_0", "'x'", "+1", "", "1 2"])
            | st.sampled_from(
                ["0.5", "0.90 # .", "1.", ".5", "00.1", "1.5e3", "1_0.5", "12345678.9"]
            ),
        ),
        st.sampled_from(
            ["[n]", "[t]", "[ t ]", "[t.u]", "[[t]]", "[t] # c", "[]", "[é]", "[", "[t"]
        ),
        st.text(max_size=6),
    ),
    max_size=4,
)


@given(_LINES.map("\n".join))
def test_what_the_quick_reader_accepts_means_the_same_to_tomllib(text: str) -> None:
    plain = read_plain_toml(text)

    if plain is not None:
        assert plain == tomllib.loads(text)


def test_an_ordinary_file_is_read_without_tomllib() -> None:
    assert read_plain_toml('a = "x" # y\n\n# z\nb = 10\r\nc=false\n[t]\nd = 0.5\n[u]\n') == {
        "a": "x",
        "b": 10,
        "c": False,
        "t": {"d": 0.5},
        "u": {},
    }


def test_reading_settings_and_resolving_a_project_loads_no_heavy_module(home: Path) -> None:
    (home / "config.toml").write_text('profile = "seed"\n')
    (home / ".tacit.toml").write_text('project = "shop"\n')
    code = (
        "import sys; before = set(sys.modules); import os\n"
        "from tacit.config import load_settings; from tacit.project import resolve_project\n"
        "resolve_project(os.environ['TACIT_HOME'], load_settings(os.environ))\n"
        "print(*sorted(set(sys.modules) - before))"
    )
    environ = {
        "TACIT_HOME": str(home),
        "USER": "ada",
        "PYTHONPATH": os.path.dirname(os.path.dirname(tacit.__file__)),
    }
    command = [sys.executable, "-S", "-c", code]
    loaded = subprocess.run(command, env=environ, capture_output=True, text=True, check=True)

    others = {name for name in loaded.stdout.split() if not name.startswith("tacit")}
    light = "__future__ _blake2 _collections_abc _stat genericpath os os.path posixpath stat"
    assert others <= set(light.split())


def test_a_token_is_not_shown(home: Path) -> None:
    assert "tacit_x" not in repr(load(home, 'token = "tacit_x"'))
