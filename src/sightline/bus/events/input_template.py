"""Input transformers: a template whose placeholders are filled from the event. Pure.

A template is JSON, or a quoted text. A placeholder outside of quotes becomes a JSON value; inside of quotes it becomes part of
the text, and of an object or a list the quotation marks are left out, as EventBridge does.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from sightline.bus.events.json_path import NothingThere, value_at

PREDEFINED = frozenset(
    {
        "aws.events.rule-arn",
        "aws.events.rule-name",
        "aws.events.event.ingestion-time",
        "aws.events.event",
        "aws.events.event.json",
    }
)
_PLACEHOLDER = re.compile(r"<([A-Za-z0-9_.\-]+)>")
_MISSING = object()


class NotJson(Exception):
    """The filled template is not JSON, which EventBridge does not deliver."""


@dataclass(frozen=True, slots=True)
class Occasion:
    """What predefined placeholders stand for."""

    event: Mapping[str, Any]
    rule_arn: str
    rule_name: str
    ingestion_time: str


@dataclass(frozen=True, slots=True)
class _Placeholder:
    name: str
    is_quoted: bool


def placeholders(template: str) -> Iterator[str]:
    return (found[1] for found in _PLACEHOLDER.finditer(template))


def fill(template: str, paths: Mapping[str, str], occasion: Occasion) -> str:
    is_text = template.lstrip().startswith('"')
    parts = []
    for part in _parse(template):
        if isinstance(part, str):
            parts.append(part)
            continue
        value = _value(part.name, paths, occasion)
        parts.append(_quoted(value, is_text=is_text) if part.is_quoted else _unquoted(value))
    filled = "".join(parts)
    if not is_text:
        try:
            json.loads(filled)
        except ValueError as error:
            raise NotJson(f"The transformed input is not valid JSON: {error}") from error
    return filled


@lru_cache(maxsize=1024)
def _parse(template: str) -> tuple[str | _Placeholder, ...]:
    """Texts and placeholders in turn; each placeholder knows whether it stands in quotes."""
    parts: list[str | _Placeholder] = []
    end, in_quotes = 0, False
    for found in _PLACEHOLDER.finditer(template):
        text = template[end : found.start()]
        in_quotes ^= _count_quotes(text) % 2 == 1
        parts += [text, _Placeholder(found[1], in_quotes)]
        end = found.end()
    return (*parts, template[end:])


def _count_quotes(text: str) -> int:
    return re.sub(r"\\.", "", text, flags=re.DOTALL).count('"')


def _value(name: str, paths: Mapping[str, str], occasion: Occasion) -> Any:
    match name:
        case "aws.events.rule-arn":
            return occasion.rule_arn
        case "aws.events.rule-name":
            return occasion.rule_name
        case "aws.events.event.ingestion-time":
            return occasion.ingestion_time
        case "aws.events.event.json":
            return occasion.event
        case "aws.events.event":
            return {
                "detailType" if key == "detail-type" else key: value
                for key, value in occasion.event.items()
                if key != "detail"
            }
    try:
        return value_at(occasion.event, paths[name])
    except NothingThere:
        return _MISSING


def _unquoted(value: Any) -> str:
    return '""' if value is _MISSING else compact(value)


def _quoted(value: Any, *, is_text: bool) -> str:
    if value is _MISSING:
        return ""
    if isinstance(value, str):
        return compact(value)[1:-1]
    text = compact(value)
    return text.replace('"', "") if is_text else text


def compact(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
