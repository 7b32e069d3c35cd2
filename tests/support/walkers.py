"""Scripted scenes for the tracker: objects that move in straight lines, a detector that jitters and misses."""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from sightline.geometry import Box
from sightline.vision.tracking import Track, Tracker


@dataclass(frozen=True, slots=True)
class Seen:
    label: str
    score: float
    box: Box


@dataclass(frozen=True, slots=True)
class Walker:
    """Starts at a foot point and moves by so many parts of the picture per second."""

    x: float
    y: float
    dx: float = 0.0
    dy: float = 0.0
    height: float = 0.3
    width: float = 0.07
    label: str = "person"
    score: float = 0.8
    appears: float = 0.0
    leaves: float = 1e9
    hidden: tuple[tuple[float, float], ...] = ()
    """From when to when it cannot be seen."""

    def box(self, at: float) -> Box | None:
        if not self.appears <= at <= self.leaves or any(start <= at < end for start, end in self.hidden):
            return None
        x, y = self.x + self.dx * (at - self.appears), self.y + self.dy * (at - self.appears)
        if not (-self.width / 4 < x < 1 + self.width / 4 and 0 < y < 1.2):
            return None
        return x - self.width / 2, y - self.height, self.width, self.height


@dataclass
class Scene:
    """Runs the tracker over a scene, and keeps what it reported."""

    walkers: Sequence[Walker]
    looks_per_s: float = 5.0
    jitter: float = 0.04
    """Of the object's own size, normally distributed."""
    missed: float = 0.0
    seed: int = 1
    tracker: Tracker = field(default_factory=Tracker)
    ids: dict[int, list[str]] = field(default_factory=dict)
    """Of each walker, the tracks that it had, in order."""
    updates: list[tuple[float, Track]] = field(default_factory=list)
    ended: list[Track] = field(default_factory=list)

    def run(self, seconds: float, change: Callable[[float, Seen], Seen | None] = lambda at, seen: seen) -> "Scene":
        chance = random.Random(self.seed)
        for number in range(int(seconds * self.looks_per_s)):
            at = number / self.looks_per_s
            seen: dict[int, Seen] = {}
            for index, walker in enumerate(self.walkers):
                box = walker.box(at)
                if box is None or chance.random() < self.missed:
                    continue
                found = change(at, Seen(walker.label, walker.score, self._jittered(chance, box)))
                if found is not None:
                    seen[index] = found
            self._note(at, seen, self.tracker.update(at, list(seen.values())))
            self.ended += self.tracker.ended(at)
        return self

    def confirmed(self) -> dict[str, Track]:
        """The last report of each confirmed track."""
        return {track.track_id: track for _, track in self.updates if track.is_confirmed}

    def _note(self, at: float, seen: dict[int, Seen], tracks: Sequence[Track]) -> None:
        for track in tracks:
            self.updates.append((at, track))
            for index, found in seen.items():
                if found.box == track.box and (not self.ids.get(index) or self.ids[index][-1] != track.track_id):
                    self.ids.setdefault(index, []).append(track.track_id)

    def _jittered(self, chance: random.Random, box: Box) -> Box:
        x, y, width, height = box
        spread = self.jitter * (width * height) ** 0.5
        grown = 1 + chance.gauss(0, self.jitter)
        return x + chance.gauss(0, spread), y + chance.gauss(0, spread), width * grown, height * grown
