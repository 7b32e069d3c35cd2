"""Summary of a match: per athlete, the time in each category, and which techniques were tried and finished. Pure.

Times are the union of the techniques' times, so that what overlaps counts once.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sightline.contracts.technique_events import Category
from sightline.techniques.marks.mark import MarkValues


@dataclass(frozen=True, slots=True)
class CategorySummary:
    category: Category
    ms: int
    tried: int
    finished: int


@dataclass(frozen=True, slots=True)
class TechniqueCount:
    name: str
    category: Category
    tried: int
    """How often it was there, whether it succeeded or not."""
    finished: int
    """How often a person said that it succeeded."""


@dataclass(frozen=True, slots=True)
class AthleteSummary:
    role: str
    ms: int
    categories: tuple[CategorySummary, ...]
    """In the order of document 000; only those that occur."""
    techniques: tuple[TechniqueCount, ...]
    """Most frequent first."""


def summarize_match(techniques: Iterable[MarkValues]) -> list[AthleteSummary]:
    """One summary per role, in the order in which they appear in the video."""
    by_role: dict[str, list[MarkValues]] = {}
    for one in sorted(techniques, key=lambda one: one.start_ms):
        by_role.setdefault(one.role, []).append(one)
    return [
        AthleteSummary(role, _union_ms(own), tuple(_categories(own)), tuple(_counts(own)))
        for role, own in by_role.items()
    ]


def _categories(techniques: Sequence[MarkValues]) -> Iterable[CategorySummary]:
    for category in Category:
        own = [one for one in techniques if one.category is category]
        if own:
            yield CategorySummary(category, _union_ms(own), len(own), _finished(own))


def _counts(techniques: Sequence[MarkValues]) -> list[TechniqueCount]:
    by_name: dict[tuple[str, Category], list[MarkValues]] = {}
    for one in techniques:
        by_name.setdefault((one.name, one.category), []).append(one)
    counts = [TechniqueCount(name, category, len(own), _finished(own)) for (name, category), own in by_name.items()]
    return sorted(counts, key=lambda one: (-one.tried, -one.finished, one.name))


def _finished(techniques: Iterable[MarkValues]) -> int:
    return sum(one.finished is True for one in techniques)


def _union_ms(techniques: Iterable[MarkValues]) -> int:
    total = until = 0
    for start, end in sorted((one.start_ms, one.end_ms) for one in techniques):
        total += max(0, end - max(start, until))
        until = max(until, end)
    return total
