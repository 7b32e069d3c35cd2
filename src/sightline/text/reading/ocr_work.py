"""Reads a stretch of key frames. Runs in a process of its own with limits, in a directory that holds the frames."""

from pathlib import Path
from typing import Any

import cv2

from sightline.jobs import Progress
from sightline.text.reading.engines import InstalledEngine
from sightline.text.reading.follow_lines import LineFollower
from sightline.text.reading.frame_view import FrameView, decode

cv2.setNumThreads(1)  # every core has a process of its own already


def read_chunk(argument: dict[str, Any], progress: Progress) -> dict[str, Any]:
    """`engine` says where it is installed, `frames` are [time, end] in ms. Of those from `first` up to `until` the lines are told;
    the others help to see them: the one before shows what stands still, and some lines are read only frames after they appeared."""
    frames: list[list[int]] = argument["frames"]
    first, until = argument["first"], argument["until"]
    follower = LineFollower(InstalledEngine(*argument["engine"]).load().open_engine(argument["languages"]))
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
        for sight in follower.see(view(number), neighbours):
            line = sight.line
            if sight.start_ms in own and line.confidence >= argument["min_confidence"]:
                box = [line.rect.x, line.rect.y, line.rect.width, line.rect.height]
                readings.append([line.text, sight.start_ms, sight.end_ms, line.confidence, box, line.language])
        progress(min(1.0, (number - first + 1) / (until - first)), None)
    return {"readings": readings}
