"""Finds the picture that stands for a video and writes it as JPEG. Runs in a process of its own with limits."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import av
import cv2
import numpy as np
from av import VideoFrame
from av.container import InputContainer
from av.video.stream import VideoStream
from numpy.typing import NDArray

from sightline.media.input.errors import MediaUnreadable
from sightline.media.input.limits import Caps
from sightline.media.input.orientation import Orientation
from sightline.media.input.probe import Facts
from sightline.media.input.source import limit_decoder, open_media, picture_stream, unreadable
from sightline.media.sampling.reformat import reformat
from sightline.media.stream.poster_rules import score
from sightline.media.stream.stream_plan import fitted

CANDIDATES = 9
TRIED = 4
"""Of the candidates, how many are looked at with their neighbours before the best of these has to do."""
SHORT_S = 8.0
"""Up to this length all pictures are looked through; of longer videos, those behind key frames."""
ENOUGH = 4
"""Key frames to choose from. Of a video with fewer all pictures are looked through, unless there are more than `MOST_READ`."""
MOST_READ = 1500
APART_S = 0.2
"""From a candidate to the pictures before and after it."""
SMALL_WIDTH = 256
LARGEST_HEIGHT = 720
JPEG_QUALITY = 88
MOST_FRAMES = 120
"""Decoded for one candidate: at a thousand pictures a second, a fifth of one is enough too."""


@dataclass(slots=True)
class _Best:
    score: float = float("-inf")
    frame: VideoFrame | None = None


def make_poster(readable: str, facts: Facts, caps: Caps, duration_s: float, into: Path) -> None:
    """The most telling picture of some spread over the video, upright and with square pixels."""
    best = _Best()
    with open_media(readable, caps) as container:
        stream = picture_stream(container)
        # Threads decode ahead, and hardly anything of what lies ahead is looked at.
        limit_decoder(stream, caps, threads=1)
        try:
            for run in _runs(container, stream, facts, duration_s):
                _look_through(run, best)
        except MemoryError:
            raise
        except av.FFmpegError as error:
            if best.frame is None:
                raise unreadable(error) from error
        if best.frame is None:
            raise MediaUnreadable("the file is damaged: no picture can be decoded")
        _write(best.frame, facts, into)


def _runs(
    container: InputContainer, stream: VideoStream, facts: Facts, duration_s: float
) -> Iterator[list[VideoFrame]]:
    """Pictures in a row, of about the time that a candidate and its neighbours take."""
    if duration_s > SHORT_S:
        promising = _promising(container, stream, facts, duration_s)
        has_enough = len(promising) >= ENOUGH or duration_s * (facts.fps or 1.0) > MOST_READ
        for at_s in promising[:TRIED] if has_enough else ():
            container.seek(round((at_s + facts.origin_s) * av.time_base))
            run = _run(container.decode(stream))
            yield run
            if run and _score(run) > 0:
                return  # the most promising come first
        if has_enough:
            return
        container.seek(round(facts.origin_s * av.time_base))
    frames = container.decode(stream)
    while run := _run(frames):
        yield run


def _promising(container: InputContainer, stream: VideoStream, facts: Facts, duration_s: float) -> list[float]:
    """Times of key frames, the best first by what they show: one decoded picture each."""
    found: dict[int | None, tuple[float, float]] = {}
    for number in range(CANDIDATES):
        # The very beginning and end are titles and fades.
        at_s = duration_s * (0.04 + 0.92 * number / (CANDIDATES - 1))
        container.seek(round((at_s + facts.origin_s) * av.time_base))
        packet = next((packet for packet in container.demux(stream) if packet.is_keyframe), None)
        if packet is None or packet.pts in found:
            continue
        picture = next(iter([*packet.decode(), *stream.codec_context.decode(None)]), None)
        stream.codec_context.flush_buffers()
        if picture is not None:
            small = _small(picture)
            found[packet.pts] = (score(small, small, small), at_s)
    return [at_s for _, at_s in sorted(found.values(), key=lambda one: -one[0])] or [0.0]


def _run(frames: Iterator[VideoFrame]) -> list[VideoFrame]:
    found: list[VideoFrame] = []
    for frame in frames:
        found.append(frame)
        if len(found) > MOST_FRAMES or _seconds(found[0], frame) >= 2 * APART_S:
            break
    return found


def _look_through(run: list[VideoFrame], best: _Best) -> None:
    """The picture in the middle, seen with the first and the last."""
    if not run:
        return
    found = _score(run)
    if found > best.score:
        best.score, best.frame = found, run[len(run) // 2]


def _score(run: list[VideoFrame]) -> float:
    return score(*(_small(frame) for frame in (run[0], run[len(run) // 2], run[-1])))


def _seconds(one: VideoFrame, other: VideoFrame) -> float:
    return 0.0 if one.pts is None or other.pts is None else other.time - one.time


def _small(frame: VideoFrame) -> NDArray[np.uint8]:
    width = min(SMALL_WIDTH, frame.width)
    height = max(4, round(frame.height * width / frame.width))
    grey: Any = reformat(frame, "gray", width=width, height=height, interpolation="AREA").to_ndarray()
    return np.asarray(grey, np.uint8)


def _write(frame: VideoFrame, facts: Facts, into: Path) -> None:
    orientation = Orientation[facts.orientation]
    width, height = fitted(facts.shown_size, LARGEST_HEIGHT)
    stored = (height, width) if orientation.swaps_sides else (width, height)
    picture = orientation.upright(
        reformat(frame, "bgr24", width=stored[0], height=stored[1], interpolation="AREA").to_ndarray()
    )
    is_done = cv2.imwrite(str(into), np.ascontiguousarray(picture), [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
    if not is_done:
        raise OSError(f"cannot write {into.name}")
