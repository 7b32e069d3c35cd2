"""Workers of other programs take a video to searchable: document 001 from outside, by SQL, S3, HTTP and the command line."""

import signal
from collections.abc import AsyncIterator
from pathlib import Path
from uuid import UUID

import asyncpg
import pytest
import pytest_asyncio

from support.clip_maker import Clip, make_clip
from support.fleet import DOCUMENT_WORKERS, EXAMPLE_WORKER, Fleet, running_fleet
from support.postgres import Databases
from support.waiting import until

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.time_limit(300)]
STAGES = ("transcode", "sample", "ocr", "segment_index")
ALL_MOVES = ["CREATED", "UPLOADED", "PROCESSING", "SPLITTING", "PRINTING", "COMPLETED"]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def fleet(databases: Databases, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Fleet]:
    """Everything but workers of its own."""
    made = databases.migrated()
    async with running_fleet(
        made.url, tmp_path_factory.mktemp("fleet") / "state", "api", "consume", "schedule"
    ) as running:
        yield running
    databases.drop(made)


@pytest.fixture(scope="module")
def film(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Clip]:
    path = tmp_path_factory.mktemp("film") / "slides.mp4"
    return path, make_clip(path, "slides", seconds=3, size=(640, 360))


async def finds(fleet: Fleet, video_id: UUID, clip: Clip) -> bool:
    word = max(clip.events[0].text.split(), key=len)
    found = (await fleet.http.get("/search", params={"q": word})).json()
    return str(video_id) in {hit["video_id"] for hit in found["hits"]}


async def jobs_of(fleet: Fleet, video_id: UUID) -> list[tuple[str, str]]:
    rows = await fleet.sql.fetch("SELECT job_type, status FROM jobs WHERE video_id = $1 ORDER BY created_at", video_id)
    return [(row["job_type"], row["status"]) for row in rows]


async def mails_of(fleet: Fleet, video_id: UUID) -> list[str]:
    rows = await fleet.sql.fetch("SELECT template FROM mails WHERE video_id = $1 ORDER BY move", video_id)
    return [row["template"] for row in rows]


@pytest.mark.req(407, 408)
async def test_workers_written_from_the_document_take_a_video_to_searchable(fleet: Fleet, film: tuple[Path, Clip]):
    path, clip = film
    async with fleet.program(DOCUMENT_WORKERS, *STAGES):
        video_id = await fleet.drop(path)
        await fleet.reaches(video_id, "COMPLETED")
        assert await finds(fleet, video_id, clip)  # at once: a video is not ready before its text can be found
    assert await jobs_of(fleet, video_id) == [(stage, "done") for stage in STAGES]
    video = (await fleet.http.get(f"/videos/{video_id}")).json()
    assert video["indexStatus"] == "ready"
    moves = await fleet.sql.fetch("SELECT status FROM video_moves WHERE video_id = $1 ORDER BY move", video_id)
    assert [row["status"] for row in moves] == ALL_MOVES
    told = await fleet.sql.fetch(
        "SELECT data ->> 'status' AS status FROM live_messages WHERE data ->> 'videoId' = $1"
        " AND type = 'video.status' ORDER BY sequence",
        str(video_id),
    )
    assert [row["status"] for row in told] == ALL_MOVES

    async def is_mailed() -> bool:
        return await mails_of(fleet, video_id) == ["VideoQuaseFinalizado", "VideoConcluido"]

    await until(is_mailed)
    shown = await fleet.sql.fetchval("SELECT count(*) FROM search_materialized WHERE video_id = $1", video_id)
    segments = (await fleet.http.get(f"/videos/{video_id}/segments")).json()
    assert shown == segments["total"] > 0


