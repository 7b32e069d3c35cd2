"""Times of packets that go on steadily where the clock of a stream is set anew. Runs in the sandbox.

A transport stream that was put together from several recordings, or whose sender was restarted, has times that jump. Players go on
with the next picture, and so does this: after a jump the times follow those before it.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from av import Packet
from av.container import InputContainer
from av.video.stream import VideoStream

from sightline.file_types import BARE_DEMUXERS

JUMP_BACK_S = 0.5
JUMP_AHEAD_S = 10.0
"""A shorter break is one: the picture stands still."""
_JUMPING = ("mpegts", "mpeg")


def is_bare(container: InputContainer) -> bool:
    """Whether its pictures have no times; they follow one another at the rate of the stream."""
    return container.format.name in BARE_DEMUXERS


def may_jump(container_name: str) -> bool:
    return container_name in _JUMPING


def bare_rate(stream: VideoStream) -> float:
    """What the stream itself says, not what the demuxer assumes."""
    return float(stream.guessed_rate or stream.average_rate or 25)


@dataclass(slots=True)
class _Track:
    last_s: float | None = None
    step_s: float = 0.0
    """How long after the one before the last packet came; not every packet says how long it lasts."""
    epoch: int = 0


class SteadyClock:
    """The pictures decide where a jump leads; sound that has jumped before them is left out until they follow."""

    def __init__(self, video: int) -> None:
        self._video = video
        self._tracks: dict[int, _Track] = {}
        self._offsets_s = [0.0]
        """To be added, for each stretch between two jumps."""

    def takes(self, packet: "Packet[Any]") -> bool:
        """Moves the times of the packet; False if it cannot be placed."""
        if packet.dts is None or packet.time_base is None:
            return True
        second = float(packet.time_base)
        at_s = packet.dts * second
        track = self._tracks.setdefault(packet.stream_index, _Track())
        if track.last_s is not None and not -JUMP_BACK_S <= at_s - track.last_s <= JUMP_AHEAD_S:
            if packet.stream_index == self._video:
                self._offsets_s.append(self._offsets_s[track.epoch] + track.last_s + track.step_s - at_s)
            elif track.epoch == len(self._offsets_s) - 1:
                return False
            track.epoch = len(self._offsets_s) - 1
        elif track.last_s is not None and at_s > track.last_s:
            track.step_s = at_s - track.last_s
        track.last_s = at_s
        if offset := round(self._offsets_s[track.epoch] / second):
            packet.dts += offset
            if packet.pts is not None:
                packet.pts += offset
        return True


def steady_packets(container: InputContainer, video: int, packets: "Iterable[Packet[Any]]") -> "Iterator[Packet[Any]]":
    """The packets with times that go on; as they are if the container's clock cannot jump."""
    if not may_jump(container.format.name):
        yield from packets
        return
    clock = SteadyClock(video)
    for packet in packets:
        if clock.takes(packet):
            yield packet
