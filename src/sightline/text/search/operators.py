"""Operators of the search box: said:, shown:, in:, before:, after:, tag:, kind:, and -word. Pure.

What is left of a query without its operators is plain text for `query.parse_query`. A name before a colon that is no operator is
text too, so times (9:30), ratios and addresses are searched as they are written.
"""

import re
from dataclasses import dataclass, field
from datetime import date
from typing import Literal, get_args

from sightline.contracts.values import FIRST_YEAR, LAST_YEAR
from sightline.errors import InvalidInput
from sightline.text.search.query import MAX_QUERY_LENGTH, MAX_TERMS, QUOTES, Term, parse_query
from sightline.text.segments import EntityType, SegmentKind

HitKind = Literal["text", "speech", "video", "technique", "camera"]
HIT_KINDS: tuple[HitKind, ...] = get_args(HitKind)
OPERATORS = ("said", "shown", "in", "tag", "kind", "before", "after")

_OTHER_NAMES: dict[str, str] = {"shown": "text", "said": "speech", "link": "url"}
_KIND_NAMES = (*HIT_KINDS, *EntityType)
_EXAMPLES = {
    "said": "said:invoice",
    "shown": 'shown:"invoice total"',
    "in": 'in:"lecture.mp4"',
    "tag": "tag:lectures",
    "kind": "kind:speech",
    "before": "before:2026-03-01",
    "after": "after:2026-03-01",
}
_VALUE = r'(?:"(?P<quoted>[^"]*)"?|(?P<bare>\S*))'
_OPERATOR = re.compile(rf"(?P<minus>-?)(?P<name>{'|'.join(OPERATORS)}):{_VALUE}", re.IGNORECASE)
# A minus before a digit is a sign, and two are an option of a command: -5 and --help are text.
_EXCLUDED = re.compile(r'-(?:"(?P<quoted>[^"]*)"?|(?P<bare>[^\W\d_]\S*|[@#*]\S+))')
_PLAIN = re.compile(r'"(?P<quoted>[^"]*)"?|(?P<bare>\S+)')
_DATE = re.compile(r"(\d{4})(?:-(\d{1,2})(?:-(\d{1,2}))?)?")


@dataclass(frozen=True, slots=True)
class Wording:
    """A word, or a phrase in quotation marks, as it was written."""

    text: str
    is_phrase: bool = False

    def __str__(self) -> str:
        return f'"{self.text}"' if self.is_phrase else self.text

    def terms(self) -> tuple[Term, ...]:
        return parse_query(str(self))


