"""Makes videos for `camera_recall.py` of what still pictures show: an animal or a person, cut out, passes before a camera.

.venv/bin/python benchmarks/made_passages.py OUT PICTURE...

Needs `make vision`. The detector finds the largest object of each picture, GrabCut cuts it out of its background, and it passes
through the empty yard of the sample camera three times: near, farther away, and back. Sensor noise is added; 25 frames a second.
"""

import argparse
import asyncio
from collections.abc import Iterator
from pathlib import Path

import av
import cv2
import numpy as np
from numpy.typing import NDArray

from sightline.cameras.sample import SAMPLE_CLIP
from sightline.vision import VisionSettings, open_detector
from sightline.vision.labels import ANIMAL, group_of

Picture = NDArray[np.uint8]
WIDTH, HEIGHT, FPS = 1280, 720, 25
PASSAGES = ((0.5, 0.9, 6.0, 1), (0.22, 0.62, 6.0, 1), (0.35, 0.75, 5.0, -1))
"""Height of the object and of its feet in the picture, seconds of the passage, and its direction."""
PAUSE_S = 3.0


async def cut_outs(pictures: list[Path]) -> dict[str, tuple[Picture, Picture]]:
    """The largest animal of each picture, or else object, and its mask, by the name of the file."""
    found = {}
    async with open_detector(VisionSettings(objects="person,animal,vehicle")) as detector:
        if detector is None:
            raise SystemExit("run `make vision` first")
        for path in pictures:
            picture = np.asarray(cv2.imread(str(path)), np.uint8)
            objects = await detector.detect(np.ascontiguousarray(picture[:, :, ::-1]))
            if not objects:
                print(f"nothing is found in {path}")
                continue
            largest = max(objects, key=lambda one: (group_of(one.label) == ANIMAL, one.box[2] * one.box[3]))
            print(f"{path.name}: {largest.label} {largest.score:.2f}")
            found[path.stem] = cut_out(picture, largest.box)
    return found


def cut_out(picture: Picture, box: tuple[float, float, float, float]) -> tuple[Picture, Picture]:
    height, width = picture.shape[:2]
    left, top = max(1, int(box[0] * width)), max(1, int(box[1] * height))
    right = min(width - 2, int((box[0] + box[2]) * width))
    bottom = min(height - 2, int((box[1] + box[3]) * height))
    mask = np.zeros((height, width), np.uint8)
    models = np.zeros((1, 65), np.float64), np.zeros((1, 65), np.float64)
    cv2.grabCut(picture, mask, (left, top, right - left, bottom - top), *models, 5, cv2.GC_INIT_WITH_RECT)
    is_object = np.where((mask == cv2.GC_FGD) | (mask == cv2.GC_PR_FGD), 255, 0).astype(np.uint8)
    rows, columns = slice(top, bottom), slice(left, right)
    return picture[rows, columns], np.asarray(cv2.GaussianBlur(is_object[rows, columns], (5, 5), 0), np.uint8)


def passages(sprite: Picture, mask: Picture) -> Iterator[Picture]:
    yard = empty_yard()
    chance = np.random.default_rng(11)
    noise = [chance.normal(0, 2.5, (HEIGHT, WIDTH, 1)).astype(np.float32) for _ in range(5)]
    number = 0
    for height, feet, seconds, direction in PASSAGES:
        scale = height * HEIGHT / sprite.shape[0]
        size = (max(8, int(sprite.shape[1] * scale)), max(8, int(height * HEIGHT)))
        drawn, alpha = cv2.resize(sprite, size), cv2.resize(mask, size)
        if direction < 0:
            drawn, alpha = drawn[:, ::-1], alpha[:, ::-1]
        frames = int((seconds + PAUSE_S) * FPS)
        for at in range(frames):
            part = at / (seconds * FPS)
            x = int(-size[0] + part * (WIDTH + size[0]))
            x = x if direction > 0 else WIDTH - size[0] - x
            picture = yard.copy()
            if part <= 1:
                paste(picture, drawn, alpha, x, int(feet * HEIGHT) - size[1])
            number += 1
            yield np.clip(picture + noise[number % len(noise)], 0, 255).astype(np.uint8)


def paste(picture: NDArray[np.float32], drawn: Picture, alpha: Picture, x: int, y: int) -> None:
    left, right = max(0, x), min(WIDTH, x + drawn.shape[1])
    top, bottom = max(0, y), min(HEIGHT, y + drawn.shape[0])
    if left >= right or top >= bottom:
        return
    part = (slice(top - y, bottom - y), slice(left - x, right - x))
    share = alpha[part][:, :, None].astype(np.float32) / 255
    place = picture[top:bottom, left:right]
    place[:] = place * (1 - share) + drawn[part] * share


def empty_yard() -> NDArray[np.float32]:
    with av.open(str(SAMPLE_CLIP)) as container:
        frame = next(container.decode(video=0)).to_ndarray(format="bgr24")
    return np.asarray(cv2.resize(frame, (WIDTH, HEIGHT), interpolation=cv2.INTER_CUBIC), np.float32)


def write(path: Path, pictures: Iterator[Picture]) -> None:
    with av.open(str(path), "w") as container:
        stream = container.add_stream("libx264", rate=FPS, options={"preset": "veryfast", "crf": "23"})
        stream.width, stream.height, stream.pix_fmt = WIDTH, HEIGHT, "yuv420p"
        for picture in pictures:
            container.mux(stream.encode(av.VideoFrame.from_ndarray(picture, format="bgr24")))
        container.mux(stream.encode())


def main(out: Path, pictures: list[Path]) -> None:
    out.mkdir(parents=True, exist_ok=True)
    for name, (sprite, mask) in asyncio.run(cut_outs(pictures)).items():
        write(out / f"made_{name}.mp4", passages(sprite, mask))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("pictures", nargs="+", type=Path)
    arguments = parser.parse_args()
    main(arguments.out, arguments.pictures)
