"""What watching a camera sees of what a loop sees that detects on every frame, and what both cost, on video files.

.venv/bin/python benchmarks/camera_recall.py VIDEO... [--json]

Needs `make vision`. Each file is shown to the code of the camera process (motion gate and looks, five a second) and of the
watch (detector, tracker, sightings) as a camera would send it, by the clock of the file; a first time to learn the scene, and
a second time that counts. The loop decodes every frame, detects on it and follows what it finds. What it followed for a second
and saw move is what there is to see; it is found when the watch reported an object of its kind at its place.
"""

import argparse
import asyncio
import json
import time
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from uuid import uuid4

import av
import numpy as np
import psutil

from sightline.cameras import CamerasSettings
from sightline.cameras.shapes import Shapes
from sightline.cameras.sources.camera_process import CameraLook, read_message
from sightline.cameras.sources.looking import DecodedFrame, Looker
from sightline.cameras.watch.eyes import DetectingEyes
from sightline.cameras.watch.sighting import has_moved
from sightline.geometry import Box, shared_area
from sightline.jobs import ProcessMessage
from sightline.vision import DetectedObject, Detector, Tracker, VisionSettings, open_detector
from sightline.vision.labels import group_of

LOOKS_PER_S = 5.0
MIN_SEEN_S = 1.0
NEAR_S = 0.25
MIN_OVERLAP = 0.3
PICTURE_WIDTH = 1280
BLANK = np.zeros((64, 64, 3), np.uint8)

Places = list[tuple[float, Box]]


@dataclass
class Followed:
    """Objects by track: their kind, and where they were when."""

    kinds: dict[str, str] = field(default_factory=dict)
    places: dict[str, Places] = field(default_factory=lambda: defaultdict(list))
    cpu_s: float = 0.0
    looks: int = 0


class Counting:
    """A detector that counts what it is asked."""

    def __init__(self, detector: Detector) -> None:
        self._detector = detector
        self.models = detector.models
        self.problem = None
        self.looks = 0

    async def detect(self, picture: Any, *, regions: Any = (), source: str = "") -> list[DetectedObject]:
        self.looks += 1
        return await self._detector.detect(picture, regions=regions, source=source)


class LocalChannel:
    """Between the code of the camera process and that of its parent, both in this process."""

    def __init__(self) -> None:
        self.sent: list[ProcessMessage] = []
        self.waiting: list[ProcessMessage] = []

    def send(self, kind: str, fields: dict[str, Any] | None = None, content: Any = b"") -> None:
        self.sent.append(ProcessMessage(kind, fields or {}, bytes(memoryview(content).cast("B"))))

    def receive(self, timeout_s: float | None = None) -> ProcessMessage | None:
        return self.waiting.pop(0) if self.waiting else None


def frames(file: Path, starts_s: float) -> Iterator[tuple[float, av.VideoFrame]]:
    with av.open(str(file)) as container:
        stream = container.streams.video[0]
        stream.codec_context.thread_count = 1
        fps = float(stream.average_rate or 25)
        for number, frame in enumerate(container.decode(stream)):
            yield starts_s + number / fps, frame


def cpu_s() -> float:
    own = psutil.Process()
    times = [process.cpu_times() for process in (own, *own.children(recursive=True))]
    return sum(one.user + one.system for one in times)


