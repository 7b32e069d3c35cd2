"""Uppy's Companion, as far as its AwsS3 uploader needs it: thin routes over the same uploads, in the form that Uppy expects.

Such clients cut the file as they like. What its size and that of its parts is they say only when their page puts it into the
metadata (docs/uploads.md); the upload is then bound to it as any other. Otherwise the first part sets the size of all.
"""

import json
from collections.abc import Callable, Coroutine, Mapping, Sequence
from typing import Annotated, Any
from uuid import UUID

from fastapi import APIRouter, Path, Query, Request, Response
from fastapi.routing import APIRoute
from pydantic import BaseModel, ConfigDict, Field

from sightline.api.answers.uploads import CONTENT_TYPES, CompleteRequest
from sightline.api.dependencies import CurrentCaller, CurrentPlatform
from sightline.api.serving.errors import answer_for
from sightline.api.videos import need_own_video
from sightline.bootstrap import Platform
from sightline.contracts import Caller
from sightline.contracts.values import FileName
from sightline.errors import InvalidInput, NotFound, PlatformError
from sightline.objects import MAX_OBJECT_BYTES, MAX_PART_BYTES, MAX_PARTS, StoredPart, original_key
from sightline.uploads import PartsRefused, Upload, UploadPlan, UploadState, upload_by_store_id
from sightline.uploads import list_parts as recorded_parts
from sightline.videos import NewVideo


