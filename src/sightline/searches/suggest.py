"""Suggestions while somebody types: operators, words, names of videos, and tags."""

import re
from dataclasses import dataclass
from typing import Literal

from sightline.db import Transaction
from sightline.searches.words import CompletionKind, completions
from sightline.text import HIT_KINDS, OPERATORS, EntityType

SuggestionKind = Literal["operator", "word", "video", "tag", "kind"]

MAX_SUGGESTIONS = 10
_OF_EACH = 5
_LAST = re.compile(r'(?:^|(?<=\s))(?P<minus>-?)(?:(?P<name>\w+):)?(?P<value>"[^"]*|\S*)$')


@dataclass(frozen=True, slots=True)
class Suggestion:
    kind: SuggestionKind
    text: str
    """What is shown."""
    q: str
    """The whole query with the suggestion in the place of its last term."""
    videos: int | None = None
    """In how many videos a word or tag is."""


async def suggest(tx: Transaction, q: str) -> list[Suggestion]:
    """Completions of the last term of a query, of what the caller may see."""
    found = _LAST.search(q)
    if found is None:
        return []
    name, value = (found["name"] or "").lower(), found["value"].lstrip('"').strip()
    head = q[: found.start()]
    match name:
        case "tag":
            tags = (await completions(tx, value, ["tag"], limit=MAX_SUGGESTIONS))["tag"]
            return [_tag(head, *one) for one in tags]
        case "in" if value:
            names = (await completions(tx, value, ["video"], limit=MAX_SUGGESTIONS))["video"]
            return _names(head, names)
        case "kind":
            kinds = [one for one in (*HIT_KINDS, *EntityType) if one.startswith(value.lower())]
            return [Suggestion("kind", one, f"{head}kind:{one} ") for one in kinds]
        case "said" | "shown" if value:
            words = (await completions(tx, value, ["word"], limit=MAX_SUGGESTIONS))["word"]
            return [_word(f"{head}{name}:", *one) for one in words]
        case "" if value:
            return await _of_text(tx, head + found["minus"], value, is_excluded=bool(found["minus"]))
        case _:
            return []


async def _of_text(tx: Transaction, head: str, value: str, *, is_excluded: bool) -> list[Suggestion]:
    kinds: tuple[CompletionKind, ...] = ("word",) if is_excluded else ("word", "video", "tag")
    found = await completions(tx, value, kinds, limit=_OF_EACH)
    operators = [] if is_excluded else [one for one in OPERATORS if one.startswith(value.lower())]
    return [
        *(_word(head, *one) for one in found["word"]),
        *_names(head, found["video"])[:3],
        *(_tag(head, *one) for one in found["tag"][:2]),
        *(Suggestion("operator", f"{one}:", f"{head}{one}:") for one in operators),
    ][:MAX_SUGGESTIONS]


def _word(head: str, word: str, videos: int | None) -> Suggestion:
    return Suggestion("word", word, f"{head}{word} ", videos)


def _names(head: str, names: list[tuple[str, int | None]]) -> list[Suggestion]:
    different = dict.fromkeys(name for name, _ in names)
    return [Suggestion("video", name, f'{head}in:"{_unquoted(name)}" ') for name in different]


def _tag(head: str, tag: str, videos: int | None) -> Suggestion:
    written = f'"{tag}"' if " " in tag else tag
    return Suggestion("tag", tag, f"{head}tag:{written} ", videos)


def _unquoted(name: str) -> str:
    """Quotation marks end a value; words of a name are found without them."""
    return " ".join(re.sub(r'["“”„«»]', " ", name).split())
