"""False events: what still scenes with weather, leaves and lamps make of an hour, through real cameras and the default detector.

.venv/bin/python benchmarks/false_events.py [--minutes 10] [VIDEO...]

Needs `make vision`. Each scene is sent by an RTSP camera of its own to one `sightline up` without any setting. Generated scenes
are drawn upon the empty yard of the sample clip; videos are files in which nobody is to be seen, played forwards and backwards
so that nothing jumps. Every event is a false one. Pictures of such events are kept in the directory of `--pictures`.
"""

import argparse
import asyncio
import json
import math
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import AsyncExitStack
from pathlib import Path

import av
import cv2
import httpx
import numpy as np
from numpy.typing import NDArray

import cameras as _  # noqa: F401  # makes the support of the tests importable
from sightline.cameras.sample import SAMPLE_CLIP
from support.camera_clips import FPS, CodedPicture, code_pictures
from support.platform_process import up
from support.rtsp_server import RtspCamera
from support.watch_rig import until_state

Picture = NDArray[np.uint8]
SECONDS = 60
MAX_FILE_PICTURES = 300
NOISE = 2.0


def yard() -> Picture:
    with av.open(str(SAMPLE_CLIP)) as container:
        return np.asarray(next(container.decode(video=0)).to_ndarray(format="rgb24"), np.uint8)


def rain(picture: Picture, at: float, chance: np.random.Generator) -> Picture:
    drawn = picture.copy()
    height, width = picture.shape[:2]
    for _drop in range(chance.poisson(150)):
        x, y, length = (int(chance.integers(0, limit)) for limit in (width, height, 40))
        cv2.line(drawn, (x, y), (x + 2, y + 8 + length), (205, 210, 215), 1, cv2.LINE_AA)
    return np.asarray(cv2.addWeighted(drawn, 0.6, picture, 0.4, 0), np.uint8)


def snow(picture: Picture, at: float, chance: np.random.Generator) -> Picture:
    drawn = picture.copy()
    height, width = picture.shape[:2]
    for _flake in range(chance.poisson(120)):
        center = int(chance.integers(0, width)), int(chance.integers(0, height))
        cv2.circle(drawn, center, int(chance.integers(1, 5)), (235, 235, 235), -1, cv2.LINE_AA)
    return drawn


def leaves(picture: Picture, at: float, chance: np.random.Generator) -> Picture:
    """A crown before the yard that sways in gusts."""
    gust = 0.4 + 0.6 * math.sin(at / 5) ** 2
    dx, dy = 9 * gust * math.sin(at * 2.9), 5 * gust * math.sin(at * 4.3 + 1)
    crown = cv2.warpAffine(CROWN, np.array([[1, 0, dx], [0, 1, dy]], np.float32), CROWN.shape[1::-1])
    drawn = picture.copy()
    part = drawn[: crown.shape[0], -crown.shape[1] :]
    part[crown.any(axis=2)] = crown[crown.any(axis=2)]
    return drawn


def _crown() -> Picture:
    chance = np.random.default_rng(5)
    crown = np.zeros((300, 340, 3), np.uint8)
    for _leaf in range(2600):
        angle, far = chance.uniform(0, 2 * math.pi), chance.uniform(0, 1) ** 0.6
        center = int(190 + 140 * far * math.cos(angle)), int(130 + 115 * far * math.sin(angle))
        shade = chance.uniform(0.4, 1.1)
        colour = tuple(float(min(255, value * shade)) for value in (70, 115, 45))
        cv2.ellipse(crown, center, (int(chance.integers(4, 10)), 3), math.degrees(angle), 0, 360, colour, -1)
    return crown


CROWN = _crown()


def lamp(picture: Picture, at: float, chance: np.random.Generator) -> Picture:
    """Switched every fifteen seconds; the exposure follows within a second."""
    period = at % 30
    level = min(period / 0.8, 1.0) if period < 15 else max(1 - (period - 15) / 0.8, 0.0)
    return np.asarray(cv2.convertScaleAbs(picture, alpha=0.45 + 0.65 * level, beta=18 * level), np.uint8)


def clouds(picture: Picture, at: float, chance: np.random.Generator) -> Picture:
    columns = np.arange(picture.shape[1], dtype=np.float32)[None, :, None]
    shade = 1 - 0.35 * np.clip(2 * np.sin(2 * math.pi * (columns / 1900 - at / 30)) + 0.5, 0, 1)
    return np.asarray(picture * shade, np.uint8)


SCENES: dict[str, Callable[[Picture, float, np.random.Generator], Picture]] = {
    "rain": rain, "snow": snow, "leaves": leaves, "lamp": lamp, "clouds": clouds,
}  # fmt: skip


def generated(name: str) -> Iterator[Picture]:
    chance, empty = np.random.default_rng(3), yard()
    for number in range(SECONDS * FPS):
        drawn = SCENES[name](empty, number / FPS, chance).astype(np.int16)
        drawn += chance.normal(0, NOISE, (*drawn.shape[:2], 1)).astype(np.int16)
        yield np.clip(drawn, 0, 255).astype(np.uint8)


def of_file(file: Path) -> list[Picture]:
    """Ten pictures a second, forwards and backwards."""
    with av.open(str(file)) as container:
        stream = container.streams.video[0]
        step = max(1, round(float(stream.average_rate or FPS) / FPS))
        found = [
            np.asarray(
                frame.reformat(width=frame.width // 2 * 2, height=frame.height // 2 * 2, format="rgb24").to_ndarray()
            )
            for number, frame in enumerate(container.decode(stream))
            if number % step == 0 and number // step < MAX_FILE_PICTURES
        ]
    return [*found, *reversed(found)]


def coded(pictures: Iterable[Picture]) -> tuple[CodedPicture, ...]:
    return code_pictures(list(pictures))


async def measure(files: list[Path], minutes: float, pictures: Path | None) -> None:
    clips: dict[str, tuple[CodedPicture, ...]] = {}
    for name in SCENES:
        clips[name] = await asyncio.to_thread(coded, generated(name))
    for file in files:
        clips[file.stem] = await asyncio.to_thread(coded, of_file(file))
    async with AsyncExitStack() as stack:
        directory = stack.enter_context(tempfile.TemporaryDirectory())
        platform = await stack.enter_async_context(up(Path(directory) / "state"))
        http = await stack.enter_async_context(httpx.AsyncClient(timeout=None, base_url=platform.address))
        ids = {}
        for name, clip in clips.items():
            camera = await stack.enter_async_context(RtspCamera())
            camera.clip = clip
            made = await http.post("/api/cameras", json={"name": name, "source": {"address": camera.address}})
            ids[name] = made.json()["camera_id"]
            await until_state(http, ids[name], "live")
        await asyncio.sleep(minutes * 60)
        for name, camera_id in ids.items():
            found = (await http.get("/api/events", params={"camera_id": camera_id, "limit": 200})).json()["events"]
            seen = sorted({kind for one in found for kind in one["object_types"]})
            row = {"scene": name, "events": len(found), "per_hour": round(len(found) * 60 / minutes, 1), "seen": seen}
            print(json.dumps(row), flush=True)
            for one in found:
                if pictures is not None and one["picture_url"]:
                    content = (await http.get(one["picture_url"])).content
                    await asyncio.to_thread((pictures / f"{name}-{one['id']}.jpg").write_bytes, content)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--pictures", type=Path)
    chosen = parser.parse_args()
    asyncio.run(measure(chosen.files, chosen.minutes, chosen.pictures))
