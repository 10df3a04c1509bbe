"""A cycle is measured at several sizes, in processes of its own."""

from tacit.bench import cycles


def test_a_cycle_is_measured_pass_by_pass_and_again(tmp_path):
    told = []
    found = cycles.run([60, 120], str(tmp_path), told.append)
    small, large = found["sizes"]["60"], found["sizes"]["120"]
    assert small["memories"] == 60
    assert small["passes"].keys() == large["passes"].keys() >= {"merge", "forget"}
    assert large["again_counts"] == 0
    assert large["peak_mb"] > 0
    assert len(found["powers"]) == 1
    assert (tmp_path / "cycle.png").stat().st_size > 1000
