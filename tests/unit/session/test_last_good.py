"""The last good briefing: there on a bad day, and gone when something is to be gone."""

from __future__ import annotations

import os
import stat

from tacit.config import Settings
from tacit.session.last_good import MOST_CHARS, drop_all, load, path_of, save


def test_what_was_saved_is_loaded_until_it_is_dropped(tmp_path):
    settings = Settings(home=str(tmp_path / "home"), user="ana")
    assert load(settings, "shop") == ""

    save(settings, "shop", "Größe\n")
    save(settings, "mail", "other\n")

    assert load(settings, "shop") == "Größe\n"
    drop_all(settings)
    assert load(settings, "shop") == load(settings, "mail") == ""
    drop_all(settings)


def test_the_file_is_for_its_owner_alone_and_nothing_else_lies_beside_it(tmp_path):
    settings = Settings(home=str(tmp_path / "home"), user="ana")

    save(settings, "shop", "one\n")
    save(settings, "shop", "two\n")

    path = path_of(settings, "shop")
    assert os.listdir(os.path.dirname(path)) == ["shop.md"]
    assert stat.S_IMODE(os.stat(path).st_mode) == 0o600
    assert stat.S_IMODE(os.stat(os.path.dirname(path)).st_mode) == 0o700


def test_the_same_text_is_not_written_again(tmp_path):
    settings = Settings(home=str(tmp_path / "home"), user="ana")
    save(settings, "shop", "one\n")
    before = os.stat(path_of(settings, "shop")).st_ino

    save(settings, "shop", "one\n")

    assert os.stat(path_of(settings, "shop")).st_ino == before


def test_without_a_home_nothing_is_kept():
    settings = Settings(home="", user="ana")

    save(settings, "shop", "one\n")
    drop_all(settings)

    assert load(settings, "shop") == ""


def test_a_file_that_cannot_be_read_is_as_good_as_none(tmp_path):
    settings = Settings(home=str(tmp_path / "home"), user="ana")
    save(settings, "shop", "one\n")
    with open(path_of(settings, "shop"), "wb") as file:
        file.write(b"\xff\xfe broken")

    assert load(settings, "shop") == ""


def test_no_more_is_loaded_than_hosts_take(tmp_path):
    settings = Settings(home=str(tmp_path / "home"), user="ana")
    save(settings, "shop", "x" * 20_000)

    assert len(load(settings, "shop")) == MOST_CHARS
