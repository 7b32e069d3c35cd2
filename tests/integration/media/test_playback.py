"""Watching what is private: signed addresses in the playlist, for the poster, the original and the frames."""

import io
import zipfile
from urllib.parse import parse_qs, urlsplit
from uuid import uuid4

import av
import pytest

from sightline.contracts.jobs import Transcode
from sightline.objects import original_key
from sightline.videos import VideoStatus
from support.coded_clip import make_clip


@pytest.fixture
async def video_id(use, tmp_path):
    make_clip(tmp_path / "clip.mp4", frames=60, sound="aac", gop=10, options={"sc_threshold": "0"})
    use.platform.settings.media.segment_s = 1.0
    found = await use.add(tmp_path / "clip.mp4")
    await use.run(Transcode(video_id=found, s3_original_path=original_key(found)))
    return found


async def test_each_segment_of_the_playlist_can_be_fetched_without_signing_in(use, client, video_id):
    answer = await client.get(f"/videos/{video_id}/stream/index.m3u8")
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "application/vnd.apple.mpegurl"
    assert answer.headers["cache-control"] == "private, no-store"
    lines = answer.text.splitlines()
    urls = [line for line in lines if line and not line.startswith("#")]
    assert len(urls) == 2
    pieces = []
    for url in urls:
        assert int(parse_qs(urlsplit(url).query)["X-Amz-Expires"][0]) == 6 * 3600
        segment = await client.get(url)
        assert segment.status_code == 200
        assert segment.headers["content-type"] == "video/mp2t"
        pieces.append(segment.content)
        unsigned = await client.get(urlsplit(url).path)
        assert unsigned.status_code == 403
    with av.open(io.BytesIO(b"".join(pieces)), "r", format="mpegts") as container:
        assert len(list(container.decode(video=0))) == 60
    assert sum(float(line[8:-1]) for line in lines if line.startswith("#EXTINF:")) == pytest.approx(2.0, abs=0.05)


async def test_a_playlist_that_names_anything_but_segments_is_not_given_out(use, client, video_id):
    await use.platform.objects.put(f"videos/proxy/{video_id}/index.m3u8", b"#EXTM3U\n#EXTINF:1,\n../../secret\n")
    assert (await client.get(f"/videos/{video_id}/stream/index.m3u8")).status_code == 500


async def test_the_poster_is_one_redirect_away(client, video_id):
    answer = await client.get(f"/videos/{video_id}/poster")
    assert answer.status_code == 307
    picture = await client.get(answer.headers["location"])
    assert (picture.status_code, picture.headers["content-type"]) == (200, "image/jpeg")
    assert picture.content.startswith(b"\xff\xd8")


@pytest.mark.req(138)
async def test_the_original_is_downloaded_by_an_address_that_expires(use, client, video_id):
    answer = (await client.get(f"/videos/{video_id}/download")).json()
    assert int(parse_qs(urlsplit(answer["url"]).query)["X-Amz-Expires"][0]) == 900
    saved = await client.get(answer["url"])
    assert saved.content == await use.platform.objects.get(original_key(video_id))
    assert "attachment" in saved.headers["content-disposition"]
    assert answer["file_name"] == "a talk.mp4"
    short = (await client.get(f"/videos/{video_id}/download", params={"expires_in": 60})).json()
    assert int(parse_qs(urlsplit(short["url"]).query)["X-Amz-Expires"][0]) == 60
    assert (await client.get(f"/videos/{video_id}/download", params={"expires_in": 0})).status_code == 422


async def test_what_is_not_there_yet_says_so(use, client):
    video_id = await use.add(None, status=VideoStatus.CREATED)
    for path, code in [
        ("stream/index.m3u8", "STREAM_NOT_READY"),
        ("poster", "POSTER_NOT_READY"),
        ("download", "ORIGINAL_NOT_READY"),
    ]:
        answer = await client.get(f"/videos/{video_id}/{path}")
        assert (answer.status_code, answer.json()["error"]["code"]) == (404, code)
    for path in ("stream/index.m3u8", "poster", "download", "frames", "frames.zip", "clips"):
        assert (await client.get(f"/videos/{uuid4()}/{path}")).status_code == 404


async def put_frames(use, video_id, times):
    for at in times:
        await use.platform.objects.put(f"frames/{video_id}/{at}.jpg", b"\xff\xd8picture " + str(at).encode())


async def test_frames_are_listed_in_the_order_of_time_page_by_page(use, client):
    video_id = await use.add(None, status=VideoStatus.COMPLETED)
    times = [0, 200, 1000, 1100, 10_000]
    await put_frames(use, video_id, times)
    await use.platform.objects.put(f"frames/{video_id}/notes.txt", b"no frame")
    seen: list[int] = []
    after = -1
    while True:
        page = (await client.get(f"/videos/{video_id}/frames", params={"limit": 2, "after_ms": after})).json()
        assert page["total"] == 5
        seen += [one["timestamp_ms"] for one in page["frames"]]
        if page["next_after_ms"] is None:
            break
        after = page["next_after_ms"]
    assert seen == times
    first = (await client.get(f"/videos/{video_id}/frames", params={"limit": 1})).json()["frames"][0]
    assert (await client.get(first["url"])).content == b"\xff\xd8picture 0"


@pytest.mark.req(292)
async def test_all_frames_come_as_one_archive(use, client):
    video_id = await use.add(None, status=VideoStatus.COMPLETED)
    times = [*range(0, 2000, 100), 10_000]
    await put_frames(use, video_id, times)
    answer = await client.get(f"/videos/{video_id}/frames.zip")
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "application/zip"
    assert f"frames-{video_id}.zip" in answer.headers["content-disposition"]
    with zipfile.ZipFile(io.BytesIO(answer.content)) as file:
        assert file.testzip() is None
        assert file.namelist() == [f"{at}.jpg" for at in times]
        assert file.read("1000.jpg") == b"\xff\xd8picture 1000"


@pytest.mark.req(292)
async def test_the_archive_of_a_video_that_is_not_completed_is_refused(use, client):
    video_id = await use.add(None, status=VideoStatus.PRINTING)
    for path in ("frames", "frames.zip"):
        answer = await client.get(f"/videos/{video_id}/{path}")
        assert answer.status_code == 409
        assert answer.json()["error"]["details"] == {"status": "PRINTING"}


@pytest.mark.req(292)
async def test_the_archive_is_never_whole_in_memory(use, monkeypatch):
    """Pieces come while most frames were not even read."""
    from sightline.media.sampling import archive, list_frames
    from sightline.media.sampling.frames_archive import READ_AHEAD

    video_id = await use.add(None, status=VideoStatus.COMPLETED)
    await put_frames(use, video_id, range(0, 3000, 100))
    read: list[str] = []
    get = use.platform.objects.get

    async def watched_get(key):
        read.append(key)
        return await get(key)

    monkeypatch.setattr(use.platform.objects, "get", watched_get)
    frames = await list_frames(use.platform.objects, video_id)
    most = 0
    async for number, piece in _numbered(archive(use.platform.objects, frames)):
        most = max(most, len(read) - number)
        assert piece
    assert len(read) == 30
    assert most <= READ_AHEAD + 1


async def _numbered(pieces):
    number = 0
    async for piece in pieces:
        yield number, piece
        number += 1
