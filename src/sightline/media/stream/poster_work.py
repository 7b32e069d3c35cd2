"""Poster selection: finds the best picture of a video and writes it as JPEG. Runs in the sandbox."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import av
import cv2
import numpy as np
from av import VideoFrame
from av.container import InputContainer
from av.video.stream import VideoStream
from numpy.typing import NDArray

from sightline.media.input import MediaLimits, MediaUnreadable
from sightline.media.input.orientation import Orientation
from sightline.media.input.probe import MediaInfo, has_plain_clock
from sightline.media.input.source import limit_decoder, open_media, unreadable, video_stream
from sightline.media.sampling.reformat import reformat
from sightline.media.stream.poster_rules import score
from sightline.media.stream.stream_plan import fit_size

CANDIDATES = 9
MAX_WINDOWS = 4
"""Candidates that are compared with their neighbours at most."""
SHORT_VIDEO_S = 8.0
"""Up to this length all frames are read; of longer videos, those after key frames."""
MIN_KEYFRAMES = 4
"""Key frames to choose from; a video with fewer is read as a whole, unless it has more than `MAX_FRAMES_READ` frames."""
MAX_FRAMES_READ = 1500
NEIGHBOUR_DISTANCE_S = 0.2
"""Time from a candidate to its neighbours before and after."""
SMALL_WIDTH = 256
MAX_HEIGHT = 720
JPEG_QUALITY = 88
MAX_FRAMES_PER_WINDOW = 120
"""Frames decoded for one candidate, also at very high frame rates."""


@dataclass(slots=True)
class _Best:
    score: float = float("-inf")
    frame: VideoFrame | None = None


def make_poster(readable: str, info: MediaInfo, media_limits: MediaLimits, duration_s: float, into: Path) -> None:
    """Writes the best of some pictures across the video, upright and with square pixels."""
    best = _Best()
    with open_media(readable, media_limits) as container:
        stream = video_stream(container)
        # One thread, because threads decode ahead and little of that is used.
        limit_decoder(stream, media_limits, threads=1)
        try:
            for window in _windows(container, stream, info, duration_s):
                _update_best(window, best)
        except MemoryError:
            raise
        except av.FFmpegError as error:
            if best.frame is None:
                raise unreadable(error) from error
        if best.frame is None:
            raise MediaUnreadable("the file is damaged: no picture can be decoded")
        _write(best.frame, info, into)


def _windows(
    container: InputContainer, stream: VideoStream, info: MediaInfo, duration_s: float
) -> Iterator[list[VideoFrame]]:
    """Consecutive frames that hold a candidate and its neighbours."""
    can_seek = has_plain_clock(info, round(duration_s * 1000))
    if duration_s > SHORT_VIDEO_S and can_seek:
        keyframes = _best_keyframes(container, stream, info, duration_s)
        has_enough = len(keyframes) >= MIN_KEYFRAMES or duration_s * (info.fps or 1.0) > MAX_FRAMES_READ
        for at_s in keyframes[:MAX_WINDOWS] if has_enough else ():
            container.seek(round((at_s + info.origin_s) * av.time_base))
            window = _window(container.decode(stream))
            yield window
            if window and _score(window) > 0:
                return  # the best candidates come first
        if has_enough:
            return
        container.seek(round(info.origin_s * av.time_base))
    frames = container.decode(stream) if can_seek else islice(container.decode(stream), MAX_FRAMES_READ)
    while window := _window(frames):
        yield window


def _best_keyframes(container: InputContainer, stream: VideoStream, info: MediaInfo, duration_s: float) -> list[float]:
    """Times of key frames, the best first; decodes one frame for each."""
    found: dict[int | None, tuple[float, float]] = {}
    for number in range(CANDIDATES):
        # Skips the beginning and the end, which are often titles and fades.
        at_s = duration_s * (0.04 + 0.92 * number / (CANDIDATES - 1))
        container.seek(round((at_s + info.origin_s) * av.time_base))
        packet = next((packet for packet in container.demux(stream) if packet.is_keyframe), None)
        if packet is None or packet.pts in found:
            continue
        picture = next(iter([*packet.decode(), *stream.codec_context.decode(None)]), None)
        stream.codec_context.flush_buffers()
        if picture is not None:
            small = _small(picture)
            found[packet.pts] = (score(small, small, small), at_s)
    return [at_s for _, at_s in sorted(found.values(), key=lambda one: -one[0])] or [0.0]


def _window(frames: Iterator[VideoFrame]) -> list[VideoFrame]:
    found: list[VideoFrame] = []
    for frame in frames:
        found.append(frame)
        if len(found) > MAX_FRAMES_PER_WINDOW or _seconds(found[0], frame) >= 2 * NEIGHBOUR_DISTANCE_S:
            break
    return found


def _update_best(window: list[VideoFrame], best: _Best) -> None:
    """Scores the frame in the middle with the first and the last as its neighbours."""
    if not window:
        return
    found = _score(window)
    if found > best.score:
        best.score, best.frame = found, window[len(window) // 2]


def _score(window: list[VideoFrame]) -> float:
    return score(*(_small(frame) for frame in (window[0], window[len(window) // 2], window[-1])))


def _seconds(one: VideoFrame, other: VideoFrame) -> float:
    return 0.0 if one.pts is None or other.pts is None else other.time - one.time


def _small(frame: VideoFrame) -> NDArray[np.uint8]:
    width = min(SMALL_WIDTH, frame.width)
    height = max(4, round(frame.height * width / frame.width))
    grey: Any = reformat(frame, "gray", width=width, height=height, interpolation="AREA").to_ndarray()
    return np.asarray(grey, np.uint8)


def _write(frame: VideoFrame, info: MediaInfo, into: Path) -> None:
    orientation = Orientation[info.orientation]
    width, height = fit_size(info.shown_size, MAX_HEIGHT)
    stored = (height, width) if orientation.swaps_sides else (width, height)
    picture = orientation.upright(
        reformat(frame, "bgr24", width=stored[0], height=stored[1], interpolation="AREA").to_ndarray()
    )
    is_done = cv2.imwrite(str(into), np.ascontiguousarray(picture), [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
    if not is_done:
        raise OSError(f"cannot write {into.name}")
