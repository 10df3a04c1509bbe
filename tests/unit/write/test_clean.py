"""Secrets anywhere in a draft are gone before it is a memory; what is no text is refused."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from builders import a_fact
from secret_samples import SAMPLES
from tacit.body import Action, Block, Episode, Fact, Failure, Fix, Pattern, Resource, Skill, Step
from tacit.codec import to_json
from tacit.draft import Draft, LinkTo
from tacit.errors import Invalid
from tacit.ingest.redaction import redact
from tacit.model import Anchor, Facet, FacetType, Kind, Mention, Relation
from tacit.write.clean import BETWEEN, MOST_CHARS, MOST_NAME_CHARS, clean_all, redacted_record

SECRET = SAMPLES["aws"]
SHORT = [sample for sample in SAMPLES.values() if len(sample.text) <= MOST_NAME_CHARS]
PLAIN = (
    "The cache is warm",
    "src/cart.py",
    "password rules",
    "a key: of sorts",
    "token",
    "",
    "é\n",
)


def a_draft(text="The cache is warm", **fields):
    """Give a draft that says something harmless."""
    return Draft(text=text, **fields)


def texts_of(value):
    """Give every text within a value, joined; nothing is escaped in it."""
    if isinstance(value, dict):
        value = [*value, *value.values()]
    if isinstance(value, list):
        return "\n".join(map(texts_of, value))
    return value if isinstance(value, str) else ""


def everywhere(text):
    """Give drafts that hold the text in each place a draft has, by the name of the place."""
    mention = Mention(facet=Facet(type=FacetType.ENTITY, name=text))
    link = LinkTo(relation=Relation.SUPPORTS, source_ref=text)
    bodies = {
        "fact": Fact(key="cache", value=text, qualifier=text, why=text, rejected=(text,)),
        "fact key": Fact(key=text, value="redis", tradeoffs=(text,), breaking=text),
        "episode": Episode(
            goal=text,
            constraints=(text,),
            actions=(
                Action(action=text, target=text, result=text, error=text, extra=((text, text),)),
            ),
            errors=(Failure(type=text, message=text, resolution=text),),
            artifacts=(text,),
        ),
        "pattern": Pattern(trigger=text, conditions=(text,), do=text, avoid=text, template=text),
        "skill": Skill(
            trigger=text,
            prerequisites=(text,),
            steps=(Step(name=text, command=text),),
            errors=(Fix(error=text, fix=text),),
            exit=(text,),
        ),
        "resource": Resource(uri=text, mime=text),
        "block": Block(label=text, owner=text),
    }
    names = "text title summary hint subtype author session source_ref basis".split()
    return (
        {name: Draft(**{"text": "The cache is warm"} | {name: text}) for name in names}
        | {
            "key": a_draft(key=text, value="redis"),
            "value": a_draft(key="cache", value=text),
            "value alone": a_draft("", key="cache", value=text),
            "files": a_draft(files=("a.py", text)),
            "tags": a_draft(tags=("a", text)),
            "mentions": a_draft(mentions=(mention,)),
            "anchors": a_draft(anchors=(Anchor(path=text, sha="e69de29"),)),
            "links": a_draft(links=(link,)),
        }
        | {f"body of a {name}": a_draft(body=body) for name, body in bodies.items()}
        | {f"only a {name}": Draft(body=body) for name, body in bodies.items()}
    )


def test_harmless_drafts_come_back_as_they_were():
    drafts = [*everywhere("harmless words").values()]

    assert clean_all(drafts) == [(each, {}) for each in drafts]
    assert clean_all([]) == []


@pytest.mark.parametrize("place", everywhere("x"))
def test_a_secret_is_gone_from_every_place(place):
    (cleaned, counts), (other, none) = clean_all([everywhere(SECRET.text)[place], a_draft()])

    held = texts_of(to_json(cleaned))
    assert SECRET.secret not in held
    assert "[REDACTED:aws-access-key]" in held
    assert (other, none) == (a_draft(), {})
    assert set(counts) <= {"aws-access-key"}
    assert counts or place == "links"  # what only points elsewhere is counted there


@pytest.mark.parametrize("name", SAMPLES)
def test_every_kind_of_secret_is_found_and_counted(name):
    sample = SAMPLES[name]

    ((cleaned, counts),) = clean_all([a_draft(sample.text)])

    assert sample.secret not in cleaned.text
    assert counts == dict(redact(sample.text).counts)


@pytest.mark.parametrize(
    ("key", "value"),
    [("database password", "xK9fQ2LpZ7wRt4Vb"), ("api_key", "xK9fQ2LpZ7wRt4Vbn3")],
)
@pytest.mark.parametrize("text", ["", "It is {}, says Mia"])
@pytest.mark.parametrize("in_body", [False, True])
def test_a_value_that_only_its_key_betrays_is_gone(key, value, text, in_body):
    said = {"body": Fact(key=key, value=value)} if in_body else {"key": key, "value": value}

    ((cleaned, counts),) = clean_all([Draft(text=text.format(value), title=value, **said)])

    assert value not in texts_of(to_json(cleaned))
    assert key in texts_of(to_json(cleaned))
    assert sum(counts.values()) == 1


def test_a_value_that_only_its_key_betrays_does_not_come_in_by_a_record():
    record = a_fact("It is known", key="database password", value="xK9fQ2LpZ7wRt4Vb")

    assert "xK9fQ2LpZ7wRt4Vb" not in texts_of(to_json(redacted_record(record)))


def test_a_key_and_a_value_that_are_no_secret_stay():
    drafts = [
        a_draft("", key="auth.password_hash", value="argon2"),
        a_draft("", key="session.token lifetime", value="15 minutes"),
    ]

    assert clean_all(drafts) == [(each, {}) for each in drafts]


def test_names_that_are_one_after_cleaning_do_not_break_a_draft():
    other = SAMPLES["aws sts"].secret
    ((cleaned, _),) = clean_all([a_draft(tags=(SECRET.secret, other))])

    assert cleaned.tags == ("[REDACTED:aws-access-key]",) * 2


@settings(max_examples=100)
@given(
    st.lists(
        st.sampled_from([sample.text for sample in SHORT])
        | st.sampled_from(PLAIN)
        | st.sampled_from([sample.text[:-9] for sample in SHORT])
        | st.sampled_from([sample.text[9:] for sample in SHORT]),
        min_size=1,
        max_size=6,
    )
)
def test_to_search_texts_together_finds_what_each_search_alone_finds(texts):
    alone = [redact(text) for text in texts]

    together = redact(BETWEEN.join(texts))

    assert bool(together.counts) == any(each.counts for each in alone)
    drafts = [a_draft(basis=text, tags=(text,) if text else ()) for text in texts]
    for (cleaned, counts), each in zip(clean_all(drafts), alone, strict=True):
        assert cleaned.basis == each.text
        assert bool(counts) == bool(each.counts)


@settings(max_examples=60)
@given(st.sampled_from(SHORT), st.sampled_from(sorted(everywhere("x"))))
def test_no_secret_stays_in_any_place(sample, place):
    given = everywhere(sample.text)[place]

    ((cleaned, _),) = clean_all([given])

    assert sample.secret not in texts_of(to_json(cleaned))
    assert clean_all([cleaned]) == [(cleaned, {})]


@pytest.mark.parametrize(
    ("bad", "said"),
    [
        (Draft(), "empty"),
        (Draft(text=" \n"), "empty"),
        (a_draft("a\0b"), "NUL"),
        (a_draft("half \ud800"), "surrogate"),
        (a_draft(title="x" * (MOST_NAME_CHARS + 1)), "title has 501"),
        (a_draft(basis="x" * (MOST_CHARS + 1)), "basis"),
        (a_draft(tags=("a\0",)), "tags"),
        (a_draft(files=("x" * 501,)), "files"),
        (a_draft(anchors=(Anchor(path="\ud800", sha=""),)), "anchor"),
        (a_draft(links=(LinkTo(relation=Relation.SUPPORTS, source_ref="\0"),)), "link"),
        (a_draft(body=Pattern(do="a\0")), "body"),
        (a_draft(source_ref="x" * 5_001), "source_ref"),
    ],
)
def test_one_bad_draft_refuses_the_batch(bad, said):
    with pytest.raises(Invalid, match=said):
        clean_all([a_draft(), bad, a_draft()])


def test_what_is_not_kept_is_not_written(tmp_path):
    from fakes import FrozenClock, WordCounter
    from tacit.model import Scope
    from tacit.store.connect import connect
    from tacit.system import Tacit

    with Tacit(
        connect(str(tmp_path / "a.db")),
        scope=Scope(path="project:shop"),
        clock=FrozenClock(),
        counter=WordCounter(),
    ) as tacit:
        written = tacit.write([a_draft(basis="The words it was made from", kind=Kind.FACT)])

        assert written.new == 1
        assert "made from" not in "".join(tacit.export())
