"""Marks as files: export and import as CSV or JSON."""

from typing import Annotated, Literal

from fastapi import APIRouter, Query, Request, Response

from sightline.api.answers.marks import ImportedMarksAnswer
from sightline.api.dependencies import CallerTransaction, CurrentCaller, CurrentPlatform
from sightline.api.videos import VideoId, need_own_video
from sightline.errors import InvalidInput
from sightline.techniques.marks import MarkState, encode_csv, encode_json, import_marks, list_marks, read_review
from sightline.videos import need_video

router = APIRouter(prefix="/videos/{video_id}/marks", tags=["techniques"])

MarkFileFormat = Literal["csv", "json"]
_TYPES: dict[MarkFileFormat, str] = {"csv": "text/csv; charset=utf-8", "json": "application/json"}
_FORMATS: dict[str, MarkFileFormat] = {"text/csv": "csv", "application/json": "json"}
_EXAMPLE = "start,end,category,technique,role\r\n0:12.500,0:18.000,GUARD_PLAY,Scissor Sweep,athlete in blue\r\n"


@router.get(
    "/export",
    response_class=Response,
    responses={
        200: {
            "content": {"text/csv": {"schema": {"type": "string"}, "example": _EXAMPLE}},
            "description": "The file, in the media type of its format.",
        }
    },
)
async def export(
    tx: CallerTransaction,
    video_id: VideoId,
    file_format: Annotated[
        MarkFileFormat, Query(alias="format", examples=["csv"], description="Form of the file.")
    ] = "csv",
    state: Annotated[
        list[MarkState] | None, Query(examples=[["accepted"]], description="Only these states; may be repeated.")
    ] = None,
) -> Response:
    """The marks of a video as a file that `import` reads again."""
    video = await need_video(tx, video_id)
    review = await read_review(tx, video_id)
    chosen = [mark for mark in await list_marks(tx, video_id) if state is None or mark.values.state in state]
    if file_format == "csv":
        content = encode_csv(chosen)
    else:
        content = encode_json(chosen, video_id=video_id, revision=review.revision)
    stem = "".join(one if one.isascii() and (one.isalnum() or one in "._-") else "_" for one in video.name)
    headers = {"content-disposition": f'attachment; filename="{stem}-techniques.{file_format}"'}
    return Response(content.encode(), media_type=_TYPES[file_format], headers=headers)


@router.post("/import")
async def import_file(
    request: Request, platform: CurrentPlatform, caller: CurrentCaller, video_id: VideoId
) -> ImportedMarksAnswer:
    """Import marks as CSV (`text/csv`) or JSON. A file with an invalid row is refused with the lines, and nothing of it is kept."""
    video = await need_own_video(platform, caller, video_id)
    kind = request.headers.get("content-type", "application/json").partition(";")[0].strip().lower()
    if kind not in _FORMATS:
        raise InvalidInput(f"send marks as application/json or text/csv, not as {kind}")
    content = await request.body()
    async with platform.database.transaction() as tx:
        plan = await import_marks(tx, video, content, name=f"marks.{_FORMATS[kind]}", by=caller.user_id)
    return ImportedMarksAnswer(added=len(plan.new), changed=len(plan.changed), unchanged=plan.unchanged)
