"""Why two texts that look alike must not become one memory.

Embeddings hardly see a "not", a digit or who did what to whom, and these are what a fact is
about. So a merge asks here first. Each rule knows words, not meanings: it finds one kind of
difference and names it; none says that two texts are the same. A veto too many leaves two
memories standing, a veto too few destroys one: in doubt the rules object. Words are English.
"""

from __future__ import annotations

import re

from tacit.text import fold, stem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

# A group's sides exclude one another ("/"); the words of one side are not opposed.
OPPOSITES = """
on onto/off; in into inside/out outside; indoor indoors/outdoor outdoors;
up upward upwards/down downward downwards; over above/under below beneath underneath; before/after;
front/behind back; near close nearby beside next/far away; toward towards/away; to into onto/from;
with/without; top/bottom/middle; left/right; north/south/east/west; first/second/third/last;
early/late; earlier/later; previous/next; old/new; older/newer; oldest/newest latest; young/old;
forward forwards/backward backwards; leave depart exit/arrive enter; here/there; above/below;
all every always/some sometimes/none never; many/few; more/less fewer; most/least; both/one neither;
maximum max/minimum min; single/double/triple/multiple; leading/trailing; same/different;
equal/unequal; empty/full; partial/full; true/false; yes/no; good/bad; best/worst; better/worse;
correct right/wrong incorrect; odd/even; positive/negative; valid/invalid; safe/dangerous;
fast quick quickly/slow slowly; faster/slower; big large huge/small little tiny;
bigger larger/smaller; long/short; longer/shorter; tall/short; wide/narrow; deep/shallow;
thick/thin; fat/thin; high/low; higher/lower; upper/lower; heavy/light; bright light/dark;
hard/soft; hard difficult/easy; simple/complex complicated; strong/weak; rough/smooth; sharp/blunt;
loud noisy/quiet silent; verbose/terse quiet concise; hot warm/cold cool; wet/dry; clean/dirty;
tidy/messy; rich/poor; cheap/expensive; happy/sad; calm/angry; asleep sleeping/awake;
alive living/dead; tight/loose; raw/cooked; sweet/bitter; busy/idle; clear/blurry;
begin start launch resume/end finish stop halt pause quit; open/close shut;
enable activate/disable deactivate; allow permit accept/deny forbid reject refuse block;
add insert append attach put apply/remove delete drop detach strip; create make build/destroy;
keep retain preserve/drop discard delete remove; push upload send/pull download fetch receive;
give/take; buy/sell; win/lose; find/lose; catch/throw/miss; hit/miss;
increase raise grow rise lift climb ascend/decrease reduce lower shrink fall sink drop descend;
ascending/descending; pass succeed success/fail failure; work/break; fix repair/break broken;
fill/empty drain; freeze/melt thaw; dress/undress; wear/remove; sit/stand/lie/walk/run;
awake wake/sleep; laugh smile/cry frown; love like/hate dislike; agree/disagree; approve/reject;
follow/lead; watch/ignore; remember/forget; teach/learn; ask/answer; borrow/lend; sink/float;
tie/untie; wrap/unwrap; cover/uncover; fold/unfold; show display/hide; visible/hidden;
expand/collapse; include/exclude omit; merge join combine/split separate; lock/unlock; pack/unpack;
install/uninstall; mount/unmount; subscribe/unsubscribe; import/export; login/logout;
load/save unload; read/write; reader/writer; encode/decode; encrypt/decrypt; compress/decompress;
serialize/deserialize; connect/disconnect; acquire/release; commit/rollback revert abort;
upgrade/downgrade; grant/revoke; increment/decrement; tighten/loosen; prefer favour favor/avoid;
input/output; inbound incoming/outbound outgoing; upstream/downstream; online/offline;
local/remote/global; public/private/internal/protected; client/server; frontend/backend;
source/target destination; sender/receiver; producer/consumer; parent/child; ancestor/descendant;
primary/secondary/replica; leader/follower; master/slave; prefix/suffix; minor/major;
static/dynamic; strict/lenient; eager/lazy; mutable/immutable; optimistic/pessimistic;
signed/unsigned; stable/unstable flaky;
sync synchronous synchronously/async asynchronous asynchronously;
parallel concurrently/serial serially sequential sequentially;
manual manually/automatic automatically; required mandatory/optional; permanent/temporary;
present/absent missing; supported/unsupported deprecated; recommended/discouraged deprecated;
horizontal/vertical; row/column; day/night; morning/evening; today/yesterday/tomorrow;
summer/winter/spring/autumn; hourly/daily/nightly/weekly/monthly/yearly; noon/midnight;
monday/tuesday/wednesday/thursday/friday/saturday/sunday;
january/february/april/june/july/august/september/october/november/december;
second/minute/hour/day/week/month/year; millisecond ms/second seconds; male/female;
man men/woman women/boy/girl; husband/wife; father/mother; son/daughter; brother/sister; king/queen;
he/she; his/her; him/her; red/blue/green/yellow/orange/purple/pink/brown/black/white/grey gray;
blond blonde/brunette; staging/production prod/development dev/testing; main/feature;
unit/integration; stdout/stderr; tab tabs/space spaces; linux/macos/windows; json/yaml/toml/xml/csv;
get/post/put/patch/delete; npm/pnpm/yarn/bun; postgres postgresql/mysql/sqlite/mongodb/redis;
python/javascript/typescript/ruby/rust/java/golang; debug/info/warning/error; squash/rebase;
memory/disk; list/tuple/dict/set; header/cookie; http/https; tcp/udp; rest/graphql/grpc
"""
PREFIXES = frozenset("un in im ir il dis non de anti mis".split())
NEGATIONS = frozenset(
    "not no never without nobody none nothing neither nor nowhere cannot non unless except rather"
    " instead hardly barely rarely seldom dont cant wont isnt arent doesnt didnt"
    " avoid fail lack forbid prohibit refus".split()  # the last row are stems
)
RESTRICTIONS = frozenset("only just exclusively solely".split())
# "put" and "put away", "shut" and "shut down" are different verbs.
PARTICLES = frozenset("up down off out away".split())
MODALS = {
    word: force
    for force, named in (
        ("must", "must shall required mandatory need"),
        ("should", "should ought recommended"),
        ("may", "may can could might optional"),
    )
    for word in named.split()
}
NUMBERS = {
    word: str(value)
    for value, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen"
        " fifteen sixteen seventeen eighteen nineteen twenty".split()
    )
} | {"both": "2", "pair": "2", "couple": "2", "once": "1", "twice": "2", "dozen": "12"}
LINKS = frozenset(
    "in on at to from of for with by into onto over under before after during until since when"
    " if while because as than via through between against about without where whenever so".split()
)
FUNCTION = LINKS | frozenset(
    "a an the is are was were be been being am it its this that these those there here he she they"
    " we you i his her their our your my him them us who which what has have had do does did will"
    " would then also some any and or ,".split()
)
LONG = 12  # content words; in longer texts one replaced word often leaves the cosine above .9

