"""Definitions of one shape become one template; substituting its gaps gives them back."""

from __future__ import annotations

import itertools
import re
from collections import Counter

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tacit.encode.code import shapes as shaping
from tacit.encode.code.shapes import shape_drafts, shapes, skeleton
from tacit.encode.code.syntax import parse
from tacit.encode.code.templates import Template, cut, family, named, split, unify
from tacit.model import FacetType, Kind, Origin, State, Tier, Trust

FASTAPI = '''
@router.get("/users/{user_id}")
async def get_user(user_id: int, db: Session = Depends(get_db)) -> UserOut:
    """Give a user."""
    user = await db.get(User, user_id)  # by its key
    if user is None:
        raise HTTPException(status_code=404, detail="user not found")
    return UserOut.model_validate(user)
'''
FLASK = """
def create_app():
    @app.route("/users", methods=["POST"])
    def create_user():
        data = request.get_json()
        user = User(name=data["name"])
        session.add(user)
        session.commit()
        return jsonify(user.to_dict()), 201
    return app
"""
DJANGO = """
class UserDetail(LoginRequiredMixin, DetailView):
    model = User
    template_name = "users/user_detail.html"
    context_object_name = "user"

    def get_queryset(self):
        return User.objects.filter(owner=self.request.user_id).order_by("created")
"""
COMMAND = '''
@cli.command("users")
@click.option("--limit", default=10, help="How many.")
@click.pass_context
def list_users(context, limit):
    """List users."""
    store = context.obj["store"]
    for user in store.users.latest(limit):
        click.echo(user.title())
    context.exit(0)
'''
FIXTURE = """
@pytest.fixture
def user_client(app, user_factory):
    user = user_factory.create(active=True)
    client = app.test_client()
    client.login(user.email, password="secret-word")
    yield client
    client.logout()
"""
DATACLASS = """
@dataclass(frozen=True, slots=True, kw_only=True)
class UserCreated(Event):
    id: EventId
    at: datetime
    user_id: int
    source: str = "api"
    version: int = 1
"""
EXPRESS = """
router.get("/users/:id", async (req, res, next) => {
  const user = await prisma.user.findUnique({ where: { id: req.params.id } });
  if (!user) {
    return res.status(404).json({ error: "user not found" });
  }
  res.json(toUserDto(user));
});
"""
EXPORTED = """
export const getUser = async (req: Request, res: Response): Promise<void> => {
  const id = Number(req.params.id);
  const user = await userService.findById(id);
  if (!user) {
    throw new NotFoundError("user", id);
  }
  res.status(200).json({ data: user });
};
"""
REACT = """
export function UserCard({ user, onSelect }: UserCardProps) {
  const [open, setOpen] = useState(false);
  return (
    <Card onClick={() => onSelect(user.id)}>
      <Title>{user.name}</Title>
      <Toggle value={open} onChange={setOpen} />
    </Card>
  );
}
"""
ZOD = """
export const UserSchema = z.object({
  id: z.string().uuid(),
  name: z.string().min(1).max(100),
  ownerId: z.string().uuid(),
  createdAt: z.date(),
});
"""
NEST = """
@Controller("users")
export class UserController {
  constructor(private readonly service: UserService) {}

  @Get(":id")
  async find(@Param("id") id: string): Promise<User> {
    const user = await this.service.find(id);
    if (!user) {
      throw new NotFoundException(`User ${id} not found`);
    }
    return user;
  }
}
"""
GO = """package api

func (s *Server) GetUser(w http.ResponseWriter, r *http.Request) {
	user, err := s.store.FindUser(r.Context(), r.PathValue("id"))
	if err != nil {
		http.Error(w, err.Error(), http.StatusNotFound)
		return
	}
	json.NewEncoder(w).Encode(user)
}
"""
SAMPLES = {
    "fastapi.py": FASTAPI,
    "flask.py": FLASK,
    "django.py": DJANGO,
    "command.py": COMMAND,
    "fixture.py": FIXTURE,
    "dataclass.py": DATACLASS,
    "express.ts": EXPRESS,
    "exported.ts": EXPORTED,
    "react.tsx": REACT,
    "zod.ts": ZOD,
    "nest.ts": NEST,
    "express.js": EXPRESS,
    "server.go": GO,
}


