"""A secret fetched from where it is, for a person at a terminal and for nobody else.

Lives with the command line because nothing else may reach it: no tool, no hook and no route.
What is fetched is given to the caller and kept nowhere.
"""

from __future__ import annotations

import os
import subprocess

from tacit.errors import Denied, NotFound, Unavailable

SECONDS = 60  # a password manager may ask for a finger
# Variables by which agents' hosts mark the shells they run: a person is not at such a terminal.
AGENTS = ("CLAUDECODE", "CODEX_SANDBOX", "GEMINI_CLI", "CURSOR_AGENT", "OPENCODE")


def need_person(*streams: object) -> None:
    """Raise `Denied` unless a person sits at a terminal."""
    if any(os.environ.get(name) for name in AGENTS):
        raise Denied("a secret is given to a person, not to an agent; open a terminal of your own")
    for stream in streams:
        is_terminal = getattr(stream, "isatty", None)
        if is_terminal is None or not is_terminal():
            raise Denied("a secret is given at a terminal only: not to a pipe, a file or a program")


def fetch(place: str) -> str:
    """Fetch a secret; the place was checked when it was kept."""
    scheme, _, rest = place.partition(":")
    if scheme == "env":
        value = os.environ.get(rest)
        if value is None:
            raise NotFound(f"the variable {rest} is not set in this shell")
        return value
    if scheme == "keyring":
        return _from_keyring(*rest.split("/", 1))
    if scheme == "op":
        return _from_program(["op", "read", "--no-newline", place])
    path, _, field = rest.partition("#")
    return _from_program(["vault", "kv", "get", f"-field={field}", path])


def _from_keyring(service: str, name: str) -> str:
    try:
        import keyring
        import keyring.errors
    except ModuleNotFoundError as error:
        raise Unavailable(
            "the keyring needs a package; install it with: pip install 'tacit[vault]'"
        ) from error
    try:
        value = keyring.get_password(service, name)
    except keyring.errors.KeyringError as error:
        raise Unavailable(f"the keyring of this machine does not answer ({error})") from error
    if value is None:
        raise NotFound(
            f"the keyring has nothing under {service}/{name}; put it there with: "
            f"keyring set {service} {name}"
        )
    return str(value)


def _from_program(command: list[str]) -> str:
    """Ask a program; what it says on its error output goes to the person, the rest is the secret."""
    try:
        ran = subprocess.run(  # noqa: S603  # what a person chose to keep secrets in
            command, stdout=subprocess.PIPE, timeout=SECONDS, check=False
        )
    except FileNotFoundError:
        raise Unavailable(f"the program {command[0]} is not installed") from None
    except subprocess.TimeoutExpired:
        raise Unavailable(f"{command[0]} did not answer within {SECONDS} seconds") from None
    if ran.returncode:
        raise Unavailable(f"{command[0]} could not give it (exit status {ran.returncode})")
    return ran.stdout.decode("utf-8", "replace")
