"""What is said in videos: whether speech recognition is installed, transcribing a video, and how far that is."""

import asyncio
from datetime import datetime
from typing import Annotated

from fastapi import APIRouter, Body
from pydantic import BaseModel, ConfigDict, Field

from sightline.api.answers.jobs import JobAnswer
from sightline.api.dependencies import CallerTransaction, CurrentCaller, CurrentPlatform
from sightline.api.video_actions import RUNNING, original_obstacle
from sightline.api.videos import VideoId, need_own_video
from sightline.contracts.jobs import Transcribe
from sightline.errors import Conflict, InvalidInput, NotFound
from sightline.jobs import latest_of_videos, need_job
from sightline.speech import speech_status, transcript_of_video, whisper_language
from sightline.videos import lock_video, need_video

router = APIRouter(prefix="/api", tags=["speech"])


class SpeechAnswer(BaseModel):
    installed: bool = Field(examples=[True])
    how_to_install: str | None = Field(examples=[None], description="One line for people; null if it is installed.")
    model: str = Field(examples=["base"])
    purpose: str | None = Field(examples=["speech in 99 languages, with the time of each word"])
    licence: str | None = Field(examples=["MIT (OpenAI Whisper)"])
    cannot_hear: list[str] = Field(examples=[["who speaks: it writes words, not voices"]])


class TranscribeBody(BaseModel):
    model_config = ConfigDict(extra="forbid")

    language: str | None = Field(
        None, pattern=r"^[a-z]{2,3}$", examples=["en"], description="What is spoken. Unset: it is detected."
    )


class TranscriptAnswer(BaseModel):
    model: str = Field(examples=["base"])
    language: str | None = Field(examples=["eng"], description="Of most words; null while unknown, and without speech.")
    heard_ms: int = Field(examples=[61_500], description="How far the sound was heard, in ms of the video.")
    finished_at: datetime | None = Field(examples=["2026-04-17T10:00:00Z"], description="Null while it is being heard.")


Transcribing = Annotated[TranscribeBody | None, Body(examples=[{"language": "en"}])]


@router.get("/speech")
async def get_speech(platform: CurrentPlatform, _: CurrentCaller) -> SpeechAnswer:
    """What transcribes speech: its model, and what it cannot hear."""
    settings = platform.settings
    status = await asyncio.to_thread(speech_status, settings.speech, state_dir=settings.state_dir)
    return SpeechAnswer(
        installed=status.is_installed,
        how_to_install=status.how_to_install,
        model=status.model,
        purpose=status.purpose,
        licence=status.licence,
        cannot_hear=list(status.cannot_hear),
    )


@router.post("/videos/{video_id}/transcribe", status_code=202)
async def transcribe(
    platform: CurrentPlatform, caller: CurrentCaller, video_id: VideoId, body: Transcribing = None
) -> JobAnswer:
    """Write down what is said in a video. What was heard before is replaced as the job goes on."""
    settings = platform.settings
    status = await asyncio.to_thread(speech_status, settings.speech, state_dir=settings.state_dir)
    if not status.is_offered:
        raise Conflict(status.how_to_install or "Speech recognition is not installed")
    language = None if body is None else body.language
    if language is not None and whisper_language(language) is None:
        raise InvalidInput(f"language: {language!r} is not one that the models know; leave it out to detect it")
    video = await need_own_video(platform, caller, video_id)
    video.need_original()
    if original_obstacle(video) is not None:
        raise Conflict("The video has not been uploaded yet; try again when it is")
    async with platform.database.transaction() as tx:
        await lock_video(tx, video_id)  # of two requests at the same time, one is refused
        latest = (await latest_of_videos(tx, [video_id], (Transcribe.job_type,))).get(video_id, {})
        if (job := latest.get(Transcribe.job_type)) is not None and job.status in RUNNING:
            raise Conflict("The video is being transcribed already")
        queued = await platform.jobs.enqueue(tx, Transcribe(video_id=video_id, language=language))
        return JobAnswer.of(await need_job(tx, queued.id))


@router.get("/videos/{video_id}/transcript")
async def get_transcript(tx: CallerTransaction, video_id: VideoId) -> TranscriptAnswer:
    """How far the speech of a video was written down; its text is in `GET /videos/{video_id}/segments?kind=speech`."""
    await need_video(tx, video_id)
    found = await transcript_of_video(tx, video_id)
    if found is None:
        raise NotFound("The video has not been transcribed; POST /api/videos/{video_id}/transcribe starts it")
    return TranscriptAnswer(
        model=found.model, language=found.language, heard_ms=found.heard_ms, finished_at=found.finished_at
    )
