"""Find the Chromium that the tests of the page drive, or install it: `python tools/chromium.py`.

The system's own browser is used, since a downloaded one would need a network in every test run.
Where there is none, root on Debian or Ubuntu gets it from the distribution.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
ARGUMENTS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


def find() -> str:
    """Give the path of a Chromium, empty where there is none."""
    return next((path for name in NAMES if (path := shutil.which(name))), "")


def install() -> str:
    """Give the path of a Chromium; it is installed where that can be done."""
    if not find() and os.name == "posix" and os.geteuid() == 0 and shutil.which("apt-get"):
        quiet = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
        for command in (["update"], ["install", "--yes", "--no-install-recommends", "chromium"]):
            done = subprocess.run(["apt-get", "--quiet", *command], env=quiet, check=False)
            if done.returncode:
                print(f"apt-get {command[0]} ended with {done.returncode}", file=sys.stderr)
                break
    return find()


if __name__ == "__main__":
    found = install()
    print(found or "no Chromium: install the package `chromium` of your system")
    sys.exit(0 if found else 1)
