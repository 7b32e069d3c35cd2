"""Entities and the keys by which search finds them. Pure."""

from dataclasses import dataclass
from enum import StrEnum

from sightline.text.segments.numbers import bare_amount, normalize_number


class EntityType(StrEnum):
    MENTION = "mention"
    HASHTAG = "hashtag"
    URL = "url"
    EMOJI = "emoji"
    NUMBER = "number"


@dataclass(frozen=True, slots=True)
class Entity:
    entity_type: EntityType
    value: str
    """As written in the text."""
    normalized_value: str
    start: int
    """Its offset in the text, in characters."""


def normalize_value(entity_type: EntityType, value: str) -> str:
    """The form that equal entities share. A missing `@` or `#` is added."""
    text = value.strip().lower()
    match entity_type:
        case EntityType.MENTION:
            return "@" + text.removeprefix("@")
        case EntityType.HASHTAG:
            return "#" + text.removeprefix("#")
        case EntityType.URL:
            return text.rstrip("/")
        case EntityType.EMOJI:
            return text.replace("\ufe0f", "")
        case EntityType.NUMBER:
            return normalize_number(text)


def entity_search_keys(entity: Entity) -> list[str]:
    """Its type, its value, and for a number also the value without its unit."""
    kind, value = entity.entity_type, entity.normalized_value
    keys = [str(kind), f"{kind}:{value}"]
    if kind is EntityType.NUMBER and (bare := bare_amount(value)) != value:
        keys.append(f"{kind}:{bare}")
    return keys


def entity_query_keys(entity_type: EntityType | None, value: str | None) -> list[str]:
    """The keys to query for; a match of any of them is enough."""
    kinds = list(EntityType) if entity_type is None else [entity_type]
    if value is None:
        return [str(kind) for kind in kinds]
    return [f"{kind}:{normalize_value(kind, value)}" for kind in kinds]
