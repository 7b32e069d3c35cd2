"""Text and speech of a video as a file to take away."""

from functools import partial
from typing import Annotated

from fastapi import APIRouter, Path, Query
from fastapi.responses import StreamingResponse
from pydantic import BaseModel, ConfigDict, Field

from sightline.api.dependencies import CurrentCaller, CurrentPlatform
from sightline.api.videos import VideoId
from sightline.errors import Conflict
from sightline.objects.protocol import attachment_disposition
from sightline.text.exports import (
    MEDIA_TYPES,
    ExportFormat,
    ExportKind,
    ExportOptions,
    export_file_name,
    export_text,
    pages_of_segments,
)
from sightline.videos import VideoStatus, need_video

router = APIRouter(prefix="/videos/{video_id}", tags=["text"])

_EXAMPLE = "1\n00:01:01,500 --> 00:01:04,000\nInvoice total: $1,299.99\n\n"


class TranscriptQuery(BaseModel):
    model_config = ConfigDict(extra="forbid")

    kind: ExportKind = Field(
        "both",
        examples=["speech"],
        description="`text`: shown on screen. `speech`: said. With `both`, subtitles and plain text put what is shown in brackets.",
    )
    timestamps: bool = Field(False, examples=[True], description="Plain text: begin each line with its time.")
    bom: bool = Field(
        False, examples=[True], description="Begin with a byte order mark, which Excel needs to read UTF-8."
    )
    from_ms: int | None = Field(None, ge=0, le=2**31 - 1, examples=[0], description="Only after this time.")
    until_ms: int | None = Field(None, ge=0, le=2**31 - 1, examples=[60_000], description="Only before this time.")


@router.get(
    "/transcript.{format}",
    response_class=StreamingResponse,
    responses={
        200: {
            "content": {"application/x-subrip": {"schema": {"type": "string"}, "example": _EXAMPLE}},
            "description": "The file, in the media type of its format.",
        }
    },
)
async def transcript(
    platform: CurrentPlatform,
    caller: CurrentCaller,
    video_id: VideoId,
    file_format: Annotated[
        ExportFormat, Path(alias="format", description="srt, vtt, txt, json or csv.", examples=["srt"])
    ],
    query: Annotated[TranscriptQuery, Query()],
) -> StreamingResponse:
    """Download text and speech of a COMPLETED video as SRT, WebVTT, plain text, JSON or CSV, in the order of time."""
    reading = partial(platform.database.as_caller, caller.claims())
    async with reading() as tx:
        video = await need_video(tx, video_id)
    if video.status is not VideoStatus.COMPLETED:
        raise Conflict(f"video {video_id} is {video.status}, not COMPLETED", details={"status": video.status})
    options = ExportOptions(file_format, query.kind, has_timestamps=query.timestamps, has_bom=query.bom)
    pages = pages_of_segments(
        reading, video_id, kind=options.segment_kind, from_ms=query.from_ms, until_ms=query.until_ms
    )
    content = export_text(pages, options, video_id=video_id, name=video.name)
    headers = {
        "content-disposition": attachment_disposition(export_file_name(video.name, options)),
        "cache-control": "private, no-store",
    }
    return StreamingResponse(content, media_type=MEDIA_TYPES[file_format], headers=headers)
