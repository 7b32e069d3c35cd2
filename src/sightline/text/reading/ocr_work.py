"""Reading of a chunk of key frames or of one picture, in a child process with limits whose directory holds them."""

from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from sightline.jobs import Progress
from sightline.text.reading.engine import DetectingEngine, Engine, LineSighting
from sightline.text.reading.engines import InstalledEngine, open_engine
from sightline.text.reading.following import TextFollower
from sightline.text.reading.frame_view import FrameView, decode, view_of
from sightline.text.reading.track_lines import LineTracker

cv2.setNumThreads(1)  # each core runs a process already

REGION_MARGIN = 0.1
REGION_WIDTH = 960
"""A region is enlarged to about this width, at most four times: letters on a plate are small."""
MAX_ENLARGEMENT = 4.0
STILL_MS = 1000
"""A picture counts as a frame that was shown for so long: everything in it is static."""
MIN_PICTURE_CONFIDENCE = 0.6
MIN_PICTURE_CERTAINTY = 0.7
MAX_PICTURE_LINES = 20


def read_chunk(argument: dict[str, Any], progress: Progress) -> dict[str, Any]:
    """Returns the lines of the frames from `first` up to `until`; `frames` are [start, end] in ms.

    The other frames help: the one before shows what is static, and some lines can be read only some frames later.
    """
    frames: list[list[int]] = argument["frames"]
    first, until = argument["first"], argument["until"]
    engine = _open(argument)
    views: dict[int, FrameView] = {}

    def view(number: int) -> FrameView:
        if number not in views:
            start, end = frames[number]
            content, name = Path(f"{start}.jpg").read_bytes(), f"frame {start} ms"
            views[number] = decode(content, start, end, name=name, in_color=isinstance(engine, DetectingEngine))
            views.pop(number - 3, None)
        return views[number]

    own = {frames[number][0] for number in range(first, until)}
    sightings: list[LineSighting] = []
    follower = TextFollower(engine) if isinstance(engine, DetectingEngine) else None
    tracker = LineTracker(engine) if follower is None else None
    for number in range(first, len(frames)):
        neighbours = [view(other) for other in (number - 1, number + 1) if 0 <= other < len(frames)]
        if follower is not None:
            follower.follow(view(number), neighbours)
        if tracker is not None:
            sightings += tracker.track(view(number), neighbours)
        progress(min(1.0, (number - first + 1) / (until - first)), None)
    if follower is not None:
        sightings = follower.finish()
    return {
        "readings": [
            [one.line.text, one.start_ms, one.end_ms, one.line.confidence, list(one.line.rect), one.line.language]
            for one in sightings
            if one.start_ms in own and one.line.confidence >= argument["min_confidence"]
        ]
    }


def read_picture(argument: dict[str, Any], progress: Progress) -> dict[str, Any]:
    """Returns the lines of a picture and of its enlarged regions, each text once, the most certain first."""
    engine = _open(argument)
    is_detecting = isinstance(engine, DetectingEngine)
    whole = decode(Path(argument["picture"]).read_bytes(), 0, STILL_MS, name="the picture", in_color=is_detecting)
    regions = [_enlarged(whole.picture, region) for region in argument["regions"]]
    views = [(whole, False), *((view_of(part, 0, STILL_MS), True) for part in regions if part is not None)]
    best: dict[str, list[Any]] = {}
    for view, is_in_region in views:
        for sighting in _still(engine, view):
            line = sighting.line
            if line.confidence < MIN_PICTURE_CONFIDENCE or line.certainty < MIN_PICTURE_CERTAINTY:
                continue
            known = best.get(line.text)
            confidence = max(line.confidence, known[1] if known else 0.0)
            best[line.text] = [line.text, confidence, is_in_region or bool(known and known[2])]
    lines = sorted(best.values(), key=lambda line: (-line[1], line[0]))
    return {"lines": lines[:MAX_PICTURE_LINES]}


def _still(engine: Engine, view: FrameView) -> list[LineSighting]:
    if not isinstance(engine, DetectingEngine):
        return LineTracker(engine).track(view, [])
    follower = TextFollower(engine)
    follower.follow(view, [])
    return follower.finish()


def _open(argument: dict[str, Any]) -> Engine:
    plugin = InstalledEngine(*argument["engine"]).load()
    return open_engine(plugin, argument["languages"], [Path(file) for file in argument["files"]])


def _enlarged(picture: NDArray[np.uint8], region: list[float]) -> NDArray[np.uint8] | None:
    height, width = picture.shape[:2]
    x, y, across, down = region
    left, right = (x - across * REGION_MARGIN) * width, (x + across * (1 + REGION_MARGIN)) * width
    top, bottom = (y - down * REGION_MARGIN) * height, (y + down * (1 + REGION_MARGIN)) * height
    part = picture[max(0, round(top)) : max(0, round(bottom)), max(0, round(left)) : max(0, round(right))]
    if part.shape[0] < 8 or part.shape[1] < 8:
        return None
    scale = min(MAX_ENLARGEMENT, REGION_WIDTH / part.shape[1])
    if scale <= 1.2:
        return part
    return cv2.resize(part, None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC).astype("uint8", copy=False)
