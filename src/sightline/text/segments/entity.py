"""An entity: something in a text that stands for itself, and the keys by which search finds it. Pure."""

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
    """As it stands in the text."""
    normalized_value: str
    start: int
    """Where in the text it begins, in characters."""


def normalize_value(entity_type: EntityType, value: str) -> str:
    """The one form that equal things share. A sign that was left away is put there."""
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
    """By its kind, by itself, and a number also without its unit."""
    kind, value = entity.entity_type, entity.normalized_value
    keys = [str(kind), f"{kind}:{value}"]
    if kind is EntityType.NUMBER and (bare := bare_amount(value)) != value:
        keys.append(f"{kind}:{bare}")
    return keys


def entity_query_keys(entity_type: EntityType | None, value: str | None) -> list[str]:
    """The keys to ask for; any of them will do."""
    kinds = list(EntityType) if entity_type is None else [entity_type]
    if value is None:
        return [str(kind) for kind in kinds]
    return [f"{kind}:{normalize_value(kind, value)}" for kind in kinds]
