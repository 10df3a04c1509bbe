"""Exports of trackers: every form gives the same report, and nothing makes the reader fail."""

from __future__ import annotations

import json
from collections import Counter
from datetime import UTC, datetime

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from secret_samples import SAMPLES
from tacit.ingest.reports import read_reports

URL = "https://git.example.com/acme/shop/issues/7"
REST = {
    "number": 7,
    "title": "Cart is empty",
    "body": "After login the cart is empty.",
    "state": "closed",
    "state_reason": "completed",
    "html_url": URL,
    "user": {"login": "mia"},
    "labels": [{"name": "bug"}, "cart"],
    "comments": 2,
    "created_at": "2026-01-02T03:04:05Z",
    "closed_at": "2026-01-03T03:04:05Z",
}
GH = {
    "number": 7,
    "title": "Cart is empty",
    "body": "After login the cart is empty.",
    "state": "CLOSED",
    "url": URL,
    "author": {"login": "mia"},
    "labels": [{"name": "bug"}, {"name": "cart"}],
    "createdAt": "2026-01-02T03:04:05Z",
    "closedAt": "2026-01-03T03:04:05Z",
}
GRAPHQL = {
    "data": {
        "repository": {
            "issues": {"nodes": [GH | {"labels": {"nodes": [{"name": "bug"}, {"name": "cart"}]}}]}
        }
    }
}
EDGES = {"data": {"repository": {"issues": {"edges": [{"node": GH}]}}}}
GITLAB = {
    "id": 99,
    "iid": 7,
    "title": "Cart is empty",
    "description": "After login the cart is empty.",
    "state": "closed",
    "web_url": URL,
    "author": {"username": "mia"},
    "labels": ["bug", "cart"],
    "created_at": "2026-01-02T04:04:05+01:00",
    "closed_at": "2026-01-03T03:04:05Z",
}


@pytest.fixture
def read(tmp_path):
    """Give a function that reads an export: its reports and the counts."""

    def _read(data: str | bytes):
        path = tmp_path / "export.json"
        path.write_bytes(data.encode() if isinstance(data, str) else data)
        counts: Counter[str] = Counter()
        return list(read_reports(str(path), counts)), counts

    return _read


@pytest.mark.parametrize(
    "data",
    [
        json.dumps([REST]),
        json.dumps([GH]),
        json.dumps(GH),
        json.dumps(GRAPHQL),
        json.dumps(EDGES),
        json.dumps([GITLAB]),
        json.dumps([GITLAB], indent=2),
        json.dumps(REST) + "\n" + json.dumps(REST | {"number": None}),
        json.dumps([REST]) + json.dumps([GH]),
        "\ufeff" + json.dumps([REST]),
    ],
    ids="rest gh one graphql edges gitlab indented lines pages bom".split(),
)
def test_every_form_gives_the_same_report(read, data):
    (report,), _ = read(data)

    assert (report.number, report.title, report.sort) == ("7", "Cart is empty", "issue")
    assert report.source == URL
    assert report.text == "After login the cart is empty."
    assert (report.state, report.author) == ("closed", "mia")
    assert report.at == datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
    assert report.closed_at == datetime(2026, 1, 3, 3, 4, 5, tzinfo=UTC)
    assert report.labels == ("bug", "cart")


@pytest.mark.parametrize(
    "extra",
    [
        {"pull_request": {"merged_at": "2026-01-03T03:04:05Z"}, "state": "closed"},
        {"headRefName": "fix", "state": "MERGED"},
        {"merged_at": "2026-01-03T03:04:05Z", "state": "closed", "head": {}},
        {"url": "https://git.example.com/a/b/pull/7", "html_url": None, "merged": True},
        {"source_branch": "fix", "state": "merged"},
    ],
)
def test_a_pull_request_is_told_from_an_issue(read, extra):
    (report,), _ = read(json.dumps([REST | extra]))

    assert (report.sort, report.state) == ("pr", "merged")


def test_files_comments_and_what_closed_it_are_kept_but_no_robots(read):
    item = GH | {
        "files": [{"path": "src/cart.py", "additions": 1}, {"filename": "src/login.py"}],
        "comments": [
            {"author": {"login": "tom"}, "body": "I see it too."},
            {"author": {"login": "stale[bot]"}, "body": "This is stale."},
        ],
        "closedByPullRequestsReferences": [{"number": 8}],
    }

    (report,), _ = read(json.dumps([item]))

    assert report.files == ("src/cart.py", "src/login.py")
    assert report.comments == ("I see it too.", "Closed by #8.")


def test_one_that_was_not_planned_says_so(read):
    (report,), _ = read(json.dumps([REST | {"state_reason": "not_planned"}]))

    assert report.state == "closed as not planned"


def test_without_an_address_the_number_names_it(read):
    (report,), _ = read(json.dumps([{"number": 3, "title": "A"}]))

    assert report.source == "issue:3"


def test_broken_lines_are_counted_and_the_rest_is_read(read):
    lines = [json.dumps(REST | {"html_url": f"https://x.io/issues/{n}"}) for n in range(3)]

    reports, counts = read("\n".join([lines[0], '{"number": 1, "ti', lines[1], "null", lines[2]]))

    assert len(reports) == 3
    assert counts["broken line"] == 2


def test_the_same_report_twice_is_one(read):
    reports, counts = read(json.dumps([REST, GH]))

    assert len(reports) == 1
    assert counts["repeated"] == 1


def test_what_is_too_large_is_counted(read):
    reports, counts = read(b"[" + b" " * (33 << 20) + b"]")

    assert reports == []
    assert counts["too large"] == 1


def test_no_secret_of_a_report_stays(read):
    items = [
        {
            "number": number,
            "title": f"Login fails {sample.text}",
            "body": sample.text,
            "author": {"login": sample.text},
            "comments": [{"body": sample.text}],
            "labels": [sample.text],
        }
        for number, sample in enumerate(SAMPLES.values())
    ]

    reports, counts = read(json.dumps(items))

    assert len(reports) == len(SAMPLES)
    assert [name for name, s in SAMPLES.items() if s.secret in repr(reports)] == []
    assert counts


@given(data=st.binary(max_size=300))
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_bytes_are_harmless(read, data):
    assert read(data) == read(data)


_json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=10),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(
                "number title body state user author login labels nodes comments files data url "
                "html_url created_at merged_at pull_request node repository".split()
            ),
            inner,
            max_size=8,
        )
    ),
    max_leaves=25,
)


@given(value=_json)
@settings(max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_json_is_harmless(read, value):
    reports, _ = read(json.dumps(value))

    assert all(report.title and report.number for report in reports)


@pytest.mark.parametrize("piece", ["[", '{"data":', '{"a":1}\n', "[1]", "{\n", "\n \n"])
def test_reading_takes_time_in_proportion(read, piece):
    read(piece * (200_000 // len(piece)))


def test_a_time_that_is_none_is_left_out(read):
    (report,), _ = read(json.dumps([REST | {"created_at": "yesterday"}]))

    assert report.at is None
