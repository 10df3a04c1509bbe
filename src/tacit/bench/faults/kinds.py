"""The kinds of harm, by the engine they are done to."""

from __future__ import annotations

from tacit.bench.faults import ages, crowds, disks, harmed, hooked, killed
from tacit.bench.faults.outcome import Kind


def postgres() -> dict[str, Kind]:
    """Give the kinds that are done to a server; its driver is loaded here."""
    from tacit.bench.faults import served

    return {
        "kill-single": killed.remembering("single"),
        "kill-batch": killed.remembering("batch"),
        "kill-supersede": killed.remembering("supersede"),
        "kill-consolidate": killed.consolidating,
        "kill-merge": killed.taking_in("merge"),
        "kill-import": killed.taking_in("import"),
        "cut": served.on_the_way("cut"),
        "lost-answer": served.on_the_way("lost answer"),
        "stall": served.on_the_way("stall"),
        "delay": served.on_the_way("delay"),
        "half-close": served.on_the_way("half-close"),
        "restart": served.restarted,
        "terminate": served.terminated,
        "timeout": served.impatient,
        "pool": served.exhausted,
        "many-writers": crowds.many_writers,
        "clash": served.clashing,
        "clock-jumps": crowds.with_a_jumping_clock,
        "migrate-at-once": served.migrated_at_once,
        "two-versions": served.two_versions,
    }


SQLITE: dict[str, Kind] = {
    "kill-single": killed.remembering("single"),
    "kill-batch": killed.remembering("batch"),
    "kill-supersede": killed.remembering("supersede"),
    "kill-consolidate": killed.consolidating,
    "kill-merge": killed.taking_in("merge"),
    "kill-import": killed.taking_in("import"),
    "kill-upgrade": ages.upgrade_killed,
    "kill-backup": killed.backing_up,
    "kill-hook": hooked.killed,
    "power-cut": killed.without_power,
    "disk-full": disks.full,
    "slow-disk": crowds.on_a_slow_disk,
    "read-only": disks.read_only,
    "clock-jumps": crowds.with_a_jumping_clock,
    "torn-log": harmed.harmed(("cut log", "bytes in log")),
    "torn-file": harmed.harmed(("cut file", "bytes in file", "blank page")),
    "lost-parts": harmed.harmed(("no log", "no shm")),
    "many-writers": crowds.many_writers,
    "two-versions": ages.two_versions,
}