def other(text: str, name: str) -> str:
    """Give a sample about something else than users."""
    return text.replace("user", name).replace("User", name.capitalize())


def files(sample: str, *names: str) -> list[tuple[str, str, str]]:
    return [(f"{name}/{sample}", other(SAMPLES[sample], name), f"{name:0<40}") for name in names]


def bare(text: str) -> str:
    return "".join(text.split())


@pytest.mark.parametrize("sample", SAMPLES)
def test_two_of_one_shape_are_one_template_with_placeholders(sample):
    found = shapes(files(sample, "user", "order"))

    assert len(found) == 1
    assert found[0].support == 2
    assert "‹name›" in found[0].template.lower() or "‹thing›" in found[0].template.lower()
    assert "user" not in found[0].template.lower().replace("user_id", "")
    assert "order" not in found[0].template.lower().replace("order_by", "")
    assert found[0].common >= 0.65


@pytest.mark.parametrize("sample", SAMPLES)
def test_a_template_filled_with_an_instance_gives_it_back(sample):
    found = shapes(files(sample, "user", "order", "invoice"))

    (shape,) = found
    template = Template(
        text=shape.template, placeholders=shape.placeholders, kept=shape.kept, common=shape.common
    )
    for index, instance in enumerate(shape.names):
        source = re.sub(r"  # .*", "", other(SAMPLES[sample], instance.path.split("/")[0]))
        assert bare(template.filled(index)) in bare(source)


def test_the_template_of_two_handlers_reads_as_one_would_write_it():
    (shape,) = shapes(files("fastapi.py", "user", "order", "invoice"))

    assert shape.template == (
        '@router.get("/‹names›/{‹name›_id}")\n'
        "async def get_‹name›(‹name›_id: int, db: Session = Depends(get_db)) -> ‹Name›Out:\n"
        '    """Give a ‹name›."""\n'
        "    ‹name› = await db.get(‹Name›, ‹name›_id)\n"
        "    if ‹name› is None:\n"
        '        raise HTTPException(status_code=404, detail="‹name› not found")\n'
        "    return ‹Name›Out.model_validate(‹name›)"
    )
    assert {hole.name: hole.values for hole in shape.placeholders} == {
        "names": ("invoices", "orders", "users"),
        "name": ("invoice", "order", "user"),
        "Name": ("Invoice", "Order", "User"),
    }


def test_the_same_difference_has_the_same_placeholder_and_another_one_another():
    one = "def load(a):\n    x = read(a)\n    y = read(a)\n    z = parse(x, y)\n    return keep(z, read)\n"
    two = one.replace("read", "fetch").replace("parse", "decode")
    (shape,) = shapes([("a.py", one.replace("load", "load_one"), ""), ("b.py", two, "")])

    called = [hole for hole in shape.placeholders if hole.values == ("read", "fetch")]
    parsed = [hole for hole in shape.placeholders if hole.values == ("parse", "decode")]
    assert len(called) == len(parsed) == 1
    assert shape.template.count(f"‹{called[0].name}›") == 3
    assert shape.template.count(f"‹{parsed[0].name}›") == 1


def test_comments_are_no_part_of_a_shape():
    commented = other(FASTAPI, "order").replace(
        "    if order", "    # a remark about nothing\n    if order"
    )
    (shape,) = shapes([("a.py", FASTAPI, ""), ("b.py", commented, "")])

    assert "#" not in shape.template


def test_lists_of_different_length_share_their_ends():
    shorter = other(ZOD, "team").replace("  ownerId: z.string().uuid(),\n", "")
    (shape,) = shapes([("a.ts", ZOD, ""), ("b.ts", shorter, "")])

    assert "createdAt: z.date()" in shape.template
    assert {"ownerId: z.string().uuid(),", ""} in [set(h.values) for h in shape.placeholders]


def test_more_instances_raise_the_support_and_the_confidence():
    names = ("user", "order", "invoice", "team")

    two, four = (shape_drafts(files("express.ts", *names[:count])) for count in (2, 4))

    assert (two[0].confidence, four[0].confidence) == (0.6, 0.8)
    assert shapes(files("express.ts", *names))[0].support == 4
    assert two[0].source_ref == four[0].source_ref


