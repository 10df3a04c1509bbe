"""Why two texts that look alike must not become one memory.

Embeddings hardly see a "not", a digit or who did what to whom, and these are what a fact is
about. So a merge asks here first. The rules know words, not meanings: each finds one kind of
difference and names it; none says that two texts are the same. A veto too many leaves two
memories standing, a veto too few destroys one, so in doubt the rules object.
"""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection

# Each entry is a set of sides that exclude one another; words of one side are not opposed.
OPPOSITES = """
enable activate/disable deactivate; allow permit accept/deny forbid reject refuse block;
on onto/off; in into inside/out outside; indoor indoors/outdoor outdoors; up upward upwards/down
downward downwards; over above/under below beneath underneath; before/after; front/behind back;
near close nearby beside/far away; toward towards/away; to into onto/from; with/without;
top/bottom/middle; left/right; north/south/east/west; first/second/third/last; early/late;
earlier/later; begin start launch resume/end finish stop halt pause quit; open/close shut closed;
add insert append attach put apply/remove delete drop detach strip; create make build/destroy;
keep retain preserve/drop discard delete remove; push upload send/pull download fetch receive;
increase raise grow rise lift climb/decrease reduce lower shrink fall sink; more/less fewer;
most/least; maximum max/minimum min; many several/few; all every each always/some sometimes/none
never; both/one neither; empty/full; true/false; yes/no; pass succeed success/fail failure;
work/break; fix repair/break broken; good/bad; best/worst; better/worse; correct right/wrong
incorrect; valid/invalid; safe/dangerous; public/private/internal/protected; local/remote/global;
client/server; frontend/backend; input/output; read/write; reader/writer; load/save unload;
encode/decode; encrypt/decrypt; encoder/decoder; serialize/deserialize; pack/unpack;
compress/decompress; lock/unlock; install/uninstall; import/export; login/logout; mount/unmount;
subscribe/unsubscribe; merge join/split; include/exclude omit; show display/hide; visible/hidden;
expand/collapse; sync synchronous synchronously/async asynchronous asynchronously;
parallel concurrently/serial serially sequential sequentially; static/dynamic; strict/lenient;
eager/lazy; mutable/immutable; required mandatory/optional; manual manually/automatic
automatically; permanent/temporary; stable/unstable flaky; new/old; newer/older; newest/oldest;
young/old; modern/ancient legacy; fast quick quickly/slow slowly; big large huge/small little tiny;
long/short; tall/short; wide/narrow; deep/shallow; thick/thin; high/low; higher/lower; heavy/light;
hard/soft; hard difficult/easy; simple/complex complicated; strong/weak; loud noisy/quiet silent;
verbose/terse quiet concise; hot warm/cold cool; wet/dry; clean/dirty; light bright/dark;
rich/poor; happy/sad; asleep/awake; alive/dead; present/absent missing; same/different;
equal/unequal; single/multiple; positive/negative; odd/even; horizontal/vertical; upper/lower;
ascending/descending; prefix/suffix; parent/child; ancestor/descendant; source/target destination;
sender/receiver; producer/consumer; primary/secondary/replica; master/slave; leader/follower;
buy/sell; win/lose; give/take; catch/throw; sit/stand/lie/walk/run; awake/sleep; laugh smile/cry;
love like/hate dislike; agree/disagree; approve/reject; follow/ignore; remember/forget;
connect/disconnect; acquire/release; commit/rollback revert abort; upgrade/downgrade;
inbound incoming/outbound outgoing; upstream/downstream; online/offline; attach/detach;
grant/revoke; assert/refute; tighten/loosen; fill/empty; freeze/melt thaw; arrive/leave depart;
enter/exit leave; day/night; morning/evening; today/yesterday/tomorrow; prefer favour/avoid;
recommended/discouraged deprecated; supported/unsupported; male/female; man/woman/boy/girl;
husband/wife; father/mother; son/daughter; brother/sister; king/queen; he/she; his/her; him/her;
red/blue/green/yellow/orange/purple/pink/brown/black/white/grey; blond blonde/brunette;
monday/tuesday/wednesday/thursday/friday/saturday/sunday; january/february/march/april/june/
july/august/september/october/november/december; second seconds/minute minutes/hour hours/day days/
week weeks/month months/year years; spring/summer/autumn/winter;
staging/production prod/development dev/testing; main/feature; unit/integration; stdout/stderr;
tabs/spaces; linux/macos/windows; json/yaml/toml/xml/csv; get/post/put/patch/delete;
npm/pnpm/yarn/bun; postgres postgresql/mysql/sqlite/mongodb/redis; python/javascript/typescript/
ruby/rust/java/golang; debug/info/warning/error; squash/rebase; memory/disk; list/tuple/dict/set;
header/cookie; http/https; tcp/udp; rest/graphql/grpc; signed/unsigned; minor/major
"""

