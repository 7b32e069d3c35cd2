"""Clips from the request to the file: `POST /clips`, the job `clip_generate`, `GET /clips/{id}`, and their end after 30 days."""

from uuid import UUID, uuid4

import pytest

from sightline.contracts.jobs import ClipGenerate
from sightline.jobs import retry_jobs_by_id
from sightline.media.clips import ClipExpiry
from sightline.objects import original_key
from sightline.videos import VideoStatus
from support.coded_clip import make_clip, read_numbers
from support.media_rig import decoded_info


@pytest.fixture(scope="module")
def clip(tmp_path_factory):
    path = tmp_path_factory.mktemp("clip") / "clip.mp4"
    make_clip(path, frames=300, sound="aac")
    return path


@pytest.fixture
async def video_id(use, clip):
    """A video of ten seconds, as `transcode` leaves it."""
    found = await use.add(clip)
    await use.sql(
        "UPDATE videos SET duration_ms = 10000, s3_proxy_path = $2 WHERE id = $1",
        found,
        f"videos/proxy/{found}/index.m3u8",
    )
    return found


async def ask(client, video_id, **body):
    return await client.post("/clips", json={"video_id": str(video_id)} | body)


async def made(use, client, video_id, **body):
    """Requests a clip, waits for its job and returns the clip."""
    answer = await ask(client, video_id, **body)
    assert answer.status_code == 202, answer.text
    (job,) = [job for job in await use.jobs_of(video_id, "clip_generate") if job["status"] == "queued"]
    async with use.working(use.handler("clip_generate")):
        settled = await use.settled(job["id"])
    assert settled.status == "done", settled.error
    return (await client.get(f"/clips/{answer.json()['clip_id']}")).json()


@pytest.mark.req(124, 148)
async def test_asking_for_a_clip_enqueues_the_documents_job(use, client, video_id):
    answer = await ask(client, video_id, t_start=1500, t_end=3000)
    assert answer.status_code == 202
    found = answer.json()
    assert (found["status"], found["video_id"]) == ("queued", str(video_id))
    assert str(UUID(found["clip_id"])) == found["clip_id"]
    (job,) = await use.jobs_of(video_id, "clip_generate")
    assert job["payload"] == {
        "video_id": str(video_id),
        "clip_id": found["clip_id"],
        "t_start": 1500,
        "t_end": 3000,
        "padding_ms": 2000,
        "s3_original_path": original_key(video_id),
    }
    assert (await client.get(f"/clips/{found['clip_id']}")).json()["status"] == "queued"


@pytest.mark.req(125, 128, 130)
async def test_a_clip_is_cut_with_padding_and_can_be_played_and_downloaded(use, client, video_id):
    found = await made(use, client, video_id, t_start=3000, t_end=4000)
    assert found["status"] == "done"
    assert (found["start_ms"], found["end_ms"]) == (1000, 6000)
    assert found["s3_path"] == f"videos/clips/{video_id}/{found['clip_id']}.mp4"
    path = await use.platform.objects.readable(found["s3_path"])
    assert [number for _, number in read_numbers(path)] == list(range(30, 180))
    assert decoded_info(path)["duration_s"] == pytest.approx(5.0, abs=0.002)
    played = await client.get(found["url"], headers={"range": "bytes=0-99"})
    assert (played.status_code, len(played.content)) == (206, 100)
    saved = await client.get(found["download_url"])
    assert saved.status_code == 200
    assert len(saved.content) == found["size_bytes"]
    assert "a%20talk" in saved.headers["content-disposition"] or "a talk" in saved.headers["content-disposition"]


@pytest.mark.req(126)
async def test_a_clip_stays_within_its_video(use, client, video_id):
    for times, covers in [
        ({"t_start": 500, "t_end": 1000}, (0, 3000)),
        ({"t_start": 9000, "t_end": 60_000}, (7000, 10_000)),
        ({"t_start": 4000, "t_end": 4100, "padding_ms": 0}, (4000, 4100)),
    ]:
        found = await made(use, client, video_id, **times)
        assert (found["start_ms"], found["end_ms"]) == covers
        path = await use.platform.objects.readable(found["s3_path"])
        assert decoded_info(path)["duration_s"] == pytest.approx((covers[1] - covers[0]) / 1000, abs=0.002)


