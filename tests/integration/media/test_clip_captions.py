"""Clips with names and captions: a track that players show, or drawn into the picture."""

from pathlib import Path

import av
import numpy as np
import pytest

from sightline.text import SpeechSegment, replace_speech
from support.coded_clip import make_clip, read_numbers


@pytest.fixture(scope="module")
def film(tmp_path_factory):
    path = tmp_path_factory.mktemp("clip") / "clip.mp4"
    make_clip(path, frames=120, sound="aac", width=640, height=384)
    return path


@pytest.fixture
async def video_id(use, film):
    found = await use.add(film)
    await use.sql("UPDATE videos SET duration_ms = 4000, s3_proxy_path = 'x' WHERE id = $1", found)
    return found


async def say(use, video_id, *sentences: tuple[str, int, int]) -> None:
    said = [SpeechSegment(text, start, end, 0.9, "eng", ()) for text, start, end in sentences]
    async with use.platform.database.transaction() as tx:
        await replace_speech(tx, video_id, said, from_ms=0, until_ms=60_000)


async def cut(use, client, video_id, **body):
    times = {"t_start": 1000, "t_end": 3000, "padding_ms": 0}
    answer = await client.post("/clips", json={"video_id": str(video_id)} | times | body)
    assert answer.status_code == 202, answer.text
    (job,) = [job for job in await use.jobs_of(video_id, "clip_generate") if job["status"] == "queued"]
    async with use.working(use.handler("clip_generate")):
        settled = await use.settled(job["id"])
    return settled, (await client.get(f"/clips/{answer.json()['clip_id']}")).json()


def track_of(path: Path | str) -> list[tuple[int, int, str]]:
    """Start, length and text of each cue of the subtitle track, in ms."""
    found = []
    with av.open(str(path)) as container:
        stream = container.streams.subtitles[0]
        assert stream.codec_context.name == "mov_text"
        assert stream.time_base is not None
        for packet in container.demux(stream):
            text = bytes(packet)[2:].decode()
            if packet.pts is not None and packet.duration is not None and text:
                unit = stream.time_base * 1000
                found.append((round(packet.pts * unit), round(packet.duration * unit), text))
    return found


def darkness_below(path: Path | str) -> list[float]:
    """Of each picture, how much of its lower edge is as dark as the box of a caption."""
    with av.open(str(path)) as container:
        pictures = [frame.to_ndarray(format="gray") for frame in container.decode(video=0)]
    return [float(np.mean(picture[-70:-20, 60:-60] < 60)) for picture in pictures]


@pytest.mark.req(761)
async def test_a_clip_has_the_name_that_was_chosen_and_is_saved_under_it(use, client, video_id):
    _, found = await cut(use, client, video_id, name="Die große Frage")
    assert (found["name"], found["captions"]) == ("Die große Frage", "none")
    saved = await client.get(found["download_url"])
    assert "Die%20gro%C3%9Fe%20Frage.mp4" in saved.headers["content-disposition"]
    with av.open(str(await use.platform.objects.readable(found["s3_path"]))) as container:
        assert len(container.streams.subtitles) == 0
    for name in ("a\r\nset-cookie: x", "\u202egpj.exe", ""):
        body = {"video_id": str(video_id), "t_start": 0, "t_end": 1000, "name": name}
        assert (await client.post("/clips", json=body)).status_code == 422


@pytest.mark.req(762)
async def test_soft_captions_are_a_track_in_the_time_of_the_clip(use, client, video_id):
    await say(use, video_id, ("before", 0, 900), ("Grüße {\\an8}<b>漢字", 500, 1500), ("second", 2000, 9000))
    settled, found = await cut(use, client, video_id, captions="soft", caption_kind="speech")
    assert settled.status == "done", settled.error
    path = await use.platform.objects.readable(found["s3_path"])
    assert track_of(path) == [(0, 500, "Grüße {\\an8}<b>漢字"), (1000, 1000, "second")]
    assert [number for _, number in read_numbers(path)] == list(range(30, 90))


@pytest.mark.req(762)
async def test_captions_of_a_kind_that_is_not_there_are_none(use, client, video_id):
    await say(use, video_id, ("spoken", 1000, 2000))
    settled, found = await cut(use, client, video_id, captions="soft", caption_kind="text")
    assert settled.status == "done", settled.error
    assert track_of(await use.platform.objects.readable(found["s3_path"])) == []


@pytest.mark.req(763)
async def test_burned_in_captions_are_in_the_pictures_of_their_time_and_in_no_other(use, client, tmp_path):
    film = tmp_path / "bright.mp4"
    make_clip(film, frames=120, width=640, height=384, plain=200)
    video_id = await use.add(film)
    await use.sql("UPDATE videos SET duration_ms = 4000, s3_proxy_path = 'x' WHERE id = $1", video_id)
    await say(use, video_id, ("One morning in spring, Привет, 漢字かな 한국어", 1500, 2500))
    settled, found = await cut(use, client, video_id, captions="burned", caption_kind="speech")
    assert settled.status == "done", settled.error
    path = await use.platform.objects.readable(found["s3_path"])
    dark = darkness_below(path)
    assert len(dark) == 60
    assert max(dark[:15] + dark[45:]) == 0
    assert min(dark[15:45]) > 0.2


@pytest.mark.req(763)
async def test_a_still_picture_is_shown_again_when_its_caption_changes(use, client, tmp_path):
    film = tmp_path / "slide.mp4"
    make_clip(film, times=[0.0, 3.9], width=640, height=384)
    video_id = await use.add(film)
    await use.sql("UPDATE videos SET duration_ms = 4000, s3_proxy_path = 'x' WHERE id = $1", video_id)
    await say(use, video_id, ("One morning in spring it was time", 1500, 2500))
    settled, found = await cut(use, client, video_id, captions="burned", caption_kind="speech")
    assert settled.status == "done", settled.error
    with av.open(str(await use.platform.objects.readable(found["s3_path"]))) as container:
        times = [round(float(frame.time or 0), 2) for frame in container.decode(video=0)]
    assert times == [0.0, 0.5, 1.5]


@pytest.mark.req(763)
async def test_a_script_that_cannot_be_drawn_is_refused_with_what_to_do(use, client, video_id):
    await say(use, video_id, ("صباح الخير", 1500, 2500))
    settled, found = await cut(use, client, video_id, captions="burned")
    assert settled.status == "failed"
    assert "Arabic" in found["error_reason"]
    assert "soft captions" in found["error_reason"]
