"""The state of one track between looks."""

import math
from collections import deque
from dataclasses import dataclass

from sightline.geometry import Box, foot_of
from sightline.vision.tracking.labels import VEHICLE, LabelVotes, group_of
from sightline.vision.tracking.motion_model import MotionModel, Prediction
from sightline.vision.tracking.path import Path, direction
from sightline.vision.tracking.track import PathPoint, Track

DIRECTION_S = 2.0
"""The direction is that of the last seconds."""
MOVED = 0.45
"""An object moves when it went so many of its sizes within that time."""
ANCHOR = 0.4
"""An object stands as long as it stays within so many of its sizes of one place."""
MIN_STEP = 0.01
"""Points of a path are at least so far apart, in parts of the picture."""
LEFT_AFTER_LOOKS = 2
"""One look elsewhere is jitter, two are a move."""


@dataclass(frozen=True, slots=True)
class Look:
    """One seen object, with the labels that were seen at the same place, in lengths of the picture's height."""

    votes: tuple[tuple[str, float], ...]
    score: float
    box: Box
    x: float
    y: float
    width: float
    height: float

    @property
    def label(self) -> str:
        return self.votes[0][0]

    @property
    def size(self) -> float:
        return max(math.sqrt(self.width * self.height), 1e-3)


class LiveTrack:
    """One object that is followed."""

    def __init__(self, track_id: str, at: float, look: Look, *, stationary_after_s: float) -> None:
        self.track_id = track_id
        self.missed_looks = 0
        self.looks = 0
        self.first_seen = at
        self.last_seen = at
        self.best_score = self.second_score = 0.0
        self._stationary_after_s = stationary_after_s
        self._votes = LabelVotes()
        is_vehicle = group_of(look.label) == VEHICLE
        self._model = MotionModel.first(at, look.x, look.y, look.width, look.height, is_vehicle=is_vehicle)
        x, y = foot_of(look.box)
        self._path = Path(PathPoint(x, y, at))
        self._recent: deque[tuple[float, float, float]] = deque()
        self._anchor = (at, look.x, look.y)
        self._looks_elsewhere = 0
        self.see(at, look)

    def see(self, at: float, look: Look) -> None:
        if self.looks:
            self._model.correct(at, look.x, look.y, look.width, look.height)
        self.looks += 1
        self.missed_looks = 0
        self.last_seen = at
        self.look = look
        self.best_score, self.second_score = sorted((self.best_score, self.second_score, look.score))[:0:-1]
        for label, score in look.votes:
            self._votes.add(label, score)
        x, y = foot_of(look.box)
        self._path.add(PathPoint(x, y, at), at_least=max(MIN_STEP, self._model.size * 0.1))
        x, y = self._model.x.position, self._model.y.position
        self._stay_or_leave(at, x, y)
        self._recent.append((at, x, y))
        while len(self._recent) > 2 and self._recent[1][0] <= at - DIRECTION_S:
            self._recent.popleft()

    def predict(self, at: float) -> Prediction:
        return self._model.predict(at, is_stationary=self.is_stationary)

    @property
    def doubt(self) -> float:
        """How likely both of its best looks are wrong, by their calibrated scores; 1 before the second."""
        return 1.0 if self.looks < 2 else (1 - self.best_score) * (1 - self.second_score)

    @property
    def label(self) -> str:
        return self._votes.winner

    @property
    def group(self) -> str:
        return group_of(self.label)

    @property
    def size(self) -> float:
        return self._model.size

    @property
    def is_stationary(self) -> bool:
        return self.last_seen - self._anchor[0] >= self._stationary_after_s

    def snapshot(self, *, is_confirmed: bool) -> Track:
        started, from_x, from_y = self._recent[0]
        ended, to_x, to_y = self._recent[-1]
        moved = math.dist((from_x, from_y), (to_x, to_y))
        is_moving = moved >= MOVED * self.size and not self.is_stationary
        return Track(
            track_id=self.track_id,
            label=self._votes.winner,
            label_share=self._votes.share,
            score=self.look.score,
            best_score=self.best_score,
            first_seen=self.first_seen,
            last_seen=self.last_seen,
            box=self.look.box,
            path=self._path.points(),
            looks=self.looks,
            is_confirmed=is_confirmed,
            is_stationary=self.is_stationary,
            direction=direction(from_x, from_y, to_x, to_y) if is_moving else None,
            speed=moved / (ended - started) if is_moving and ended > started else 0.0,
        )

    def _stay_or_leave(self, at: float, x: float, y: float) -> None:
        _, anchor_x, anchor_y = self._anchor
        if (x - anchor_x) ** 2 + (y - anchor_y) ** 2 <= (ANCHOR * self.size) ** 2:
            self._looks_elsewhere = 0
            return
        self._looks_elsewhere += 1
        if self._looks_elsewhere >= LEFT_AFTER_LOOKS or not self.is_stationary:
            self._anchor = (at, x, y)
            self._looks_elsewhere = 0
