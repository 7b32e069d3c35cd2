"""Uploads: the endpoints of document 004, and the list of unfinished uploads for resuming."""

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Body, Path, Query, Request

from sightline.api.answers.uploads import (
    CompletedAnswer,
    CompleteRequest,
    CreateVideoRequest,
    PartAnswer,
    PartRequest,
    ProgressAnswer,
    StartedAnswer,
    UnfinishedAnswer,
    UnfinishedUpload,
    UrlsAnswer,
)
from sightline.api.dependencies import CallerTransaction, CurrentCaller, CurrentPlatform
from sightline.api.videos import VideoId, need_own_video, need_own_video_of_many
from sightline.errors import InvalidInput
from sightline.uploads import MAX_URLS_AT_ONCE, get_upload, list_parts, list_resumable, plan_parts
from sightline.videos import NewVideo, need_video, new_video

router = APIRouter(tags=["uploads"])


@router.post("/videos", status_code=201)
async def create_video(platform: CurrentPlatform, caller: CurrentCaller, body: CreateVideoRequest) -> StartedAnswer:
    """Start an upload. The part size in the response is fixed; every part but the last has it."""
    plan, content_type = plan_parts(body.total_size, body.part_size), body.content_type

    def video(video_id: UUID) -> NewVideo:
        return new_video(
            video_id,
            caller,
            body.filename,
            team_id=body.team_id,
            size_bytes=body.total_size,
            content_type=content_type,
            duration_ms=body.duration,
        )

    return StartedAnswer.of(await platform.uploads.start(video, plan))


@router.get("/videos/{video_id}/upload-urls")
async def upload_urls(
    platform: CurrentPlatform,
    caller: CurrentCaller,
    video_id: VideoId,
    from_part: Annotated[
        int | None,
        Query(
            alias="fromPart",
            ge=1,
            le=10_000,
            description="Issue URLs again for the missing parts from this number on; lists the others with their ETags.",
            examples=[1],
        ),
    ] = None,
    part_numbers: Annotated[
        str | None,
        Query(
            alias="partNumbers",
            max_length=200,
            description="Issue URLs again for these parts, e.g. `3,7,8`.",
            examples=["3,7"],
        ),
    ] = None,
) -> UrlsAnswer:
    """Signed URLs of the next parts, up to 20. Expired or lost URLs are issued again on request."""
    await need_own_video(platform, caller, video_id)
    if part_numbers is not None:
        issued = await platform.uploads.reissue_urls(video_id, _numbers(part_numbers))
    elif from_part is not None:
        issued = await platform.uploads.urls_of_missing(video_id, from_part)
    else:
        issued = await platform.uploads.next_urls(video_id)
    return UrlsAnswer.of(video_id, issued)


@router.post("/videos/{video_id}/parts/{part_number}")
async def report_part(
    request: Request,
    platform: CurrentPlatform,
    caller: CurrentCaller,
    video_id: VideoId,
    part_number: Annotated[int, Path(description="Part number, from 1.", examples=[1])],
    body: PartRequest,
) -> PartAnswer:
    """Report a stored part with the ETag that the store returned. Repeating it is safe; the newest report counts."""
    await need_own_video_of_many(request, caller, video_id)
    return PartAnswer.of(await platform.uploads.report(video_id, part_number, body.etag))


@router.get("/videos/{video_id}/progress")
async def progress(tx: CallerTransaction, video_id: VideoId) -> ProgressAnswer:
    """Progress of the upload, with its parts."""
    video = await need_video(tx, video_id)
    return ProgressAnswer.of(video, await get_upload(tx, video_id), await list_parts(tx, video_id))


@router.post("/videos/{video_id}/complete")
async def complete(
    platform: CurrentPlatform,
    caller: CurrentCaller,
    video_id: VideoId,
    body: Annotated[CompleteRequest | None, Body(examples=[{"parts": [{"part": 1, "etag": "d41d8cd9"}]}])] = None,
) -> CompletedAnswer:
    """Complete the upload from the given parts, or from all that the store has. Repeating it returns the same."""
    await need_own_video(platform, caller, video_id)
    named = None if body is None or body.parts is None else {part.number: part.etag for part in body.parts}
    return CompletedAnswer.of(await platform.uploads.complete(video_id, named))


@router.delete("/videos/{video_id}/upload", status_code=204)
async def discard(platform: CurrentPlatform, caller: CurrentCaller, video_id: VideoId) -> None:
    """Abort an unfinished upload: its parts are deleted, the video is FAILED."""
    await need_own_video(platform, caller, video_id)
    await platform.uploads.discard(video_id)


@router.get("/uploads")
async def uploads(
    tx: CallerTransaction,
    limit: Annotated[int, Query(ge=1, le=100, description="Maximum number of results.", examples=[20])] = 50,
) -> UnfinishedAnswer:
    """Unfinished uploads, to be resumed on any device."""
    return UnfinishedAnswer(uploads=[UnfinishedUpload.of(one) for one in await list_resumable(tx, limit=limit)])


def _numbers(text: str) -> list[int]:
    try:
        numbers = sorted({int(number) for number in text.split(",")})
    except ValueError:
        raise InvalidInput(f"partNumbers: {text!r} is no list of numbers such as 3,7,8") from None
    if len(numbers) > MAX_URLS_AT_ONCE:
        raise InvalidInput(f"partNumbers: at most {MAX_URLS_AT_ONCE} at once")
    return numbers
