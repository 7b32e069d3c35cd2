"""The overview of a video: the few frames that show something new, slides and scenes first. Pure.

Sampling keeps every frame in which any tile changed, so that no text is lost; of a film that is ten per second. People who look
through a video want each slide once, complete, and one picture per scene. The fingerprints that sampling makes anyway say which
those are (ADR 0079):

- **Still pictures.** Tiles that change all the time, such as a speaker in a corner, are left out. When the rest has not changed
  for a second it is a still picture. One that contains the last one is the same slide with another line, and takes its place.
- **Scenes.** A cut is a change much larger than those before it. A scene without a still picture is shown by one frame.
"""

from collections import deque
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from sightline.media.sampling.frame_similarity import DEFAULT_GRID, Fingerprint

MAX_SCENES_PER_MINUTE = 12
MIN_SCENES_PER_MINUTE = 6
"""What a last minute that is cut short may have."""
STILL_MS = 1000
MIN_SCENE_MS = 500
LOOK_AGAIN_MS = 10_000
"""A scene that goes on is shown again after this time if it has become another picture."""
SAME_SLIDE = 0.85
"""Share of the lines of one picture that are in the other."""
SAME_PICTURE = 0.25
"""Largest distance of two pictures that are the same."""
MAX_REMEMBERED = 200
"""Still pictures that are known again when they come back."""
_TICK_MS = 100
_DECAY = 0.8
_MOVING = 0.25
_MIN_STILL_SHARE = 0.5
"""Share of the lines of a still picture that do not move."""
_CHANGED_PAIRS = 8
_RESTLESS = 0.1
_CUT_PAIRS, _CUT_TILES, _CUT_ABOVE_USUAL, _CUT_ABOVE_LARGEST = 0.8, 0.5, 1.6, 1.2
_MIN_LINES = 24
"""Pairs that differ in a picture that shows anything; a black or white one has none."""

Mask = NDArray[np.bool_]


@dataclass(slots=True)
class _Scene:
    start_ms: int
    end_ms: int
    shown_ms: list[int] = field(default_factory=list)
    has_still: bool = False
    is_blank: bool = False


