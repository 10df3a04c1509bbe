"""`tacit predict`: signals in, memories and files out, for people and for programs."""

from __future__ import annotations

import json

from tacit.encode.cochange import CHANGES, ChangeSets
from tacit.system import Tacit


def test_an_open_file_shows_memories_with_how_sure_and_why(cli, folder):
    cli.keep("The cart is emptied at midnight.", "--file", "cart.py")

    shown = cli("predict", "--file", "cart.py").out

    assert "The cart is emptied at midnight." in shown
    assert "about cart.py" in shown
    assert "%" in shown


def test_json_has_memories_files_and_confidence(cli, folder):
    short = cli.keep("The cart is emptied at midnight.", "--file", "cart.py")
    with Tacit.open() as tacit:
        sets = ChangeSets()
        for _ in range(3):
            sets.add(tacit.clock.now(), ["cart.py", "price.py"])
        tacit.store.save(f"{CHANGES}:{tacit.scope.path}", sets.to_json()[0])

    found = cli.json("predict", "--file", "cart.py")

    (memory,) = found["predicted_memories"]
    assert (memory["memory"]["short"], memory["signal"]) == (short, "file")
    assert found["predicted_files"][0]["path"] == "price.py"
    assert found["confidence"] == memory["confidence"]
    assert 0 < found["confidence"] < 1
    assert found["query_id"] == ""


def test_an_error_may_come_from_a_pipe(cli, folder):
    cli.keep("A ValueError in totals means that rounding is off.")

    found = cli.json("predict", "--error", "-", stdin="ValueError: totals are off by rounding")

    assert found["predicted_memories"][0]["signal"] == "error"


def test_a_recorded_prediction_names_its_query(cli, folder):
    cli.keep("The cart is emptied at midnight.", "--file", "cart.py")

    found = cli.json("predict", "--file", "cart.py", "--record")

    with Tacit.open() as tacit:
        assert [query.id for query in tacit.store.queries()] == [found["query_id"]]


def test_without_signals_it_says_so_and_a_wrong_time_is_an_error(cli, folder):
    cli.keep("The cart is emptied at midnight.")

    assert "Nothing can be told ahead" in cli("predict").out
    ran = cli("predict", "--time", "late", "--json")
    assert ran.status == 2
    assert json.loads(ran.err or ran.out)["error"]["code"] == "invalid"