class _InUppysWords(APIRoute):
    """Uppy 5 shows people the `message` of an error, and looks for it where Companion has it: at the top."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        handle = super().get_route_handler()

        async def answer(request: Request) -> Response:
            try:
                return await handle(request)
            except PlatformError as error:
                said = answer_for(error, request.scope["path"])
                body = json.loads(bytes(said.body))
                said.body = said.render({"message": body["error"]["message"], **body})
                said.headers["content-length"] = str(len(said.body))
                return said

        return answer


router = APIRouter(prefix="/s3", tags=["uploads"], route_class=_InUppysWords)

UploadId = Annotated[
    str, Path(max_length=1024, description="From the response that created the upload.", examples=["2~b3f1"])
]
_EXAMPLE_KEY = "videos/original/a1b2c3d4-e5f6-7890-abcd-ef1234567890/master.mp4"
Key = Annotated[
    str, Query(description="From the response that created the upload.", max_length=1024, examples=[_EXAMPLE_KEY])
]


class CreateMultipart(BaseModel):
    model_config = ConfigDict(extra="ignore")

    filename: FileName = Field(examples=["lecture.mp4"])
    type: str | None = Field(None, max_length=255, examples=["video/mp4"])
    metadata: dict[str, Any] = Field(
        default_factory=dict,
        description="Of it, `size` and `partSize` count: the bytes of the file, and of every part but the last.",
        examples=[{"name": "lecture.mp4", "size": 1_073_741_824, "partSize": 8_388_608}],
    )

    @property
    def plan(self) -> UploadPlan | None:
        """None unless the page says how it cuts the file."""
        size, part_size = _whole(self.metadata.get("size")), _whole(self.metadata.get("partSize"))
        if size is None or part_size is None:
            return None
        plan = UploadPlan(size, part_size)
        if size > MAX_OBJECT_BYTES or part_size > MAX_PART_BYTES or plan.total_parts > MAX_PARTS:
            raise InvalidInput(f"metadata: {size} bytes in parts of {part_size} are more than the store can hold")
        return plan


class CreatedMultipart(BaseModel):
    key: str = Field(examples=[_EXAMPLE_KEY])
    uploadId: str = Field(examples=["2~b3f1"])  # noqa: N815
    bucket: str = Field(examples=["fiapx-videos"])


class ListedPart(BaseModel):
    PartNumber: int = Field(examples=[1])
    ETag: str = Field(examples=['"d41d8cd98f00b204e9800998ecf8427e"'])
    Size: int = Field(examples=[8_388_608])


class SignedParts(BaseModel):
    presignedUrls: dict[int, str] = Field(examples=[{"1": "https://example.com/…"}])  # noqa: N815


class SignedPart(BaseModel):
    url: str = Field(examples=["https://example.com/…?X-Amz-Signature=…"])
    expires: int = Field(description="Seconds.", examples=[3600])


class Nothing(BaseModel):
    """An empty object."""

    model_config = ConfigDict(json_schema_extra={"examples": [{}]})


class CompletedMultipart(BaseModel):
    location: str = Field(examples=["http://127.0.0.1:8400/videos/a1b2c3d4-e5f6-7890-abcd-ef1234567890"])
    key: str = Field(examples=[_EXAMPLE_KEY])


@router.get("/params", status_code=204)
async def single_put(caller: CurrentCaller) -> None:
    """One PUT for a whole file is refused: it could not be resumed, and its end would not be reported."""
    raise InvalidInput("videos are uploaded in parts: give Uppy's AwsS3 the option shouldUseMultipart: true")


@router.post("/multipart")
async def create(platform: CurrentPlatform, caller: CurrentCaller, body: CreateMultipart) -> CreatedMultipart:
    """Start an upload."""
    extension = body.filename.rpartition(".")[2].lower()
    if extension not in CONTENT_TYPES:
        raise InvalidInput(f"filename: {body.filename[:100]!r} ends in none of {', '.join(CONTENT_TYPES)}")

    plan = body.plan

    def video(video_id: UUID) -> NewVideo:
        return NewVideo(
            id=video_id,
            owner_id=caller.user_id,
            owner_email=caller.email,
            name=body.filename,
            size_bytes=plan.total_size if plan else None,
            content_type=CONTENT_TYPES[extension],
        )

    started = await platform.uploads.start(video, plan)
    return CreatedMultipart(
        key=original_key(started.video.id), uploadId=started.upload_id, bucket=platform.objects.bucket
    )


@router.get("/multipart/{upload_id}")
async def list_parts(
    platform: CurrentPlatform, caller: CurrentCaller, upload_id: UploadId, key: Key
) -> list[ListedPart]:
    """Stored parts, also of a completed upload whose client may have missed the response."""
    upload = await _own_upload(platform, caller, upload_id, key)
    if upload.state is UploadState.COMPLETED:
        async with platform.database.transaction() as tx:
            parts = [(part.number, part.etag, part.size or 0) for part in await recorded_parts(tx, upload.video_id)]
    else:
        parts = [(part.number, part.etag, part.size) for part in await platform.uploads.refresh(upload)]
    return [ListedPart(PartNumber=number, ETag=f'"{etag}"', Size=size) for number, etag, size in parts]


@router.get("/multipart/{upload_id}/batch")
async def sign_batch(
    platform: CurrentPlatform,
    caller: CurrentCaller,
    upload_id: UploadId,
    key: Key,
    part_numbers: Annotated[
        str, Query(alias="partNumbers", max_length=200, description="Part numbers, comma-separated.", examples=["1,2"])
    ],
) -> SignedParts:
    """Signed URLs of several parts."""
    upload = await _own_upload(platform, caller, upload_id, key)
    try:
        numbers = sorted({int(number) for number in part_numbers.split(",")})
    except ValueError:
        raise InvalidInput(f"partNumbers: {part_numbers!r} is no list of numbers such as 1,2") from None
    issued = await platform.uploads.urls_of(upload.video_id, numbers)
    return SignedParts(presignedUrls={one.number: one.url for one in issued})


@router.get("/multipart/{upload_id}/{part_number}")
async def sign_part(
    platform: CurrentPlatform,
    caller: CurrentCaller,
    upload_id: UploadId,
    part_number: Annotated[int, Path(ge=1, le=10_000, description="Part number.", examples=[1])],
    key: Key,
) -> SignedPart:
    """Signed URL of one part."""
    upload = await _own_upload(platform, caller, upload_id, key)
    (issued,) = await platform.uploads.urls_of(upload.video_id, [part_number])
    return SignedPart(url=issued.url, expires=round(platform.settings.uploads.url_expiry_s))


@router.post("/multipart/{upload_id}/complete")
async def complete(
    platform: CurrentPlatform, caller: CurrentCaller, upload_id: UploadId, key: Key, body: CompleteRequest
) -> CompletedMultipart:
    """Complete the upload."""
    upload = await _own_upload(platform, caller, upload_id, key)
    named = None if body.parts is None else {part.number: part.etag for part in body.parts}
    if named is not None and upload.state is UploadState.OPEN and upload.plan is None:
        _refuse_unnamed(named, await platform.uploads.refresh(upload))
    await platform.uploads.complete(upload.video_id, named)
    return CompletedMultipart(location=f"{platform.public_url}/videos/{upload.video_id}", key=key)


@router.delete("/multipart/{upload_id}")
async def abort(platform: CurrentPlatform, caller: CurrentCaller, upload_id: UploadId, key: Key) -> Nothing:
    """Abort the upload."""
    upload = await _own_upload(platform, caller, upload_id, key)
    await platform.uploads.discard(upload.video_id)
    return Nothing()


async def _own_upload(platform: Platform, caller: Caller, upload_id: str, key: str) -> Upload:
    async with platform.database.transaction() as tx:
        upload = await upload_by_store_id(tx, upload_id)
    if upload is None or original_key(upload.video_id) != key:
        raise NotFound(f"no upload {upload_id} of {key}", code="UPLOAD_NOT_FOUND")
    await need_own_video(platform, caller, upload.video_id)
    return upload


def _refuse_unnamed(named: Mapping[int, str], stored: Sequence[StoredPart]) -> None:
    """A page that resumes with larger parts than before takes the first few for its own, and knows of no others."""
    if unnamed := [part.number for part in stored if part.number not in named]:
        raise PartsRefused(
            f"part {unnamed[0]} has arrived but is not named: the file was cut in two ways; cancel this upload and begin anew",
            details={"parts": unnamed[:100], "reason": "cut"},
        )


def _whole(given: Any) -> int | None:
    """Uppy 5 makes text of all metadata; a page may also mean something else by these words."""
    text = str(given)
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= 18 and int(text) > 0 else None
