"""Candidate frames of a range: the first frame of each tick with its media time."""

import gc
from collections import deque
from collections.abc import Iterator

import av
from av import VideoFrame
from av.container import InputContainer
from av.packet import Packet
from av.video.stream import VideoStream

from sightline.media.input import MediaUnreadable
from sightline.media.input.source import origin_s, seconds_per_tick, unreadable
from sightline.media.input.steady_clock import bare_rate, is_bare, steady_packets
from sightline.media.sampling.ranges import TickRange, tick_of
from sightline.media.sampling.unreferenced_frames import is_unreferenced, length_bytes

COLLECT_EVERY = 25
"""Frames whose side data was read form reference cycles of 3 MB each, which the garbage collector takes for small objects and
would let pile up by the hundred."""
LOOKAHEAD_PACKETS = 48
"""Packets that are examined before they are decoded."""
MAX_TRACKED_TICKS = 1000
SEEK_BACK_STEPS_S = (0.0, 5.0, 30.0)
"""Seeking is tried this much earlier, until it ends before the range."""
MAX_BROKEN_SHARE = 0.05
"""Share of packets that may be broken."""
_INDEXED = ("mov", "matroska")
"""Containers in which decoding can start in the middle and gives the same frames."""


def keyframes_s(container: InputContainer, stream: VideoStream) -> list[float]:
    """Media times at which decoding can start; empty if the container has no index."""
    if not any(name in container.format.name for name in _INDEXED):
        return []
    second, origin = seconds_per_tick(stream), origin_s(container)
    # The index has decoding times, which are some frames earlier than presentation times.
    late_s = 16 / float(stream.average_rate or 30)
    return sorted(one.timestamp * second - origin + late_s for one in stream.index_entries if one.is_keyframe)


def candidates(
    container: InputContainer, stream: VideoStream, ticks: TickRange, fps: float
) -> Iterator[tuple[int, int, VideoFrame]]:
    """Yields tick, time in ms and frame."""
    last_tick, last_ms = ticks.first - 1, -1
    count = 0
    for at_s, frame in _from(container, stream, ticks.first / fps, fps):
        tick, at_ms = tick_of(at_s, fps), round(at_s * 1000)
        if ticks.until is not None and tick >= ticks.until:
            return
        # Frames are named by their ms, so there can be only one per ms.
        if tick > last_tick and at_ms > last_ms:
            last_tick, last_ms = tick, at_ms
            yield tick, at_ms, frame
            count += 1
            if count % COLLECT_EVERY == 0:
                gc.collect(1)


def _from(
    container: InputContainer, stream: VideoStream, from_s: float, fps: float
) -> Iterator[tuple[float, VideoFrame]]:
    """Frames in the order of time, starting at or before `from_s`."""
    if from_s > 0 and any(name in container.format.name for name in _INDEXED):
        second, origin = seconds_per_tick(stream), origin_s(container)
        for back_s in SEEK_BACK_STEPS_S:
            container.seek(int((from_s - back_s + origin) / second), stream=stream)
            frames = _decoded(container, stream, fps)
            first = next(frames, None)
            if first is not None and first[0] <= from_s:
                yield first
                yield from frames
                return
        container.seek(int(origin / second), stream=stream)
    yield from _decoded(container, stream, fps)


def _decoded(container: InputContainer, stream: VideoStream, fps: float) -> Iterator[tuple[float, VideoFrame]]:
    origin = origin_s(container)
    step_s = 1 / bare_rate(stream) if is_bare(container) else None
    count = broken = shown = 0
    problem: av.FFmpegError | None = None
    try:
        for packet in _needed(container, stream, fps):
            count += 1
            try:
                frames = packet.decode()
            except av.InvalidDataError as error:
                broken, problem = broken + 1, error  # players skip it as well
                continue
            for frame in frames:
                if step_s is not None:
                    yield shown * step_s, frame
                    shown += 1
                elif frame.time is not None:
                    yield max(0.0, frame.time - origin), frame
    except MemoryError:
        raise
    except av.FFmpegError as error:
        raise unreadable(error) from error
    if problem is not None and broken > MAX_BROKEN_SHARE * count:
        raise MediaUnreadable("the file is damaged: many of its pictures cannot be decoded") from problem


def _needed(container: InputContainer, stream: VideoStream, fps: float) -> "Iterator[Packet[VideoStream]]":
    """Packets without frames that are neither candidates nor referenced by another frame."""
    prefix = length_bytes(stream.codec_context.name, stream.codec_context.extradata)
    packets = steady_packets(container, stream.index, container.demux(stream))
    if prefix is None:
        yield from packets
        return
    second, origin = seconds_per_tick(stream), origin_s(container)
    waiting: deque[tuple[Packet[VideoStream], int | None]] = deque()
    earliest: dict[int, int] = {}
    for packet in packets:
        tick = None if packet.pts is None else tick_of(max(0.0, packet.pts * second - origin), fps)
        if tick is not None and packet.pts is not None and not packet.is_discard:
            earliest[tick] = min(earliest.get(tick, packet.pts), packet.pts)
        waiting.append((packet, tick))
        if len(waiting) > LOOKAHEAD_PACKETS:
            yield from _unless_unreferenced(*waiting.popleft(), earliest, prefix)
        if tick is not None and len(earliest) > MAX_TRACKED_TICKS:
            earliest = {one: pts for one, pts in earliest.items() if one > tick - MAX_TRACKED_TICKS // 2}
    for packet, tick in waiting:
        yield from _unless_unreferenced(packet, tick, earliest, prefix)


def _unless_unreferenced(
    packet: "Packet[VideoStream]", tick: int | None, earliest: dict[int, int], prefix: int
) -> "Iterator[Packet[VideoStream]]":
    is_first = tick is None or packet.pts is None or packet.pts <= earliest.get(tick, packet.pts)
    if is_first or not is_unreferenced(packet, prefix):
        yield packet
