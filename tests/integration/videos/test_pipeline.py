"""The status of a video while its four pipeline jobs run, each on a real worker."""

import pytest

from sightline.contracts.jobs import Transcode
from sightline.objects import original_key
from sightline.videos import VideoStatus
from support.clip_maker import make_clip
from support.pipeline_rig import PipelineRig, open_pipeline_rig


@pytest.fixture
async def rig(fresh_database, tmp_path):
    async with open_pipeline_rig(fresh_database, tmp_path / "state") as opened:
        yield opened


@pytest.fixture
def film(tmp_path):
    make_clip(tmp_path / "film.mp4", "slides", seconds=1, size=(320, 180))
    return tmp_path / "film.mp4"


async def run_queued(rig: PipelineRig, video_id, job_type, during) -> None:
    """Runs the one queued job of this type, and notes the status of the video while it works."""
    handler = rig.handler(job_type)
    run = handler.run

    async def run_watched(payload, context):
        await run(payload, _Watched(context, rig, video_id, during))  # type: ignore[arg-type]

    handler.run = run_watched  # type: ignore[method-assign]
    (job,) = await rig.jobs_of(video_id, job_type)
    async with rig.working(handler):
        settled = await rig.settled(job["id"])
    assert settled.status == "done", settled.error


class _Watched:
    """The context of a job; notes the status of the video just before the job commits its result."""

    def __init__(self, context, rig, video_id, during) -> None:
        self._context, self._rig, self._video_id, self._during = context, rig, video_id, during

    def __getattr__(self, name):
        return getattr(self._context, name)

    def finishing(self, **result):
        return _NotedFirst(self._context.finishing(**result), self._note)

    async def _note(self) -> None:
        self._during.append(str((await self._rig.video(self._video_id)).status))


class _NotedFirst:
    def __init__(self, inner, note) -> None:
        self._inner, self._note = inner, note

    async def __aenter__(self):
        await self._note()
        return await self._inner.__aenter__()

    async def __aexit__(self, *error):
        return await self._inner.__aexit__(*error)


async def start(rig: PipelineRig, film):
    video_id = await rig.add(film, status=VideoStatus.PROCESSING)
    await rig.enqueue(Transcode(video_id=video_id, s3_original_path=original_key(video_id)))
    return video_id


@pytest.mark.req(278)
async def test_a_video_is_splitting_from_the_claim_of_transcode_until_it_is_done(rig, film):
    video_id, during = await start(rig, film), list[str]()
    assert (await rig.video(video_id)).status is VideoStatus.PROCESSING  # queued, not claimed
    await run_queued(rig, video_id, "transcode", during)
    assert during == ["SPLITTING"]
    assert (await rig.video(video_id)).status is VideoStatus.PRINTING


@pytest.mark.req(279)
async def test_a_video_is_completed_only_when_the_last_of_sample_ocr_and_segment_index_is_done(rig, film):
    video_id, during = await start(rig, film), list[str]()
    await run_queued(rig, video_id, "transcode", [])
    for job_type in ("sample", "ocr"):
        await run_queued(rig, video_id, job_type, during)
        assert (await rig.video(video_id)).status is VideoStatus.PRINTING, job_type
    await run_queued(rig, video_id, "segment_index", during)
    assert during == ["PRINTING", "PRINTING", "PRINTING"]
    assert (await rig.video(video_id)).status is VideoStatus.COMPLETED
