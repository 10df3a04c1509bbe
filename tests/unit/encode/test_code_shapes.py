"""Three definitions of one shape become one template; filling its gaps gives them back."""

from __future__ import annotations

import itertools
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacit.encode.code import shapes as shaping
from tacit.encode.code.shapes import shape_drafts, shapes, skeleton, steps_in
from tacit.encode.code.syntax import parse, walk
from tacit.encode.code.templates import Leaf, Template, family, leaves, named, split, unify
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
ENUM = """
class UserColor(Enum):
    RED = "the red of a user"
    GREEN = "the green of a user"
    BLUE = "the blue of a user"
    BLACK = "no colour at all"
"""
PRINTING = '''
@cli.command("users")
def show_users(context, limit):
    """Show users."""
    click.echo("all the users there are")
    click.echo(context.obj["users"].title())
    click.echo("these were all users")
'''
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
    "express.ts": EXPRESS,
    "exported.ts": EXPORTED,
    "react.tsx": REACT,
    "nest.ts": NEST,
    "express.js": EXPRESS,
    "server.go": GO,
}


def other(text: str, name: str) -> str:
    """Give a sample about something else than users."""
    return text.replace("user", name).replace("User", name.capitalize())


def files(sample: str, *names: str) -> list[tuple[str, str, str]]:
    return [(f"{name}/{sample}", other(SAMPLES[sample], name), f"{name:0<40}") for name in names]


def filled(template: Template, instance: int) -> str:
    """Give back an instance: the template with its texts in the gaps."""
    texts = {hole.name: hole.values[instance] for hole in template.placeholders}
    return re.sub("‹([^‹›]+)›", lambda m: texts[m[1]], template.text)


def bare(text: str) -> str:
    return "".join(text.split())


@pytest.mark.parametrize("sample", SAMPLES)
def test_three_of_one_shape_are_one_template_with_placeholders(sample):
    assert shapes(files(sample, "user", "order")) == []

    (shape,) = shapes(files(sample, "user", "order", "invoice"))

    template = shape.template.text.lower()
    assert len(shape.units) == 3
    assert "‹name›" in template or "‹thing›" in template
    assert "user" not in template.replace("user_id", "")
    assert "order" not in template.replace("order_by", "")
    assert shape.template.common >= 0.65


@pytest.mark.parametrize("sample", SAMPLES)
def test_a_template_filled_with_an_instance_gives_it_back(sample):
    (shape,) = shapes(files(sample, "user", "order", "invoice"))

    for index, unit in enumerate(shape.units):
        source = re.sub(r"  # .*", "", other(SAMPLES[sample], unit.path.split("/")[0]))
        assert bare(filled(shape.template, index)) in bare(source)


@pytest.mark.parametrize("folder", ["tests", "examples", "docs", "benchmarks"])
def test_only_the_source_of_a_product_has_shapes(folder):
    texts = files("fastapi.py", "user", "order", "invoice")

    assert shapes([(f"{folder}/{path}", text, sha) for path, text, sha in texts]) == []


@pytest.mark.parametrize(
    "text", [DATACLASS, ZOD, ENUM, PRINTING], ids="fields data enum prints".split()
)
def test_fields_and_calls_in_a_row_are_no_shape(text):
    ending = "ts" if text is ZOD else "py"
    texts = [(f"{n}.{ending}", other(text, n), "") for n in ("user", "order", "invoice")]

    assert shapes(texts) == []


def test_the_template_of_handlers_reads_as_one_would_write_it():
    (shape,) = shapes(files("fastapi.py", "user", "order", "invoice"))

    assert shape.template.text == (
        '@router.get("/‹names›/{‹name›_id}")\n'
        "async def get_‹name›(‹name›_id: int, db: Session = Depends(get_db)) -> ‹Name›Out:\n"
        '    """Give a ‹name›."""\n'
        "    ‹name› = await db.get(‹Name›, ‹name›_id)\n"
        "    if ‹name› is None:\n"
        '        raise HTTPException(status_code=404, detail="‹name› not found")\n'
        "    return ‹Name›Out.model_validate(‹name›)"
    )
    assert {hole.name: hole.values for hole in shape.template.placeholders} == {
        "names": ("invoices", "orders", "users"),
        "name": ("invoice", "order", "user"),
        "Name": ("Invoice", "Order", "User"),
    }


