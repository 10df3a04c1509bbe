"""Cosines of texts: asked once each, in order, and nothing is near when the embedder fails."""

from __future__ import annotations

import pytest

from fakes import HashEmbedder
from tacit.encode import embedding
from tacit.encode.embedding import Nearness
from tacit.errors import Unavailable


class Counting(HashEmbedder):
    """Remembers what it was asked; fails on a word."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[str] = []

    def embed(self, texts):
        if any("broken" in text for text in texts):
            raise Unavailable("the model is gone")
        self.asked += texts
        return super().embed(texts)


def test_like_texts_are_near_and_the_order_is_kept():
    near = Nearness(HashEmbedder())

    same, alike, other = near(
        "the cart holds items",
        ["the cart holds items", "the cart holds prices", "ships sail"],
    )

    assert same == pytest.approx(1.0, abs=1e-6)
    assert same > alike > other


def test_a_text_is_embedded_once():
    embedder = Counting()
    near = Nearness(embedder)

    near("a cart", ["a shop", "a cart", "a shop"])
    near("a shop", ["a cart"])
    near.vector("a cart")

    assert embedder.asked == ["a cart", "a shop"]


def test_no_others_ask_nothing():
    embedder = Counting()

    assert Nearness(embedder)("a cart", []) == []
    assert embedder.asked == []


def test_nothing_is_near_when_the_embedder_fails_and_it_is_asked_again():
    near = Nearness(Counting())

    assert near("broken cart", ["a", "b"]) == [0.0, 0.0]
    assert near.vector("broken") is None
    assert near("a cart", ["a cart"]) == pytest.approx([1.0])


def test_the_model_is_the_embedders():
    assert Nearness(HashEmbedder(model="m")).model == "m"


def test_what_is_remembered_has_a_bound(monkeypatch):
    monkeypatch.setattr(embedding, "MOST_REMEMBERED", 3)
    embedder = Counting()
    near = Nearness(embedder)

    near("a", ["b"])
    near("c", ["d"])
    near("a", ["b"])

    assert embedder.asked == ["a", "b", "c", "d", "a", "b"]
