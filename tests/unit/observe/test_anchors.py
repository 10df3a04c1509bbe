from __future__ import annotations

from datetime import timedelta

from builders import START
from tacit.draft import Draft
from tacit.ingest.reading import blob_sha
from tacit.model import Kind
from tacit.observe.pipeline import anchored

PAY = b"def pay(): ...\n"


def given(text="pay() in src/pay.py rounds up", **fields):
    return Draft(text=text, valid_from=START, **fields)


def anchors(root, *drafts, now=START):
    (root / "src").mkdir(exist_ok=True)
    (root / "src/pay.py").write_bytes(PAY)
    return [[(a.path, a.sha) for a in d.anchors] for d in anchored(drafts, str(root), now)]


def test_what_was_just_learnt_about_a_file_is_anchored_to_it_as_it_is(tmp_path):
    assert anchors(tmp_path, given()) == [[("src/pay.py", blob_sha(PAY))]]


def test_what_is_older_than_a_day_is_not(tmp_path):
    assert anchors(tmp_path, given(), now=START + timedelta(days=2)) == [[]]


def test_files_that_are_missing_or_lie_outside_give_no_anchor(tmp_path):
    (tmp_path / "secret.py").write_text("x")
    root = tmp_path / "shop"
    root.mkdir()

    assert anchors(root, given("src/gone.py breaks"), given("see ../secret.py there")) == [[], []]


def test_an_episode_happened_whatever_became_of_its_files(tmp_path):
    assert anchors(tmp_path, given(kind=Kind.EPISODE)) == [[]]
