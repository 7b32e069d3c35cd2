"""Motion of one object: a Kalman filter of constant velocity for its centre, and a smoothed size.

Lengths are in heights of the picture, so that a step to the right is as long as a step down. Looks come 1 to 5 times per second and
with gaps, so every figure is per second and grows with the time since the last look.
"""

import math
from dataclasses import dataclass, field

MEASURED = 0.1
"""How far a detector's box jitters, in sizes of the object."""
FIRST_SPEED = 1.2
"""How fast an object may be that was seen once, in sizes per second: a walking person makes about 1.3."""
FIRST_SPEED_OF_VEHICLES = 3.5
"""A car in a yard makes 2, one that passes on a road 6, away from the camera as well as across."""
ACCELERATION = 0.6
"""How much its speed changes within a second, in sizes per second."""
SIZE_WEIGHT = 0.4
"""How much of a new size is believed at once."""
MAX_COASTING_S = 2.0
"""An object that is not seen is thought to go on for so long, and to wait where it is then."""
STANDING_S = 1.0
"""The place of what stands still becomes no more uncertain than after this time."""


@dataclass(slots=True)
class Axis:
    """One coordinate: position and speed with their covariance."""

    position: float
    speed: float
    position_variance: float
    covariance: float
    speed_variance: float

    def predicted(self, seconds: float, coasting: float, acceleration: float) -> tuple[float, float]:
        """Position and its variance after so many seconds, of which it went on for `coasting`."""
        position = self.position + self.speed * coasting
        variance = (
            self.position_variance
            + 2 * seconds * self.covariance
            + seconds**2 * self.speed_variance
            + acceleration**2 * seconds**3 / 3
        )
        return position, variance

    def correct(self, measured: float, seconds: float, coasting: float, acceleration: float, noise: float) -> None:
        position, variance = self.predicted(seconds, coasting, acceleration)
        covariance = self.covariance + seconds * self.speed_variance + acceleration**2 * seconds**2 / 2
        speed_variance = self.speed_variance + acceleration**2 * seconds
        total = variance + noise**2
        gain, speed_gain = variance / total, covariance / total
        error = measured - position
        self.position = position + gain * error
        self.speed += speed_gain * error
        self.position_variance = (1 - gain) * variance
        self.covariance = (1 - gain) * covariance
        self.speed_variance = max(speed_variance - speed_gain * covariance, 1e-9)


@dataclass(frozen=True, slots=True)
class Prediction:
    """Where an object is expected: centre, the deviation of it, and size."""

    x: float
    y: float
    deviation_x: float
    deviation_y: float
    width: float
    height: float


@dataclass(slots=True)
class MotionModel:
    """Centre and size of one object."""

    at: float
    x: Axis = field(init=False)
    y: Axis = field(init=False)
    width: float
    height: float

    @classmethod
    def first(
        cls, at: float, x: float, y: float, width: float, height: float, *, is_vehicle: bool = False
    ) -> "MotionModel":
        model = cls(at, width, height)
        noise, speed = MEASURED * model.size, (FIRST_SPEED_OF_VEHICLES if is_vehicle else FIRST_SPEED) * model.size
        model.x = Axis(x, 0.0, noise**2, 0.0, speed**2)
        # People and animals in a picture move sideways more than up and down.
        model.y = Axis(y, 0.0, noise**2, 0.0, (speed if is_vehicle else speed / 2) ** 2)
        return model

    @property
    def size(self) -> float:
        """The side of a square as large as the object."""
        return max(math.sqrt(self.width * self.height), 1e-3)

    def predict(self, at: float, *, is_stationary: bool = False) -> Prediction:
        """What stands still is expected where it stood, however long ago that was."""
        seconds = max(at - self.at, 0.0)
        if is_stationary:
            seconds = min(seconds, STANDING_S)
        coasting, acceleration = min(seconds, MAX_COASTING_S), ACCELERATION * self.size
        x, variance_x = self.x.predicted(seconds, coasting, acceleration)
        y, variance_y = self.y.predicted(seconds, coasting, acceleration)
        noise = (MEASURED * self.size) ** 2
        return Prediction(x, y, (variance_x + noise) ** 0.5, (variance_y + noise) ** 0.5, self.width, self.height)

    def correct(self, at: float, x: float, y: float, width: float, height: float) -> None:
        seconds = max(at - self.at, 0.0)
        coasting, acceleration = min(seconds, MAX_COASTING_S), ACCELERATION * self.size
        noise = MEASURED * self.size
        self.x.correct(x, seconds, coasting, acceleration, noise)
        self.y.correct(y, seconds, coasting, acceleration, noise)
        self.width += SIZE_WEIGHT * (width - self.width)
        self.height += SIZE_WEIGHT * (height - self.height)
        self.at = at