@dataclass(frozen=True, slots=True)
class BoxQuery:
    """A query of the search box, taken apart. `str` writes it again."""

    words: tuple[Wording, ...] = ()
    excluded: tuple[Wording, ...] = ()
    said: tuple[Wording, ...] = ()
    shown: tuple[Wording, ...] = ()
    videos: tuple[Wording, ...] = ()
    """Names or ids; a hit is in one of them."""
    tags: tuple[Wording, ...] = ()
    """A hit is in a video that has all of them."""
    kinds: tuple[str, ...] = ()
    before: date | None = None
    after: date | None = None
    plain: str = field(init=False, default="")
    """The words as `parse_query` reads them."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "plain", " ".join(map(str, self.words)))

    def __str__(self) -> str:
        named = {"said": self.said, "shown": self.shown, "in": self.videos, "tag": self.tags}
        written = [str(one) for one in self.words]
        written += [f"-{one}" for one in self.excluded]
        written += [f"{name}:{one}" for name, values in named.items() for one in values]
        written += [f"kind:{one}" for one in self.kinds]
        written += [f"{name}:{day}" for name, day in (("before", self.before), ("after", self.after)) if day]
        return " ".join(written)

    @property
    def has_operators(self) -> bool:
        return self != BoxQuery(self.words)

    @property
    def segment_kind(self) -> SegmentKind | None:
        """Set if only what is said, or only what is shown, can match."""
        if self.said or self._only("speech"):
            return "speech"
        return "text" if self.shown or self._only("text") else None

    @property
    def entity_types(self) -> tuple[EntityType, ...]:
        return tuple(one for one in EntityType if one in self.kinds)

    def finds(self, kind: HitKind) -> bool:
        """Whether hits of this kind are among the results."""
        if kind in ("text", "speech"):
            is_named = kind in self.kinds or bool(self.entity_types)
            return (not self.kinds or is_named) and self.segment_kind in (None, kind)
        if self.said or self.shown or self.entity_types:
            return False
        return not self.kinds or kind in self.kinds

    def terms(self) -> tuple[Term, ...]:
        """Of the plain words, and of said: or shown:."""
        found = list(parse_query(self.plain)) if self.plain else []
        found += [term for one in (*self.said, *self.shown) for term in one.terms() if term not in found]
        return tuple(found)

    def excluded_terms(self) -> tuple[Term, ...]:
        return tuple(term for one in self.excluded for term in one.terms())

    def _only(self, kind: HitKind) -> bool:
        return kind in self.kinds and not any(one in self.kinds for one in ("text", "speech") if one != kind)


def parse_box(text: str) -> BoxQuery:
    """Raises `InvalidInput` for an operator whose value cannot be used, with what to write instead."""
    if len(text) > MAX_QUERY_LENGTH:
        raise InvalidInput(f"q: use at most {MAX_QUERY_LENGTH} characters")
    source = text.translate(QUOTES)
    reader = _BoxReader()
    at = 0
    while at < len(source):
        if source[at].isspace():
            at += 1
            continue
        at = reader.read(source, at)
    found = reader.query()
    if len(found.words) + len(found.excluded) + len(found.said) + len(found.shown) > MAX_TERMS:
        raise InvalidInput(f"q: use at most {MAX_TERMS} words")
    return found


class _BoxReader:
    def __init__(self) -> None:
        self._words: list[Wording] = []
        self._excluded: list[Wording] = []
        self._values: dict[str, list[Wording]] = {name: [] for name in OPERATORS}

    def read(self, source: str, at: int) -> int:
        """Reads the term that begins here; returns where it ends."""
        if found := _OPERATOR.match(source, at):
            self._values[self._name(found)].append(_value(found))
        elif found := _EXCLUDED.match(source, at):
            if wording := _wording(found):
                self._excluded.append(wording)
        else:
            found = _PLAIN.match(source, at)
            assert found is not None, "not a space, so there is something to read"
            if wording := _wording(found):
                self._words.append(wording)
        return found.end()

    def query(self) -> BoxQuery:
        values = {name: tuple(dict.fromkeys(found)) for name, found in self._values.items()}
        query = BoxQuery(
            words=tuple(dict.fromkeys(self._words)),
            excluded=tuple(dict.fromkeys(self._excluded)),
            said=values["said"],
            shown=values["shown"],
            videos=values["in"],
            tags=values["tag"],
            kinds=tuple(dict.fromkeys(_kind(one.text) for one in values["kind"])),
            before=min((_day("before", one.text) for one in values["before"]), default=None),
            after=max((_day("after", one.text) for one in values["after"]), default=None),
        )
        for name, wanted, other in (("said", "speech", query.shown), ("shown", "text", query.said)):
            is_elsewhere = bool(query.kinds) and wanted not in query.kinds and not query.entity_types
            if values[name] and (other or is_elsewhere):
                raise _wrong(f"one text is either said or shown; {name}: excludes the other")
        return query

    def _name(self, found: re.Match[str]) -> str:
        name = found["name"].lower()
        if found["minus"]:
            raise _wrong(f'-{name}: cannot be used; write -word or -"a phrase" to leave texts out')
        return name


def _value(found: re.Match[str]) -> Wording:
    name = found["name"].lower()
    wording = _wording(found)
    if wording is None:
        raise _wrong(f'{name}: needs a value, such as {_EXAMPLES[name]}; "{name}:" in quotes is searched as text')
    return wording


def _wording(found: re.Match[str]) -> Wording | None:
    quoted = found["quoted"]
    text = found["bare"] if quoted is None else quoted.strip()
    return Wording(text, is_phrase=quoted is not None) if text else None


def _kind(text: str) -> str:
    name = _OTHER_NAMES.get(text.lower(), text.lower())
    if name not in _KIND_NAMES:
        raise _wrong(f"kind: {text!r} is unknown; use one of {', '.join(_KIND_NAMES)}")
    return str(name)


def _day(name: str, text: str) -> date:
    """The first day of a year or month, or a day."""
    found = _DATE.fullmatch(text)
    try:
        if found is None:
            raise ValueError
        day = date(int(found[1]), int(found[2] or 1), int(found[3] or 1))
    except ValueError:
        hint = f'"{name}:{text}" in quotes is searched as text'
        raise _wrong(f"{name}: {text!r} is no date; use 2026-03-01, 2026-03 or 2026; {hint}") from None
    if not FIRST_YEAR <= day.year <= LAST_YEAR:
        raise _wrong(f"{name}: the year must be from {FIRST_YEAR} to {LAST_YEAR}")
    return day


def _wrong(message: str) -> InvalidInput:
    return InvalidInput(f"q: {message}", details={"reason": "operator"})
