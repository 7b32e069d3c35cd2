"""Sampling work that runs in the sandbox: fingerprints of all candidates, and JPEG files of the frames a range keeps."""

import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from av import VideoFrame
from numpy.typing import NDArray

from sightline.jobs import Progress
from sightline.media.input import MediaLimits, MediaUnreadable
from sightline.media.input.orientation import Orientation, orientation_of
from sightline.media.input.source import limit_decoder, open_media, video_stream
from sightline.media.sampling.frame_fingerprint import Luma, fingerprint, halve
from sightline.media.sampling.frame_similarity import FrameSelector
from sightline.media.sampling.ranges import TickRange, tick_of
from sightline.media.sampling.reformat import reformat
from sightline.media.sampling.sample_frames import candidates, keyframes_s

cv2.setNumThreads(1)  # every core has a process already

JPEG_QUALITY = 88
FINGERPRINTS, TIMES = "fingerprints.bin", "times.json"
REPORT_EVERY_FRAMES = 25
_PLANAR = frozenset({"yuv420p", "yuvj420p", "yuv422p", "yuv444p", "yuvj422p", "yuvj444p", "nv12", "gray", "gray8"})
"""Sampling work that runs in the sandbox: fingerprints of all candidates, and JPEG files of the frames a range keeps."""


def find_keyframes(argument: dict[str, Any], _progress: Progress) -> dict[str, Any]:
    """Sandboxed work: the times at which ranges can start."""
    with open_media(argument["readable"], MediaLimits(**argument["media_limits"])) as container:
        return {"keyframes_s": keyframes_s(container, video_stream(container))}


def sample_range(argument: dict[str, Any], progress: Progress) -> dict[str, Any]:
    """Sandboxed work: writes fingerprints of all candidates, and JPEG files of the frames that a pass from here would keep."""
    media_limits, fps = MediaLimits(**argument["media_limits"]), float(argument["target_fps"])
    tick_range = TickRange(*argument["range"])
    ticks = max(1, (tick_range.until or tick_of(argument["duration_s"], fps) + 1) - tick_range.first)
    selector, times, kept = FrameSelector(argument["threshold"]), list[int](), list[int]()
    with open_media(argument["readable"], media_limits) as container, Path(FINGERPRINTS).open("wb") as fingerprints:
        stream = video_stream(container)
        limit_decoder(stream, media_limits, threads=argument["threads"])
        for tick, at_ms, frame in candidates(container, stream, tick_range, fps):
            orientation = orientation_of(frame)
            found = fingerprint(np.ascontiguousarray(orientation.upright(halve(_luma(frame)))))
            fingerprints.write(found.tobytes())
            times.append(at_ms)
            if selector.selects(found):
                _write(frame, orientation, at_ms)
                kept.append(at_ms)
            if len(times) % REPORT_EVERY_FRAMES == 0:
                progress(min(1.0, (tick - tick_range.first) / ticks), None)
    Path(TIMES).write_text(json.dumps(times))
    return {"kept": kept}


def write_frames(argument: dict[str, Any], _progress: Progress) -> dict[str, Any]:
    """Sandboxed work: writes JPEG files of the frames at these times of one range."""
    media_limits, missing = MediaLimits(**argument["media_limits"]), set(argument["times"])
    with open_media(argument["readable"], media_limits) as container:
        stream = video_stream(container)
        limit_decoder(stream, media_limits, threads=argument["threads"])
        for _, at_ms, frame in candidates(
            container, stream, TickRange(*argument["range"]), float(argument["target_fps"])
        ):
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
