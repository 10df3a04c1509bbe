"""The packaged embedder on real texts, and the door to the others."""

from __future__ import annotations

import hashlib
import json
import os
import struct
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

import pytest

import tacit_minilm
from tacit.encode.embedders import open_other
from tacit.encode.embedding import CUTS, MiniLM, cuts_for, open_embedder
from tacit.errors import Invalid, Unavailable

if TYPE_CHECKING:
    from collections.abc import Iterator

HEAVY = ("numpy", "onnxruntime", "tokenizers", "typing", "threading", "concurrent")


@pytest.fixture(scope="module")
def minilm() -> MiniLM:
    return MiniLM()


def cosine(left: bytes, right: bytes) -> float:
    return sum(a * b for a, b in zip(numbers(left), numbers(right), strict=True))


def numbers(vector: bytes) -> tuple[float, ...]:
    return struct.unpack(f"<{len(vector) // 4}f", vector)


def test_importing_the_module_loads_nothing_heavy() -> None:
    code = (
        "import sys; before = set(sys.modules); import tacit.encode.embedding, tacit.encode.tokens, "
        "tacit.encode.pair_models, tacit.encode.breaker, tacit.encode.embedders; "
        "print(' '.join(set(sys.modules) - before))"
    )
    loaded = subprocess.run(
        [sys.executable, "-S", "-c", f"import sys; sys.path[:0] = {sys.path!r}; {code}"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split()

    assert "tacit.encode.embedding" in loaded
    assert not {name.partition(".")[0] for name in loaded} & set(HEAVY)


def test_a_vector_has_384_numbers_and_length_one(minilm: MiniLM) -> None:
    (vector,) = minilm.embed(["Sign tokens with RS256."])

    assert len(vector) == 4 * minilm.dimension
    assert cosine(vector, vector) == pytest.approx(1.0, abs=1e-5)


def test_the_class_agrees_with_the_package(minilm: MiniLM) -> None:
    assert minilm.model == tacit_minilm.MODEL_ID
    assert minilm.dimension == tacit_minilm.DIMENSION
    assert minilm.model in CUTS


def test_what_is_meant_alike_lies_nearer_than_what_is_not(minilm: MiniLM) -> None:
    question, answer, other = minilm.embed(
        [
            "which algorithm signs our tokens?",
            "Sign tokens with RS256; the key is rotated every ninety days.",
            "My cat sleeps on the keyboard.",
        ]
    )

    floor = cuts_for(minilm.model).floor
    assert cosine(question, answer) > floor > cosine(question, other)


def test_a_text_has_one_vector_whoever_its_neighbours_are(minilm: MiniLM) -> None:
    texts = ["short", "a rather longer sentence about databases and their locks", "x = 1\n" * 200]

    alone = [minilm.embed([text])[0] for text in texts]

    assert minilm.embed(texts) == alone
    assert minilm.embed(texts[::-1]) == alone[::-1]
    assert MiniLM(threads=2).embed(texts * 2) == alone * 2


def test_threads_that_come_at_once_load_the_model_once() -> None:
    minilm = MiniLM()
    got: list[bytes] = []
    threads = [threading.Thread(target=lambda: got.extend(minilm.embed(["same"]))) for _ in "1234"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)

    assert len(got) == 4
    assert len(set(got)) == 1


@pytest.mark.parametrize(
    "text",
    ["", " \n\t ", "a\ud800b", "\x00", "\ud83d\ude00", "x" * 1_000_000, "word " * 200_000],
    ids=["empty", "blank", "lone surrogate", "NUL", "surrogate pair", "1 MB word", "1 MB words"],
)
def test_strange_text_gets_a_vector_too(minilm: MiniLM, text: str) -> None:
    (vector,) = minilm.embed([text])

    assert cosine(vector, vector) == pytest.approx(1.0, abs=1e-5)


def test_surrogates_in_pairs_mean_the_character_they_make(minilm: MiniLM) -> None:
    halves, whole = minilm.embed(["caf\u00e9 \ud83d\ude00", "caf\u00e9 \N{GRINNING FACE}"])

    assert halves == whole


def test_only_the_first_tokens_count(minilm: MiniLM) -> None:
    long, longer = minilm.embed(["lock " * 300, "lock " * 300 + "and then a cat"])

    assert long == longer


def test_no_texts_give_no_vectors_and_load_nothing() -> None:
    assert MiniLM().embed([]) == []


def test_a_senseless_thread_or_token_count_is_refused() -> None:
    with pytest.raises(Invalid):
        MiniLM(threads=-1)
    with pytest.raises(Invalid):
        MiniLM(max_tokens=2)


@pytest.mark.parametrize("package", [tacit_minilm.__name__, "tacit_o200k"])
def test_the_packaged_files_have_the_hashes_written_beside_them(package: str) -> None:
    folder = Path(str(import_module(package).__file__)).parent
    lines = (folder / "SHA256SUMS").read_text().splitlines()

    assert lines
    for line in lines:
        digest, name = line.split()
        assert hashlib.sha256((folder / name).read_bytes()).hexdigest() == digest


def test_no_name_is_the_packaged_embedder_and_off_is_none() -> None:
    assert isinstance(open_embedder(None), MiniLM)
    assert isinstance(open_embedder("default"), MiniLM)
    assert open_embedder("off") is None


def test_without_its_packages_the_default_is_no_embedder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _name: None)

    assert open_embedder() is None


def test_a_package_that_vanished_is_unavailable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "tokenizers", None)

    with pytest.raises(Unavailable, match="pip install tokenizers"):
        MiniLM().embed(["text"])


