"""Formats that people have, through the jobs that every video takes: stream, key frames, clip, and a note if the end is missing."""

import io

import numpy as np
import pytest
from PIL import Image

from sightline.contracts.jobs import ClipGenerate, Sample, Transcode
from sightline.objects import clip_key, original_key
from sightline.videos import VideoStatus
from support.coded_clip import draw, make_clip, number_of, read_numbers

FRAMES, FPS = 20, 10.0
SIZE = (160, 96)


def animation(path):
    """A GIF or WebP of numbered pictures, 100 ms each."""
    first, *others = [Image.fromarray(draw(number, *SIZE)).convert("RGB") for number in range(FRAMES)]
    first.save(path, save_all=True, append_images=others, duration=100, loop=0)


def encoded(path, **form):
    make_clip(path, frames=FRAMES, fps=FPS, **form)


def joined(path, *forms):
    """A transport stream put together from several."""
    parts = []
    for number, form in enumerate(forms):
        part = path.with_name(f"part-{number}.ts")
        make_clip(part, frames=FRAMES, fps=FPS, gop=5, **form)
        parts.append(part.read_bytes())
    path.write_bytes(b"".join(parts))


async def processed(use, path, *, is_cut=False):
    """The video after `transcode` and `sample`, and the numbers of its key frames by their times in ms.

    The last picture of a file that breaks off may be half a picture, and is left out.
    """
    video_id = await use.add(path)
    job = await use.run(Transcode(video_id=video_id, s3_original_path=original_key(video_id)))
    assert job.status == "done", job.error
    job = await use.run(Sample(video_id=video_id, s3_original_path=original_key(video_id), dedupe_threshold=1.0))
    assert job.status == "done", job.error
    numbers = {}
    keys = sorted(await use.keys(f"frames/{video_id}/"), key=lambda key: int(key.rpartition("/")[2][:-4]))
    for key in keys[:-1] if is_cut else keys:
        with Image.open(io.BytesIO(await use.platform.objects.get(key))) as picture:
            numbers[int(key.rpartition("/")[2][:-4])] = number_of(np.asarray(picture.convert("L")))
    return await use.video(video_id), numbers


async def streamed(use, video):
    """(time, number) of the pictures that a player shows."""
    playlist = await use.platform.objects.readable(video.s3_proxy_path)
    return read_numbers(playlist, options={"allowed_extensions": "ALL"})


@pytest.mark.req(712)
@pytest.mark.parametrize(
    ("name", "make"),
    [
        ("a.gif", animation),
        ("a.webp", animation),
        ("a.wmv", lambda path: encoded(path, codec="wmv2", container="asf")),
        ("a.h264", lambda path: encoded(path, container="h264", options={"x264-params": "force-cfr=1"})),
        (
            "a.hevc",
            lambda path: encoded(path, codec="libx265", container="hevc", options={"x265-params": "log-level=0"}),
        ),
    ],
)
async def test_every_picture_is_found_at_its_time(use, name, make, tmp_path):
    make(tmp_path / name)
    video, numbers = await processed(use, tmp_path / name)
    assert video.status is VideoStatus.PRINTING
    assert video.duration_ms == pytest.approx(2000, abs=110)
    assert video.media_note is None
    assert list(numbers.values()) == list(range(FRAMES))
    assert list(numbers) == pytest.approx([number * 100 for number in range(FRAMES)], abs=20)
    shown = await streamed(use, video)
    assert [number for _, number in shown] == list(range(FRAMES))


@pytest.mark.req(713)
@pytest.mark.parametrize(
    "forms",
    [
        ({}, {"width": 320, "height": 192}),
        ({}, {"start_s": 4000.0}),
        ({"start_s": 4000.0}, {}),
        ({"sound": "aac"}, {"sound": "aac", "start_s": 900.0}),
    ],
    ids=["the size", "the clock, ahead", "the clock, back", "the clock, with sound"],
)
async def test_a_transport_stream_whose_size_or_clock_changes_half_way_is_one_video(use, forms, tmp_path):
    joined(tmp_path / "a.ts", *forms)
    video, numbers = await processed(use, tmp_path / "a.ts")
    assert video.duration_ms == pytest.approx(4000, abs=250)
    assert list(numbers.values()) == [*range(FRAMES), *range(FRAMES)]
    assert list(numbers) == pytest.approx([number * 100 for number in range(2 * FRAMES)], abs=220)
    assert [number for _, number in await streamed(use, video)] == [*range(FRAMES), *range(FRAMES)]
    clip_id = str(video.id)
    asked = ClipGenerate(
        video_id=video.id,
        clip_id=clip_id,
        s3_original_path=original_key(video.id),
        t_start=3000,
        t_end=3500,
        padding_ms=0,
    )
    job = await use.run(asked)
    assert job.status == "done", job.error
    clip = await use.platform.objects.readable(clip_key(video.id, clip_id))
    assert read_numbers(clip)[0][1] == pytest.approx(10, abs=2)


@pytest.mark.req(714)
@pytest.mark.parametrize(
    ("name", "form"),
    [
        ("x.mp4", {"container_options": {"movflags": "+faststart"}}),
        ("x.mkv", {}),
        ("x.avi", {"codec": "mpeg4"}),
        ("x.flv", {}),
    ],
)
async def test_a_file_that_breaks_off_is_used_up_to_there_and_says_so(use, client, name, form, tmp_path):
    make_clip(tmp_path / name, frames=100, fps=FPS, **form)
    whole = (tmp_path / name).read_bytes()
    (tmp_path / name).write_bytes(whole[: len(whole) // 2])
    video, numbers = await processed(use, tmp_path / name, is_cut=True)
    assert 2000 < video.duration_ms < 8000
    used = len(numbers)
    assert list(numbers.values()) == list(range(used))
    assert used == pytest.approx(video.duration_ms / 100, abs=3)
    assert "cut off after" in (video.media_note or "")
    answer = (await client.get(f"/videos/{video.id}")).json()
    assert answer["mediaNote"] == video.media_note


@pytest.mark.req(714)
async def test_the_note_goes_away_with_a_whole_file(use, tmp_path):
    make_clip(tmp_path / "x.mkv", frames=100, fps=FPS)
    whole = (tmp_path / "x.mkv").read_bytes()
    (tmp_path / "cut.mkv").write_bytes(whole[: len(whole) // 2])
    video, _ = await processed(use, tmp_path / "cut.mkv", is_cut=True)
    assert video.media_note is not None
    await use.platform.objects.put_file(original_key(video.id), tmp_path / "x.mkv")
    await use.sql("DELETE FROM jobs WHERE video_id = $1", video.id)
    job = await use.run(Transcode(video_id=video.id, s3_original_path=original_key(video.id)))
    assert job.status == "done", job.error
    assert (await use.video(video.id)).media_note is None
