"""A generated sample video, processed like any other video."""

import asyncio
import tempfile
from pathlib import Path
from uuid import uuid4

import structlog
from fastapi import APIRouter

from sightline.api.dependencies import CurrentCaller, CurrentPlatform
from sightline.api.videos import VideoAnswer
from sightline.media import SAMPLE_VIDEO_NAME, make_sample_video
from sightline.objects import original_key
from sightline.videos import NewVideo, need_video

router = APIRouter(prefix="/api/sample-video", tags=["videos"])
log = structlog.get_logger(__name__)

_at_work = asyncio.Semaphore(1)  # a second click waits; it does not take a second core


@router.post("", status_code=201)
async def sample_video(platform: CurrentPlatform, caller: CurrentCaller) -> VideoAnswer:
    """Create a sample video of 15 seconds with text, and process it."""
    video_id = uuid4()
    async with platform.database.transaction() as tx:
        await platform.admission.check(tx, caller.user_id, None)
    with tempfile.TemporaryDirectory(prefix="sightline-sample-") as folder:
        file = Path(folder) / SAMPLE_VIDEO_NAME
        async with _at_work:
            await asyncio.to_thread(make_sample_video, file)
        stored = await platform.objects.put_file(original_key(video_id), file)
    new = NewVideo(video_id, caller.user_id, SAMPLE_VIDEO_NAME, owner_email=caller.email, size_bytes=stored.size)
    await platform.completion.adopt(stored, new)
    log.info("videos.sample_made", video_id=str(video_id))
    async with platform.database.transaction() as tx:
        return VideoAnswer.of(await need_video(tx, video_id), platform.settings.retention, caller)