@pytest.mark.parametrize(
    "spec", ["hash", "fastembed", "fastembed:", "openai:m", "openai:m@ftp://x"]
)
def test_an_unknown_name_is_invalid(spec: str) -> None:
    with pytest.raises(Invalid):
        open_embedder(spec)


@pytest.mark.parametrize(
    ("spec", "module", "extra"),
    [
        ("fastembed:some/model", "fastembed", "fastembed"),
        ("sentence-transformers:some", "sentence_transformers", "sentence-transformers"),
        ("model2vec:/some/folder", "model2vec", "model2vec"),
    ],
)
def test_a_missing_extra_is_named(
    monkeypatch: pytest.MonkeyPatch, spec: str, module: str, extra: str
) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    embedder = open_embedder(spec)

    assert embedder is not None
    with pytest.raises(Unavailable, match=rf"install tacit\[{extra}\]"):
        embedder.embed(["text"])


def test_a_library_s_vectors_are_normalised(monkeypatch: pytest.MonkeyPatch) -> None:
    class StaticModel:
        @classmethod
        def from_pretrained(cls, _path: str) -> StaticModel:
            return cls()

        def encode(self, texts: list[str]) -> list[list[float]]:
            return [[3.0 * len(text), 4.0 * len(text)] for text in texts]

    library = ModuleType("model2vec")
    library.StaticModel = StaticModel  # type: ignore[attr-defined]  # a stand-in
    monkeypatch.setitem(sys.modules, "model2vec", library)
    embedder = open_other("model2vec:/folder")

    assert embedder.dimension == 2
    one, empty = embedder.embed(["lock", ""])
    assert numbers(one) == pytest.approx((0.6, 0.8))
    assert numbers(empty) == (0.0, 0.0)


class Embeddings(BaseHTTPRequestHandler):
    """A server that answers as an OpenAI-compatible one, last text first."""

    seen: list[dict[str, object]] = []

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.seen.append(body | {"key": self.headers["Authorization"], "path": self.path})
        rows = [{"index": i, "embedding": [len(t), 1.0]} for i, t in enumerate(body["input"])]
        answer = json.dumps({"data": rows[::-1]}).encode()
        self.send_response(200 if body["model"] == "small" else 404)
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *_args: object) -> None:
        pass


@pytest.fixture
def base_url() -> Iterator[str]:
    Embeddings.seen = []
    server = HTTPServer(("127.0.0.1", 0), Embeddings)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/v1"
    server.shutdown()
    thread.join(10)
    server.server_close()


def test_an_endpoint_is_asked_in_parts_and_its_order_restored(base_url: str) -> None:
    embedder = open_embedder(f"openai:small@{base_url}", api_key="k")
    assert embedder is not None

    vectors = embedder.embed(["x" * n for n in range(1, 201)])

    assert embedder.model == f"openai:small@{base_url}"
    assert [round(a / b) for a, b in map(numbers, vectors)] == list(range(1, 201))
    assert len(Embeddings.seen) == 2
    assert Embeddings.seen[0]["key"] == "Bearer k"
    assert Embeddings.seen[0]["path"] == "/v1/embeddings"


def test_an_endpoint_that_refuses_or_is_not_there_is_unavailable(base_url: str) -> None:
    with pytest.raises(Unavailable, match="404"):
        open_other(f"openai:large@{base_url}").embed(["text"])
    with pytest.raises(Unavailable, match="no embeddings"):
        open_other("openai:small@http://127.0.0.1:1/v1").embed(["text"])


def test_a_model_that_cannot_be_loaded_is_unavailable(monkeypatch: pytest.MonkeyPatch) -> None:
    class StaticModel:
        @classmethod
        def from_pretrained(cls, path: str) -> StaticModel:
            raise OSError(f"no such folder {path}")

    library = ModuleType("model2vec")
    library.StaticModel = StaticModel  # type: ignore[attr-defined]  # a stand-in
    monkeypatch.setitem(sys.modules, "model2vec", library)

    with pytest.raises(Unavailable, match="cannot load model2vec:/folder: no such folder"):
        open_other("model2vec:/folder").embed(["text"])


def test_embedding_leaves_nothing_in_the_home_and_reports_to_nobody(tmp_path: Path) -> None:
    code = "from tacit.encode.embedding import MiniLM; MiniLM().embed(['hello'])"
    environ = {n: v for n, v in os.environ.items() if n != "ORT_DISABLE_TELEMETRY"}
    home = {"HOME": str(tmp_path), "PYTHONPATH": os.pathsep.join(sys.path)}

    subprocess.run([sys.executable, "-c", code], env=environ | home, check=True)

    assert list(tmp_path.rglob("*")) == []
