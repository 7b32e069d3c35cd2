"""What watching a camera sees of what a loop sees that detects on every frame, and what both cost, on video files.

.venv/bin/python benchmarks/camera_recall.py VIDEO... [--seconds 20] [--json]

Needs `make vision`. A directory stands for the videos in it. Each file is shown to the code of the camera process (motion gate
and looks, five a second) and of the watch (detector, tracker, sightings) as a camera would send it, by the clock of the file; a
first time to learn the scene, and a second time that counts. The loop decodes every frame, detects on it and follows what it
finds. What it followed for a second and saw move is what there is to see; it is found when the watch reported an object of its
kind at its place. It is told apart if a report can be given to it that is given to nothing else; a switch is a report that goes
over from one object to another. What the loop saw is kept in `.reports/recall`, since it takes far longer than all the rest and
changes with the models alone.
"""

import argparse
import asyncio
import json
import time
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from itertools import chain, pairwise
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from uuid import uuid4

import av
import numpy as np
import psutil

from harness import ROOT
from sightline.cameras import CamerasSettings
from sightline.cameras.shapes import Shapes
from sightline.cameras.sources.camera_process import CameraLook, read_message
from sightline.cameras.sources.looking import DecodedFrame, Looker
from sightline.cameras.sources.rest import grant
from sightline.cameras.watch.eyes import DetectingEyes
from sightline.cameras.watch.sighting import has_moved
from sightline.geometry import Box, shared_area
from sightline.jobs import ProcessMessage
from sightline.vision import DetectedObject, Detector, Tracker, VisionSettings, open_detector
from sightline.vision.labels import group_of

LOOKS_PER_S = 5.0
MIN_SEEN_S = 1.0
NEAR_S = 0.25
SAME_S = 0.05
"""Between a picture of the watch and the same one, or the next, of the loop."""
MIN_OVERLAP = 0.3
PICTURE_WIDTH = 1280
VIDEOS = (".mp4", ".avi", ".mkv", ".mov", ".webm", ".mpg")
KEPT = ROOT / ".reports" / "recall"
BLANK = np.zeros((64, 64, 3), np.uint8)

Places = list[tuple[float, Box]]


@dataclass
class Followed:
    """Objects by track: their kind, and where they were when."""

    kinds: dict[str, str] = field(default_factory=dict)
    places: dict[str, Places] = field(default_factory=lambda: defaultdict(list))
    cpu_s: float = 0.0
    looks: int = 0
    seconds: float = 0.0


class Counting:
    """A detector that counts what it is asked."""

    def __init__(self, detector: Detector) -> None:
        self._detector = detector
        self.models = detector.models
        self.problem = None
        self.looks = 0

    async def detect(self, picture: Any, **options: Any) -> list[DetectedObject]:
        self.looks += 1
        return await self._detector.detect(picture, **options)


class LocalChannel:
    """Between the code of the camera process and that of its parent, both in this process."""

    def __init__(self) -> None:
        self.sent: list[ProcessMessage] = []
        self.waiting: list[ProcessMessage] = []

    def send(self, kind: str, fields: dict[str, Any] | None = None, content: Any = b"") -> None:
        self.sent.append(ProcessMessage(kind, fields or {}, bytes(memoryview(content).cast("B"))))

    def receive(self, timeout_s: float | None = None) -> ProcessMessage | None:
        return self.waiting.pop(0) if self.waiting else None


@dataclass(frozen=True, slots=True)
class Video:
    file: Path
    max_s: float
    """Only so much of its beginning is shown."""


def frames(video: Video, starts_s: float) -> Iterator[tuple[float, av.VideoFrame]]:
    with av.open(str(video.file)) as container:
        stream = container.streams.video[0]
        stream.codec_context.thread_count = 1
        fps = float(stream.average_rate or 25)
        for number, frame in enumerate(container.decode(stream)):
            if number / fps > video.max_s:
                return
            yield starts_s + number / fps, frame


def cpu_s() -> float:
    own = psutil.Process()
    times = [process.cpu_times() for process in (own, *own.children(recursive=True))]
    return sum(one.user + one.system for one in times)


async def watched(video: Video, detector: Detector) -> Followed:
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
        for at, frame in frames(video, starts):
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
        found.cpu_s, found.looks, found.seconds = cpu_s() - began, counting.looks, ends - starts
        eyes.finish(ends)
    found.kinds = {track_id: kind for track_id, kind in found.kinds.items() if track_id in reported}
    return found


def replies(seen: Any) -> list[ProcessMessage]:
    """What the watch sends to the camera process after a look."""
    explained = [ProcessMessage("explain", {"boxes": [list(box) for box in seen.boxes]})] if seen.boxes else []
    return [*explained, ProcessMessage("next", grant(seen.rest, is_known=seen.is_known))]


async def every_frame(video: Video, detector: Detector) -> Followed:
    kept = KEPT / f"{key_of(video, detector)}.json"
    if kept.is_file():
        read = json.loads(kept.read_text())
        places = {track_id: [(at, tuple(box)) for at, box in seen] for track_id, seen in read.pop("places").items()}
        return Followed(places=places, **read)
    found, tracker, labels = Followed(), Tracker(), frozenset(CamerasSettings().labels)
    began = cpu_s()
    for at, frame in frames(video, 0.0):
        found.looks, found.seconds = found.looks + 1, at
        picture = np.asarray(frame.to_ndarray(format="rgb24"), np.uint8)
        objects = [one for one in await detector.detect(picture) if one.label in labels]
        for track in tracker.update(at, objects):
            found.places[track.track_id].append((at, track.box))
            if track.is_confirmed and has_moved(track) and track.seconds >= MIN_SEEN_S:
                found.kinds[track.track_id] = group_of(track.label)
    found.cpu_s = cpu_s() - began
    found.places = {track_id: found.places[track_id] for track_id in found.kinds}
    KEPT.mkdir(parents=True, exist_ok=True)
    kept.write_text(json.dumps(asdict(found)))
    return found