NEGATIONS = frozenset(
    "not no never without nobody none nothing neither nor nowhere cannot avoid fail lack"
    " forbid prohibit refuse unless except rather instead non hardly barely rarely seldom"
    " dont cant wont isnt arent doesnt didnt nicht kein keine nie ohne pas jamais sans".split()
)
# "always" and "every" say no more than the plain statement; "only" does.
RESTRICTIONS = frozenset("only just exclusively solely".split())
# "put" and "put away", "shut" and "shut down" are different verbs.
PARTICLES = frozenset("up down off out away".split())
MODALS = {
    "must": "must", "shall": "must", "required": "must", "mandatory": "must", "need": "must",
    "should": "should", "ought": "should", "recommended": "should",
    "may": "may", "can": "may", "could": "may", "might": "may", "optional": "may",
}
NUMBERS = {
    w: str(n) for n, w in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen"
        " fifteen sixteen seventeen eighteen nineteen twenty".split()
    )
} | {"thirty": "30", "forty": "40", "fifty": "50", "hundred": "100", "thousand": "1000",
     "both": "2", "pair": "2", "couple": "2", "dozen": "12", "once": "1", "twice": "2"}
COORDINATORS = frozenset(("and", "or", ","))
LINKS = frozenset(
    "in on at to from of for with by into onto over under before after during until since when"
    " if while because as than via through between against about without where whenever so".split()
)
FUNCTION = LINKS | COORDINATORS | frozenset(
    "a an the is are was were be been being am it its this that these those there here he she they"
    " we you i his her their our your my him them us who which what has have had do does did will"
    " would then also some any".split()
)
_TOKEN = re.compile(r"[^\s,;]+|[,;]")
_EDGES = "\"'`\u201c\u201d\u2018\u2019()[]{}<>!?:*"
_PART = re.compile(r"[^\W_]+")
_CODE = re.compile(r"\w[./\\_:@=]\w|^--?\w|\(\)|[a-z][A-Z]|[A-Z]{2}")
_QUOTED = re.compile(r"`([^`]+)`|\"([^\"]+)\"|\u201c([^\u201d]+)\u201d")
_BE = r"\b(?:is|are|was|were|be|been|being|gets?|got)\s+(?:\w+ly\s+)?"
_BY = re.compile(_BE + r"(?!\w+ing\b)\w+\s+(?:[\w-]+\s+){0,7}?by\b")
_PASSIVE = re.compile(_BE + r"(?!\w+ing\b|an?\b|the\b|in\b|on\b|at\b|not\b)\w+")


def stem(word: str) -> str:
    """Cut plural, -ing and -ed endings, so that "sliced" meets "slicing"; not a dictionary."""
    if len(word) > 4 and word.endswith("ies"):
        word = word[:-3] + "y"
    elif len(word) > 3 and word[-1] == "s" and word[-2] not in "sui":
        word = word[:-1]
    for ending in ("ing", "ed"):
        if word.endswith(ending) and len(word) - len(ending) > 2:
            rest = word[: -len(ending)]
            if re.search("[aeiouy]", rest):
                word = rest
                break
    if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "aeiou":
        word = word[:-1]
    return word[:-1] if len(word) > 3 and word[-1] == "e" else word


