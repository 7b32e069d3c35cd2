"""Entities in a text: mentions, hashtags, links, emoji and numbers, which never overlap. Pure."""

from collections.abc import Iterator

import regex

from sightline.text.segments.entity import Entity, EntityType, normalize_value
from sightline.text.segments.numbers import find_numbers

_URL = regex.compile(r"(?<![\p{L}\p{N}])(?:https?://|www\.)[^\s<>\"“”«»]+", regex.IGNORECASE)
_MENTION = regex.compile(r"(?<![\p{L}\p{N}_@/.])@[\p{L}\p{M}\p{N}_]+")
_HASHTAG = regex.compile(r"(?<![\p{L}\p{N}_#&/])#[\p{L}\p{M}\p{N}_]+")
# Characters that can also be text (❤, ✔) are emoji in the picture blocks; ©, ™ and digits only with a variation selector.
_PICTURE = r"(?:\p{Emoji_Presentation}|\p{Emoji}\ufe0f|(?=[\u2600-\u27bf\U0001f000-\U0001faff])\p{Extended_Pictographic}(?!\ufe0e))"
_EMOJI = regex.compile(
    rf"(?:\p{{Regional_Indicator}}{{2}}|[0-9#*]\ufe0f?\u20e3|"
    rf"{_PICTURE}[\p{{Emoji_Modifier}}\ufe0f]*[\U000e0020-\U000e007f]*"
    rf"(?:\u200d(?:{_PICTURE}|\p{{Emoji}})[\p{{Emoji_Modifier}}\ufe0f]*)*)"
)
_CLOSING = {")": "(", "]": "[", "}": "{"}
_AFTER_A_LINK = ".,;:!?'\"’”*_~|"


def find_entities(text: str) -> list[Entity]:
    """In the order of the text. Pass the raw text: letter case matters in links."""
    found: list[Entity] = []
    taken: list[tuple[int, int]] = []
    for kind, value, start in _candidates(text):
        end = start + len(value)
        if any(start < to and end > since for since, to in taken):
            continue
        taken.append((start, end))
        found.append(Entity(kind, value, normalize_value(kind, value), start))
    # Numbers are searched for in the remaining text, so that no digit of a link or an emoji becomes one.
    found += [
        Entity(EntityType.NUMBER, one.value, one.normalized, one.start) for one in find_numbers(_blanked(text, taken))
    ]
    return sorted(found, key=lambda entity: entity.start)


def _candidates(text: str) -> Iterator[tuple[EntityType, str, int]]:
    for match in _URL.finditer(text):
        if link := _link(match[0]):
            yield EntityType.URL, link, match.start()
    for kind, pattern in (
        (EntityType.EMOJI, _EMOJI),
        (EntityType.MENTION, _MENTION),
        (EntityType.HASHTAG, _HASHTAG),
    ):
        for match in pattern.finditer(text):
            yield kind, match[0], match.start()


def _link(text: str) -> str | None:
    """Without punctuation of the sentence around it; None if no host is left."""
    while text:
        last = text[-1]
        if last in _AFTER_A_LINK or (last in _CLOSING and text.count(last) > text.count(_CLOSING[last])):
            text = text[:-1]
        else:
            break
    host = regex.sub(r"^(?:https?://)?(?:www\.)?", "", text, flags=regex.IGNORECASE)
    return text if regex.match(r"[\p{L}\p{N}\[]", host) else None


def _blanked(text: str, taken: list[tuple[int, int]]) -> str:
    letters = list(text)
    for start, end in taken:
        letters[start:end] = "\n" * (end - start)
    return "".join(letters)
