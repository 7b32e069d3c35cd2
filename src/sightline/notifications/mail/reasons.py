"""Reasons for failures in the language of their reader. Pure, apart from reading the list."""

import re
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

from sightline.notifications.mail.mail import Language

ENGLISH: Language = "en"
_FILE = Path(__file__).parents[1] / "templates" / "reasons.toml"
_VALUE = re.compile(r"\\\{(\w+)\\\}")


def reason_in(language: Language, reason: str) -> str:
    """The reason in the language; unchanged if it is not in the list, as those of another producer are not."""
    if language == ENGLISH:
        return reason
    for pattern, words in _reasons(language):
        if (found := pattern.fullmatch(reason)) is not None:
            return words.format_map({name: _value(language, name, value) for name, value in found.groupdict().items()})
    return reason


def is_known_reason(reason: str) -> bool:
    return any(pattern.fullmatch(reason) for pattern, _ in _reasons("pt"))


def is_known_kind(kind: str) -> bool:
    return kind in _content()["kinds"]


def _value(language: Language, name: str, value: str) -> str:
    match name:
        case "reason":
            return reason_in(language, value)
        case "kind":
            return str(_content()["kinds"].get(value, {}).get(language, value))
        case _:
            return value


@cache
def _reasons(language: Language) -> list[tuple[re.Pattern[str], str]]:
    return [
        (re.compile(_VALUE.sub(r"(?P<\1>.+)", re.escape(one[ENGLISH])), re.DOTALL), one[language])
        for one in _content()["reason"]
    ]


@cache
def _content() -> dict[str, Any]:
    return tomllib.loads(_FILE.read_text(encoding="utf-8"))