@pytest.mark.req(407)
async def test_what_another_worker_stores_is_searched_as_it_stands_also_when_it_comes_later(
    fleet: Fleet, film: tuple[Path, Clip]
):
    video_id = await fleet.drop(film[0])
    await until(lambda: _is_queued(fleet, video_id))
    sql = fleet.sql
    owner = await sql.fetchval("SELECT owner_id FROM videos WHERE id = $1", video_id)

    async def add(text: str, hashed: str) -> UUID:
        found: UUID = await sql.fetchval(
            "INSERT INTO segments (video_id, text, normalized_text, text_hash, t_start, t_end, confidence, bounding_box,"
            " language, owner_id, team_id) VALUES ($1, $2, lower($2), $3, 0, 900, 0.8, $5, 'eng', $4, NULL) RETURNING id",
            *(video_id, text, hashed, owner, '{"x": 1.5, "y": 2, "width": 3, "height": 4}'),
        )
        return found

    async def hits(**query: str) -> int:
        answer = (await fleet.http.get("/search", params={**query, "video_id": str(video_id)})).json()
        return int(answer["total"])

    segment = await add("Zeppelin over Friedrichshafen", "h1")
    await sql.execute(
        "INSERT INTO entities (segment_id, entity_type, value, normalized_value) VALUES ($1, 'mention', '@Graf', 'graf')",
        segment,
    )
    await sql.execute("UPDATE videos SET status = 'processing' WHERE id = $1", video_id)
    await fleet.reaches(video_id, "PROCESSING")
    await sql.execute("UPDATE videos SET status = 'ready' WHERE id = $1", video_id)
    await fleet.reaches(video_id, "COMPLETED")
    assert (await hits(q="zeppelin"), await hits(entity_type="mention", entity_value="@graf")) == (1, 1)
    await add("Hindenburg", "h2")
    await sql.execute("SELECT refresh_search_materialized()")
    await sql.execute("UPDATE videos SET status = 'ready' WHERE id = $1", video_id)

    async def is_found() -> bool:
        return await hits(q="hindenburg") == 1

    await until(is_found)
    assert await sql.fetchval("SELECT count(*) FROM video_moves WHERE video_id = $1", video_id) == len(ALL_MOVES)


@pytest.mark.req(409, 414)
@pytest.mark.parametrize("enqueues", [True, False], ids=["enqueues the next job", "forgets the next job"])
async def test_workers_of_the_platform_continue_after_another_programs_transcode(
    fleet: Fleet, film: tuple[Path, Clip], enqueues: bool
):
    path, clip = film
    work = await fleet.role("work", "--types", "sample,ocr,segment_index", "--concurrency", "ocr=2")
    program = EXAMPLE_WORKER if enqueues else DOCUMENT_WORKERS
    arguments = () if enqueues else ("transcode",)
    async with fleet.program(program, *arguments, DOCUMENT_WORKERS="forget"):
        video_id = await fleet.drop(path)
        await fleet.reaches(video_id, "COMPLETED")
    assert await jobs_of(fleet, video_id) == [(stage, "done") for stage in STAGES]
    assert await finds(fleet, video_id, clip)
    if enqueues:
        playlist = await fleet.http.get(f"/videos/{video_id}/stream/index.m3u8")
        assert "#EXT-X-ENDLIST" in playlist.text
    work.send_signal(signal.SIGTERM)
    assert await work.wait() == 0


@pytest.mark.req(411, 412)
async def test_a_failure_without_retries_left_fails_the_video_and_mails_its_owner(
    fleet: Fleet, film: tuple[Path, Clip]
):
    async with fleet.program(DOCUMENT_WORKERS, "transcode", DOCUMENT_WORKERS="fail"):
        video_id = await fleet.drop(film[0])

        async def is_waiting() -> bool:
            return bool(await fleet.sql.fetchval("SELECT run_after FROM jobs WHERE video_id = $1", video_id))

        for attempt, base_s in enumerate((60, 300, 900)):
            await until(is_waiting, within_s=60)
            row = await fleet.sql.fetchrow(
                "SELECT *, extract(epoch FROM run_after - finished_at) AS delay FROM jobs WHERE video_id = $1", video_id
            )
            assert row is not None
            assert (row["status"], row["retry_count"]) == ("failed", attempt)
            assert 0.8 * base_s <= row["delay"] <= 1.2 * base_s
            # The delay passes.
            await fleet.sql.execute("UPDATE jobs SET run_after = now() WHERE video_id = $1", video_id)

            async def is_tried_again(attempts: int = attempt + 1) -> bool:
                query = "SELECT retry_count FROM jobs WHERE video_id = $1"
                return bool(await fleet.sql.fetchval(query, video_id) == attempts)

            await until(is_tried_again, within_s=60)
        await fleet.reaches(video_id, "FAILED")
    video = (await fleet.http.get(f"/videos/{video_id}")).json()
    assert "the disk is on fire" in video["errorReason"]

    async def is_mailed() -> bool:
        return await mails_of(fleet, video_id) == ["VideoFalhou"]

    await until(is_mailed)
    assert await jobs_of(fleet, video_id) == [("transcode", "failed")]


