"""Looking at decoded pictures, in the camera process: which pictures are looked at, what moves, and what the parent gets.

The motion gate sees a small grey picture of each look. A picture in colour is made only when something moves, when the parent
follows an object, or when it asks for one; so a quiet scene costs decoding and little else.
"""

import time
from collections.abc import Callable, Sequence
from typing import Any, Protocol

import av
import cv2
import numpy as np
from numpy.typing import NDArray

from sightline.cameras.motion import MotionGate, restore_gate, save_gate
from sightline.cameras.sources.held_looks import HOLD_EVERY_S, HeldLook, HeldLooks
from sightline.cameras.sources.rest import Rest, read_rest
from sightline.geometry import Box
from sightline.jobs import ChildChannel, ProcessMessage

SMALL_WIDTH = 320
ALIVE_EVERY_S = 1.0
SAVE_EVERY_S = 120.0
"""What the motion gate has learned is sent so often, so that a restart does not begin anew."""
FOLLOW_EVERY_S = 1.0
"""While an object is followed, a picture is looked at this often though nothing moves, so that one who stands still is not lost."""

Picture = NDArray[np.uint8]


class Decoded(Protocol):
    """A decoded picture, converted only as far as it is needed."""

    width: int
    height: int

    def gray(self, width: int) -> Picture: ...

    def rgb(self, max_width: int) -> Picture: ...


class DecodedFrame:
    """A frame of libav; scaled and converted in one pass."""

    def __init__(self, frame: av.VideoFrame) -> None:
        self._frame = frame
        self.width, self.height = frame.width, frame.height

    def gray(self, width: int) -> Picture:
        width, height = scaled_size(self.width, self.height, width)
        return self._converted(width, height, "gray")

    def rgb(self, max_width: int) -> Picture:
        return self._converted(*scaled_size(self.width, self.height, max_width), "rgb24")

    def _converted(self, width: int, height: int, pixels: str) -> Picture:
        # Rows of libav are padded where the width is no multiple of eight (854 pixels), and a message has no padding.
        converted = self._frame.reformat(width=width, height=height, format=pixels).to_ndarray()
        return np.ascontiguousarray(converted, np.uint8)


class DecodedStill:
    """A decoded still picture, in RGB."""

    def __init__(self, picture: Picture) -> None:
        self._picture = picture
        self.height, self.width = picture.shape[:2]

    def gray(self, width: int) -> Picture:
        return np.asarray(cv2.cvtColor(self.rgb(width), cv2.COLOR_RGB2GRAY), np.uint8)

    def rgb(self, max_width: int) -> Picture:
        size = scaled_size(self.width, self.height, max_width)
        if size == (self.width, self.height):
            return self._picture
        return np.asarray(cv2.resize(self._picture, size, interpolation=cv2.INTER_AREA), np.uint8)


