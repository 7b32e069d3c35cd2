"""Uppy's Companion, as far as its AwsS3 uploader needs it: thin routes over the same uploads, in Uppy's words.

Such clients cut the file as they like and never say how large it is: the first part sets the size that all others must have.
"""

from typing import Annotated, Any
from uuid import UUID

from fastapi import APIRouter, Path, Query
from pydantic import BaseModel, ConfigDict, Field

from sightline.api.dependencies import CurrentCaller, CurrentPlatform
from sightline.api.upload_answers import CONTENT_TYPES, CompleteRequest
from sightline.api.videos import need_own_video
from sightline.bootstrap import Platform
from sightline.contracts import Caller
from sightline.errors import InvalidInput, NotFound
from sightline.uploads import Upload
from sightline.uploads.store import upload_by_store_id
from sightline.videos import NewVideo
from sightline.videos.keys import original_key

router = APIRouter(prefix="/s3", tags=["uploads"])

UploadId = Annotated[str, Path(max_length=1024, description="As creating it answered.", examples=["2~b3f1"])]
_EXAMPLE_KEY = "videos/original/a1b2c3d4-e5f6-7890-abcd-ef1234567890/master.mp4"
Key = Annotated[str, Query(description="As creating it answered.", max_length=1024, examples=[_EXAMPLE_KEY])]


class CreateMultipart(BaseModel):
    model_config = ConfigDict(extra="ignore")

    filename: str = Field(min_length=1, max_length=255, examples=["lecture.mp4"])
    type: str | None = Field(None, max_length=255, examples=["video/mp4"])
    metadata: dict[str, Any] = Field(default_factory=dict, examples=[{"name": "lecture.mp4"}])


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
    """One PUT for a whole file is not offered: nothing of it could be resumed, and nobody would say when it is there."""
    raise InvalidInput("videos are uploaded in parts: give Uppy's AwsS3 the option shouldUseMultipart: true")


@router.post("/multipart")
async def create(platform: CurrentPlatform, caller: CurrentCaller, body: CreateMultipart) -> CreatedMultipart:
    """Begins an upload."""
    extension = body.filename.rpartition(".")[2].lower()
    if extension not in CONTENT_TYPES or "\0" in body.filename:
        raise InvalidInput(f"filename: {body.filename[:100]!r} ends in none of {', '.join(CONTENT_TYPES)}")

    def video(video_id: UUID) -> NewVideo:
        content_type = CONTENT_TYPES[extension]
        return NewVideo(video_id, caller.user_id, body.filename, owner_email=caller.email, content_type=content_type)

    started = await platform.uploads.start(video, None)
    return CreatedMultipart(
        key=original_key(started.video.id), uploadId=started.upload_id, bucket=platform.objects.bucket
    )


@router.get("/multipart/{upload_id}")
async def list_parts(
    platform: CurrentPlatform, caller: CurrentCaller, upload_id: UploadId, key: Key
) -> list[ListedPart]:
    """The parts that have arrived."""
    parts = await platform.uploads.refresh(await _own_upload(platform, caller, upload_id, key))
    return [ListedPart(PartNumber=part.number, ETag=f'"{part.etag}"', Size=part.size) for part in parts]


@router.get("/multipart/{upload_id}/batch")
async def sign_batch(
    platform: CurrentPlatform,
    caller: CurrentCaller,
    upload_id: UploadId,
    key: Key,
    part_numbers: Annotated[
        str, Query(alias="partNumbers", max_length=200, description="Numbers of parts.", examples=["1,2"])
    ],
) -> SignedParts:
    """Addresses of several parts."""
    upload = await _own_upload(platform, caller, upload_id, key)
    try:
        numbers = sorted({int(number) for number in part_numbers.split(",")})
    except ValueError:
        raise InvalidInput(f"partNumbers: {part_numbers!r} is no list of numbers such as 1,2") from None
    issued = await platform.uploads.urls_any(upload.video_id, numbers)
    return SignedParts(presignedUrls={one.number: one.url for one in issued})


@router.get("/multipart/{upload_id}/{part_number}")
async def sign_part(
    platform: CurrentPlatform,
    caller: CurrentCaller,
    upload_id: UploadId,
    part_number: Annotated[int, Path(ge=1, le=10_000, description="The part's number.", examples=[1])],
    key: Key,
) -> SignedPart:
    """The address of one part."""
    upload = await _own_upload(platform, caller, upload_id, key)
    (issued,) = await platform.uploads.urls_any(upload.video_id, [part_number])
    return SignedPart(url=issued.url, expires=round(platform.settings.uploads.url_expiry_s))


@router.post("/multipart/{upload_id}/complete")
async def complete(
    platform: CurrentPlatform, caller: CurrentCaller, upload_id: UploadId, key: Key, body: CompleteRequest
) -> CompletedMultipart:
    """Makes one file of the parts."""
    upload = await _own_upload(platform, caller, upload_id, key)
    named = None if body.parts is None else {part.number: part.etag for part in body.parts}
    await platform.uploads.complete(upload.video_id, named)
    return CompletedMultipart(location=f"{platform.public_url}/videos/{upload.video_id}", key=key)


@router.delete("/multipart/{upload_id}")
async def abort(platform: CurrentPlatform, caller: CurrentCaller, upload_id: UploadId, key: Key) -> Nothing:
    """Gives the upload up."""
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