class OverviewFrames:
    """Takes the kept frames in the order of time; `finish` returns the times of those that show something new."""

    def __init__(self) -> None:
        self._at_ms = -1
        self._last: Fingerprint | None = None
        self._activity = np.zeros(DEFAULT_GRID.tiles)
        self._still_since_ms = 0
        self._still_from: Fingerprint | None = None
        """Compared with the picture from then on, so that what drifts slowly is not still."""
        self._is_considered = False
        self._usual: deque[float] = deque(maxlen=5)
        self._scenes: list[_Scene] = []
        self._scene_picture: Fingerprint | None = None
        self._stills: list[int] = []
        self._known: deque[tuple[int, Fingerprint]] = deque(maxlen=MAX_REMEMBERED)
        """Index in `_stills`, and the picture."""
        self._current: int | None = None

    def add(self, at_ms: int, picture: Fingerprint) -> None:
        if self._last is None:
            self._begin_scene(at_ms, picture)
            self._still_since_ms, self._still_from = at_ms, picture
        else:
            self._pass_time(at_ms)
            self._compare(at_ms, self._last, picture)
        self._last, self._at_ms = picture, at_ms

    def finish(self, end_ms: int) -> list[int]:
        if self._last is None:
            return []
        self._pass_time(end_ms)
        self._scenes[-1].end_ms = end_ms
        found = set(self._stills) | set(self._best_scenes(end_ms))
        return sorted(found or {self._scenes[0].shown_ms[0]})

    def _pass_time(self, now_ms: int) -> None:
        """What the last frame has become by standing still until now."""
        assert self._last is not None
        if not self._is_considered and now_ms - self._still_since_ms >= STILL_MS:
            moving = self._moving(now_ms - self._at_ms)
            if _lines(self._last, ~moving) >= _MIN_STILL_SHARE * _lines(self._last):
                self._consider_still(self._at_ms, self._last, moving)
            self._is_considered = True

    def _compare(self, at_ms: int, before: Fingerprint, picture: Fingerprint) -> None:
        assert self._still_from is not None
        changed = np.bitwise_count(np.bitwise_or(*np.bitwise_xor(before, picture))) > _CHANGED_PAIRS
        elapsed = at_ms - self._at_ms
        moving = self._moving(elapsed)
        decay = _DECAY ** (max(elapsed, _TICK_MS) / _TICK_MS)
        self._activity = np.where(changed, 1 - _DECAY + _DECAY * self._activity, decay * self._activity)
        if self._is_cut(at_ms, before, picture) or (self._scenes[-1].is_blank and not _is_blank(picture)):
            self._begin_scene(at_ms, picture)
        elif self._needs_look(at_ms, picture):
            self._scenes[-1].shown_ms.append(at_ms)
            self._scene_picture = picture
        if _distance(self._still_from, picture, ~moving) > _RESTLESS:
            self._still_since_ms, self._still_from = at_ms, picture
            self._is_considered = False

    def _moving(self, elapsed_ms: int) -> Mask:
        """Tiles that change nearly all the time."""
        decay = _DECAY ** max(0.0, elapsed_ms / _TICK_MS - 1)
        found: Mask = self._activity * decay > _MOVING
        return found

    def _is_cut(self, at_ms: int, before: Fingerprint, picture: Fingerprint) -> bool:
        """A scene that has just begun is not cut: where everything moves, nothing is known yet about what is usual."""
        tiles = _tile_distance(before, picture)
        usual, largest = (float(np.median(self._usual)), max(self._usual)) if self._usual else (0.0, 0.0)
        is_cut = (
            at_ms - self._scenes[-1].start_ms >= MIN_SCENE_MS
            and tiles >= _CUT_TILES
            and tiles >= max(_CUT_ABOVE_USUAL * usual, _CUT_ABOVE_LARGEST * largest)
            and _distance(before, picture) >= _CUT_PAIRS
        )
        if is_cut:
            self._usual.clear()
        else:
            self._usual.append(tiles)
        return is_cut

    def _begin_scene(self, at_ms: int, picture: Fingerprint) -> None:
        if self._scenes:
            self._scenes[-1].end_ms = at_ms
        self._scenes.append(_Scene(at_ms, at_ms, [at_ms], is_blank=_is_blank(picture)))
        self._scene_picture = picture

    def _needs_look(self, at_ms: int, picture: Fingerprint) -> bool:
        scene = self._scenes[-1]
        assert self._scene_picture is not None
        if scene.shown_ms == [scene.start_ms] and at_ms >= scene.start_ms + MIN_SCENE_MS:
            # The first frames of a scene are often those of a transition.
            scene.shown_ms, self._scene_picture = [at_ms], picture
            return False
        is_due = at_ms - scene.shown_ms[-1] >= LOOK_AGAIN_MS
        return is_due and _tile_distance(self._scene_picture, picture) >= _CUT_TILES

    def _consider_still(self, at_ms: int, picture: Fingerprint, moving: Mask) -> None:
        if _is_blank(picture):
            return
        self._scenes[-1].has_still = True
        seen = ~moving
        if self._current is not None and self._is_same_slide(at_ms, picture, seen):
            return
        for index, known in reversed(self._known):
            if _distance(known, picture, seen) <= SAME_PICTURE:
                self._current = index
                return
        self._current = len(self._stills)
        self._stills.append(at_ms)
        self._known.append((self._current, picture))

    def _is_same_slide(self, at_ms: int, picture: Fingerprint, seen: Mask) -> bool:
        """Whether it is the current one with a line more or less; the fullest is shown."""
        place = next((n for n, (index, _) in enumerate(self._known) if index == self._current), None)
        if place is None or self._current is None:
            return False
        index, known = self._known[place]
        if _share(known, picture, seen) >= SAME_SLIDE:
            if _lines(picture, seen) > _lines(known, seen):
                self._stills[index] = at_ms
                self._known[place] = (index, picture)
            return True
        return _share(picture, known, seen) >= SAME_SLIDE

    def _best_scenes(self, end_ms: int) -> list[int]:
        """Of scenes without a still picture, the longest of each minute, beside its still pictures."""
        counts: dict[int, int] = {}
        for at_ms in self._stills:
            counts[at_ms // 60_000] = counts.get(at_ms // 60_000, 0) + 1
        found: list[int] = []
        scenes = [one for one in self._scenes if not (one.has_still or one.is_blank)]
        long_enough = [one for one in scenes if one.end_ms - one.start_ms >= MIN_SCENE_MS]
        for scene in sorted(long_enough, key=lambda one: one.start_ms - one.end_ms):
            for at_ms in scene.shown_ms:
                minute = at_ms // 60_000
                if counts.get(minute, 0) < _allowance(minute, end_ms):
                    counts[minute] = counts.get(minute, 0) + 1
                    found.append(at_ms)
        return found


def _allowance(minute: int, end_ms: int) -> int:
    length_ms = min(end_ms - minute * 60_000, 60_000)
    return max(MIN_SCENES_PER_MINUTE, MAX_SCENES_PER_MINUTE * length_ms // 60_000)


def _distance(one: Fingerprint, other: Fingerprint, seen: Mask | None = None) -> float:
    """Share of differing pairs among those that show a line in either picture."""
    if seen is not None:
        one, other = one[:, seen], other[:, seen]
    return int(np.bitwise_count(one ^ other).sum()) / max(_MIN_LINES, int(np.bitwise_count(one | other).sum()))


def _share(inner: Fingerprint, outer: Fingerprint, seen: Mask) -> float:
    """Share of the lines of `inner` that are in `outer`."""
    inner, outer = inner[:, seen], outer[:, seen]
    return int(np.bitwise_count(inner & outer).sum()) / max(_MIN_LINES, int(np.bitwise_count(inner).sum()))


def _tile_distance(one: Fingerprint, other: Fingerprint) -> float:
    """How much the amount of lines in each tile differs: small for what moves a little, large for another scene."""
    counts, others = np.bitwise_count(one).astype(np.int32), np.bitwise_count(other).astype(np.int32)
    return float(np.abs(counts - others).sum() / max(_MIN_LINES, int(np.maximum(counts, others).sum())))


def _is_blank(picture: Fingerprint) -> bool:
    return _lines(picture) < _MIN_LINES


def _lines(picture: Fingerprint, seen: Mask | None = None) -> int:
    return int(np.bitwise_count(picture if seen is None else picture[:, seen]).sum())