def test_different_shapes_are_never_merged():
    looping = FASTAPI.replace("    if user is None:", "    while user is None:")

    assert shapes([("a.py", FASTAPI, ""), ("b.py", other(looping, "order"), "")]) == ()


def test_the_same_form_with_nothing_else_in_common_is_no_shape():
    one = "def a(x):\n    b = c(x)\n    d = e(b, f)\n    g(d)\n    return h(d, i, j, k)\n"
    two = "def l(m):\n    n = o(m)\n    p = q(n, r)\n    s(p)\n    return t(p, u, v, w)\n"

    assert shapes([("a.py", one * 1, ""), ("b.py", two, "")]) == ()


def test_what_differs_in_more_than_it_shares_is_no_shape():
    text = """
def f_{0}(request, options):
    {1} = {2}({3})
    {4}.{5}(options, {6})
    {7}.{8}(request, {9})
    request.close(options)
    return options.done(request)
"""
    one, two = (
        text.format(*words.split()) for words in ("a b c d e g h i j k", "l m n o p q r s t u")
    )

    assert shapes([("a.py", one, ""), ("b.py", two, "")]) == ()


def test_what_is_done_in_one_step_is_no_shape():
    text = """
def user_of(request, session):
    return session.get_or_create("user", kind=Kind.PLAIN, owner=request.owner, log=audit.log)
"""

    assert shapes([("a.py", text, ""), ("b.py", other(text, "order"), "")]) == ()


def test_copies_are_no_shape():
    described = FASTAPI.replace("Give a user.", "Look a user up in the database.")

    assert shapes([("a.py", FASTAPI, ""), ("b.py", FASTAPI, ""), ("c.py", described, "")]) == ()


def test_copies_do_not_count_as_support():
    texts = [*files("fastapi.py", "user", "order"), ("copy.py", FASTAPI, "")]

    assert [shape.support for shape in shapes(texts)] == [2]


def test_strings_with_escapes_are_compared_as_a_whole():
    one, two = (
        cut(f"def f():\n    return {text}\n".encode(), "python", member=False)
        for text in (r"'it\'s'", r"'as\'if'")
    )
    assert one is not None
    assert two is not None

    template = unify([one, two])

    assert bare(template.filled(0)) == r"deff():return'it\'s'"
    assert bare(template.filled(1)) == r"deff():return'as\'if'"


def test_two_tests_alike_are_no_shape_but_three_are():
    test = """
def test_user_is_kept(store):
    user = store.add(User(name="a"))
    found = store.get(user.id)
    assert found.name == "a"
    assert store.count(User) == 1
"""
    texts = [(f"tests/{n}.py", other(test, n), "") for n in ("user", "order", "invoice")]

    assert shapes(texts[:2]) == ()
    assert shapes(texts)[0].support == 3


def test_two_methods_of_one_name_are_no_shape_but_three_are():
    render = """
    def render(self, page, options):
        rows = page.rows(User, options.limit)
        head = page.head(User, options.columns)
        return page.join(head, rows, options)
"""
    rest = {"user": "x = 1", "order": "def close(self): ...", "team": "assert size"}
    texts = [
        (f"{name}.py", f"class View:\n    {first}\n{other(render, name)}", "")
        for name, first in rest.items()
    ]

    assert shapes(texts[:2]) == ()
    assert [(shape.sort, shape.support) for shape in shapes(texts)] == [("method", 3)]


def test_what_lies_within_a_shape_is_not_a_shape_of_its_own():
    (shape,) = shapes(files("nest.ts", "user", "order"))

    assert shape.sort == "class"


def test_the_order_of_files_does_not_matter():
    every = [
        file
        for sample in ("fastapi.py", "command.py", "express.ts")
        for file in files(sample, "user", "order", "invoice")
    ]
    expected = shape_drafts(every)

    assert len(expected) == 3
    for order in itertools.islice(itertools.permutations(every), 0, 360_000, 30_000):
        assert shape_drafts(order) == expected


def test_a_shape_with_many_instances_has_a_title_that_can_be_kept():
    one = FASTAPI.replace('"""Give a user."""', "")
    files = [
        (f"api/{n}.py", one.replace("user", f"thing_with_a_long_name_{n}"), "") for n in range(60)
    ]

    drafts = shape_drafts(files)

    assert drafts
    assert max(len(draft.title) for draft in drafts) <= 200
    assert max(len(draft.hint) for draft in drafts) <= 200