def test_the_same_difference_has_the_same_placeholder_and_another_one_another():
    one = (
        "def load(a):\n    x = read(a)\n    if x:\n        y = read(a, x)\n        z = parse(x, y)\n"
        "        keep(z, read, 'all of it')\n    return done(x)\n"
    )
    texts = [
        (
            f"{call}.py",
            one.replace("load", f"load_{call}").replace("read", call).replace("parse", how),
            "",
        )
        for call, how in (("read", "parse"), ("fetch", "decode"), ("open", "scan"))
    ]
    (shape,) = shapes(texts)

    holes = {hole.values: hole.name for hole in shape.template.placeholders}
    called, parsed = holes["fetch", "open", "read"], holes["decode", "scan", "parse"]
    assert shape.template.text.count(f"‹{called}›") == 4
    assert shape.template.text.count(f"‹{parsed}›") == 1


def test_comments_are_no_part_of_a_shape():
    texts = [
        (path, text.replace("    if ", "    # a remark about nothing\n    if "), sha)
        for path, text, sha in files("fastapi.py", "user", "order", "invoice")
    ]
    (shape,) = shapes(texts)

    assert "#" not in shape.template.text
    assert "\n\n" not in shape.template.text


def test_lists_of_different_length_share_their_ends():
    texts = files("express.ts", "user", "order", "team")
    texts[1] = (texts[1][0], texts[1][1].replace("toOrderDto(order)", "toOrderDto(order, req)"), "")
    (shape,) = shapes(texts)

    assert "const ‹name› = await prisma" in shape.template.text
    assert ("order, req", "team", "user") in {h.values for h in shape.template.placeholders}


def test_different_shapes_are_never_merged():
    looping = FASTAPI.replace("    if user is None:", "    while user is None:")
    texts = files("fastapi.py", "user", "order")

    assert shapes([*texts, ("a.py", other(looping, "invoice"), "")]) == []


def test_the_same_form_with_nothing_else_in_common_is_no_shape():
    form = "def {}(x):\n    {} = {}(x)\n    if {}:\n        {}({}, {})\n    {}()\n    return {}({}, {}, {})\n"
    words = ("abcdefghijkl", "mnopqrstuvwy", "ABCDEFGHIJKL")

    assert shapes([(f"{n}.py", form.format(*some), "") for n, some in enumerate(words)]) == []


def test_what_differs_in_more_than_it_shares_is_no_shape():
    text = """
def f_{0}(request, options):
    if {1}({3}):
        {4}.{5}(options, {6})
    {7}.{8}(request, {9})
    request.close(options)
    return options.done(request)
"""
    some = ("a b c d e g h i j k", "l m n o p q r s t u", "A B C D E F G H I J")

    assert shapes([(f"{n}.py", text.format(*w.split()), "") for n, w in enumerate(some)]) == []


def test_copies_are_no_shape_and_do_not_count():
    described = FASTAPI.replace("Give a user.", "Look a user up in the database.")
    copies = [("a.py", FASTAPI, ""), ("b.py", FASTAPI, ""), ("c.py", described, "")]
    texts = files("fastapi.py", "user", "order", "invoice")

    assert shapes(copies) == []
    assert [len(shape.units) for shape in shapes([*texts, copies[0]])] == [3]


def test_strings_with_escapes_are_compared_as_a_whole():
    one, two = (taken_apart(f"def f():\n    return {t}\n") for t in (r"'it\'s'", r"'as\'if'"))

    template = unify([one, two])

    assert bare(filled(template, 0)) == r"deff():return'it\'s'"
    assert bare(filled(template, 1)) == r"deff():return'as\'if'"


def test_methods_of_one_name_are_no_shape():
    render = """
class UserView:
    def render(self, page, options):
        if page.empty:
            return page
        rows = page.rows(User, options.limit)
        return page.join(rows, options)
"""
    texts = [(f"{n}.py", f"{n} = 1\n{other(render, n)}", "") for n in ("user", "order", "team")]

    assert [shape.units[0].sort for shape in shapes(texts)] == ["class"]


