"""The overview: figures over time and the numbers of now, each among what the caller may see."""

import itertools
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

import asyncpg
import pytest

from sightline.bootstrap import Platform
from sightline.bus import SPLIT_QUEUE, QueueMessage
from sightline.contracts import LOCAL_OWNER_ID
from support.asking import is_error
from support.dead_jobs import clip, dead, done, queued, transcode

ANN, BEN, TEAM = (UUID(int=number) for number in (11, 12, 77))
Add = Callable[..., Awaitable[Any]]


@pytest.fixture
async def admin(platform: Platform, fresh_database):
    connection = await asyncpg.connect(fresh_database.admin_url)
    yield connection
    await connection.close()


@pytest.fixture
def add_video(admin) -> Add:
    """A video that went through these statuses, each so many seconds ago."""

    async def add(*moves: tuple[str, float], owner: UUID = LOCAL_OWNER_ID, team: UUID | None = None) -> UUID:
        async with admin.transaction():  # in which the time of each move is counted from the same moment
            await admin.execute("ALTER TABLE videos DISABLE TRIGGER USER")
            video_id = uuid4()
            columns = "(id, s3_original_path, owner_id, team_id, name, status, duration_ms, created_at)"
            path = "'videos/original/' || $1::uuid || '/master.mp4'"
            await admin.execute(
                f"INSERT INTO videos {columns} VALUES ($1, {path}, $2, $3, 'v', $4, 120000, now() - $5::interval)",
                *(video_id, owner, team, moves[-1][0], timedelta(seconds=moves[0][1])),
            )
            for number, (status, ago) in enumerate(moves, start=1):
                await admin.execute(
                    "INSERT INTO video_moves (video_id, move, status, at) VALUES ($1, $2, $3, now() - $4::interval)",
                    *(video_id, number, status, timedelta(seconds=ago)),
                )
            await admin.execute("ALTER TABLE videos ENABLE TRIGGER USER")
        return video_id

    return add


@pytest.fixture
def add_event(admin) -> Add:
    async def add(score: int, *, owner: UUID = LOCAL_OWNER_ID, ago: float = 0, is_acknowledged: bool = False) -> None:
        await admin.execute(
            "INSERT INTO events (batch_id, camera_id, owner_id, risk_score, summary, reasoning, assessor, started_at,"
            " created_at, acknowledged_at) VALUES ($1, 'door', $2, $3, 's', 'r', 'rules', now(), now() - $4::interval, $5)",
            *(f"batch-{uuid4().hex[:8]}", owner, score, timedelta(seconds=ago)),
            datetime.now().astimezone() if is_acknowledged else None,
        )

    return add


async def test_an_empty_platform_has_columns_of_zeros(client):
    answer = (await client.get("/api/overview")).json()
    assert (answer["period"], answer["step_s"], len(answer["times"])) == ("24h", 1800, 48)
    assert answer["uploads"] == {"created": [0] * 48, "failed": [0] * 48}
    assert answer["processing"] == {"videos": [0] * 48, "seconds_per_minute": [None] * 48}
    assert answer["events"] == {level: [0] * 48 for level in ("low", "medium", "high", "critical")}
    assert (answer["jobs"], answer["job_ages"]["average_s"]) == ([], [None] * 48)
    now = answer["now"]
    assert (now["videos"], now["critical_unacknowledged"], now["jobs"]) == ({}, 0, [])
    assert now["services_not_running"] == []


@pytest.mark.parametrize(("period", "columns", "step"), [("1h", 60, 60), ("24h", 48, 1800), ("7d", 56, 10_800)])
async def test_every_period_has_its_columns_and_counts_what_lies_in_it(client, add_video, period, columns, step):
    for ago in (columns * step + step, columns * step - 2 * step, 1):  # before the columns, in the first ones, and now
        await add_video(("CREATED", ago))
    answer = (await client.get("/api/overview", params={"period": period})).json()
    times = [datetime.fromisoformat(time) for time in answer["times"]]
    assert {(later - earlier).total_seconds() for earlier, later in itertools.pairwise(times)} == {step}
    created = answer["uploads"]["created"]
    assert (len(times), len(created), sum(created)) == (columns, columns, 2)
    assert sum(created[-2:]) == sum(created[:3]) == 1
    assert answer["now"]["videos"] == {"CREATED": 3}


async def test_another_period_is_refused(client):
    is_error(await client.get("/api/overview", params={"period": "1y"}), 400, "VALIDATION_ERROR")


