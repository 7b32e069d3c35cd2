"""Spans of one phase: windows smoothed into stretches of time, or into silence with its reason. Pure.

The phase of each window follows from its neighbours too (Viterbi's algorithm, in which a phase rather stays than changes). What is
said about a window is said only where the window itself is sure enough.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from sightline.techniques.pose.pairing import Silence
from sightline.techniques.pose.phase_windows import HOP_MS, PhaseWindow
from sightline.techniques.pose.vocabulary import PHASES

MIN_PROBABILITY = 0.89
"""From here on nine in ten were right of held windows, moving windows and made clips (the tables `spoken` of the model's card)."""
MIN_LEAD = 0.15
"""Over the second phase."""
STAY = 0.9
"""How likely a phase goes on for another second."""
OVERLAP = 0.5
"""Neighbouring windows share half of their looks, so each counts half."""
MIN_SPAN_MS = 3000
MAX_GAP_MS = 2000


@dataclass(frozen=True, slots=True)
class PhaseSpan:
    phase: str
    start_ms: int
    end_ms: int
    windows: tuple[PhaseWindow, ...]
    """Those that are sure."""

    @property
    def probability(self) -> float:
        """How likely the phase is right, on average."""
        return float(np.mean([one.phases[PHASES.index(self.phase)] for one in self.windows]))


@dataclass(frozen=True, slots=True)
class SilentSpan:
    start_ms: int
    end_ms: int
    reason: Silence


def phase_spans(windows: Sequence[PhaseWindow], min_probability: float = MIN_PROBABILITY) -> list[PhaseSpan]:
    """Long enough ones, in order. Short gaps between two of the same phase are bridged."""
    path = smoothed(windows)
    found: list[PhaseSpan] = []
    for phase, window in _spoken(windows, path, min_probability):
        last = found[-1] if found else None
        if last is not None and last.phase == phase and window.start_ms - last.end_ms < MAX_GAP_MS:
            found[-1] = PhaseSpan(phase, last.start_ms, _middle_end(window), (*last.windows, window))
        else:
            found.append(PhaseSpan(phase, _middle_start(window), _middle_end(window), (window,)))
    return [one for one in found if one.end_ms - one.start_ms >= MIN_SPAN_MS]


def silent_spans(windows: Sequence[PhaseWindow]) -> list[SilentSpan]:
    """Stretches about which nothing is said, and why; shorter ones than the shortest span are left out."""
    reasons = [_silence(window, phase) for window, phase in zip(windows, smoothed(windows), strict=True)]
    found: list[SilentSpan] = []
    for reason, group in groupby(zip(reasons, windows, strict=True), key=lambda one: one[0]):
        parts = [window for _, window in group]
        start_ms, end_ms = _middle_start(parts[0]), _middle_end(parts[-1])
        if reason is not None and end_ms - start_ms >= MIN_SPAN_MS:
            found.append(SilentSpan(start_ms, end_ms, reason))
    return found


def smoothed(windows: Sequence[PhaseWindow]) -> NDArray[np.int64]:
    """The number of the phase of each window on the most likely path."""
    count = len(PHASES)
    if not windows:
        return np.zeros(0, np.int64)
    change = np.full((count, count), np.log((1 - STAY) / (count - 1)))
    np.fill_diagonal(change, np.log(STAY))
    best = np.zeros(count)
    before = np.zeros((len(windows), count), np.int64)
    for number, window in enumerate(windows):
        options = best[:, None] + change
        before[number] = options.argmax(axis=0)
        best = options.max(axis=0) + OVERLAP * np.log(np.maximum(window.phases, 1e-6))
    path = np.zeros(len(windows), np.int64)
    path[-1] = int(best.argmax())
    for number in range(len(windows) - 1, 0, -1):
        path[number - 1] = before[number, path[number]]
    return path


def _spoken(
    windows: Sequence[PhaseWindow], path: NDArray[np.int64], min_probability: float
) -> Iterator[tuple[str, PhaseWindow]]:
    for window, phase in zip(windows, path, strict=True):
        if _silence(window, int(phase), min_probability) is None:
            yield PHASES[int(phase)], window


def _silence(window: PhaseWindow, phase: int, min_probability: float = MIN_PROBABILITY) -> Silence | None:
    if window.silence is not None:
        return window.silence
    others = np.delete(window.phases, phase)
    is_sure = window.phases[phase] >= min_probability and window.phases[phase] - others.max() >= MIN_LEAD
    return None if is_sure else Silence.UNSURE


def _middle_start(window: PhaseWindow) -> int:
    """A window speaks for its middle second: its ends belong to the windows beside it too. The first one has none before it."""
    return window.start_ms + HOP_MS // 2 if window.start_ms else 0


def _middle_end(window: PhaseWindow) -> int:
    return window.end_ms - HOP_MS // 2