@pytest.mark.req(127)
async def test_impossible_times_are_refused_and_leave_no_job(use, client, video_id):
    impossible: list[dict[str, object]] = [
        {"t_start": 3000, "t_end": 3000},
        {"t_start": 3000, "t_end": 2000},
        {"t_start": -1, "t_end": 2000},
        {"t_start": 0, "t_end": -5},
        {"t_start": 0, "t_end": 1000, "padding_ms": -1},
        {"t_start": "soon", "t_end": 1000},
        {"t_start": 0.5, "t_end": 1000},
        {"t_end": 1000},
        {"t_start": 0, "t_end": 10**12},
        {"t_start": 60_000, "t_end": 61_000},
        {"t_start": 0, "t_end": 1000, "paddding_ms": 5},
    ]
    for body in impossible:
        answer = await ask(client, video_id, **body)
        assert answer.status_code == 422, (body, answer.text)
    assert await use.jobs_of(video_id, "clip_generate") == []
    assert await use.sql("SELECT 1 FROM clips") == []


@pytest.mark.req(127)
async def test_an_unknown_video_and_one_without_bytes_are_refused(use, client):
    answer = await ask(client, uuid4(), t_start=0, t_end=1000)
    assert (answer.status_code, answer.json()["error"]["code"]) == (404, "VIDEO_NOT_FOUND")
    empty = await use.add(None, status=VideoStatus.CREATED)
    assert (await ask(client, empty, t_start=0, t_end=1000)).status_code == 409
    assert await use.sql("SELECT 1 FROM jobs") == []


async def test_a_clip_that_is_too_long_is_refused(use, client, clip):
    video_id = await use.add(clip)
    answer = await ask(client, video_id, t_start=0, t_end=3_000_000)
    assert answer.status_code == 422
    assert "the limit is 1800 s" in answer.json()["error"]["message"]


@pytest.mark.req(129)
async def test_an_object_that_is_there_already_is_not_made_again(use, client, video_id):
    found = (await ask(client, video_id, t_start=1000, t_end=2000)).json()
    key = f"videos/clips/{video_id}/{found['clip_id']}.mp4"
    await use.platform.objects.put(key, b"made before")
    (job,) = await use.jobs_of(video_id, "clip_generate")
    async with use.working(use.handler("clip_generate")):
        assert (await use.settled(job["id"])).status == "done"
    assert await use.platform.objects.get(key) == b"made before"
    answer = (await client.get(f"/clips/{found['clip_id']}")).json()
    assert (answer["status"], answer["size_bytes"]) == ("done", len(b"made before"))


async def test_a_clip_job_that_was_enqueued_without_the_api_works_too(use, client, video_id):
    """With the id of the document's own example, which is no UUID."""
    payload = ClipGenerate(
        video_id=video_id, clip_id="clip-xyz-123", t_start=1500, t_end=3000, s3_original_path=original_key(video_id)
    )
    assert (await use.run(payload)).status == "done"
    found = (await client.get("/clips/clip-xyz-123")).json()
    assert (found["status"], found["start_ms"], found["end_ms"]) == ("done", 0, 5000)


async def test_the_length_of_a_video_that_is_not_transcoded_yet_is_probed(use, client, clip):
    video_id = await use.add(clip)
    found = await made(use, client, video_id, t_start=9000, t_end=9500)
    assert found["start_ms"] == 7000
    assert found["end_ms"] == pytest.approx(10_000, abs=20)