def test_a_draft_says_where_to_look_and_never_binds():
    (draft,) = shape_drafts(files("fastapi.py", "user", "order", "invoice"))

    assert draft.kind is Kind.PATTERN
    assert draft.subtype == "code"
    assert (draft.origin, draft.trust) == (Origin.EXTRACTED, Trust.AGENT)
    assert (draft.tier, draft.state) == (Tier.REFERENCE, State.ACTIVE)
    assert draft.renews
    assert re.fullmatch(r"code:python:[0-9a-f]{12}", draft.source_ref)
    assert draft.body is not None
    assert draft.body.trigger == (
        "adding another @router.get function: like get_invoice, get_order, get_user"
    )
    assert draft.body.ast.startswith("python (decorated_definition(decorator)(function_def")
    assert draft.body.template in draft.text
    assert "`get_order` in order/fastapi.py:2" in draft.text
    assert draft.files == ("invoice/fastapi.py", "order/fastapi.py", "user/fastapi.py")
    assert {a.path: a.sha for a in draft.anchors}["user/fastapi.py"] == f"{'user':0<40}"
    assert {m.facet.name for m in draft.mentions if m.facet.type is FacetType.SYMBOL} == {
        "get_invoice",
        "get_order",
        "get_user",
    }


@pytest.mark.parametrize(
    ("sample", "said"),
    [
        ("command.py", "another command"),
        ("fixture.py", "another fixture"),
        ("dataclass.py", "another dataclass"),
        ("django.py", "another LoginRequiredMixin class"),
        ("express.ts", "another router.get handler"),
        ("react.tsx", "another component"),
        ("zod.ts", "another constant"),
        ("nest.ts", "another @Controller class"),
    ],
)
def test_a_draft_names_what_sort_of_thing_it_is(sample, said):
    (draft,) = shape_drafts(files(sample, "user", "order"))

    assert said in draft.hint


def test_the_limit_keeps_the_most_telling():
    every = [file for sample in SAMPLES for file in files(sample, "user", "order")]
    every += files("command.py", "invoice", "team")

    assert [draft.confidence for draft in shape_drafts(every, limit=1)] == [0.8]
    assert len(shape_drafts(every, limit=5)) == 5


def test_what_is_left_out_is_counted():
    counts: Counter[str] = Counter()

    shapes([("a.md", "# a", ""), ("b.py", "x = '\0'", ""), ("c.py", "x = 1", "")], counts=counts)

    assert counts == {"not code": 1, "binary": 1, "files": 1}


def test_ceilings_hold_and_are_counted(monkeypatch):
    monkeypatch.setattr(shaping, "MOST_UNITS", 3)
    monkeypatch.setattr(shaping, "MOST_OF_ONE", 2)
    counts: Counter[str] = Counter()
    names = ["user", "order", "invoice", "team"]

    found = shapes([*files("fastapi.py", *names), *files("zod.ts", *names)], counts=counts)

    assert counts["more of one shape"] == 2
    assert counts["beyond the ceiling"] == 3
    assert [shape.support for shape in found] == [2]


def test_code_that_uses_our_own_marks_is_left_alone():
    marked = FASTAPI.replace("user not found", "‹user› not found")

    assert shapes([("a.py", marked, ""), ("b.py", other(marked, "order"), "")]) == ()


def test_a_function_too_deep_or_too_long_is_no_candidate():
    deep = (
        "def f(a):\n" + "".join(" " * (i + 1) + "if a:\n" for i in range(300)) + " " * 301 + "a()\n"
    )
    tree = parse(deep.encode(), "python")
    long = "def f(a):\n" + "    a.b(c)\n" * 1000

    assert tree is not None
    assert skeleton(tree.root_node) is None
    assert shapes([("a.py", deep, ""), ("b.py", deep.replace("a", "b"), "")]) == ()
    assert shapes([("a.py", long, ""), ("b.py", long.replace("a", "d"), "")]) == ()


