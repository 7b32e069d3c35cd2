"""Made clips: a position is held, the pair moves on, and the next position is held. What the analyzer says about their time.

Windows alone do not show what smoothing over time does, and positions alone not which are usual: a clip for each movement
has those more often that much leads to.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from grapplemap import camera
from grapplemap.examples import Examples
from grapplemap.figures import LOOK_MS, Classify, moved, steadied_windows
from sightline.techniques.pose.phase_spans import phase_spans, smoothed
from sightline.techniques.pose.phase_windows import HOP_MS, Calibration, PoseLook, windows_of
from sightline.techniques.pose.vocabulary import PHASES

HELD_LOOKS = 20
MOVED_LOOKS = 8


@dataclass(frozen=True, slots=True)
class Clips:
    logits: NDArray[np.float32]
    """(clips, looks, outputs)."""
    ends: NDArray[np.int64]
    """(clips, 2): the phases that are held."""

    @property
    def truths(self) -> NDArray[np.int64]:
        """(clips, looks): -1 while the pair moves from one phase to another."""
        first, last = self.ends[:, :1], self.ends[:, 1:]
        between = np.where(first == last, first, -1)
        return np.repeat(np.concatenate([first, between, last], axis=1), (HELD_LOOKS, MOVED_LOOKS, HELD_LOOKS), axis=1)


def joined_clips(parts: Sequence[Clips]) -> Clips:
    return Clips(*(np.concatenate([getattr(one, name) for one in parts]) for name in Clips.__slots__))


def about_clips(classify: Classify, examples: Examples, level: str, seed: int) -> Clips:
    """`examples` are held out. One camera for each clip."""
    frames, ends = [], []
    for move in np.unique(examples.moves[examples.moves >= 0]):
        own = examples.only(examples.moves == move)
        first, last = int(own.labels[0, 0]), int(own.labels[-1, 0])
        if first >= 0 and last >= 0:
            held = [np.repeat(own.frames[at][None], HELD_LOOKS, axis=0) for at in (0, -1)]
            frames.append(np.concatenate([held[0], moved(own.frames, MOVED_LOOKS), held[1]]))
            ends.append((first, last))
    looks = len(frames[0])
    rng = np.random.default_rng(seed)
    pairs = camera.photographed(np.concatenate(frames), rng, camera.LEVELS[level], looks_per_camera=looks)
    logits = classify(steadied_windows(pairs, looks))
    return Clips(logits.reshape(len(frames), looks, -1), np.array(ends, np.int64))


def said_about(clips: Clips, calibration: Calibration, min_probability: float) -> dict[str, float]:
    """Of the time whose phase is known: how often the smoothed phase is right, how much is spoken about, and how much of that is
    right."""
    right, spoken, spoken_right, total = 0, 0, 0, 0
    for logits, truths in zip(clips.logits, clips.truths, strict=True):
        windows = windows_of([PoseLook(at * LOOK_MS, one) for at, one in enumerate(logits)], calibration)
        said = np.full(len(truths), -1)
        for span in phase_spans(windows, min_probability):
            said[_looks(span.start_ms, span.end_ms)] = PHASES.index(span.phase)
        likely = np.full(len(truths), -1)
        for window, phase in zip(windows, smoothed(windows), strict=True):
            likely[_looks(window.start_ms + HOP_MS // 2 if window.start_ms else 0, window.end_ms)] = phase
        known = truths >= 0
        total += int(known.sum())
        right += int((likely == truths)[known].sum())
        spoken += int((said >= 0)[known].sum())
        spoken_right += int((said == truths)[known].sum())
    return {
        "clips": len(clips.ends),
        "phases": round(right / total, 3),
        "share": round(spoken / total, 3),
        "precision": round(spoken_right / max(spoken, 1), 3),
    }


def _looks(start_ms: int, end_ms: int) -> slice:
    return slice(-(-start_ms // LOOK_MS), -(-end_ms // LOOK_MS))