@pytest.mark.req(413)
async def test_a_worker_that_was_killed_without_a_lease_loses_nothing(fleet: Fleet, film: tuple[Path, Clip]):
    async with fleet.program(DOCUMENT_WORKERS, "transcode", DOCUMENT_WORKERS="hang", DEFAULT_LEASE="2s") as worker:
        video_id = await fleet.drop(film[0])
        assert worker.stdout is not None
        assert (await worker.stdout.readline()).startswith(b"claimed")
        worker.kill()
    job_id = await fleet.sql.fetchval("SELECT id FROM jobs WHERE video_id = $1", video_id)
    await fleet.becomes(job_id, status="queued", retry_count=1, locked_by=None)
    async with fleet.program(DOCUMENT_WORKERS, *STAGES):
        await fleet.reaches(video_id, "COMPLETED")
    assert await jobs_of(fleet, video_id) == [(stage, "done") for stage in STAGES]


@pytest.mark.req(409)
async def test_a_worker_that_locks_the_video_before_its_job_is_never_the_victim_of_a_deadlock(
    fleet: Fleet, film: tuple[Path, Clip]
):
    video_id = await fleet.drop(film[0])
    await until(lambda: _is_queued(fleet, video_id))
    job_id = await fleet.sql.fetchval("SELECT id FROM jobs WHERE video_id = $1", video_id)
    worker = await asyncpg.connect(fleet.url)
    async with worker.transaction():
        await worker.execute("UPDATE videos SET s3_proxy_path = 'p' WHERE id = $1", video_id)
        # The claim is followed at once, which locks the job and then waits for the video.
        await fleet.sql.execute("UPDATE jobs SET status = 'processing' WHERE id = $1", job_id)

        async def is_waiting() -> bool:
            return bool(
                await fleet.sql.fetchval("SELECT count(*) FROM pg_locks WHERE NOT granted AND relation IS NULL")
            )

        await until(is_waiting)
        await worker.execute("UPDATE jobs SET status = 'done' WHERE id = $1", job_id)
    await worker.close()
    await fleet.reaches(video_id, "PRINTING")


@pytest.mark.req(418)
async def test_a_clip_that_another_program_cut_is_shown(fleet: Fleet, film: tuple[Path, Clip]):
    video_id = await fleet.drop(film[0])
    await until(lambda: _is_known(fleet, video_id))
    answer = await fleet.http.post("/clips", json={"video_id": str(video_id), "t_start": 500, "t_end": 1000})
    clip_id = answer.json()["clip_id"]
    job_id = await fleet.sql.fetchval(
        "SELECT id FROM jobs WHERE video_id = $1 AND job_type = 'clip_generate'", video_id
    )
    await fleet.sql.execute("UPDATE jobs SET status = 'processing' WHERE id = $1", job_id)
    await fleet.put(f"videos/clips/{video_id}/{clip_id}.mp4", film[0].read_bytes())
    await fleet.sql.execute("UPDATE jobs SET status = 'done' WHERE id = $1", job_id)

    async def is_done() -> bool:
        return bool((await fleet.http.get(f"/clips/{clip_id}")).json()["status"] == "done")

    await until(is_done)


async def _is_known(fleet: Fleet, video_id: UUID) -> bool:
    return await fleet.status(video_id) is not None


async def _is_queued(fleet: Fleet, video_id: UUID) -> bool:
    return await jobs_of(fleet, video_id) == [("transcode", "queued")]
