"""What a file defines, for each language and each way to define it."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from tacit.encode.code.syntax import FUNCTION, HANDLER, as_bytes, definitions, line_of, parse


def listed(text: str, language: str) -> list[tuple[str, str, int, int]]:
    source = as_bytes(text)
    tree = parse(source, language)
    assert tree is not None
    return [
        (
            one.name,
            one.sort,
            line_of(source, one.outer.start_byte),
            line_of(source, one.outer.end_byte),
        )
        for one in definitions(tree, source)
        if one.sort != HANDLER and one.inside != FUNCTION
    ]


def test_python_definitions_with_their_lines():
    text = """LIMIT = 3
limit = LIMIT
MOST: int = 4

@cache
def load(path):
    @retry
    def inner():
        pass
    return inner

class Store(Base):
    SIZE = 1

    @property
    def path(self):
        return 1

    async def close(self): ...

if LIMIT:
    def late(): ...
"""

    assert listed(text, "python") == [
        ("LIMIT", "constant", 1, 1),
        ("MOST", "constant", 3, 3),
        ("load", "function", 5, 10),
        ("Store", "class", 12, 19),
        ("path", "method", 15, 17),
        ("close", "method", 19, 19),
        ("late", "function", 22, 22),
    ]


def test_typescript_definitions_with_their_lines():
    text = """export const LIMIT = 3, other = 4;
export const show = async (request: Request) => {
  const local = () => 1;
  return local;
};
export default function App() { return <div/>; }
export class Users extends Base {
  @Get("x")
  find(id: string) { return id; }
  save = () => { return 2; };
  count = 3;
}
export interface Props { id: string }
type Id = string;
enum Colour { Red }
router.get("/users", async (request, response) => { response.json(1); });
exports.list = (request, response) => { response.send(1); };
const Row = memo(forwardRef((props) => { return <a/>; }));
namespace Inner { export function deep() {} }
"""

    assert listed(text, "tsx") == [
        ("LIMIT", "constant", 1, 1),
        ("other", "constant", 1, 1),
        ("show", "function", 2, 5),
        ("App", "function", 6, 6),
        ("Users", "class", 7, 12),
        ("find", "method", 9, 9),
        ("save", "method", 10, 10),
        ("Props", "class", 13, 13),
        ("Id", "class", 14, 14),
        ("Colour", "class", 15, 15),
        ("list", "function", 17, 17),
        ("Row", "function", 18, 18),
        ("deep", "function", 19, 19),
    ]


def test_go_definitions():
    text = """package main
const A = 1
type Store struct { size int }
func Open(path string) *Store { return nil }
func (s *Store) Close() {}
"""

    assert [one[:2] for one in listed(text, "go")] == [
        ("A", "constant"),
        ("Store", "class"),
        ("Open", "function"),
        ("Close", "method"),
    ]


def test_broken_code_still_tells_what_it_defines():
    text = "def good():\n    return 1\n\ndef bad(:\n\nclass After:\n    pass\n"

    assert "good" in {one[0] for one in listed(text, "python")}


@given(st.lists(st.from_regex(r"[a-z][a-z_]{3,10}x", fullmatch=True), unique=True, max_size=12))
@settings(max_examples=40, deadline=None)
def test_every_function_is_found_at_its_line(names):
    text = "".join(f"def {name}(a):\n    return a\n\n" for name in names)

    assert listed(text, "python") == [
        (name, "function", 3 * index + 1, 3 * index + 2) for index, name in enumerate(names)
    ]
