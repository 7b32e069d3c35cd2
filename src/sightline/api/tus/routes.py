"""Uploads by tus 1.0, at `/files/`: on the same store and the same videos as all other uploads (docs/uploads.md)."""

from collections.abc import AsyncIterator, Callable, Coroutine, Mapping
from email.utils import format_datetime
from typing import Annotated, Any
from uuid import UUID

from fastapi import APIRouter, Path, Request, Response
from fastapi.routing import APIRoute
from starlette.requests import ClientDisconnect
from starlette.responses import JSONResponse

from sightline.api.answers.uploads import CreateVideoRequest
from sightline.api.dependencies import CurrentCaller, CurrentPlatform
from sightline.api.serving.errors import answer_for, error_response
from sightline.api.tus.headers import (
    EXTENSIONS,
    VERSION,
    UnsupportedBody,
    UnsupportedVersion,
    check_body_type,
    check_version,
    read_checksum,
    read_concatenation,
    read_length,
    read_metadata,
    read_number,
    read_offset,
)
from sightline.api.videos import need_own_video
from sightline.bootstrap import Platform
from sightline.contracts import Caller
from sightline.errors import Conflict, Gone, InvalidInput, NotAllowed, NotFound, PlatformError, TooLarge
from sightline.uploads import UploadState
from sightline.uploads.tus import (
    CHECKSUM_ALGORITHMS,
    MAX_BYTES,
    BodyBroken,
    ChecksumMismatch,
    TusUpload,
    WriterReplaced,
    check_open,
)
from sightline.videos import NewVideo, new_video

PATH = "/files"
_STATUS_OF: tuple[tuple[type[PlatformError], int, str], ...] = (
    (ChecksumMismatch, 460, "CHECKSUM_MISMATCH"),
    (UnsupportedVersion, 412, "UNSUPPORTED_VERSION"),
    (UnsupportedBody, 415, "UNSUPPORTED_MEDIA_TYPE"),
    (WriterReplaced, 423, "LOCKED"),
    (InvalidInput, 400, "VALIDATION_ERROR"),
)
UploadId = Annotated[str, Path(max_length=100)]