_TOKEN = re.compile(r"[,;]|[^\s,;]+(?:,\d+)*")
_PART = re.compile(r"[^\W_]+")
_CODE = re.compile(r"\w[./\\_:@=]\w|^--?\w|\(\)|[a-z][A-Z]|[A-Z]{2}")
_QUOTED = re.compile(r'`([^`]+)`|"([^"]+)"|“([^”]+)”')
_EDGES = "\"'`“”‘()[]{}<>!?:*"
_BE = r"\b(?:is|are|was|were|be|been|being|gets?|got)\s+(?:\w+ly\s+)?(?!\w+ing\b)"
_PASSIVE = re.compile(_BE + r"(?!an?\b|the\b|in\b|on\b|at\b|not\b)\w+")
_BY = re.compile(_BE + r"\w+\s+(?:[\w-]+\s+){0,7}?by\b")


def veto(a: Reading, b: Reading) -> str | None:
    """Name the first difference that forbids to take two texts for one statement."""
    one, two = (a, b) if a.text <= b.text else (b, a)
    for rule in RULES:
        reason = rule(one, two)
        if reason is not None:
            return reason
    return None


class Reading:
    """One text as the rules see it: tokens as written, words, and its content in order."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = tokens(text)
        self.words = words(self.tokens)
        self.spelling = {stem(word): word for word in reversed(self.words)}
        self.stems = frozenset(self.spelling)
        self.content = _content(self.words)

    def order(self) -> list[str]:
        """Give the stems of the content words as they come."""
        return [word for word, _ in self.content]


def tokens(text: str) -> list[str]:
    """Cut at blanks and commas; quotes, brackets and the full stop at an edge fall away."""
    found = []
    for raw in _TOKEN.findall(fold(text).replace("’", "'")):
        token = "," if raw in ",;" else raw.strip(_EDGES).rstrip(".").strip(_EDGES)
        found.append(token.removesuffix("'s"))
    return [token for token in found if token]


def words(found: list[str]) -> list[str]:
    """Give the tokens' words in lower case; "don't" gives "do not", paths are taken apart."""
    parts: list[str] = []
    for token in map(str.casefold, found):
        if token == ",":
            parts.append(token)
        elif token.endswith("n't"):
            parts += [*_PART.findall(token[:-3]), "not"]
        else:
            parts += _PART.findall(token)
    return parts


