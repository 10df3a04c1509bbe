"""`vault`: a secret can be fetched by a person, and is nowhere to be found by anybody else."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tacit.errors import Denied, Invalid, NotFound
from tacit.interfaces.cli.fetching import fetch, need_person
from tacit.system import Tacit
from tacit.write.secret_reference import check_reference

if TYPE_CHECKING:
    from interfaces.conftest import Cli

VALUE = "correct-horse-battery-staple"


def at_a_terminal(*argv: str, **environ: str) -> str:
    """Run a command line as a person would: both ends are a terminal."""
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-m", "tacit", *argv],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env=os.environ | environ,
    ) as process:
        os.close(theirs)
        said = b""
        try:
            while part := os.read(ours, 4096):
                said += part
        except OSError:  # how Linux says that the other end is closed
            pass
        process.wait(timeout=60)
    os.close(ours)
    return said.decode().strip()


def test_a_person_at_a_terminal_gets_the_secret_and_it_is_on_record(cli: Cli) -> None:
    ref = cli("vault", "add", "Deploy key for prod", "env:PROD_KEY", "--quiet").out.strip()

    assert at_a_terminal("vault", "get", ref, PROD_KEY=VALUE) == VALUE

    with Tacit.open() as tacit:
        (entry,) = tacit.audit()
        assert (entry.member, entry.act, entry.subject) == ("ana", "vault get", tacit.get(ref).id)


def test_the_secret_is_in_no_file_export_log_or_briefing(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PROD_KEY", VALUE)
    ref = cli.keep("Deploy key for prod", "--secret", "env:PROD_KEY")
    at_a_terminal("vault", "get", ref)

    outputs = [
        cli("export", "-").out,
        cli("brief", "deploy to prod").out,
        cli("recall", "deploy key prod").out,
        cli("why", ref).out,
        cli("vault", "list").out,
    ]
    assert "env:PROD_KEY" in outputs[-1]
    assert not any(VALUE in text for text in outputs)
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert any(path.suffix == ".db" for path in files)
    assert not any(VALUE.encode() in path.read_bytes() for path in files)


def test_a_program_does_not_get_the_secret(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PROD_KEY", VALUE)
    ref = cli.keep("Deploy key for prod", "--secret", "env:PROD_KEY")

    ran = cli("vault", "get", ref)

    assert ran.status == 5
    assert VALUE not in ran.out + ran.err
    assert "terminal" in ran.err


def test_an_agent_does_not_get_it_even_at_a_terminal_of_its_own(cli: Cli) -> None:
    ref = cli.keep("Deploy key for prod", "--secret", "env:PROD_KEY")

    said = at_a_terminal("vault", "get", ref, PROD_KEY=VALUE, CLAUDECODE="1")

    assert VALUE not in said
    assert "not to an agent" in said


def test_what_was_forgotten_is_not_fetched(cli: Cli) -> None:
    ref = cli.keep("Deploy key for prod", "--secret", "env:PROD_KEY")
    cli("forget", ref)

    assert "is forgotten" in at_a_terminal("vault", "get", ref, PROD_KEY=VALUE)


@pytest.mark.parametrize(
    "given",
    [VALUE, "keyring:only-one", "env:not a name", "https://x.example/key", "env:9", "vault:x"],
)
def test_what_is_not_a_place_is_refused_and_not_repeated(cli: Cli, given: str) -> None:
    ran = cli("remember", "Deploy key", "--secret", given)

    assert ran.status == 2
    assert given not in ran.err
    with pytest.raises(Invalid):
        check_reference(given)


@pytest.mark.parametrize(
    "where",
    ["keyring:tacit/prod-deploy", "env:PROD_KEY", "op://Shared/Prod/key", "vault:kv/prod#key"],
)
def test_every_sort_of_place_can_be_kept(cli: Cli, where: str) -> None:
    cli("vault", "add", "Deploy key for prod", where)

    (memory,) = cli.json("vault", "list")
    assert (memory["kind"], memory["subtype"]) == ("resource", "secret-reference")
    assert where in cli("vault", "list").out


def test_the_keyring_is_asked_through_its_own_package(monkeypatch: pytest.MonkeyPatch) -> None:
    keyring = pytest.importorskip("keyring")
    from keyring.backend import KeyringBackend

    class InMemory(KeyringBackend):
        priority = 1
        kept = {("tacit", "prod"): VALUE}

        def get_password(self, service: str, username: str) -> str | None:
            return self.kept.get((service, username))

        def set_password(self, service: str, username: str, password: str) -> None:
            self.kept[service, username] = password

        def delete_password(self, service: str, username: str) -> None:
            del self.kept[service, username]

    before = keyring.get_keyring()
    keyring.set_keyring(InMemory())
    try:
        assert fetch("keyring:tacit/prod") == VALUE
        with pytest.raises(NotFound, match="keyring set tacit other"):
            fetch("keyring:tacit/other")
    finally:
        keyring.set_keyring(before)


def test_nothing_but_the_command_line_can_fetch() -> None:
    import tacit

    root = Path(tacit.__file__).parent
    users = [
        str(path.relative_to(root))
        for path in root.rglob("*.py")
        if "cli.fetching" in path.read_text(encoding="utf-8")
    ]
    assert users == [os.path.join("interfaces", "cli", "commands", "vault.py")]
    with pytest.raises(Denied):
        need_person(object())
