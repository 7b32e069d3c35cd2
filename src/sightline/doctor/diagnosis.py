"""What an examination found: how bad it is, and what to do about it. Pure."""

from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from typing import Literal

from sightline.config import Settings

Level = Literal["ok", "warning", "problem"]


@dataclass(frozen=True, slots=True)
class Diagnosis:
    level: Level
    part: str
    text: str
    fix: str = ""
    """What to do, as a sentence or a command; empty only if nothing is wrong."""


Examination = Callable[[Settings], Awaitable[list[Diagnosis]]]


def ok(part: str, text: str) -> Diagnosis:
    return Diagnosis("ok", part, text)


def warning(part: str, text: str, *, fix: str) -> Diagnosis:
    return Diagnosis("warning", part, text, fix)


def problem(part: str, text: str, *, fix: str) -> Diagnosis:
    return Diagnosis("problem", part, text, fix)


def worst(findings: Iterable[Diagnosis]) -> Level:
    levels: tuple[Level, ...] = ("ok", "warning", "problem")
    return max((one.level for one in findings), key=levels.index, default="ok")
