"""Windows of two seconds: what the looks in them say together, or why nothing can be said. Pure."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from sightline.techniques.pose.pairing import Silence
from sightline.techniques.pose.vocabulary import CATEGORIES, NAMES, PHASE_OF, PHASES

WINDOW_MS = 2000
HOP_MS = 1000
MIN_SHARE = 0.6
"""Of the looks of a window: fewer with a pair are too few."""

Values = NDArray[np.float32]
HEADS = {
    "phase": slice(0, len(PHASES)),
    "category": slice(len(PHASES), len(PHASES) + len(CATEGORIES)),
    "name": slice(len(PHASES) + len(CATEGORIES), len(PHASES) + len(CATEGORIES) + len(NAMES)),
}
OUTPUT_COUNT = HEADS["name"].stop
_PHASE_OF_CATEGORY = [PHASES.index(PHASE_OF[category]) for category in CATEGORIES]


@dataclass(frozen=True, slots=True)
class Calibration:
    """Divisors of the logits, so that of what is said with 0.8, about eighty in a hundred are right."""

    phase: float = 1.0
    category: float = 1.0
    name: float = 1.0


@dataclass(frozen=True, slots=True)
class PoseLook:
    at_ms: int
    logits: Values | None = None
    """(OUTPUT_COUNT,); None if no pair was seen."""
    silence: Silence | None = None
    lead: float | None = None
    """How much higher the trunk of the first of the pair is than the second's, in units of their size; None if not known."""


@dataclass(frozen=True, slots=True)
class PhaseWindow:
    start_ms: int
    end_ms: int
    silence: Silence | None
    phases: Values = field(default_factory=lambda: np.full(len(PHASES), 1 / len(PHASES), np.float32))
    categories: Values = field(default_factory=lambda: np.full(len(CATEGORIES), 1 / len(CATEGORIES), np.float32))
    names: Values = field(default_factory=lambda: np.full(len(NAMES), 1 / len(NAMES), np.float32))
    lead: float | None = None


def windows_of(looks: Sequence[PoseLook], calibration: Calibration) -> list[PhaseWindow]:
    """One window every second, in order. `looks` are in order too, silent ones included. What the last windows say ends with the
    last look: there is no video behind it."""
    if not looks:
        return []
    found: list[PhaseWindow] = []
    first = 0
    for start_ms in range(0, looks[-1].at_ms + 1, HOP_MS):
        end_ms = start_ms + WINDOW_MS
        while first < len(looks) and looks[first].at_ms < start_ms:
            first += 1
        last = first
        while last < len(looks) and looks[last].at_ms < end_ms:
            last += 1
        if last > first:
            ends_at = min(end_ms, looks[-1].at_ms + HOP_MS // 2)
            found.append(_window(start_ms, ends_at, looks[first:last], calibration))
    return found


def probabilities(logits: Values, calibration: Calibration) -> tuple[Values, Values, Values]:
    """Phases, categories and names of (…, OUTPUT_COUNT) logits. What is said of categories counts for their phase as well."""
    phase = softmax(logits[..., HEADS["phase"]] / calibration.phase)
    category = softmax(logits[..., HEADS["category"]] / calibration.category)
    name = softmax(logits[..., HEADS["name"]] / calibration.name)
    of_categories = np.zeros_like(phase)
    for number, own in enumerate(_PHASE_OF_CATEGORY):
        of_categories[..., own] += category[..., number]
    both: Values = (phase + of_categories) / np.float32(2)
    return both, category, name


def softmax(values: Values) -> Values:
    exponents = np.exp(values - values.max(axis=-1, keepdims=True))
    found: Values = exponents / exponents.sum(axis=-1, keepdims=True)
    return found


def _window(start_ms: int, end_ms: int, looks: Sequence[PoseLook], calibration: Calibration) -> PhaseWindow:
    logits = [look.logits for look in looks if look.logits is not None]
    if len(logits) < MIN_SHARE * len(looks):
        silence = _usual(look.silence for look in looks) if not logits else Silence.FEW_LOOKS
        return PhaseWindow(start_ms, end_ms, silence)
    phases, categories, names = probabilities(np.mean(logits, axis=0), calibration)
    leads = [look.lead for look in looks if look.lead is not None]
    return PhaseWindow(start_ms, end_ms, None, phases, categories, names, float(np.median(leads)) if leads else None)


def _usual(silences: Iterable[Silence | None]) -> Silence:
    known = [one for one in silences if one is not None]
    return max(set(known), key=lambda one: (known.count(one), one)) if known else Silence.NOBODY
