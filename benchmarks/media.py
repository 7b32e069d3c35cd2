"""What a clip costs by where it begins, and what a stream costs copied and encoded.

.venv/bin/python benchmarks/media.py [--quick] [--json] [--only clips]

In CPU seconds, which other work on the machine changes little. The long video is a minute of 720p written again and again with
rising times: two hours, as an MP4 file with an index and as a transport stream without one. Each picture says its number, so the
first of each clip is checked. Beside it: what a minute costs to decode, which a cut that reads from the beginning pays for each
minute.
"""

import asyncio
import os
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import asdict, replace
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

import av
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from harness import Result, main
from sightline.media import MediaSettings
from sightline.media.clips.clip import CLIP_FILE
from sightline.media.clips.clip_work import cut_clip
from sightline.media.input import MediaLimits
from sightline.media.input.probe import MediaInfo, probe_container
from sightline.media.input.source import open_media
from sightline.media.stream.poster_work import make_poster
from sightline.media.stream.stream_work import StreamRequest, make_stream
from support.coded_clip import draw, read_numbers

FPS = 30
GOP = 2 * FPS
MINUTE = 60 * FPS
CLIP_MS = 5000
MEDIA_LIMITS = MediaLimits.of(MediaSettings())


def silent(*_: object) -> None:
    """Ignores progress."""


def film(path: Path, *, width: int, height: int, seconds: int) -> None:
    """Numbered pictures with some moving noise, so that there is something to decode and to encode."""
    noise = np.random.default_rng(1).integers(0, 24, (height, width * 2), np.uint8)
    options = {"preset": "veryfast", "crf": "32", "sc_threshold": "0"}
    with av.open(str(path), "w") as output:
        stream: Any = output.add_stream("libx264", rate=FPS, options=options)
        stream.width, stream.height, stream.pix_fmt = width, height, "yuv420p"
        stream.codec_context.gop_size = GOP
        for number in range(seconds * FPS):
            shift = number * 4 % width
            picture = draw(number, width, height) - 12 + noise[:, shift : shift + width]
            frame = av.VideoFrame.from_ndarray(picture, format="gray").reformat(format="yuv420p")
            frame.pts, frame.time_base = number, Fraction(1, FPS)
            output.mux(stream.encode(frame))
        output.mux(stream.encode(None))


def repeated(source: Path, into: Path, times: int) -> None:
    """The same packets again and again, each time a minute later."""
    with av.open(str(source)) as given:
        stream: Any = given.streams.video[0]
        packets = [
            (bytes(packet), packet.pts, packet.dts, packet.is_keyframe)
            for packet in given.demux(stream)
            if packet.dts is not None
        ]
        length = round(60 / stream.time_base)
        with av.open(str(into), "w") as output:
            made = output.add_stream_from_template(stream)
            for number in range(times):
                for content, pts, dts, is_keyframe in packets:
                    packet: Any = av.Packet(content)
                    packet.pts, packet.dts = pts + number * length, dts + number * length
                    packet.time_base, packet.is_keyframe, packet.stream = stream.time_base, is_keyframe, made
                    output.mux(packet)


def cpu_s(work: Callable[[], Any], *, best_of: int = 1) -> float:
    """Of this process, with all its threads."""
    found = []
    for _ in range(best_of):
        before = time.process_time()
        work()
        found.append(time.process_time() - before)
    return min(found)


def cut(path: Path, start_ms: int) -> None:
    """In the directory that the process is in; the first picture has to be that of the time."""
    argument = {
        "readable": str(path),
        "media_limits": asdict(MEDIA_LIMITS),
        "start_ms": start_ms,
        "end_ms": start_ms + CLIP_MS,
    }
    cut_clip(argument, silent)


def check(start_ms: int) -> None:
    found, expected = read_numbers(Path.cwd() / CLIP_FILE)[0][1], start_ms * FPS // 1000 % MINUTE
    assert found == expected, f"the clip at {start_ms} ms begins with picture {found}, not {expected}"


def decode(path: Path) -> None:
    with av.open(str(path)) as container:
        container.streams.video[0].thread_type = "AUTO"
        for _ in container.decode(video=0):
            pass


async def clips(is_quick: bool) -> Result:
    return await asyncio.to_thread(_clips, 4 if is_quick else 120)


def _clips(minutes: int) -> Result:
    figures: dict[str, float] = {}
    ratios: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as name:
        directory = Path(name)
        os.chdir(directory)
        film(directory / "minute.mp4", width=1280, height=720, seconds=60)
        figures["decoding one minute"] = cpu_s(partial(decode, directory / "minute.mp4"))
        places = {"10 s in": 10_000, "half-way": minutes * 30_000, "10 s before the end": minutes * 60_000 - 10_000}
        for ending in ("mp4", "ts"):
            long = directory / f"long.{ending}"
            repeated(directory / "minute.mp4", long, minutes)
            for place, start_ms in places.items():
                figures[f"{ending}, {place}"] = cpu_s(partial(cut, long, start_ms), best_of=3)
                check(start_ms)
            first, last = figures[f"{ending}, 10 s in"], figures[f"{ending}, 10 s before the end"]
            ratios[f"{ending}, end / beginning"] = last / first
            long.unlink()
        os.chdir("/")
    title = f"a clip of {CLIP_MS // 1000} s by its place in {minutes} minutes"
    return Result(title, figures, "CPU s", ratios, ["the first picture of each clip was that of its time"])


async def streams(is_quick: bool) -> Result:
    return await asyncio.to_thread(_streams, 10 if is_quick else 60)


def _streams(seconds: int) -> Result:
    figures: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "film.mp4"
        film(path, width=1920, height=1080, seconds=seconds)
        info = probe(path)
        figures["probed"] = cpu_s(partial(probe, path), best_of=3)
        figures["poster"] = cpu_s(
            partial(make_poster, str(path), info, MEDIA_LIMITS, float(seconds), Path(name) / "poster.jpg"), best_of=3
        )
        ways = {"copied": info, "encoded at 720p": replace(info, codec="hevc")}  # as if it could not be copied
        for way, way_info in ways.items():
            into = Path(name) / way
            into.mkdir()
            begun = time.monotonic()
            request = StreamRequest(str(path), MEDIA_LIMITS, 720, 6.0, into)
            figures[way] = cpu_s(partial(make_stream, request, way_info, silent))
            figures[f"{way}, wall"] = time.monotonic() - begun
    ratios = {
        "encoded / copied": figures["encoded at 720p"] / figures["copied"],
        "encoded, wall / length": figures["encoded at 720p, wall"] / seconds,
    }
    return Result(f"the stream of {seconds} s of 1080p at {FPS}", figures, "s", ratios)


def probe(path: Path) -> MediaInfo:
    with open_media(str(path), MEDIA_LIMITS) as container:
        return probe_container(container, MEDIA_LIMITS)


if __name__ == "__main__":
    main(__doc__ or "", {"clips": clips, "streams": streams})