async def test_processing_time_is_told_for_each_minute_of_video(client, add_video):
    # 40 and 20 seconds for two videos of two minutes each: 15 seconds for a minute.
    await add_video(("CREATED", 200), ("UPLOADED", 45), ("PROCESSING", 44), ("COMPLETED", 5))
    await add_video(("CREATED", 200), ("UPLOADED", 25), ("COMPLETED", 5))
    await add_video(("CREATED", 300), ("UPLOADED", 200), ("FAILED", 100))
    answer = (await client.get("/api/overview", params={"period": "7d"})).json()
    assert sum(answer["processing"]["videos"]) == 2
    [told] = {value for value in answer["processing"]["seconds_per_minute"] if value is not None}
    assert told == pytest.approx(15, abs=0.01)
    assert sum(answer["uploads"]["failed"]) == 1


async def test_events_are_counted_by_level_and_critical_ones_wait_for_a_person(client, add_event):
    for score in (10, 20, 40, 70, 90):
        await add_event(score)
    await add_event(95, is_acknowledged=True)
    await add_event(99, ago=40 * 86_400)
    answer = (await client.get("/api/overview", params={"period": "1h"})).json()
    assert {level: sum(counts) for level, counts in answer["events"].items()} == {
        "low": 2,
        "medium": 1,
        "high": 1,
        "critical": 2,
    }
    assert answer["now"]["critical_unacknowledged"] == 2


async def test_jobs_are_counted_by_type_and_end_and_by_state(client, platform):
    await done(platform.database, transcode())
    await done(platform.database, transcode())
    await dead(platform.database, clip())
    await queued(platform.database, transcode())
    answer = (await client.get("/api/overview", params={"period": "1h"})).json()
    assert {row["job_type"]: (sum(row["done"]), sum(row["failed"])) for row in answer["jobs"]} == {
        "transcode": (2, 0),
        "clip_generate": (0, 1),
    }
    assert all(len(row["done"]) == len(row["failed"]) == 60 for row in answer["jobs"])
    [age] = {value is not None and value < 3600 for value in answer["job_ages"]["longest_s"] if value is not None}
    assert age
    rows = {row.pop("job_type"): row for row in answer["now"]["jobs"]}
    assert 0 <= rows["transcode"].pop("oldest_age_s") < 3600
    assert rows["transcode"] == {"queued": 1, "processing": 0, "failed": 0}
    assert rows["clip_generate"] == {"queued": 0, "processing": 0, "failed": 1, "oldest_age_s": None}


async def test_queues_tell_their_depth(client, platform):
    async with platform.database.transaction() as tx:
        await platform.bus.send(tx, SPLIT_QUEUE, QueueMessage("a"), QueueMessage("b"))
    queues = (await client.get("/api/overview")).json()["now"]["queues"]
    assert {row["queue"]: row["visible"] for row in queues if row["visible"]} == {SPLIT_QUEUE: 2}


async def test_people_see_figures_of_their_own_and_nothing_of_operators(
    client_with, auth_on, signed_in, add_video, add_event, platform
):
    client = await client_with(auth=auth_on)
    completed = (("UPLOADED", 50), ("COMPLETED", 10))
    await add_video(*completed, owner=ANN)
    await add_video(*completed, owner=BEN, team=TEAM)
    await add_video(*completed, owner=BEN)
    await add_video(("UPLOADED", 60), ("FAILED", 20), owner=BEN)
    await add_event(90, owner=ANN)
    await add_event(90, owner=BEN)
    await done(platform.database, transcode())

    async def ask(**who: Any) -> dict[str, Any]:
        answer: dict[str, Any] = (await client.get("/api/overview", headers=signed_in(**who))).json()
        return answer

    ann = await ask(sub=ANN, team_ids=[str(TEAM)])
    assert ann["now"]["videos"] == {"COMPLETED": 2}
    assert (sum(ann["uploads"]["created"]), sum(ann["uploads"]["failed"])) == (2, 0)
    assert sum(ann["processing"]["videos"]) == 2
    assert (sum(ann["events"]["critical"]), ann["now"]["critical_unacknowledged"]) == (1, 1)
    assert (ann["jobs"], ann["job_ages"]) == (None, None)
    assert [ann["now"][part] for part in ("jobs", "queues", "services_not_running")] == [None] * 3
    ben = await ask(sub=BEN, sightline_role="operator")
    assert ben["now"]["videos"] == {"COMPLETED": 2, "FAILED": 1}  # an operator's videos are the operator's own, too
    assert [row["job_type"] for row in ben["jobs"]] == ["transcode"]
    is_error(await client.get("/api/overview"), 401, "UNAUTHORIZED")
