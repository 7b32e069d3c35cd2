"""One camera watched by its own code in simulated time, with a detector that takes as long as the test says."""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from types import SimpleNamespace
from typing import Any
from uuid import uuid4

import numpy as np

from sightline.cameras.shapes import Shapes
from sightline.cameras.sources.camera_process import CameraLook, read_message
from sightline.cameras.sources.looking import DecodedStill, Looker
from sightline.cameras.sources.rest import grant
from sightline.cameras.watch.eyes import DetectingEyes, Seen
from sightline.cameras.watch.sighting import CameraSighting
from sightline.jobs import ProcessMessage

LOOKS_PER_S = 5.0


class LocalChannel:
    """Between the code of the camera process and that of its parent, both in this process."""

    def __init__(self) -> None:
        self.sent: list[ProcessMessage] = []
        self.waiting: list[ProcessMessage] = []

    def send(self, kind: str, fields: dict[str, Any] | None = None, content: Any = b"") -> None:
        self.sent.append(ProcessMessage(kind, fields or {}, bytes(memoryview(content).cast("B"))))

    def receive(self, timeout_s: float | None = None) -> ProcessMessage | None:
        return self.waiting.pop(0) if self.waiting else None


class SlowWatch:
    """The result of a look comes `detection_s` after the look was sent; until then the camera goes on."""

    def __init__(self, detector: Any, *, detection_s: float, labels: Sequence[str] = ("person",)) -> None:
        self.now = 1000.0
        self.looks: list[CameraLook] = []
        self.sightings: list[CameraSighting] = []
        self._channel = LocalChannel()
        argument = {"picture_width": 320, "jpeg_quality": 80, "gate": {}}
        self._looker = Looker(self._channel, argument, clock=lambda: self.now)  # type: ignore[arg-type]
        camera: Any = SimpleNamespace(camera_key=uuid4(), camera_id="yard")
        self._eyes = DetectingEyes(camera, detector, Shapes(), labels=labels, encode=lambda picture: b"")
        self._detection_s = detection_s
        self._under_way: tuple[float, Seen] | None = None

    @property
    def people(self) -> set[str]:
        """The tracks that were reported."""
        return {one.track_id for one in self.sightings}

    def see(self, pictures: Sequence[np.ndarray] | Iterator[np.ndarray]) -> None:
        for picture in pictures:
            self.now += 1 / LOOKS_PER_S
            self._finish_look()
            self._looker.obey()
            self._looker.see(DecodedStill(picture), is_look=True)
            self._begin_looks()
            self.sightings += self._eyes.pass_time(self.now)

    def _begin_looks(self) -> None:
        messages, self._channel.sent = self._channel.sent, []
        for message in messages:
            look = read_message(message)
            if isinstance(look, CameraLook):
                assert self._under_way is None, "two looks at once"
                self.looks.append(look)
                self._under_way = (self.now + self._detection_s, asyncio.run(self._eyes.look(look)))

    def _finish_look(self) -> None:
        if self._under_way is None or self.now < self._under_way[0]:
            return
        _, seen = self._under_way
        self._under_way = None
        self.sightings += seen.sightings
        self._channel.waiting.append(ProcessMessage("next", grant(seen.rest, is_known=seen.is_known)))


def walkers(
    pictures: int, starts: Sequence[int], *, draw: Callable[[np.ndarray, float], None], crossing: int = 30
) -> Iterator[np.ndarray]:
    """A still scene, through which somebody walks from each of these pictures on, within `crossing` pictures."""
    rows = np.linspace(60, 120, 240, dtype=np.uint8)[:, None]
    empty = np.repeat(np.repeat(rows, 320, axis=1)[:, :, None], 3, axis=2)
    for number in range(pictures):
        picture = empty.copy()
        for start in starts:
            if 0 <= number - start <= crossing:
                draw(picture, (number - start) / crossing)
        yield picture
