"""Candidates: technique clips out of spans of phases, and out of the change from one to the next. Pure.

What a pose shows is where two people are; what they do follows from what comes next. Who acts is told by who is above, and by the
colour of their clothes; where either is not known, it is not said.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from sightline.contracts.technique_events import Category
from sightline.techniques.pose.clothing import UNKNOWN_ATHLETE
from sightline.techniques.pose.phase_spans import PhaseSpan
from sightline.techniques.pose.vocabulary import CATEGORIES, GUARD, NAMES, TOP, names_of

MIN_SIDE = 0.6
"""Share of the guard's two categories from which one of them is said: the same picture often fits both."""
MIN_SUBMISSION = 0.7
MIN_NAME = 0.5
MIN_ABOVE = 0.12
"""How much higher a trunk is, in units of a body's size, from which it is above."""
MAX_CHANGE_MS = 6000
"""Between two spans: a longer gap hides what happened."""
CHANGE_MARGIN_MS = 1500
"""Of either span, that belongs to the change."""


@dataclass(frozen=True, slots=True)
class Candidate:
    start_ms: int
    end_ms: int
    category: Category
    name: str
    role: str
    confidence: float
    reasoning: str


def candidates(spans: Sequence[PhaseSpan], roles: tuple[str, str]) -> list[Candidate]:
    """By start."""
    found = [_of_span(span, roles) for span in spans]
    found += [one for before, after in pairwise(spans) if (one := _of_change(before, after, roles)) is not None]
    return sorted(found, key=lambda one: (one.start_ms, one.end_ms))


def above(span: PhaseSpan) -> int | None:
    """Who of the pair is above, 0 or 1; None if neither clearly is."""
    leads = [one.lead for one in span.windows if one.lead is not None]
    lead = float(np.median(leads)) if leads else 0.0
    if abs(lead) < MIN_ABOVE:
        return None
    return 0 if lead > 0 else 1


def _of_span(span: PhaseSpan, roles: tuple[str, str]) -> Candidate:
    match span.phase:
        case "standing":
            return _said(
                span, Category.STANDUP_GAME, "Standing", None, roles, span.probability, "both are on their feet"
            )
        case "guard":
            return _of_guard(span, roles)
    return _of_top(span, roles)


def _of_guard(span: PhaseSpan, roles: tuple[str, str]) -> Candidate:
    play, passing = (_mean(span, category) for category in (Category.GUARD_PLAY, Category.GUARD_PASSING))
    name = _name(span, names_of(GUARD)) or "Guard"
    top = above(span)
    if passing / max(play + passing, 1e-6) >= MIN_SIDE:
        return _said(span, Category.GUARD_PASSING, name, top, roles, passing, "a guard is being passed")
    if play / max(play + passing, 1e-6) >= MIN_SIDE:
        bottom = None if top is None else 1 - top
        return _said(span, Category.GUARD_PLAY, name, bottom, roles, play, "a guard is being held")
    return _said(
        span, Category.GUARD_PLAY, name, None, roles, span.probability * 0.5, "in a guard; which side acts is not known"
    )


def _of_top(span: PhaseSpan, roles: tuple[str, str]) -> Candidate:
    dominance, submission = (
        _mean(span, category) for category in (Category.POSITIONAL_DOMINANCE, Category.SUBMISSION_OFFENSE)
    )
    if submission >= MIN_SUBMISSION:
        name = _name(span, names_of(TOP, is_submission=True)) or "Submission attempt"
        return _said(span, Category.SUBMISSION_OFFENSE, name, None, roles, submission, "a submission is being tried")
    name = _name(span, names_of(TOP, is_submission=False)) or "Top control"
    reasoning = "one controls the other past the legs or from behind"
    return _said(span, Category.POSITIONAL_DOMINANCE, name, above(span), roles, dominance, reasoning)


def _said(
    span: PhaseSpan,
    category: Category,
    name: str,
    who: int | None,
    roles: tuple[str, str],
    probability: float,
    reasoning: str,
) -> Candidate:
    return Candidate(
        span.start_ms,
        span.end_ms,
        category,
        name,
        UNKNOWN_ATHLETE if who is None else roles[who],
        round(probability, 3),
        f"Candidate from poses: {reasoning}; {span.phase} with {span.probability:.2f} in {len(span.windows)} windows.",
    )


def _of_change(before: PhaseSpan, after: PhaseSpan, roles: tuple[str, str]) -> Candidate | None:
    if after.start_ms - before.end_ms > MAX_CHANGE_MS or before.phase == after.phase:
        return None
    described = _change(before.phase, after.phase, above(before), above(after))
    if described is None:
        return None
    category, name, who = described
    confidence = before.probability * after.probability
    return Candidate(
        max(before.start_ms, before.end_ms - CHANGE_MARGIN_MS),
        min(after.end_ms, after.start_ms + CHANGE_MARGIN_MS),
        category,
        name,
        UNKNOWN_ATHLETE if who is None else roles[who],
        round(confidence, 3),
        f"Candidate from the sequence of phases: {before.phase}, then {after.phase}.",
    )


def _change(before: str, after: str, first: int | None, second: int | None) -> tuple[Category, str, int | None] | None:
    """`first` and `second` are who was above before and after."""
    is_known = first is not None and second is not None
    match before, after:
        case "standing", "top":
            return Category.STANDUP_GAME, "Takedown", second
        case "standing", "guard":
            return Category.STANDUP_GAME, "Takedown or guard pull", None
        case "guard", "top":
            if is_known and first != second:
                return Category.GUARD_PLAY, "Sweep", second
            return Category.GUARD_PASSING, "Guard pass", second if is_known else None
        case "top", "guard":
            if is_known and first != second:
                return Category.DEFENSE_ESCAPES, "Reversal", second
            return Category.DEFENSE_ESCAPES, "Guard recovery", None if first is None else 1 - first
        case "top", "standing":
            return Category.DEFENSE_ESCAPES, "Escape to the feet", None if first is None else 1 - first
    return None


def _mean(span: PhaseSpan, category: Category) -> float:
    return float(np.mean([one.categories[CATEGORIES.index(category)] for one in span.windows]))


def _name(span: PhaseSpan, allowed: Sequence[str]) -> str | None:
    """The position that fits best, if it fits well enough."""
    numbers = [NAMES.index(name) for name in allowed]
    means = np.mean([one.names for one in span.windows], axis=0)[numbers]
    best = int(np.argmax(means))
    return allowed[best] if means[best] >= MIN_NAME else None