async def watched(file: Path, detector: Detector) -> Followed:
    """The same code as in production, by the clock of the file."""
    clock, channel, counting = [1000.0], LocalChannel(), Counting(detector)
    settings = CamerasSettings()
    argument = {"picture_width": PICTURE_WIDTH, "jpeg_quality": settings.jpeg_quality, "gate": {}}
    looker = Looker(channel, argument, clock=lambda: clock[0])  # type: ignore[arg-type]
    camera: Any = SimpleNamespace(camera_key=uuid4(), camera_id="yard")
    eyes = DetectingEyes(camera, counting, Shapes(), labels=settings.labels, encode=lambda picture: b"")
    found = Followed()
    reported: set[str] = set()
    for _ in range(2):
        starts, last_look, last_tick, ends = clock[0] + 2.0, -1.0, -1.0, 0.0
        found, reported, counting.looks, began = Followed(), set(), 0, cpu_s()
        for at, frame in frames(file, starts):
            clock[0] = ends = at
            looker.obey()
            is_look = at - last_look >= 0.9 / LOOKS_PER_S
            last_look = at if is_look else last_look
            looker.see(DecodedFrame(frame), is_look=is_look)
            sightings = []
            for message in channel.sent:
                look = read_message(message)
                if isinstance(look, CameraLook):
                    seen = await eyes.look(look)
                    sightings += seen.sightings
                    channel.waiting += replies(seen)
                    for track in eyes._tracker.live:  # noqa: SLF001
                        if track.last_seen == look.at:
                            found.places[track.track_id].append((look.at - starts, track.box))
                            found.kinds[track.track_id] = group_of(track.label)
            channel.sent.clear()
            if at - last_tick >= 1:
                last_tick = at
                sightings += eyes.pass_time(at)
                channel.waiting.append(ProcessMessage("follow", {"on": eyes.is_following}))
            reported |= {one.track_id for one in sightings}
        found.cpu_s, found.looks = cpu_s() - began, counting.looks
        eyes.finish(ends)
    found.kinds = {track_id: kind for track_id, kind in found.kinds.items() if track_id in reported}
    return found


def replies(seen: Any) -> list[ProcessMessage]:
    """What the watch sends to the camera process after a look."""
    explained = [ProcessMessage("explain", {"boxes": [list(box) for box in seen.boxes]})] if seen.boxes else []
    return [*explained, ProcessMessage("next", {} if seen.rest is None else seen.rest.to_json())]


async def every_frame(file: Path, detector: Detector) -> Followed:
    found, tracker, labels = Followed(), Tracker(), frozenset(CamerasSettings().labels)
    began = cpu_s()
    moved: set[str] = set()
    for at, frame in frames(file, 0.0):
        found.looks += 1
        picture = np.asarray(frame.to_ndarray(format="rgb24"), np.uint8)
        objects = [one for one in await detector.detect(picture) if one.label in labels]
        for track in tracker.update(at, objects):
            found.places[track.track_id].append((at, track.box))
            if track.is_confirmed and has_moved(track) and track.seconds >= MIN_SEEN_S:
                moved.add(track.track_id)
                found.kinds[track.track_id] = group_of(track.label)
    found.cpu_s = cpu_s() - began
    return found


def overlap(one: Box, other: Box) -> float:
    shared = shared_area(one, other)
    return shared / (one[2] * one[3] + other[2] * other[3] - shared)


def is_found(kind: str, places: Places, watch: Followed) -> bool:
    return any(
        abs(at - seen_at) <= NEAR_S and overlap(box, seen) >= MIN_OVERLAP
        for track_id, of_kind in watch.kinds.items()
        if of_kind == kind
        for seen_at, seen in watch.places[track_id]
        for at, box in places
    )


async def compare(files: list[Path]) -> list[dict[str, Any]]:
    rows = []
    async with open_detector(VisionSettings()) as detector:
        if detector is None:
            raise SystemExit("run `make vision` first")
        await detector.detect(BLANK)
        for file in files:
            began = time.monotonic()
            naive, watch = await every_frame(file, detector), await watched(file, detector)
            there = naive.kinds
            found = [track_id for track_id, kind in there.items() if is_found(kind, naive.places[track_id], watch)]
            seconds = max(at for at, _ in frames(file, 0.0))
            row = {
                "file": file.name,
                "seconds": round(seconds, 1),
                "there": {kind: list(there.values()).count(kind) for kind in sorted(set(there.values()))},
                "found": {kind: [there[one] for one in found].count(kind) for kind in sorted(set(there.values()))},
                "reported": len(watch.kinds),
                "looks_per_s": round(watch.looks / seconds, 2),
                "cpu_percent": round(watch.cpu_s / seconds * 100, 1),
                "every_frame_cpu_percent": round(naive.cpu_s / seconds * 100, 1),
                "times_cheaper": round(naive.cpu_s / watch.cpu_s, 1),
            }
            rows.append(row)
            print(json.dumps(row), f"({time.monotonic() - began:.0f} s)", flush=True)
    return rows


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", type=Path)
    asyncio.run(compare(parser.parse_args().files))