def _content(found: list[str]) -> list[tuple[str, str]]:
    """Give each content word's stem with the last link since the content word before it."""
    content, link = [], ""
    for word in found:
        if word in ("and", "or", ","):
            link = "and"
        elif word in LINKS:
            link = word
        elif word not in FUNCTION:
            content.append((stem(word), link))
            link = ""
    return content


def _numbers(a: Reading, b: Reading) -> str | None:
    """Find any differing token with a digit, or number word; a lone "one" says little."""
    written = [frozenset(t.casefold() for t in r.tokens if _has_digit(t)) for r in (a, b)]
    spelled = [frozenset(NUMBERS[w] for w in r.words if w in NUMBERS) for r in (a, b)]
    mine, yours = written
    if spelled[0] != spelled[1]:  # then "3" may stand for "three"
        mine, yours = mine | spelled[0], yours | spelled[1]
    if mine == yours or (mine ^ yours == {"1"} and written[0] == written[1]):
        return None
    return f"number {_listed(mine - yours)} ≠ {_listed(yours - mine)}"


def _has_digit(token: str) -> bool:
    return any(map(str.isdigit, token))


def _negation(a: Reading, b: Reading) -> str | None:
    counts = [sum(w in NEGATIONS or stem(w) in NEGATIONS for w in r.words) for r in (a, b)]
    return "negation" if counts[0] != counts[1] else None


def _restriction(a: Reading, b: Reading) -> str | None:
    differing = RESTRICTIONS.intersection(a.words) ^ RESTRICTIONS.intersection(b.words)
    return f"restriction {_listed(differing)}" if differing else None


def _modal(a: Reading, b: Reading) -> str | None:
    mine, yours = ({MODALS[w] for w in r.words if w in MODALS} for r in (a, b))
    if mine and yours and mine != yours:
        return f"modal {_listed(mine)} ≠ {_listed(yours)}"
    return None


def _name(a: Reading, b: Reading) -> str | None:
    mine, yours = _named(a) - b.stems, _named(b) - a.stems
    if not mine and not yours:
        return None
    return f"name {_said(a, mine)} ≠ {_said(b, yours)}"


def _named(reading: Reading) -> frozenset[str]:
    """Give the stems of code, of quoted strings and of words with a capital in a sentence."""
    marked = [quoted for match in _QUOTED.findall(reading.text) for quoted in match]
    for line in reading.text.splitlines():
        before = "."
        for raw in line.split():
            token = raw.strip(_EDGES + ".,;")
            inside = before[-1] not in ".!?:;-*#" and token != "I"
            if (inside and token[:1].isupper()) or _CODE.search(raw):
                marked.append(token)
            before = raw
    return frozenset(stem(word) for name in marked for word in words(tokens(name))) - FUNCTION


def _opposite(a: Reading, b: Reading) -> str | None:
    mine, yours = a.stems - b.stems, b.stems - a.stems
    for word in sorted(mine):
        against = (opposed().get(word, set()) | _denials(word) | _denied(word)) & yours
        if against:
            return f"antonym {a.spelling[word]}/{b.spelling[min(against)]}"
    return None