class _TusRoute(APIRoute):
    """Errors have the statuses of tus, and every response names the version."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        handle = super().get_route_handler()

        async def answer(request: Request) -> Response:
            try:
                response = await handle(request)
            except PlatformError as error:
                response = _error(error, request.scope["path"])
            response.headers["Tus-Resumable"] = VERSION
            return response

        return answer


router = APIRouter(prefix=PATH, include_in_schema=False, route_class=_TusRoute)


@router.options("")
@router.options("/")
@router.options("/{upload_id}")
async def capabilities() -> Response:
    headers = {
        "Tus-Version": VERSION,
        "Tus-Extension": ",".join(EXTENSIONS),
        "Tus-Max-Size": str(MAX_BYTES),
        "Tus-Checksum-Algorithm": ",".join(CHECKSUM_ALGORITHMS),
    }
    return Response(status_code=204, headers=headers)


@router.post("")
@router.post("/")
async def create(request: Request, platform: CurrentPlatform, caller: CurrentCaller) -> Response:
    headers = request.headers
    check_version(headers)
    metadata, text = read_metadata(headers), headers.get("upload-metadata", "")
    concatenation = read_concatenation(headers)
    if concatenation is not None and concatenation.sources is not None:
        if "upload-length" in headers:
            raise InvalidInput("Upload-Length: a final upload is as long as its parts together")
        video = _new_video(caller, metadata, None)
        return _created(platform, await platform.tus.join(video, caller.user_id, concatenation.sources, text))
    length = read_length(headers)
    has_body = headers.get("content-type") is not None and headers.get("content-length") != "0"
    checksum = read_checksum(headers)
    if has_body:
        check_body_type(headers)
        _check_size(headers, 0, length)
    if concatenation is not None:
        upload = await platform.tus.create_partial(caller.user_id, length, text)
    else:
        upload = await platform.tus.create(_new_video(caller, metadata, length), length, text)
    if has_body:
        upload = await platform.tus.write(upload.id, 0, _chunks(request), checksum=checksum)
    return _created(platform, upload, with_offset=has_body)


@router.head("/{upload_id}")
async def standing(request: Request, platform: CurrentPlatform, caller: CurrentCaller, upload_id: UploadId) -> Response:
    check_version(request.headers)
    upload = await platform.tus.standing((await _own_upload(platform, caller, upload_id)).id)
    check_open(upload.id, upload)
    headers = {"Cache-Control": "no-store", **_progress_headers(platform, upload)}
    if upload.length is None:
        headers["Upload-Defer-Length"] = "1"
    else:
        headers["Upload-Length"] = str(upload.length)
    if upload.metadata:
        headers["Upload-Metadata"] = upload.metadata
    if upload.is_partial:
        headers["Upload-Concat"] = "partial"
    elif upload.sources is not None:
        addresses = " ".join(_address(platform, source) for source in upload.sources)
        headers["Upload-Concat"] = f"final;{addresses}"
    return Response(headers=headers)


@router.patch("/{upload_id}")
async def write(request: Request, platform: CurrentPlatform, caller: CurrentCaller, upload_id: UploadId) -> Response:
    headers = request.headers
    check_version(headers)
    check_body_type(headers)
    offset, checksum, length = read_offset(headers), read_checksum(headers), read_number(headers, "Upload-Length")
    upload = await _own_upload(platform, caller, upload_id)
    if upload.sources is not None:
        raise NotAllowed("a final upload cannot be written to: it is made of its partial uploads")
    check_open(upload.id, upload)
    _check_size(headers, offset, upload.length or length)
    written = await platform.tus.write(upload.id, offset, _chunks(request), checksum=checksum, length=length)
    return Response(status_code=204, headers=_progress_headers(platform, written))


@router.delete("/{upload_id}", status_code=204)
async def terminate(
    request: Request, platform: CurrentPlatform, caller: CurrentCaller, upload_id: UploadId
) -> Response:
    check_version(request.headers)
    upload = await _own_upload(platform, caller, upload_id)
    check_open(upload.id, upload)
    if upload.state is UploadState.COMPLETED:
        raise Conflict(f"the upload is complete; delete its video with DELETE /videos/{upload.id}")
    await platform.tus.discard(upload)
    return Response(status_code=204)


@router.post("/{upload_id}")
async def overridden(
    request: Request, platform: CurrentPlatform, caller: CurrentCaller, upload_id: UploadId
) -> Response:
    """For clients whose environment allows no other methods than GET and POST."""
    handlers = {"PATCH": write, "DELETE": terminate, "HEAD": standing}
    handler = handlers.get(request.headers.get("x-http-method-override", "").upper())
    if handler is None:
        return error_response(405, "METHOD_NOT_ALLOWED", "use PATCH, HEAD or DELETE, or X-HTTP-Method-Override")
    return await handler(request, platform, caller, upload_id)


async def _own_upload(platform: Platform, caller: Caller, text: str) -> TusUpload:
    """The upload, if the caller may change it; otherwise it does not exist."""
    try:
        upload = await platform.tus.need(UUID(text))
    except ValueError:
        raise NotFound(f"no upload {text}", code="UPLOAD_NOT_FOUND") from None
    if upload.video_id is not None:
        await need_own_video(platform, caller, upload.video_id)
    elif upload.owner_id != caller.user_id and not caller.is_operator:
        raise NotFound(f"no upload {text}", code="UPLOAD_NOT_FOUND")
    return upload


def _new_video(caller: Caller, metadata: Mapping[str, str], length: int | None) -> Callable[[UUID], NewVideo]:
    """The video that the metadata describes: `filename` or `name`, and `teamId`."""
    name = metadata.get("filename") or metadata.get("name")
    if name is None:
        raise InvalidInput("Upload-Metadata: filename is missing")
    try:
        described = CreateVideoRequest(
            total_size=length or 1,
            filename=name,
            extension=metadata.get("extension"),
            team_id=UUID(metadata["teamId"]) if metadata.get("teamId") else None,
        )
    except ValueError as error:
        raise InvalidInput("Upload-Metadata: filename or teamId is not valid") from error

    def video(video_id: UUID) -> NewVideo:
        return new_video(
            video_id,
            caller,
            described.filename,
            team_id=described.team_id,
            size_bytes=length,
            content_type=described.content_type,
        )

    return video


def _check_size(headers: Mapping[str, str], offset: int, length: int | None) -> None:
    """Refuses too many bytes before they are sent."""
    declared = read_number(headers, "Content-Length")
    if declared is not None and offset + declared > (MAX_BYTES if length is None else length):
        raise TooLarge(f"{declared} bytes from {offset} on are more than the upload's {length or MAX_BYTES}")


async def _chunks(request: Request) -> AsyncIterator[bytes]:
    try:
        async for chunk in request.stream():
            yield chunk
    except ClientDisconnect as error:
        raise BodyBroken from error


def _created(platform: Platform, upload: TusUpload, *, with_offset: bool = False) -> Response:
    headers = {"Location": _address(platform, upload.id), **_progress_headers(platform, upload)}
    if not with_offset:
        del headers["Upload-Offset"]
    body = {"uploadId": str(upload.id), "videoId": None if upload.video_id is None else str(upload.video_id)}
    return JSONResponse(body, status_code=201, headers=headers)


def _progress_headers(platform: Platform, upload: TusUpload) -> dict[str, str]:
    headers = {"Upload-Offset": str(upload.offset)}
    if upload.state is not UploadState.COMPLETED:
        headers["Upload-Expires"] = format_datetime(platform.tus.expires_at(upload), usegmt=True)
    return headers


def _address(platform: Platform, upload_id: UUID) -> str:
    return f"{platform.public_url}{PATH}/{upload_id}"


def _error(error: PlatformError, path: str) -> Response:
    for kind, status, code in _STATUS_OF:
        if isinstance(error, kind):
            headers = {"Tus-Version": VERSION} if status == 412 else {}
            return error_response(status, code, error.message, error.details, headers)
    response = answer_for(error, path)
    if isinstance(error, Gone):
        response.headers["Cache-Control"] = "no-store"
    return response