def tokens(text: str) -> list[str]:
    """Cut at blanks and commas; quotes and brackets at the edges are not part of a token."""
    found = []
    for raw in _TOKEN.findall(text.replace("\u2019", "'")):
        token = raw.strip(_EDGES).rstrip(".") if raw not in ",;" else ","
        token = token.removesuffix("'s")
        if token:
            found.append(token)
    return found


def words(text: str) -> list[str]:
    """Give the lower-case words; "n't" becomes "not", and hyphens and paths are taken apart."""
    found: list[str] = []
    for token in tokens(text):
        low = token.casefold()
        if low == ",":
            found.append(low)
        elif low.endswith("n't"):
            found += [low[:-3], "not"]
        else:
            found += _PART.findall(low)
    return found


class Reading:
    """One text as the rules see it."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = tokens(text)
        self.words = words(text)
        self.stems = frozenset(map(stem, self.words))
        self.content = [
            (stem(w), link) for w, link in _linked(self.words) if w not in FUNCTION
        ]


def _linked(found: list[str]) -> list[tuple[str, str]]:
    """Give each word with the last preposition or conjunction since the last content word."""
    pairs, link = [], ""
    for word in found:
        pairs.append((word, link))
        if word in COORDINATORS:
            link = "and"
        elif word in LINKS:
            link = word
        elif word not in FUNCTION:
            link = ""
    return pairs


def veto(a: str, b: str) -> str | None:
    """Name the first difference that forbids to treat two texts as one statement."""
    one, two = Reading(a), Reading(b)
    return (
        _numbers(one, two)
        or _negation(one, two)
        or _restriction(one, two)
        or _modal(one, two)
        or _names(one, two)
        or _opposites(one, two)
        or _direction(one, two)
        or _order(one, two)
    )


def _numbers(a: Reading, b: Reading) -> str | None:
    """Any differing token that holds a digit, and number words; a lone "one" says little."""
    mine, yours = _figures(a), _figures(b)
    said, heard = mine | _spelled(a), yours | _spelled(b)
    if mine == yours and (said ^ heard <= {"1"}):
        return None
    if said == heard:
        return None
    return f"number {_listed(said - heard)} ≠ {_listed(heard - said)}"


def _figures(text: Reading) -> frozenset[str]:
    return frozenset(t.casefold() for t in text.tokens if any(map(str.isdigit, t)))


def _spelled(text: Reading) -> frozenset[str]:
    return frozenset(NUMBERS[w] for w in text.words if w in NUMBERS)


def _negation(a: Reading, b: Reading) -> str | None:
    counts = [sum(w in NEGATIONS or stem(w) in NEGATIONS for w in t.words) for t in (a, b)]
    return "negation" if counts[0] != counts[1] else None


def _restriction(a: Reading, b: Reading) -> str | None:
    differing = (set(a.words) ^ set(b.words)) & RESTRICTIONS
    return f"restriction {min(differing)}" if differing else None


def _direction(a: Reading, b: Reading) -> str | None:
    differing = (set(a.words) ^ set(b.words)) & PARTICLES
    return f"direction {min(differing)}" if differing else None


def _modal(a: Reading, b: Reading) -> str | None:
    mine, yours = ({MODALS[w] for w in t.words if w in MODALS} for t in (a, b))
    if mine and yours and mine != yours:
        return f"modal {_listed(mine)} ≠ {_listed(yours)}"
    return None


def _names(a: Reading, b: Reading) -> str | None:
    mine, yours = _named(a) - b.stems, _named(b) - a.stems
    if mine or yours:
        return f"name {_listed(mine)} ≠ {_listed(yours)}"
    return None


def _named(text: Reading) -> frozenset[str]:
    """The stems of code, of quoted strings and of words with a capital inside a sentence."""
    marked = [q for match in _QUOTED.findall(text.text) for q in match if q]
    for before, token in zip(["."] + text.text.split(), text.text.split()):
        token = token.strip(_EDGES + ".,;")
        inside = before[-1] not in ".!?:;-*" and token[:1].isupper() and token != "I"
        if inside or _CODE.search(token):
            marked.append(token)
    return frozenset(stem(w) for m in marked for w in words(m) if w not in FUNCTION)


def _opposites(a: Reading, b: Reading) -> str | None:
    mine, yours = a.stems - b.stems, b.stems - a.stems
    for word in sorted(mine):
        against = _opposed().get(word, frozenset()) & yours
        if against:
            return f"antonym {word}/{min(against)}"
        for other in sorted(yours):
            if _denies(word, other) or _denies(other, word):
                return f"antonym {word}/{other}"
    return None


def _denies(longer: str, shorter: str) -> bool:
    """"unbounded" against "bounded", "harmless" against "harmful"."""
    if len(shorter) < 4:
        return False
    if longer.endswith("less"):
        return shorter in (longer[:-4], longer[:-4] + "ful")
    return longer.endswith(shorter) and longer[: -len(shorter)] in PREFIXES


PREFIXES = frozenset("un in im ir il dis non de anti mis".split())
_table: dict[str, frozenset[str]] = {}


def _opposed() -> dict[str, frozenset[str]]:
    if not _table:
        gathered: dict[str, set[str]] = {}
        for group in OPPOSITES.split(";"):
            sides = [{stem(w) for w in side.split()} for side in group.split("/")]
            for side in sides:
                for word in side:
                    for other in sides:
                        if other is not side:
                            gathered.setdefault(word, set()).update(other - side)
        _table.update((w, frozenset(o)) for w, o in gathered.items())
    return _table


def _order(a: Reading, b: Reading) -> str | None:
    """The same words with their roles exchanged: who calls whom, from which to which."""
    first, second = _shared(a, b), _shared(b, a)
    order = [w for w, _ in first]
    places = [order.index(w) for w, _ in second]
    if bool(_BY.search(a.text.lower())) != bool(_BY.search(b.text.lower())):
        # "A is called by B" must turn the order round to say what "B calls A" says.
        whole = len(order) > 2 and len(order) == len(a.content) == len(b.content)
        return "swap" if whole and places == sorted(places) else None
    low, high = 0, len(places)
    while low < high and places[low] == low:
        low += 1
    while high > low and places[high - 1] == high - 1:
        high -= 1
    if low == high:
        return None
    last = places[low]  # the text b reads: the last block, a pivot, the block that came first
    pivot = places[low + high - last : high][0] if high > last > low else low
    turned = [*range(last, high), *range(pivot, last), *range(low, pivot)]
    if places[low:high] != turned:
        passive = [bool(_PASSIVE.search(t.text.lower())) for t in (a, b)]
        return "order" if passive[0] == passive[1] else None
    then = low + (high - last) + (last - pivot) if pivot > low else low + high - last
    links = (first[low][1], first[last][1]), (second[low][1], second[then][1])
    same_frame = links[0] == links[1]
    if pivot > low:
        return "swap" if same_frame else None
    return "swap" if same_frame and links[0][1] not in ("", "and") else None


def _shared(text: Reading, other: Reading) -> list[tuple[str, str]]:
    """The content words that each of the two texts holds exactly once, in order."""
    mine, yours = ([w for w, _ in t.content] for t in (text, other))
    return [(w, at) for w, at in text.content if mine.count(w) == 1 == yours.count(w)]


def _listed(found: Collection[str]) -> str:
    return " ".join(sorted(found)) or "nothing"
