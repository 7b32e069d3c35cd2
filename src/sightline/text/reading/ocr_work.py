"""Reading of a chunk of key frames, in a child process with limits whose directory holds the frames."""

from pathlib import Path
from typing import Any

import cv2

from sightline.jobs import Progress
from sightline.text.reading.engines import InstalledEngine, open_engine
from sightline.text.reading.frame_view import FrameView, decode
from sightline.text.reading.track_lines import LineTracker

cv2.setNumThreads(1)  # each core runs a process already


def read_chunk(argument: dict[str, Any], progress: Progress) -> dict[str, Any]:
    """Returns the lines of the frames from `first` up to `until`; `frames` are [start, end] in ms.

    The other frames help: the one before shows what is static, and some lines can be read only some frames later.
    """
    frames: list[list[int]] = argument["frames"]
    first, until = argument["first"], argument["until"]
    plugin = InstalledEngine(*argument["engine"]).load()
    tracker = LineTracker(open_engine(plugin, argument["languages"], [Path(file) for file in argument["files"]]))
    views: dict[int, FrameView] = {}

    def view(number: int) -> FrameView:
        if number not in views:
            start, end = frames[number]
            views[number] = decode(Path(f"{start}.jpg").read_bytes(), start, end, name=f"frame {start} ms")
            views.pop(number - 3, None)
        return views[number]

    own = {frames[number][0] for number in range(first, until)}
    readings: list[list[Any]] = []
    for number in range(first, len(frames)):
        neighbours = [view(other) for other in (number - 1, number + 1) if 0 <= other < len(frames)]
        for sighting in tracker.track(view(number), neighbours):
            line = sighting.line
            if sighting.start_ms in own and line.confidence >= argument["min_confidence"]:
                box = [line.rect.x, line.rect.y, line.rect.width, line.rect.height]
                readings.append([line.text, sighting.start_ms, sighting.end_ms, line.confidence, box, line.language])
        progress(min(1.0, (number - first + 1) / (until - first)), None)
    return {"readings": readings}