def _denials(word: str) -> set[str]:
    """Give what denies a word: "unbounded" denies "bounded", "harmless" denies "harm(ful)"."""
    return {prefix + word for prefix in PREFIXES} | {word + "less"} if len(word) > 3 else set()


def _denied(word: str) -> set[str]:
    """Give the reverse: what "unbounded" and "harmless" deny."""
    plain = {word.removeprefix(prefix) for prefix in PREFIXES} | {word.removesuffix("less")}
    return {found for found in plain if len(found) > 3}


def _direction(a: Reading, b: Reading) -> str | None:
    differing = PARTICLES.intersection(a.words) ^ PARTICLES.intersection(b.words)
    return f"direction {_listed(differing)}" if differing else None


def _replaced(a: Reading, b: Reading) -> str | None:
    pair = replacement(a, b)
    if pair is None or len(a.content) < LONG:
        return None
    return f"replaced {a.spelling[pair[0]]}/{b.spelling[pair[1]]}"


def replacement(a: Reading, b: Reading) -> tuple[str, str] | None:
    """Give the one content word put for another where all the others stay in their place."""
    if len(a.content) != len(b.content):
        return None
    pairs = [(x, y) for x, y in zip(a.order(), b.order(), strict=True) if x != y]
    return pairs[0] if len(pairs) == 1 else None


def _swap(a: Reading, b: Reading) -> str | None:
    """Find the same words with their roles exchanged: who calls whom, from which to which."""
    first, second = shared(a, b), shared(b, a)
    place = {word: i for i, (word, _) in enumerate(first)}
    places = [place[word] for word, _ in second]
    if bool(_BY.search(a.text.lower())) != bool(_BY.search(b.text.lower())):
        # "A is called by B" must turn the order round to say what "B calls A" says.
        whole = len(places) == len(a.content) == len(b.content) > 2
        return "swap" if whole and places == sorted(places) else None
    low, high = 0, len(places)
    while low < high and places[low] == low:
        low += 1
    while low < high and places[high - 1] == high - 1:
        high -= 1
    if low == high:
        return None
    # Between low and high b reads a's last block, then a pivot, then the block a began with.
    last = places[low]
    pivot = places[low + high - last]
    if places[low:high] != [*range(last, high), *range(pivot, last), *range(low, pivot)]:
        voices = {bool(_PASSIVE.search(reading.text.lower())) for reading in (a, b)}
        return "order" if len(voices) == 1 else None
    frame = first[low][1], first[last][1]
    if frame != (second[low][1], second[places.index(low)][1]):
        return None  # each moved with its own preposition: "when stale, restart"
    return "swap" if pivot > low or frame[1] not in ("", "and") else None


def shared(reading: Reading, other: Reading) -> list[tuple[str, str]]:
    """Give the content words that each of the two texts holds exactly once, in order."""
    once = _once(reading.order()) & _once(other.order())
    return [(word, link) for word, link in reading.content if word in once]


def _once(order: list[str]) -> set[str]:
    seen: set[str] = set()
    again: set[str] = set()
    for word in order:
        (again if word in seen else seen).add(word)
    return seen - again


RULES = (
    _numbers,
    _negation,
    _restriction,
    _modal,
    _name,
    _opposite,
    _direction,
    _replaced,
    _swap,
)
_opposed: dict[str, set[str]] = {}


def opposed() -> dict[str, set[str]]:
    """Give for each stem the stems it excludes; made at the first use."""
    if not _opposed:
        for group in OPPOSITES.split(";"):
            sides = [{stem(word) for word in side.split()} for side in group.split("/")]
            for side in sides:
                for word in side:
                    _opposed.setdefault(word, set()).update(*(s - side for s in sides))
    return _opposed


def _said(reading: Reading, stems: Iterable[str]) -> str:
    return _listed(reading.spelling.get(found, found) for found in stems)


def _listed(found: Iterable[str]) -> str:
    return " ".join(sorted(found)) or "nothing"