def scaled_size(width: int, height: int, max_width: int) -> tuple[int, int]:
    """Both even, as codecs need them, and never larger than the picture. Pure."""
    scale = min(1.0, max_width / width)
    return max(2, round(width * scale) // 2 * 2), max(2, round(height * scale) // 2 * 2)


def read_gate(fields: dict[str, Any]) -> MotionGate:
    """The motion gate of a camera with these masks, which looks only inside of these areas if there are any."""
    return MotionGate(
        masks=[[(x, y) for x, y in mask] for mask in fields.get("masks", ())],
        only_in=[[(x, y) for x, y in polygon] for polygon in fields.get("only_in", ())],
    )


class Looker:
    """One per connection. The parent grants one picture at a time, so a busy detector makes looks rarer.

    What moves while the detector is busy for longer is held, and looked at afterwards: late, but not lost.
    """

    def __init__(
        self, channel: ChildChannel, argument: dict[str, Any], *, clock: Callable[[], float] = time.time
    ) -> None:
        self._channel = channel
        self._clock = clock
        self._picture_width = int(argument["picture_width"])
        self._jpeg_quality = int(argument["jpeg_quality"])
        self._gate: MotionGate | None = read_gate(argument["gate"]) if argument.get("gate") is not None else None
        self._may_send = bool(argument.get("looks", True))
        self._is_following = False
        self._is_picture_wanted = False
        self._size: tuple[int, int] | None = None
        self._last_sent = self._last_taken = self._last_alive = float("-inf")
        self._held = HeldLooks()
        self._pending: list[Box] = []
        self._rest: Rest | None = None
        self._looks = 0
        self._last_gate = clock()
        self.on_message: Callable[[ProcessMessage], None] = lambda _: None
        """For what the process itself is sent: still pictures, changes of recording."""

    def obey(self, timeout_s: float = 0.0) -> None:
        """Takes the parent's messages; waits so long for the first one."""
        while (message := self._channel.receive(timeout_s)) is not None:
            match message.kind:
                case "next":
                    self._may_send = True
                    self._rest = read_rest(message.fields)
                    if message.fields.get("known") is True:
                        self._held.forget_known()
                case "follow":
                    self._is_following = message.fields.get("on") is True
                case "picture":
                    self._is_picture_wanted = True
                case "gate" if self._gate is not None:
                    restore_gate(self._gate, message.content)
                case "explain" if self._gate is not None:
                    self._gate.explain([(x, y, width, height) for x, y, width, height in message.fields["boxes"]])
                case _:
                    self.on_message(message)
            timeout_s = 0.0

    def see(self, decoded: Decoded, *, is_look: bool) -> None:
        """Every decoded picture; those that are looks go through the motion gate."""
        now = self._clock()
        if self._size != (decoded.width, decoded.height):
            self._size = (decoded.width, decoded.height)
            self._channel.send("size", {"width": decoded.width, "height": decoded.height})
        if self._is_picture_wanted:
            self._is_picture_wanted = False
            self._channel.send("picture", {"at": now}, self._jpeg(decoded))
        if is_look or self._is_late():
            self._look(decoded, now)
        self.pass_by(now)

    def pass_by(self, now: float | None = None) -> None:
        """Something came from the camera, whether it was decoded or not."""
        now = self._clock() if now is None else now
        if now - self._last_alive >= ALIVE_EVERY_S or now < self._last_alive:
            self._last_alive = now
            self._channel.send("alive", {"at": now, "looks": self._looks})

    def _is_late(self) -> bool:
        """The detector took longer than from one look to the next, and something unknown moved in the meantime."""
        return self._may_send and bool(self._pending) and self._rest is None

    def _look(self, decoded: Decoded, now: float) -> None:
        self._looks += 1
        if self._gate is None:
            return
        motion = self._gate.look(decoded.gray(SMALL_WIDTH), now)
        if not motion.is_light_change:
            self._pending += motion.regions
            self._held.notice(motion.regions)
        is_due = self._is_following and not 0 <= now - self._last_sent < FOLLOW_EVERY_S
        if not 0 <= now - self._last_gate < SAVE_EVERY_S:
            self._last_gate = now
            if (state := save_gate(self._gate)) is not None:
                self._channel.send("gate", content=state)
        if not self._may_send or len(self._held):
            self._hold(decoded, motion.share, now)
            if self._may_send and (held := self._held.take()) is not None:
                self._send_held(held)
            return
        if not (self._pending or is_due):
            return
        if (
            self._rest is not None
            and 0 <= now - self._last_sent < self._rest.seconds
            and self._rest.covers(self._pending)
        ):
            # What moves now is known; what matters at the end of the rest is where it moves then.
            self._pending = [] if motion.is_light_change else list(motion.regions)
            return
        regions, self._pending = self._pending, []
        self._held.sent()
        self._send(decoded.rgb(self._picture_width), now, regions, motion.share)
        self._last_taken = now

    def _hold(self, decoded: Decoded, share: float, now: float) -> None:
        """Keeps what moves for later, if the detector has been busy for long."""
        if self._pending and not 0 <= now - self._last_taken < HOLD_EVERY_S:
            regions, self._pending = self._pending, []
            self._last_taken = now
            self._held.hold(now, regions, share, self._jpeg(decoded))

    def _send_held(self, held: HeldLook) -> None:
        picture = cv2.imdecode(np.frombuffer(held.jpeg, np.uint8), cv2.IMREAD_COLOR_RGB)
        if picture is not None:  # which a picture of its own always is
            self._send(np.asarray(picture, np.uint8), held.at, held.regions, held.share)

    def _send(self, picture: Picture, at: float, regions: Sequence[Box], share: float) -> None:
        fields = {
            "at": at,
            "width": picture.shape[1],
            "height": picture.shape[0],
            "regions": [list(region) for region in regions],
            "share": share,
        }
        self._may_send, self._last_sent = False, at
        self._channel.send("look", fields, picture)

    def _jpeg(self, decoded: Decoded) -> bytes:
        picture = cv2.cvtColor(decoded.rgb(self._picture_width), cv2.COLOR_RGB2BGR)
        _, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, self._jpeg_quality])
        return data.tobytes()