def test_what_lies_within_a_shape_is_not_a_shape_of_its_own():
    (shape,) = shapes(files("nest.ts", "user", "order", "team"))

    assert shape.units[0].sort == "class"


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
        ("command.py", "another @cli.command function"),
        ("fixture.py", "another @pytest.fixture function"),
        ("django.py", "another LoginRequiredMixin class"),
        ("express.ts", "another router.get handler"),
        ("react.tsx", "another component"),
        ("nest.ts", "another @Controller class"),
    ],
)
def test_a_draft_names_what_sort_of_thing_it_is(sample, said):
    (draft,) = shape_drafts(files(sample, "user", "order", "team"))

    assert said in draft.hint


def test_the_limit_keeps_the_most_telling():
    every = [file for sample in SAMPLES for file in files(sample, "user", "order", "team")]
    every += files("command.py", "invoice", "parcel")

    (draft,) = shape_drafts(every, limit=1)
    assert "@cli.command" in draft.hint
    assert len(shape_drafts(every, limit=5)) == 5


def test_what_is_no_code_has_no_shape():
    assert shapes([("a.md", "# a", ""), ("b.py", "x = '\\0'", ""), ("c.py", "x = 1", "")]) == []


def test_of_one_skeleton_a_few_are_enough(monkeypatch):
    monkeypatch.setattr(shaping, "MOST_OF_ONE", 3)
    texts = files("fastapi.py", "user", "order", "invoice", "team", "van")

    assert [len(shape.units) for shape in shapes(texts)] == [3]


def test_code_that_uses_our_own_marks_is_left_alone():
    marked = FASTAPI.replace("user not found", "‹user› not found")
    texts = [(f"{n}.py", other(marked, n), "") for n in ("user", "order", "team")]

    assert shapes(texts) == []


def test_a_function_too_deep_or_too_long_is_no_candidate():
    deep = (
        "def f(a):\n" + "".join(" " * (i + 1) + "if a:\n" for i in range(300)) + " " * 301 + "a()\n"
    )
    long = "def f(a):\n" + "    if a:\n        a.b(c)\n    d(a)\n" * 300

    for text in (deep, long):
        assert shapes([(f"{n}.py", text.replace("f(a)", f"{n}(a)"), "") for n in "xyz"]) == []


def test_steps_of_one_form_in_a_row_count_once_in_a_skeleton():
    few, many = (
        parse(b"class A:\n    x: int\n" + b"    y: str = z\n" * count, "python") for count in (2, 7)
    )

    assert few is not None
    assert many is not None
    one, two = skeleton(few.root_node), skeleton(many.root_node)
    assert one == two
    assert steps_in(one) < 3


def test_words_are_taken_apart_only_where_they_share_something():
    assert split(["get_user", "get_order"]) == ["get", "_", ("user", "order")]
    assert split(["UserCard", "OrderCard"]) == [("User", "Order"), "Card"]
    assert split(["/users", "/orders"]) == ["/", ("users", "orders")]
    assert split(["get_user", "get_line_item"]) == ["get", "_", ("user", "line_item")]
    assert split(["user", "order"]) is None
    assert split(["getUser", "fetchOrder"]) is None
    assert split(["Give a user", "Count all lines"]) is None


def test_case_and_number_are_one_family_with_names_of_one_stem():
    assert family(("Users", "Orders")) == family(("user", "order")) == ("user", "order")
    names = named(
        [(("user", "order"), "name"), (("USER", "ORDER"), "text"), (("Users", "Orders"), "type")]
    )

    assert list(names.values()) == ["name", "NAME", "Names"]


def taken_apart(text: str, language: str = "python", sort: str = "") -> list[Leaf]:
    """Give the leaves of a text, or of the first node of a sort in it."""
    tree = parse(text.encode(), language)
    assert tree is not None
    assert not tree.root_node.has_error
    root = next(node for node in walk(tree.root_node) if not sort or node.type == sort)
    return leaves(root, text.encode())


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
    template = unify([taken_apart(text) for text in texts])

    for index, text in enumerate(texts):
        assert bare(filled(template, index)) == bare(re.sub(r"# \w+", "", text))
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
        f'class _ {{\n@Get("{a}")\nasync {b}(id: string) {{\n  // {c}\n  const {c} = await this.{a}.find(`${{id}}/{b}`);\n'
        f"  return {c} ? <{c}>{{id}} and more</{c}> : null;\n}}\n}}"
        for a, b, c in words
    ]
    template = unify([taken_apart(text, "tsx", "class_body") for text in texts])

    for index, text in enumerate(texts):
        assert f"class_{bare(filled(template, index))}" == bare(re.sub(r"//.*", "", text))