async def test_a_clip_that_cannot_be_made_says_why_and_can_be_retried(use, client, clip):
    video_id = await use.add(None)
    found = (await ask(client, video_id, t_start=0, t_end=1000)).json()
    (job,) = await use.jobs_of(video_id, "clip_generate")
    async with use.working(use.handler("clip_generate")):
        assert (await use.settled(job["id"])).status == "failed"
        answer = (await client.get(f"/clips/{found['clip_id']}")).json()
        assert (answer["status"], answer["error_reason"]) == ("failed", f"no object at {original_key(video_id)}")
        assert answer["url"] is None
        assert (await use.video(video_id)).status is VideoStatus.PROCESSING
        await use.platform.objects.put_file(original_key(video_id), clip)
        async with use.platform.database.transaction() as tx:
            await retry_jobs_by_id(tx, [job["id"]])
        assert (await use.settled(job["id"])).status == "done"
    assert (await client.get(f"/clips/{found['clip_id']}")).json()["status"] == "done"


async def test_a_removed_video_ends_the_job_quietly_and_takes_its_clips_along(use, client, clip):
    video_id = await use.add(clip)
    found = (await ask(client, video_id, t_start=0, t_end=1000)).json()
    (job,) = await use.jobs_of(video_id, "clip_generate")
    await use.sql("DELETE FROM videos WHERE id = $1", video_id)
    async with use.working(use.handler("clip_generate")):
        assert (await use.settled(job["id"])).status == "done"
    assert await use.keys("videos/clips/") == []
    assert (await client.get(f"/clips/{found['clip_id']}")).status_code == 404


@pytest.mark.req(131)
async def test_a_clip_is_removed_when_its_thirty_days_are_over(use, client, video_id):
    found = await made(use, client, video_id, t_start=1000, t_end=2000, padding_ms=0)
    (row,) = await use.sql("SELECT expires_at - updated_at AS kept FROM clips")
    assert row["kept"].days == 30
    sweep = ClipExpiry(use.platform.database, use.platform.objects)
    assert await sweep.sweep() == 0
    await use.sql("UPDATE clips SET expires_at = now() - interval '1 second'")
    assert await sweep.sweep() == 1
    assert await use.keys("videos/clips/") == []
    answer = (await client.get(f"/clips/{found['clip_id']}")).json()
    assert (answer["status"], answer["url"], answer["s3_path"]) == ("expired", None, None)
    assert await sweep.sweep() == 0


async def test_clips_of_a_video_are_listed_newest_first_page_by_page(use, client, clip):
    video_id, other = await use.add(clip), await use.add(clip)
    requested = [(await ask(client, video_id, t_start=at, t_end=at + 100)).json()["clip_id"] for at in range(5)]
    await ask(client, other, t_start=0, t_end=100)
    seen: list[str] = []
    cursor = None
    while True:
        query = {"limit": 2} | ({} if cursor is None else {"cursor": cursor})
        page = (await client.get(f"/videos/{video_id}/clips", params=query)).json()
        seen += [one["clip_id"] for one in page["clips"]]
        cursor = page["next_cursor"]
        if cursor is None:
            break
    assert seen == requested[::-1]
    assert (await client.get(f"/videos/{video_id}/clips", params={"cursor": "x"})).status_code == 422
    assert (await client.get(f"/videos/{uuid4()}/clips")).status_code == 404


async def test_an_unknown_clip_is_not_found(client):
    for clip_id in ("nothing", "%00", "a%2Fb", "x" * 300, str(UUID(int=5))):
        assert (await client.get(f"/clips/{clip_id}")).status_code == 404, clip_id


@pytest.mark.req(398)
async def test_a_clip_whose_original_a_rule_removed_in_the_meantime_fails_with_what_to_do(use, client, video_id):
    clip_id = (await ask(client, video_id, t_start=0, t_end=1000)).json()["clip_id"]
    await use.sql("UPDATE videos SET original_removed_at = now() WHERE id = $1", video_id)
    (job,) = await use.jobs_of(video_id, "clip_generate")
    async with use.working(use.handler("clip_generate")):
        assert (await use.settled(job["id"])).status == "failed"
    found = (await client.get(f"/clips/{clip_id}")).json()
    assert found["status"] == "failed"
    assert "upload the file again" in found["error_reason"]
