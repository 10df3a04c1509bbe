"""What paths alone tell of two files: a test and its source, the same name, the same folder. Pure."""

from __future__ import annotations

from functools import lru_cache

from tacit.value import Value

SHORTEST = 3  # letters of a name that tells something
_TEST_FOLDERS = frozenset(("test", "tests", "__tests__", "spec", "specs"))
_TEST_WORDS = ("test", "tests", "spec")
_JOINTS = "_-."


class Path(Value):
    """A path taken apart."""

    folder: str
    folder_name: str  # the last part of the folder
    name: str  # of the file without its ending, marks of tests and joints: `test_user_api.py` → userapi
    ending: str
    test: bool


@lru_cache(maxsize=16_384)
def parts_of(path: str) -> Path:
    """Take a path apart."""
    folder, _, file = path.rpartition("/")
    stem, _, ending = file.partition(".") if not file.startswith(".") else (file, "", "")
    words = [word for word in _split(stem) if word]
    inner = ending.casefold().split(".")
    marked = bool(words) and (words[0] in _TEST_WORDS or words[-1] in _TEST_WORDS)
    marked = marked or any(word in inner[:-1] for word in _TEST_WORDS)
    if len(words) > 1:
        words = [word for word in words if word not in _TEST_WORDS] or words
    return Path(
        folder=folder,
        folder_name=folder.rpartition("/")[2],
        name="".join(words),
        ending=inner[-1],
        test=marked or bool(_TEST_FOLDERS & set(folder.split("/"))),
    )


def same_name(one: Path, other: Path) -> bool:
    """Tell whether two files are called the same but for marks of tests and endings."""
    return one.name == other.name and len(one.name) >= SHORTEST


def name_within(one: Path, other: Path) -> bool:
    """Tell whether the name of one is part of the other's."""
    short, long = sorted((one.name, other.name), key=len)
    return len(short) >= SHORTEST and short in long


def _split(stem: str) -> list[str]:
    for joint in _JOINTS:
        stem = stem.replace(joint, " ")
    return stem.casefold().split()
