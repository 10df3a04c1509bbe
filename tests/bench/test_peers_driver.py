"""The driver: turns, results and reasons, with the plain baseline run by our own interpreter."""

import sys
from dataclasses import replace
from pathlib import Path

import pytest

from tacit.bench.peers import PEERS, Peer, measure
from tacit.bench.peers import environments as environments_module
from tacit.bench.peers.__main__ import main
from tacit.bench.peers.environments import NotReady, Ready, find, set_up
from tacit.bench.peers.results import PeerResult, summarise, table

BASELINE = replace(PEERS["plain-sqlite"], python=Path(sys.executable))


def a_script(tmp_path: Path, body: str) -> Peer:
    script = tmp_path / "script.py"
    script.write_text(body, encoding="utf-8")
    return replace(BASELINE, name="scripted", script=script)


def a_sample(**changes: object) -> dict[str, object]:
    sample = {
        "wall_ms": [2.0, 4.0, 6.0],
        "cpu_ms": [1.0, 2.0, 3.0],
        "taken": 3,
        "hits": [10, 10, 10],
        "found": 3,
        "import_cpu_s": 0.5,
        "open_cpu_s": 0.1,
        "peak_mb": 40.0,
        "version": "1.0",
        "python": "3.11",
    }
    return sample | changes


def test_the_baseline_is_measured_in_all_phases_and_leaves_no_store_behind(tmp_path):
    said: list[str] = []

    (result,) = measure([BASELINE], [60], tmp_path, 120, rounds=1, say=said.append)

    assert result.reason is None
    assert result.notes == ()
    assert result.found == result.narrow_found == 1.0
    assert result.searches == 30
    assert 0 < result.search_ms_min <= result.search_ms_p50 <= result.search_ms_p95
    assert min(result.adds_per_s, result.durable_adds_per_s, result.batched_adds_per_s) > 0
    assert min(result.import_cpu_s, result.search_peak_mb, result.disk_mb) > 0
    assert [line.split()[-1] for line in said] == ["load", "broad", "narrow", "add", "durable"]
    assert not (tmp_path / "plain-sqlite-60").exists()


def test_a_peer_that_fails_gives_its_last_words_and_does_not_stop_the_others(tmp_path):
    broken = a_script(tmp_path, "raise SystemExit('no such extension')")

    failed, measured = measure([broken, BASELINE], [20], tmp_path, 120, rounds=1)

    assert failed.reason == "load: no such extension"
    assert failed.search_ms_p50 is None
    assert measured.reason is None


def test_a_peer_that_takes_too_long_is_stopped(tmp_path):
    endless = a_script(tmp_path, "import time; time.sleep(600)")

    (result,) = measure([endless], [20], tmp_path, 0.5, rounds=1)

    assert result.reason == "load: stopped after 0.5 s"


def test_a_peer_that_prints_nothing_has_no_result(tmp_path):
    (result,) = measure([a_script(tmp_path, "pass")], [20], tmp_path, 60, rounds=1)

    assert result.reason == "load: no result, exit status 0"


def test_a_peer_that_is_not_set_up_says_how_to(tmp_path):
    (result,) = measure(["chroma"], [20], tmp_path, 60, environments=tmp_path, rounds=1)

    assert result.reason is not None
    assert "setup --peer chroma" in result.reason


def test_an_environment_of_other_versions_is_not_used(tmp_path):
    home = tmp_path / "chroma"
    home.mkdir()
    (home / "installed.json").write_text('["chromadb==0.1"]', encoding="utf-8")

    answer = find(PEERS["chroma"], tmp_path)

    assert isinstance(answer, NotReady)
    assert "other versions" in answer.reason


def test_a_peer_without_a_fit_interpreter_is_not_measurable(tmp_path, monkeypatch):
    monkeypatch.setattr(environments_module, "PROBE_EXTENSIONS", "raise SystemExit(1)")

    (answer,) = set_up([PEERS["langgraph"]], tmp_path)

    assert isinstance(answer, NotReady)
    assert answer.reason.startswith("not measurable here: no interpreter")


def test_setting_up_makes_an_environment_once(tmp_path):
    bare = replace(PEERS["plain-sqlite"], requirements=("pip",))

    (made,) = set_up([bare], tmp_path)
    stamp = (tmp_path / "plain-sqlite" / "installed.json").stat().st_mtime_ns
    (again,) = set_up([bare], tmp_path)

    assert isinstance(made, Ready)
    assert made == again
    assert made.python.exists()
    assert (tmp_path / "plain-sqlite" / "installed.json").stat().st_mtime_ns == stamp


def test_rounds_are_pooled_and_rates_are_those_of_the_median_round():
    rounds = [a_sample(), a_sample(wall_ms=[20.0, 40.0, 60.0]), a_sample()]

    result = summarise("peer", 3, {"load": [a_sample()], "broad": rounds, "add": rounds}, 1.5, None)

    assert result.searches == 9
    assert result.search_ms_p50 == 6.0
    assert result.search_ms_min == 2.0
    assert result.adds_per_s == pytest.approx(250)
    assert result.durable_adds_per_s is None
    assert result.disk_mb == 1.5


def test_a_search_that_finds_nothing_has_no_speed():
    nothing = a_sample(hits=[0, 0, 0], found=0)

    result = summarise("peer", 3, {"load": [a_sample()], "broad": [nothing]}, 1.5, None)

    assert result.reason == "search found nothing"
    assert result.search_ms_p50 is None


def test_doing_less_than_asked_is_noted():
    samples = {
        "load": [a_sample(taken=2)],
        "broad": [a_sample(hits=[10, 10, 7])],
        "add": [a_sample(taken=1)],
    }

    assert summarise("peer", 3, samples, 1.5, None).notes == (
        "took 2 of 3 memories in batches",
        "took 1 of 3 single memories",
        "gave 9.0 hits a query where 10 were asked",
    )


def test_the_table_shows_a_dash_for_what_is_unknown_and_the_reason_below():
    lines = table([PeerResult(peer="chroma", size=1000, reason="load: broken")]).splitlines()

    assert lines[2].startswith("| chroma | 1,000 | – | – |")
    assert lines[-1] == "- chroma at 1,000: load: broken"
    assert len({line.count("|") for line in lines[:3]}) == 1


def test_the_command_prints_the_table_and_fails_when_a_peer_could_not_be_measured(tmp_path, capsys):
    status = main(["measure", "--peer", "chroma", "--dir", str(tmp_path), "--sizes", "20"])

    assert status == 1
    assert "setup --peer chroma" in capsys.readouterr().out


def test_every_peer_has_a_script_and_pinned_versions():
    for peer in PEERS.values():
        assert peer.script.exists()
        assert all("==" in requirement for requirement in (*peer.requirements, *peer.alone))
        if peer.lodges_with:
            assert peer.requirements == PEERS[peer.lodges_with].requirements
