"""Suggestions while somebody types: operators, words, names of videos, and tags."""

import re
from dataclasses import dataclass
from typing import Literal

from sightline.db import Transaction
from sightline.searches.words import suggest_tags, suggest_words
from sightline.text import HIT_KINDS, OPERATORS, EntityType, fold
from sightline.videos import find_videos, read_videos

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
            return [_tag(head, tag, videos) for tag, videos in await suggest_tags(tx, value, limit=MAX_SUGGESTIONS)]
        case "in":
            return await _names(tx, head, value, limit=MAX_SUGGESTIONS) if value else []
        case "kind":
            kinds = [one for one in (*HIT_KINDS, *EntityType) if one.startswith(value.lower())]
            return [Suggestion("kind", one, f"{head}kind:{one} ") for one in kinds]
        case "said" | "shown":
            return await _words(tx, f"{head}{name}:", value)
        case "":
            return await _of_text(tx, head + found["minus"], value, is_excluded=bool(found["minus"]))
        case _:
            return []


async def _of_text(tx: Transaction, head: str, value: str, *, is_excluded: bool) -> list[Suggestion]:
    if not value:
        return []
    words = await _words(tx, head, value)
    if is_excluded:
        return words
    operators = [one for one in OPERATORS if one.startswith(value.lower())]
    tags = [_tag(head, tag, videos) for tag, videos in await suggest_tags(tx, value, limit=_OF_EACH)]
    names = await _names(tx, head, value, limit=_OF_EACH)
    found = [
        *words[:_OF_EACH],
        *names[:3],
        *tags[:2],
        *(Suggestion("operator", f"{one}:", f"{head}{one}:") for one in operators),
    ]
    return found[:MAX_SUGGESTIONS]


async def _words(tx: Transaction, head: str, value: str) -> list[Suggestion]:
    beginning = fold(value)
    if not beginning:
        return []
    found = await suggest_words(tx, beginning, limit=MAX_SUGGESTIONS)
    return [Suggestion("word", word, f"{head}{word} ", videos) for word, videos in found]


async def _names(tx: Transaction, head: str, value: str, *, limit: int) -> list[Suggestion]:
    found = await find_videos(tx, [value], only_names=True, limit=limit)
    names = dict.fromkeys(video.name for video in await read_videos(tx, [one.id for one in found]))
    return [Suggestion("video", name, f'{head}in:"{_unquoted(name)}" ') for name in names]


def _tag(head: str, tag: str, videos: int) -> Suggestion:
    written = f'"{tag}"' if " " in tag else tag
    return Suggestion("tag", tag, f"{head}tag:{written} ", videos)


def _unquoted(name: str) -> str:
    """Quotation marks end a value; words of a name are found without them."""
    return " ".join(re.sub(r'["“”„«»]', " ", name).split())
