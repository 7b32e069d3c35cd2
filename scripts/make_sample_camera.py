"""Makes the clip of the sample camera from three photographs without copyright restrictions.

    python -m pip download --no-deps scikit-image==0.26.0 --dest /tmp/ski && unzip /tmp/ski/*.whl 'skimage/data/*' -d /tmp/ski
    .venv/bin/python scripts/make_sample_camera.py /tmp/ski/skimage/data src/sightline/cameras/sample_camera.mp4

Provenance, as scikit-image states it in `skimage/data/_fetchers.py`:
- `camera.png`: CC0 by the photographer, Lav Varshney. The man is cut out of it.
- `grass.png`, `brick.png`: CC0, from CC0Textures. They are the lawn and the wall.
The clip is a scene composed of them: an empty yard, then the man walks through it from left to right. It is CC0 too.
"""

import sys
from fractions import Fraction
from pathlib import Path

import av
import cv2
import numpy as np
import numpy.typing as npt

WIDTH, HEIGHT, FPS = 768, 432, 10
EMPTY_S, WALK_S = 5, 8
HORIZON = 190
MAN_HEIGHT = 300

Picture = npt.NDArray[np.uint8]

# The outline of the man in camera.png, without the tripod.
_OUTLINE = (
    (152, 512), (146, 430), (140, 385), (172, 350), (205, 298), (240, 311), (270, 303), (293, 283), (286, 246), (320, 222),
    (332, 190), (324, 166), (326, 140), (262, 138), (270, 118), (262, 95), (235, 72), (200, 63), (172, 76), (158, 104),
    (130, 118), (80, 146), (45, 186), (22, 232), (0, 262), (0, 512),
)  # fmt: skip


def main(data: Path, target: Path) -> None:
    man, mask = _cut_out(_photo(data / "camera.png"))
    yard = _yard(_photo(data / "grass.png"), _photo(data / "brick.png"))
    with av.open(str(target), "w", format="mp4", options={"movflags": "faststart"}) as container:
        stream = container.add_stream(
            "libx264", rate=FPS, options={"preset": "veryslow", "crf": "29", "tune": "fastdecode"}
        )
        stream.width, stream.height, stream.pix_fmt = WIDTH, HEIGHT, "yuv420p"
        stream.time_base = Fraction(1, FPS)
        stream.codec_context.gop_size = 2 * FPS
        for number in range((2 * EMPTY_S + WALK_S) * FPS):
            walked = (number / FPS - EMPTY_S) / WALK_S
            picture = _with_man(yard, man, mask, walked) if 0 <= walked < 1 else yard
            frame = av.VideoFrame.from_ndarray(picture, format="bgr24")
            frame.pts = number
            container.mux(stream.encode(frame))
        container.mux(stream.encode())
    print(f"{target}: {target.stat().st_size} bytes")


def _photo(path: Path) -> Picture:
    found = cv2.imread(str(path), cv2.IMREAD_GRAYSCALE)
    if found is None:
        raise SystemExit(f"no picture {path}")
    return np.asarray(found, np.uint8)


def _cut_out(photo: Picture) -> tuple[Picture, Picture]:
    """The man and his mask, in the size that he has in the clip."""
    sure = np.zeros(photo.shape, np.uint8)
    cv2.fillPoly(sure, [np.array(_OUTLINE, np.int32)], 255)
    marks = np.where(cv2.erode(sure, np.ones((15, 15), np.uint8)) > 0, cv2.GC_FGD, cv2.GC_PR_FGD).astype(np.uint8)
    marks[cv2.dilate(sure, np.ones((9, 9), np.uint8)) == 0] = cv2.GC_BGD
    cv2.grabCut(
        cv2.cvtColor(photo, cv2.COLOR_GRAY2BGR),
        marks,
        None,
        np.zeros((1, 65)),
        np.zeros((1, 65)),
        3,
        cv2.GC_INIT_WITH_MASK,
    )
    mask = np.where((marks == cv2.GC_FGD) | ((marks == cv2.GC_PR_FGD) & (sure > 0)), 255, 0).astype(np.uint8)
    size = (round(340 * MAN_HEIGHT / 452), MAN_HEIGHT)
    man = cv2.resize(photo[60:512, :340], size, interpolation=cv2.INTER_AREA)
    soft = cv2.GaussianBlur(cv2.resize(mask[60:512, :340], size, interpolation=cv2.INTER_AREA), (0, 0), 0.8)
    # A little colour: skin and clothes of a photograph without any.
    coloured = cv2.merge([np.clip(man * 0.92, 0, 255), np.clip(man * 0.96, 0, 255), np.clip(man * 1.06 + 4, 0, 255)])
    return coloured.astype(np.uint8), soft


def _yard(grass: Picture, brick: Picture) -> Picture:
    yard = np.zeros((HEIGHT, WIDTH, 3), np.uint8)
    wall = cv2.GaussianBlur(np.tile(cv2.resize(brick, (256, 256)), (1, 3))[:HORIZON, :WIDTH], (0, 0), 0.8)
    yard[:HORIZON] = cv2.merge([wall // 3 + 90, wall // 3 + 105, wall // 2 + 95]).astype(np.uint8)
    lawn = cv2.GaussianBlur(np.tile(grass, (1, 2))[: HEIGHT - HORIZON, :WIDTH], (0, 0), 1.6)
    yard[HORIZON:] = cv2.merge([lawn // 3 + 40, lawn // 3 + 85, lawn // 3 + 60]).astype(np.uint8)
    cv2.rectangle(yard, (560, 60), (660, HORIZON), (70, 86, 120), -1)  # a door
    cv2.rectangle(yard, (560, 60), (660, HORIZON), (50, 62, 88), 3)
    cv2.circle(yard, (646, 130), 3, (60, 160, 190), -1)
    return yard


def _with_man(yard: Picture, man: Picture, mask: Picture, walked: float) -> Picture:
    height, width = mask.shape
    x = round(-width + walked * (WIDTH + width))
    y = HEIGHT - height + round(6 + 5 * np.sin(walked * WALK_S * 2 * np.pi * 1.6))
    left, right, bottom = max(0, x), min(WIDTH, x + width), min(HEIGHT, y + height)
    if right <= left:
        return yard
    picture = yard.copy()
    part = (slice(0, bottom - y), slice(left - x, right - x))
    share = mask[part][:, :, None].astype(np.float32) / 255
    place = picture[y:bottom, left:right]
    place[:] = (man[part] * share + place * (1 - share)).astype(np.uint8)
    return picture


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
