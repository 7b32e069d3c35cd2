"""Samples one range of a video: marks of all its candidates, pictures of those it would keep. Runs in a process with limits."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

import av
import cv2
import numpy as np
from av import VideoFrame
from av.container import InputContainer
from av.video.stream import VideoStream
from numpy.typing import NDArray

from sightline.jobs.process import Progress
from sightline.media.caps import Caps
from sightline.media.errors import MediaUnreadable
from sightline.media.likeness import Luma, halve, mark
from sightline.media.orientation import Orientation, orientation_of
from sightline.media.sampling import Keeper, Range, pack, tick_of
from sightline.media.source import limit_decoder, open_media, origin_s, picture_stream, unreadable

JPEG_QUALITY = 88
MARKS, TIMES = "marks.bin", "times.json"
TELL_EVERY = 50
_PLANAR = frozenset({"yuv420p", "yuvj420p", "yuv422p", "yuv444p", "yuvj422p", "yuvj444p", "nv12", "gray", "gray8"})
"""Formats whose first plane is the brightness, a byte each."""


def sample_range(argument: dict[str, Any], progress: Progress) -> dict[str, Any]:
    """Writes the marks of all candidates, and as JPEG those frames that a run which began here would keep."""
    wanted = Range(*argument["range"])
    keeper, times, kept = Keeper(argument["threshold"]), list[int](), list[int]()
    with Path(MARKS).open("wb") as marks:
        for at_ms, frame in _candidates(argument, wanted, progress):
            luma, orientation = _luma(frame), orientation_of(frame)
            found = mark(halve(np.ascontiguousarray(orientation.upright(luma))))
            _append(marks, pack(found))
            times.append(at_ms)
            if keeper.keeps(found):
                _write(frame, orientation, at_ms)
                kept.append(at_ms)
    Path(TIMES).write_text(json.dumps(times))
    return {"candidates": len(times), "kept": kept}


def write_frames(argument: dict[str, Any], progress: Progress) -> dict[str, Any]:
    """Writes as JPEG the frames of these times, which lie in one range."""
    missing = set(argument["times"])
    for at_ms, frame in _candidates(argument, Range(*argument["range"]), progress):
        if at_ms in missing:
            _write(frame, orientation_of(frame), at_ms)
            missing.discard(at_ms)
        if not missing:
            break
    if missing:
        raise MediaUnreadable("the file reads differently each time it is read")
    return {}


def _candidates(argument: dict[str, Any], wanted: Range, progress: Progress) -> Iterator[tuple[int, VideoFrame]]:
    caps, fps = Caps(**argument["caps"]), float(argument["target_fps"])
    ticks = (wanted.until or tick_of(argument["duration_s"], fps) + 1) - wanted.first
    with open_media(argument["readable"], caps) as container:
        stream = picture_stream(container)
        limit_decoder(stream, caps, threads=argument["threads"])
        last_tick, seen = -1, 0
        for at_s, frame in _frames(container, stream, wanted.first / fps):
            tick = tick_of(at_s, fps)
            if wanted.until is not None and tick >= wanted.until:
                return
            if tick > last_tick and wanted.holds(tick):
                seen += 1
                if seen % TELL_EVERY == 0:
                    progress(min(1.0, (tick - wanted.first) / max(ticks, 1)), None)
                yield round(at_s * 1000), frame
            last_tick = max(last_tick, tick)


def _frames(container: InputContainer, stream: VideoStream, from_s: float) -> Iterator[tuple[float, VideoFrame]]:
    """Frames with their media time, from the key frame before `from_s` on."""
    origin = origin_s(container)
    if from_s > 0:
        container.seek(round((from_s + origin) * av.time_base))
    try:
        for frame in container.decode(stream):
            if frame.time is not None:
                yield max(0.0, frame.time - origin), frame
    except MemoryError:
        raise
    except av.FFmpegError as error:
        raise unreadable(error) from error


def _luma(frame: VideoFrame) -> Luma:
    if frame.format.name not in _PLANAR:
        frame = frame.reformat(format="gray")
    plane = frame.planes[0]
    rows = np.frombuffer(plane, np.uint8).reshape(-1, plane.line_size)  # type: ignore[call-overload]
    found: Luma = rows[: frame.height, : frame.width]
    return found


def _write(frame: VideoFrame, orientation: Orientation, at_ms: int) -> None:
    picture: NDArray[np.uint8] = np.ascontiguousarray(orientation.upright(frame.to_ndarray(format="bgr24")))
    is_made, encoded = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
    if not is_made:
        raise MediaUnreadable("a picture of the file cannot be written as JPEG")
    Path(f"{at_ms}.jpg").write_bytes(encoded.tobytes())


def _append(file: BinaryIO, content: bytes) -> None:
    file.write(content)
