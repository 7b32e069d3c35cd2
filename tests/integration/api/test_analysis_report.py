"""What an analysis says about itself, over the API."""

from uuid import UUID, uuid4

import pytest

from sightline.objects import result_key
from sightline.techniques import publications_store, report
from sightline.techniques.result import Analysis, AnalysisProblem, encode_result
from support.asking import is_error
from support.technique_rig import clip, new_video

NOBODY, UNSURE = "no candidate: nobody is seen", "no candidate: the poses fit several phases"
PROBLEMS = [
    AnalysisProblem(0, 4000, NOBODY),
    AnalysisProblem(9000, 18_000, UNSURE),
    AnalysisProblem(30_000, 33_000, NOBODY),
]


async def analyzed(platform, video: UUID, *clips, content: bytes | None = None) -> UUID:
    """A job whose result is stored."""
    job_id = uuid4()
    analysis = Analysis("Two men.", list(clips), 10.0, problems=PROBLEMS)
    ids = {"job_id": str(job_id), "video_id": str(video)}
    await platform.objects.put(result_key(video, job_id), content or encode_result(analysis, analyzer="pose", **ids))
    async with platform.database.transaction() as tx:
        await publications_store.start(
            tx, job_id=job_id, video_id=video, topic="t", total=len(clips), result_key=result_key(video, job_id)
        )
    return job_id


async def ask(client, video, job_id, headers=None):
    return await client.get(f"/videos/{video}/analysis/report", params={"job_id": str(job_id)}, headers=headers)


@pytest.mark.req(1094)
@pytest.mark.parametrize("clips", [(), (clip(1), clip(2))])
async def test_an_analysis_says_what_it_found_and_why_it_is_silent(client, platform, clips):
    video = await new_video(platform)
    job_id = await analyzed(platform, video, *clips)
    answer = await ask(client, video, job_id)
    assert answer.status_code == 200, answer.text
    assert answer.json() == {
        "job_id": str(job_id),
        "analyzer": "pose",
        "summary": "Two men.",
        "found": len(clips),
        "left_out": 0,
        "silences": [
            {"reason": UNSURE, "ms": 9000, "parts": 1, "start_ms": 9000},
            {"reason": NOBODY, "ms": 7000, "parts": 2, "start_ms": 0},
        ],
    }


@pytest.mark.req(1094)
async def test_a_report_belongs_to_its_video_and_those_who_see_it(
    client, platform, client_with, auth_on, signed_in, monkeypatch
):
    video, other = await new_video(platform), await new_video(platform)
    job_id = await analyzed(platform, video)
    is_error(await ask(client, other, job_id), 404, "ANALYSIS_NOT_FOUND")
    is_error(await ask(client, video, uuid4()), 404, "ANALYSIS_NOT_FOUND")
    is_error(await ask(client, uuid4(), job_id), 404, "VIDEO_NOT_FOUND")
    with_users = await client_with(auth=auth_on)
    is_error(await ask(with_users, video, job_id, signed_in(uuid4())), 404, "VIDEO_NOT_FOUND")
    monkeypatch.setattr(report, "MAX_RESULT_BYTES", 10)
    is_error(await ask(client, video, job_id), 404, "RESULT_TOO_LARGE")
    await platform.objects.delete([result_key(video, job_id)])
    is_error(await ask(client, video, job_id), 404, "ANALYSIS_NOT_FOUND")
