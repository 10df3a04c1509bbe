"""Figures of a replay: both arms side by side, errors met again, tokens spent. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median
from typing import Any

from tacit.bench.heeding import repeats
from tacit.bench.metrics import mean, paired_interval
from tacit.bench.scripted_agent import tells

FIGURES = {
    "first": "steps to the first",
    "half": "steps to half of them",
    "within_5": "share within 5 steps",
    "within_10": "share within 10 steps",
}


def metrics(raw: Sequence[dict[str, Any]]) -> dict[str, float]:
    """Give the figures by which two versions are compared."""
    files = both_arms([row for row in raw if row["needed"]])
    return {
        f"{name}_{arm}": files[shown][arm]
        for name, shown in FIGURES.items()
        for arm in ("without", "with")
        if shown in files
    }


def sections(raw: Sequence[dict[str, Any]]) -> dict[str, dict[str, dict[str, Any]]]:
    """Give the tables for a person to read."""
    walked = [row for row in raw if row["needed"]]
    errors = [error for row in raw for error in row["errors"]]
    return {
        f"needed files, all {len(walked)} episodes": both_arms(walked),
        **{
            f"needed files, {name} ({len(rows)})": both_arms(rows)
            for name, rows in _parts(walked).items()
            if rows
        },
        "known errors": known_errors(errors),
        "calls that failed before": repeats([row["again"] for row in raw]),
        "tokens handed, per session": tokens(raw),
        "memories handed": {"at start and prompt": precision(walked)} | by_moment(walked),
    }


def both_arms(rows: Sequence[dict[str, Any]]) -> dict[str, dict[str, float]]:
    """Give each figure of both arms and the change with its 95 % interval over episodes."""
    out: dict[str, dict[str, float]] = {}
    for name, shown in FIGURES.items() if rows else ():
        without = [float(row["without"][name]) for row in rows]
        with_ = [float(row["with"][name]) for row in rows]
        change = [after - before for before, after in zip(without, with_, strict=True)]
        low, high = paired_interval(change)
        values = {"without": mean(without), "with": mean(with_), "change": mean(change)}
        out[shown] = {k: round(v, 3) for k, v in (values | {"low": low, "high": high}).items()}
    return out


def known_errors(errors: Sequence[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """Count the known errors by sort: avoided beforehand, answered at the error, and by chance."""
    sorts = sorted({error["sort"] for error in errors})
    return {
        name: {
            "known": len(rows),
            "fix seen": sum(row["fix_seen"] for row in rows),
            "avoided": sum(row["before"] for row in rows),
            "by the fix": sum(row["fix_before"] for row in rows),
            "else answered": sum(row["at"] and not row["before"] for row in rows),
            "fix at error": sum(row["fix_at"] for row in rows),
            "chance before, at": f"{_chance(rows, 'text_before')}, {_chance(rows, 'text_at')}",
        }
        for name, rows in (
            ("all", list(errors)),
            *((sort, [row for row in errors if row["sort"] == sort]) for sort in sorts),
        )
    }


def _chance(errors: Sequence[dict[str, Any]], text: str) -> int:
    """Count how many would pass with the words of another error: what the test gives for nothing."""
    passed = 0
    for place, error in enumerate(errors):
        others = (*errors[place + 1 :], *errors[:place])
        other = next((one for one in others if one["signature"] != error["signature"]), None)
        passed += other is not None and any(tells(error[text], said) for said in other["said"])
    return passed


def tokens(raw: Sequence[dict[str, Any]]) -> dict[str, dict[str, float]]:
    """Give the tokens handed over per session, by moment."""
    sessions: dict[str, dict[str, int]] = {}
    for row in raw:
        spent = sessions.setdefault(row["session"], {})
        for moment, count in row["tokens"].items():
            spent[moment] = spent.get(moment, 0) + count
    out = {}
    for moment in raw[0]["tokens"] if raw else ():
        counts = [spent[moment] for spent in sessions.values()]
        out[moment] = {"median": median(counts), "mean": round(mean(counts), 1)}
    return out


def precision(walked: Sequence[dict[str, Any]]) -> dict[str, float]:
    """Give how many memories were handed over, and the share that concern a needed file."""
    handed = sum(len(row["handed"]) for row in walked)
    about = sum(row["about_needed"] for row in walked)
    return {
        "an episode": round(handed / max(len(walked), 1), 2),
        "about a needed file": round(about / max(handed, 1), 3),
    }


def by_moment(walked: Sequence[dict[str, Any]]) -> dict[str, dict[str, float]]:
    """Give for each moment how many memories were handed over, and the share about a needed file."""
    out: dict[str, dict[str, float]] = {}
    for moment in walked[0]["moments"] if walked else ():
        handed, about = (sum(row["moments"][moment][place] for row in walked) for place in (0, 1))
        out[moment] = {"items": handed, "labelled_share_unasked": round(about / max(handed, 1), 3)}
    return out


def _parts(walked: Sequence[dict[str, Any]]) -> dict[str, list[dict[str, Any]]]:
    return {
        "sessions beginning": [row for row in walked if row["opening"]],
        "sessions going on": [row for row in walked if not row["opening"]],
        "first quarter": [row for row in walked if row["cold"]],
        "later": [row for row in walked if not row["cold"]],
    }
