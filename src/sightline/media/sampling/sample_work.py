"""Samples ranges of a video: marks of all candidates, pictures of those that a range would keep. Runs in a process with limits."""

import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from av import VideoFrame
from numpy.typing import NDArray

from sightline.jobs.process import Progress
from sightline.media.input.errors import MediaUnreadable
from sightline.media.input.limits import Caps
from sightline.media.input.orientation import Orientation, orientation_of
from sightline.media.input.source import limit_decoder, open_media, picture_stream
from sightline.media.sampling.frame_fingerprint import Luma, halve, mark
from sightline.media.sampling.frame_similarity import Keeper
from sightline.media.sampling.ranges import Range, tick_of
from sightline.media.sampling.reformat import reformat
from sightline.media.sampling.sample_frames import candidates, keyframes_s

cv2.setNumThreads(1)  # every core has a process of its own already

JPEG_QUALITY = 88
MARKS, TIMES = "marks.bin", "times.json"
TELL_EVERY = 25
_PLANAR = frozenset({"yuv420p", "yuvj420p", "yuv422p", "yuv444p", "yuvj422p", "yuvj444p", "nv12", "gray", "gray8"})
"""Formats whose first plane is the brightness, a byte each."""


def find_keyframes(argument: dict[str, Any], _progress: Progress) -> dict[str, Any]:
    """Where ranges can begin."""
    with open_media(argument["readable"], Caps(**argument["caps"])) as container:
        return {"keyframes_s": keyframes_s(container, picture_stream(container))}


def sample_range(argument: dict[str, Any], progress: Progress) -> dict[str, Any]:
    """Writes the marks of all candidates, and as JPEG those frames that a run which began here would keep."""
    caps, fps = Caps(**argument["caps"]), float(argument["target_fps"])
    wanted = Range(*argument["range"])
    ticks = max(1, (wanted.until or tick_of(argument["duration_s"], fps) + 1) - wanted.first)
    keeper, times, kept = Keeper(argument["threshold"]), list[int](), list[int]()
    with open_media(argument["readable"], caps) as container, Path(MARKS).open("wb") as marks:
        stream = picture_stream(container)
        limit_decoder(stream, caps, threads=argument["threads"])
        for tick, at_ms, frame in candidates(container, stream, wanted, fps):
            orientation = orientation_of(frame)
            found = mark(np.ascontiguousarray(orientation.upright(halve(_luma(frame)))))
            marks.write(found.tobytes())
            times.append(at_ms)
            if keeper.keeps(found):
                _write(frame, orientation, at_ms)
                kept.append(at_ms)
            if len(times) % TELL_EVERY == 0:
                progress(min(1.0, (tick - wanted.first) / ticks), None)
    Path(TIMES).write_text(json.dumps(times))
    return {"kept": kept}


def write_frames(argument: dict[str, Any], _progress: Progress) -> dict[str, Any]:
    """Writes as JPEG the frames of these times, which lie in one range."""
    caps, missing = Caps(**argument["caps"]), set(argument["times"])
    with open_media(argument["readable"], caps) as container:
        stream = picture_stream(container)
        limit_decoder(stream, caps, threads=argument["threads"])
        for _, at_ms, frame in candidates(container, stream, Range(*argument["range"]), float(argument["target_fps"])):
            if at_ms in missing:
                _write(frame, orientation_of(frame), at_ms)
                missing.discard(at_ms)
            if not missing:
                return {}
    raise MediaUnreadable("the file reads differently each time it is read")


def _luma(frame: VideoFrame) -> Luma:
    if frame.format.name not in _PLANAR:
        frame = reformat(frame, "gray")
    plane = frame.planes[0]
    rows = np.frombuffer(plane, np.uint8).reshape(-1, plane.line_size)  # type: ignore[call-overload]
    found: Luma = rows[: frame.height, : frame.width]
    return found


def _write(frame: VideoFrame, orientation: Orientation, at_ms: int) -> None:
    picture: NDArray[np.uint8] = np.ascontiguousarray(orientation.upright(reformat(frame, "bgr24").to_ndarray()))
    is_made, encoded = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
    if not is_made:
        raise MediaUnreadable("a picture of the file cannot be written as JPEG")
    Path(f"{at_ms}.jpg").write_bytes(encoded.tobytes())
