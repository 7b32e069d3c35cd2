"""Reading techniques over the API: filters, pages, runs; and marking clips by hand."""

from uuid import uuid4

import pytest

from sightline.contracts.jobs import ClipGenerate
from sightline.contracts.technique_events import Category
from sightline.live import LiveFeed
from sightline.techniques import TechniqueBatchHandler
from support.asking import is_error
from support.technique_rig import TechniqueRig, clip, complete_message, event_message, new_video


@pytest.fixture
def arrive(platform):
    """Handles messages as the consumer does."""
    rig = TechniqueRig(
        platform.database, platform.bus, platform.listener, TechniqueBatchHandler(platform.bus, LiveFeed()), ""
    )
    return rig.receive


@pytest.fixture
async def video(platform, arrive):
    video = await new_video(platform)
    categories = [category.value for category in Category]
    events = [
        event_message(
            video,
            "job-1",
            index,
            6,
            found=clip(
                index,
                category=categories[index - 1],
                role=f"athlete {index % 2}",
                confidence=index / 10,
                start_frame=index * 300,
                end_frame=index * 300 + 100,
            ),
        )
        for index in range(1, 7)
    ]
    await arrive(*events, complete_message(video, "job-1", 6, "s3://b/k.json"))
    return video


async def indexes(client, video, **query):
    answer = await client.get(f"/videos/{video}/techniques", params=query)
    assert answer.status_code == 200, answer.text
    return [one["event_index"] for one in answer.json()["techniques"]]


async def test_techniques_are_narrowed_by_category_role_confidence_and_time(client, video):
    assert await indexes(client, video) == [1, 2, 3, 4, 5, 6]
    assert await indexes(client, video, category="GUARD_PLAY") == [2]
    assert await indexes(client, video, category=["GUARD_PLAY", "STANDUP_GAME"]) == [1, 2]
    assert await indexes(client, video, role="ATHLETE 1") == [1, 3, 5]
    assert await indexes(client, video, min_confidence=0.45) == [5, 6]
    assert await indexes(client, video, from_s=30, until_s=42) == [3, 4]
    assert await indexes(client, video, skill="sweep 4") == [4]
    is_error(await client.get(f"/videos/{video}/techniques", params={"category": "COOKING"}), 422, "VALIDATION_ERROR")


async def test_pages_follow_each_other(client, video):
    seen, cursor = [], None
    while True:
        query = {"limit": 4} | ({"cursor": cursor} if cursor else {})
        answer = (await client.get(f"/videos/{video}/techniques", params=query)).json()
        seen += [one["event_index"] for one in answer["techniques"]]
        cursor = answer["next_cursor"]
        if cursor is None:
            break
    assert seen == [1, 2, 3, 4, 5, 6]


@pytest.mark.req(33, 41)
async def test_the_newest_run_is_shown_and_older_ones_on_request(client, video, arrive):
    await arrive(event_message(video, "job-2", 1, 1), complete_message(video, "job-2", 1))
    assert (await client.get(f"/videos/{video}/analysis")).json()["job_id"] == "job-2"
    old = (await client.get(f"/videos/{video}/analysis", params={"job_id": "job-1"})).json()
    assert (old["received_count"], old["total_event_count"], old["finalized"]) == (6, 6, True)
    assert old["result_s3_uri"] == "s3://b/k.json"
    assert old["summary"]["GUARD_PLAY"]["techniques"] == 1
    assert await indexes(client, video, job_id="job-1") == [1, 2, 3, 4, 5, 6]
    assert await indexes(client, video) == [1]
    is_error(await client.get(f"/videos/{video}/analysis", params={"job_id": "job-3"}), 404, "ANALYSIS_NOT_FOUND")


async def test_a_technique_can_be_cut(client, video):
    found = (await client.get(f"/videos/{video}/techniques")).json()["techniques"][0]
    wanted = ClipGenerate(
        video_id=video,
        clip_id=found["id"],
        t_start=found["t_start"],
        t_end=found["t_end"],
        s3_original_path=f"videos/original/{video}/master.mp4",
    )
    assert (wanted.t_start, wanted.t_end) == (10_000, 14_000)


async def test_marks_are_checked_row_by_row_and_replace_earlier_ones(client, platform):
    video = await new_video(platform)
    header = "start,end,category,technique,role\n"
    answer = await client.put(
        f"/videos/{video}/annotations",
        content=header + "1,2,GUARD_PLAY,Sweep,a\n",
        headers={"content-type": "text/csv; charset=utf-8"},
    )
    assert answer.json() == {"clips": 1}
    bad = await client.put(
        f"/videos/{video}/annotations",
        content=header + "1,2,GUARD_PLAY,Sweep,a\nsoon,2,GUARD_PLAY,Sweep,a\n",
        headers={"content-type": "text/csv"},
    )
    assert "line 3: start" in is_error(bad, 422, "VALIDATION_ERROR")["message"]
    assert (await client.put(f"/videos/{video}/annotations", json=[])).json() == {"clips": 0}
    assert [one.key async for one in platform.objects.find(f"annotations/{video}/")] == [
        f"annotations/{video}/clips.json"
    ]
    wrong = await client.put(f"/videos/{video}/annotations", content=b"x", headers={"content-type": "text/plain"})
    is_error(wrong, 422, "VALIDATION_ERROR")
    is_error(await client.put(f"/videos/{uuid4()}/annotations", json=[]), 404, "VIDEO_NOT_FOUND")