def key_of(video: Video, detector: Detector) -> str:
    content = sha256(video.file.read_bytes())
    content.update(f"{video.max_s:g} {[card.name for card in detector.models]}".encode())
    return f"{video.file.stem}-{content.hexdigest()[:12]}"


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


def meets(naive: Followed, there: dict[str, str], watch: Followed) -> dict[str, list[str]]:
    """For each report, by time: which object of its kind was nearest to its place at each look, if one was."""
    met: dict[str, list[str]] = {}
    for track_id, kind in watch.kinds.items():
        at_looks = (
            nearest(naive, [one for one in there if there[one] == kind], *place) for place in watch.places[track_id]
        )
        met[track_id] = [one for one in at_looks if one is not None]
    return met


def nearest(naive: Followed, objects: list[str], seen_at: float, seen: Box) -> str | None:
    overlaps = {
        one: max((overlap(box, seen) for at, box in naive.places[one] if abs(at - seen_at) <= SAME_S), default=0.0)
        for one in objects
    }
    best = max(overlaps, key=lambda one: overlaps[one], default=None)
    return best if best is not None and overlaps[best] >= MIN_OVERLAP else None


def told_apart(met: dict[str, list[str]]) -> int:
    """How many objects can be given a report each that is given to no other one."""
    given: dict[str, str] = {}

    def give(report: str, tried: set[str]) -> bool:
        for one in set(met[report]) - tried:
            tried.add(one)
            if one not in given or give(given[one], tried):
                given[one] = report
                return True
        return False

    return sum(give(report, set()) for report in met)


def switches(met: dict[str, list[str]]) -> int:
    return sum(one != other for objects in met.values() for one, other in pairwise(objects))


async def compare(videos: list[Video]) -> list[dict[str, Any]]:
    rows = []
    async with open_detector(VisionSettings()) as detector:
        if detector is None:
            raise SystemExit("run `make vision` first")
        await detector.detect(BLANK)
        for video in videos:
            began = time.monotonic()
            naive, watch = await every_frame(video, detector), await watched(video, detector)
            row = row_of(video, naive, watch)
            rows.append(row)
            print(json.dumps(row), f"({time.monotonic() - began:.0f} s)", flush=True)
    return rows


def row_of(video: Video, naive: Followed, watch: Followed) -> dict[str, Any]:
    there = {one: kind for one, kind in naive.kinds.items() if has_gone(naive.places[one])}
    found = {one for one, kind in there.items() if is_found(kind, naive.places[one], watch)}
    kinds, met = sorted(set(there.values())), meets(naive, there, watch)
    return {
        "file": video.file.name,
        "seconds": round(naive.seconds, 1),
        "there": {kind: sum(one == kind for one in there.values()) for kind in kinds},
        "found": {kind: sum(there[one] == kind for one in found) for kind in kinds},
        "missed": [when(there[one], naive.places[one]) for one in there if one not in found],
        "reported": len(watch.kinds),
        "told_apart": told_apart(met),
        "switches": switches(met),
        "looks_per_s": round(watch.looks / watch.seconds, 2),
        "every_frame_per_s": round(naive.looks / naive.seconds, 1),
        "cpu_percent": round(watch.cpu_s / watch.seconds * 100, 1),
        "every_frame_cpu_percent": round(naive.cpu_s / naive.seconds * 100, 1),
        "times_cheaper": round(naive.cpu_s / watch.cpu_s, 1),
    }


def has_gone(places: Places) -> bool:
    """Whether it went at least half its size; boxes of what stands tremble by less over all frames."""
    (_, first), *later = places
    reach = 0.5 * max(first[2], first[3])
    return any(max(abs(x - first[0]), abs(y - first[1])) > reach for _, (x, y, _, _) in later)


def when(kind: str, places: Places) -> str:
    height = sum(box[3] for _, box in places) / len(places)
    return f"{kind} at {places[0][0]:.1f} to {places[-1][0]:.1f} s, {height:.0%} of the picture high"


def total(rows: list[dict[str, Any]]) -> str:
    kinds = sorted(set(chain.from_iterable(row["there"] for row in rows)))
    counts = {kind: [sum(row[which].get(kind, 0) for row in rows) for which in ("found", "there")] for kind in kinds}
    cheaper = sum(row["every_frame_cpu_percent"] * row["seconds"] for row in rows) / sum(
        row["cpu_percent"] * row["seconds"] for row in rows
    )
    words = ", ".join(f"{kind} {found} of {there}" for kind, (found, there) in counts.items())
    apart, changes = (sum(row[which] for row in rows) for which in ("told_apart", "switches"))
    return f"found of what the loop followed: {words}; {apart} told apart, {changes} switches; {cheaper:.1f} times cheaper over all"


def videos_of(paths: list[Path], max_s: float) -> list[Video]:
    found = chain.from_iterable(sorted(path.iterdir()) if path.is_dir() else [path] for path in paths)
    return [Video(file, max_s) for file in found if file.suffix.lower() in VIDEOS]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="+", type=Path)
    parser.add_argument("--seconds", type=float, default=600.0, help="show only so much of each file")
    parser.add_argument("--json", action="store_true", help="print the rows as one list at the end")
    arguments = parser.parse_args()
    rows = asyncio.run(compare(videos_of(arguments.paths, arguments.seconds)))
    print(json.dumps(rows) if arguments.json else total(rows))
