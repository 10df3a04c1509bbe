"""Words: how text becomes terms for the index and for queries. Pure functions.

A term is a normal form: compatibility forms and accents folded, lower case, English endings
stemmed. Identifiers give their parts (`getUserName`, `get_user_name`, `src/auth.py`) and
themselves as a whole; scripts without blanks give pairs of characters. Index and query use
the same functions, so what is written one way is found another.
"""

from __future__ import annotations

from functools import lru_cache
from unicodedata import category, normalize

from tacit.pattern import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

LONGEST_TERM = 64

# Words that carry no meaning of their own in a question.
STOP_WORDS = frozenset(
    """
    a an the this that these those i me my mine myself we us our ours ourselves you your yours
    yourself yourselves he him his himself she her hers herself it its itself they them their
    theirs themselves who whom whose which what when where why how am is are was were be been
    being do does did doing done have has had having can could will would shall should might
    must ought and or but nor so if then else than because as until while though although of at
    by for with about against between into through during before after above below to from up
    down in out on off over under again further once upon within without toward towards per via
    here there all any both each few more most other others some such no not only own same too
    very just also even ever s t d m re ve ll don doesn didn isn aren wasn weren won wouldn
    couldn shouldn hasn haven hadn ain let lets please tell give given get got gets getting make
    makes made say says said mention mentioned anything something everything nothing someone
    anyone everyone like really much many lot yes ok okay hi hey hello thanks thank
    """.split()
)

# Scripts written without blanks between words: Thai, Lao, Khmer, kana, Han; and Hangul, whose
# particles are glued to their word.
_UNSPACED = (
    "\u0e00-\u0eff\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
)
# A run is what a programmer calls one name: words joined by connectors, as in paths, dotted
# names, versions and packages.
_RUN = pattern(r"_{0,3}[^\W_]+(?:[-_./:@]{1,2}[^\W_]+)*(?:\+\+|#)?")
_WORD = pattern(r"[^\W_]+")
_UNSPACED_RUN = pattern(f"([{_UNSPACED}]+)")
_PARTS = pattern(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_A-Za-z]+")
# What Markdown puts before a line and around words. Underscores stay, for they are parts of names,
# and so do stars that nothing closes (`*args`, `*.py`).
_LINE_MARKUP = pattern(r"^\s*(?:(?:[#>*+-]+|\d{1,3}[.)])\s+)+")
_STARS = pattern(r"(?<![\w*`/.])(\*{1,3})(?=[^\s*])([^*`\n]*[^\s*`])\1(?![\w*`/.])")
_CONTRACTION = pattern(r"(?i)(?<=\w)['\u2019](?:s|t|d|m|re|ve|ll)\b")


def index_terms(text: str) -> list[str]:
    """Give the terms of a text, in order and with repeats."""
    return [term for run in runs(text) for term in _run_terms(run)]


def query_terms(text: str) -> list[str]:
    """Give the different terms of a question; stop words only if there is nothing else."""
    telling: dict[str, None] = {}
    empty: dict[str, None] = {}
    for run in runs(text):
        stop = run.lower() in STOP_WORDS
        for term in _run_terms(run):
            (empty if stop else telling).setdefault(term)
    return list(telling or empty)


def runs(text: str) -> list[str]:
    """Give what a programmer calls one name each: words joined by connectors."""
    found: list[str] = _RUN.findall(_spelled_out(text))
    return found


def content_words(text: str) -> list[str]:
    """Give the words that carry meaning, in lower case, unstemmed."""
    words = (word.lower() for word in _WORD.findall(_spelled_out(text)))
    return [word for word in words if word not in STOP_WORDS]


def _spelled_out(text: str) -> str:
    """Fold a text and take the ends of contractions out of it."""
    text = fold(text)
    return _CONTRACTION.sub("", text) if "'" in text or "\u2019" in text else text


def fold(text: str) -> str:
    """Fold compatibility forms, drop accents and vowel signs; case stays for camelCase."""
    text = normalize("NFKC", text)
    if text.isascii():
        return text
    bare = normalize("NFKD", text)
    marks = [char for char in set(bare) if char > "\x7f" and category(char)[0] == "M"]
    if marks:
        bare = bare.translate(dict.fromkeys(map(ord, marks)))
    return normalize("NFC", bare)  # puts Hangul syllables together again


def squash(text: str) -> str:
    """Give the form in which two texts count as the same: folded, one blank between words."""
    return " ".join(fold(text).casefold().split())


def without_markup(text: str) -> str:
    """Take Markdown's marks from the beginning of a text and its stars from around words."""
    return _STARS.sub(r"\2", _LINE_MARKUP.sub("", text))


def shorten(text: str, chars: int) -> str:
    """Cut at a word's end, with an ellipsis where something is left out."""
    text = " ".join(text.split())
    if len(text) <= chars:
        return text
    cut = text[: chars - 1]
    head = cut.rpartition(" ")[0]
    return (head if len(head) > chars // 2 else cut).rstrip(" ,;:-") + "…"


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """Strip English endings; words of other languages mostly stay."""
    try:
        return str(_stemmer().stemWord(word))
    except UnicodeEncodeError:  # half a character: no word of any language
        return word


@lru_cache(maxsize=1)
def _stemmer() -> Any:
    import Stemmer

    return Stemmer.Stemmer("english")


@lru_cache(maxsize=65536)
def _run_terms(run: str) -> tuple[str, ...]:
    if run.endswith("++"):
        return (run[:-2].casefold()[: LONGEST_TERM - 2] + "pp",)
    if run.endswith("#"):
        return (run[:-1].casefold()[: LONGEST_TERM - 5] + "sharp",)
    words = _WORD.findall(run)
    if len(words) == 1:
        return _word_terms(words[0])
    terms: list[str] = []
    for segment in run.split("/"):
        pieces = _WORD.findall(segment)
        for piece in pieces:
            terms += _word_terms(piece)
        if len(pieces) > 1:
            terms.append(_whole(pieces))
    if "/" in run:
        terms.append(_whole(words))
    return tuple(terms)


@lru_cache(maxsize=65536)
def _word_terms(word: str) -> tuple[str, ...]:
    if not word.isascii() and len(pieces := _UNSPACED_RUN.split(word)) > 1:
        # Every second piece is in a script without blanks.
        terms: list[str] = []
        for place, piece in enumerate(pieces):
            if piece:
                terms += _pairs(piece) if place % 2 else _word_terms(piece)
        return tuple(terms)
    lower = word.casefold()
    parts = _PARTS.findall(word)
    if len(parts) <= 1 or (word.isupper() and word.isalpha()):
        return (stem(lower[:LONGEST_TERM]),)
    inner = [
        stem(part.casefold()[:LONGEST_TERM]) for part in parts if len(part) > 1 or part.isdigit()
    ]
    return (*inner, _whole([word]))


def _whole(words: list[str]) -> str:
    """Give a name as one word, as somebody may write it who leaves out what joins its parts."""
    return stem("".join(words).casefold()[:LONGEST_TERM])


def _pairs(run: str) -> list[str]:
    return [run] if len(run) == 1 else [run[i : i + 2] for i in range(len(run) - 1)]