def test_steps_of_one_form_in_a_row_count_once_in_a_skeleton():
    few, many = (
        parse(b"class A:\n    x: int\n" + b"    y: str = z\n" * count, "python") for count in (2, 7)
    )

    assert few is not None
    assert many is not None
    one, two = skeleton(few.root_node), skeleton(many.root_node)
    assert one is not None
    assert two is not None
    assert one.form == two.form
    assert one.steps < two.steps


def test_words_are_taken_apart_only_where_they_share_something():
    assert split(["get_user", "get_order"], sentence=False) == ["get", "_", ("user", "order")]
    assert split(["UserCard", "OrderCard"], sentence=False) == [("User", "Order"), "Card"]
    assert split(["/users", "/orders"], sentence=False) == ["/", ("users", "orders")]
    assert split(["user", "order"], sentence=False) is None
    assert split(["getUser", "fetchOrder"], sentence=False) is None
    assert split(["Give a user", "Count all lines"], sentence=True) is None


def test_case_and_number_are_one_family_with_names_of_one_stem():
    assert family(("Users", "Orders")) == family(("user", "order")) == ("user", "order")
    names = named(
        [(("user", "order"), "name"), (("USER", "ORDER"), "text"), (("Users", "Orders"), "type")]
    )

    assert list(names.values()) == ["name", "NAME", "Names"]


WORDS = st.sampled_from("a b item user order total_count getUser UserList x1 é".split())
VALUES = st.one_of(
    WORDS,
    st.integers(0, 99).map(str),
    st.sampled_from(
        [
            '"a b"',
            '"/users"',
            "'it\\'s'",
            "'as\\'if'",
            'f"{a} of {b}"',
            "[a, b]",
            "not a",
            "{'k': a}",
        ]
    ),
)


@st.composite
def python_functions(draw):
    """Functions of a few forms with any names and values, remarks and blank lines in them."""
    lines = []
    for _ in range(draw(st.integers(1, 5))):
        line = draw(
            st.sampled_from(
                ["{0} = {1}", "{0}({1}, {2})", "{0}.{0}({1}, k={2})", "return {1}, {2}", "# {0}"]
            )
        )
        lines.append(line.format(draw(WORDS), draw(VALUES), draw(VALUES)))
        if draw(st.booleans()):
            lines.append(f"if {draw(VALUES)}:\n        {draw(WORDS)}()  # why")
    head = draw(st.sampled_from(["", "@decorated\n", '@app.get("/x")\n']))
    doc = draw(st.sampled_from(["", '    """Say it."""\n', '    """Say more\n    of it."""\n']))
    body = "".join(f"    {line}\n" for line in lines)
    return f"{head}def {draw(WORDS)}({draw(WORDS)}):\n{doc}{body}    pass\n"


@given(st.lists(python_functions(), min_size=2, max_size=4))
@settings(max_examples=100, deadline=None)
def test_whatever_is_unified_can_be_given_back(texts):
    cuts = [cut(text.encode(), "python", member=False) for text in texts]
    assume(all(cuts))

    template = unify([one for one in cuts if one is not None])

    for index, text in enumerate(texts):
        assert bare(template.filled(index)) == bare(re.sub(r"# \w+", "", text))
    assert len({hole.name for hole in template.placeholders}) == len(template.placeholders)
    assert len({hole.values for hole in template.placeholders}) == len(template.placeholders)
    assert 0.0 <= template.common <= 1.0


@given(
    st.lists(
        st.tuples(*[st.from_regex(r"[a-z]{3,8}", fullmatch=True)] * 3),
        min_size=2,
        max_size=4,
        unique=True,
    )
)
@settings(max_examples=60, deadline=None)
def test_members_of_classes_are_given_back_too(words):
    texts = [
        f'@Get("{a}")\nasync {b}(id: string) {{\n  // {c}\n  const {c} = await this.{a}.find(`${{id}}/{b}`);\n'
        f"  return {c} ? <{c}>{{id}} and more</{c}> : null;\n}}"
        for a, b, c in words
    ]
    cuts = [cut(text.encode(), "tsx", member=True) for text in texts]
    assert all(cuts)

    template = unify([one for one in cuts if one is not None])

    for index, text in enumerate(texts):
        assert bare(template.filled(index)) == bare(re.sub(r"//.*", "", text))
