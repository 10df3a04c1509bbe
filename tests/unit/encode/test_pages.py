"""Pieces of documents: nothing lost, right in size, and stable while other parts change."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from tacit.encode.pages import MOST_CHARS, WHOLE_CHARS, chunks
from tacit.markdown import sections

WORDS = st.text(alphabet="abc é中.,", min_size=1, max_size=40).map(lambda t: "w" + t.strip())
PARAGRAPH = st.lists(WORDS, min_size=1, max_size=20).map(" ".join)
CODE = st.lists(WORDS, min_size=1, max_size=20).map(lambda ls: "\n".join(["```", *ls, "```"]))
LIST = st.lists(WORDS, min_size=1, max_size=30).map(lambda ls: "\n".join(f"- {w}" for w in ls))
BODY = st.lists(PARAGRAPH | CODE | LIST, max_size=8).map("\n\n".join)
TITLES = "Install Use Deploy Test Debug Release".split()


@st.composite
def documents(draw) -> list[tuple[str, str]]:
    """Draw sections with different titles, some with sections within."""
    names = draw(st.lists(st.sampled_from(TITLES), min_size=2, max_size=5, unique=True))
    inner = st.lists(st.tuples(st.sampled_from(["More", "Less"]), BODY), max_size=3)
    return [
        (name, "\n\n".join([draw(BODY), *(f"### {t}\n\n{b}" for t, b in draw(inner))]))
        for name in names
    ]


def written(parts: list[tuple[str, str]]) -> str:
    return "# Shop\n\nThe shop.\n\n" + "\n\n".join(f"## {name}\n\n{text}" for name, text in parts)


def test_a_section_that_fits_is_one_piece_with_all_below_it():
    text = "# Shop\n\nSells.\n\n## Install\n\nRun make.\n\n### Linux\n\nUse apt.\n\n## Use\n\nGo."

    found = chunks(text, title="Shop")

    assert [(piece.slug, piece.text) for piece in found] == [
        ("shop", "Shop\nSells."),
        ("install", "Shop › Install\nRun make.\n\n### Linux\n\nUse apt."),
        ("use", "Shop › Use\nGo."),
    ]


def test_a_section_that_does_not_fit_is_split_at_its_headings_then_its_paragraphs():
    long = "\n\n".join(f"Sentence {n} of a long section about one thing." for n in range(60))
    text = f"# Shop\n\n## Install\n\nFirst.\n\n### Linux\n\n{long}\n\n### Mac\n\nUse brew."

    found = chunks(text)

    assert [piece.slug for piece in found][:3] == ["install", "install/linux", "install/linux~2"]
    assert found[-1].slug == "install/mac"
    assert [piece.part for piece in found if "linux" in piece.slug] == [1, 2, 3, 4, 5]
    assert all(len(piece.text) <= MOST_CHARS + 100 for piece in found)
    assert all(piece.text.startswith("Shop › Install") for piece in found)


def test_a_code_block_is_not_broken_where_it_can_be_whole():
    code = "```\n" + "\n".join(f"line {n} of code" for n in range(80)) + "\n```"

    found = chunks(f"# A\n\n## B\n\n{'Words. ' * 100}\n\n{code}\n\nEnd.")

    assert [piece for piece in found if code in piece.text]


def test_a_title_without_text_is_said_by_the_pieces_below_it():
    assert [piece.text for piece in chunks("# A\n## B\nwords")] == ["A › B\nwords"]
    assert [piece.text for piece in chunks("# A\n## B")] == ["A › B"]


def test_a_document_without_headings_is_under_its_name():
    assert [piece.text for piece in chunks("Just words.", title="docs/a.md")] == [
        "docs/a.md\nJust words."
    ]


def test_sections_of_one_name_have_different_slugs():
    found = chunks("# A\n\n## Use\n\none\n\n## Use\n\ntwo\n\n# B\n\n## Use\n\nthree")

    assert [piece.slug for piece in found] == ["use", "use+2", "use+3"]


@given(documents())
@settings(max_examples=40)
def test_every_line_is_in_some_piece(parts):
    text = written(parts)
    found = chunks(text, title="Shop")
    everything = "\n".join(piece.text for piece in found)

    for line in text.split("\n"):
        assert line.lstrip("#").strip() in everything
    assert all(piece.text.strip() for piece in found)
    assert len({piece.slug for piece in found}) == len(found)
    assert all(len(piece.text) <= MOST_CHARS + WHOLE_CHARS for piece in found)


@given(documents(), st.data())
@settings(max_examples=40)
def test_a_change_in_one_section_leaves_the_pieces_of_others_alone(parts, data):
    place = data.draw(st.integers(0, len(parts) - 1))
    other = data.draw(BODY)
    changed = [(n, other if i == place else t) for i, (n, t) in enumerate(parts)]

    before = {piece.slug: piece for piece in chunks(written(parts))}
    after = {piece.slug: piece for piece in chunks(written(changed))}

    own = parts[place][0].casefold()
    for slug in before.keys() | after.keys():
        if slug.split("/")[0].split("~")[0] != own:
            assert before[slug] == after[slug]


@given(documents(), BODY)
@settings(max_examples=40)
def test_a_new_section_leaves_the_others_alone(parts, body):
    before = chunks(written(parts))
    after = chunks(written([("Brand new", body), *parts]))

    assert [piece for piece in after if not piece.slug.startswith("brand-new")] == before


@given(
    st.lists(st.text(max_size=60) | st.sampled_from(["# A", "## B", "```", "A\n==="]), max_size=60),
    st.booleans(),
)
@settings(max_examples=100)
def test_any_text_is_split_without_loss(lines, rst):
    text = "\n".join(lines)
    everything = "\n".join(piece.text for piece in chunks(text, rst=rst))

    for section in sections(text, rst=rst):
        for line in section.lines[section.marks :]:
            assert line.strip() in everything
        assert all(name in everything for name in section.path)


def test_a_line_without_end_is_cut_into_pieces_that_can_be_kept():
    found = chunks("# A\n\n" + "x" * 1_000_000)

    assert max(len(piece.text) for piece in found) <= WHOLE_CHARS + 100
    assert sum(piece.text.count("x") for piece in found) == 1_000_000
