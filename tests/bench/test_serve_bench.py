"""The server is measured beside its yardsticks, and growth is seen where there is some."""

from __future__ import annotations

import os
import sys

import pytest

from tacit.bench import http_load, serve
from tacit.bench.http_load import percentile


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks into /proc")
@pytest.mark.parametrize("program", ["wrk", "none"])
def test_a_server_is_measured_beside_a_bare_route_and_the_facade(monkeypatch, program):
    if program == "none":
        monkeypatch.setattr(http_load.shutil, "which", lambda _name: None)
    elif not http_load.shutil.which("wrk"):
        pytest.skip("wrk is not installed")
    monkeypatch.setattr(serve, "MANY", 2)
    monkeypatch.setattr(serve, "ROUNDS", 1)
    told: list[str] = []

    found = serve.run(100, 1.0, 2.0, "off", told.append)

    metrics = found["metrics"]
    assert metrics["failed"] == 0
    for name in ("recall_rps_of_bare_route", "recall_rps_of_facade", "remember_rps_of_facade"):
        assert metrics[name] > 0
    assert set(found["sections"]["soak"]) == {"rss_mb", "handles", "threads"}
    clients = {one.get("client") for one in found["raw"]["turns"][0].values()}
    assert clients == {None, "wrk" if program == "wrk" else "python"}
    assert told[-1].startswith("serve: watching")


def test_ratios_are_of_what_was_measured_in_one_turn():
    def turn(factor: float) -> dict[str, dict[str, float]]:
        names = ("bare route", "recall, facade", "recall, server", "recall, many")
        rest = ("bare route, many", "remember, facade", "remember, server")
        speeds = dict(zip((*names, *rest), (100, 20, 10, 12, 200, 8, 4), strict=True))
        return {
            name: {"rps": factor * rps, "p50_ms": 1.0, "p95_ms": factor}
            for name, rps in speeds.items()
        }

    found = serve.told(10, [turn(1.0), turn(0.1), turn(7.0)], {})

    assert found["metrics"]["recall_rps_of_facade"] == 0.5
    assert found["metrics"]["recall_rps_of_bare_route"] == 0.1
    assert found["metrics"]["remember_rps_of_facade"] == 0.5
    assert found["metrics"]["recall_p95_over_facade"] == 1.0
    assert found["sections"]["medians"]["recall, server"]["rps"] == 10


def test_growth_is_what_the_end_has_over_the_beginning():
    flat = [{"rss_mb": 100.0, "handles": 20.0, "threads": 9.0}] * 50
    rising = [{"rss_mb": 100.0 + n, "handles": 20.0 + n, "threads": 9.0} for n in range(50)]

    assert set(serve.grown(flat)["metrics"].values()) == {0}
    grown = serve.grown(rising)["metrics"]
    assert grown["soak_rss_growth"] > 0.2
    assert grown["soak_handles_growth"] > 20
    assert grown["soak_threads_growth"] == 0


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks into /proc")
def test_a_process_is_looked_at_from_outside():
    seen = serve.look_at(os.getpid())

    assert seen["rss_mb"] > 1
    assert seen["threads"] >= 1
    assert seen["handles"] >= 3


def test_percentiles_are_values_that_were_there():
    assert percentile([], 0.95) == 0.0
    assert percentile([3.0], 0.5) == 3.0
    assert percentile([float(n) for n in range(100)], 0.95) == 95.0
