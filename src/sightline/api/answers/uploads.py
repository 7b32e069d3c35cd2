"""Requests and responses of the endpoints of document 004."""

from collections import Counter
from typing import Annotated, Self
from uuid import UUID

from pydantic import AliasChoices, BaseModel, ConfigDict, Field, StringConstraints, field_validator, model_validator
from pydantic.alias_generators import to_camel

from sightline.api.videos import EXAMPLE_ID, CamelAnswer
from sightline.contracts.values import NO_CONTROL_CHARACTERS, FileName
from sightline.errors import InvalidInput
from sightline.timing import iso_utc
from sightline.uploads import IssuedUrls, ResumableUpload, StartedUpload, Upload, UploadPart, percentage
from sightline.videos import Video, VideoStatus

CONTENT_TYPES = {
    "mp4": "video/mp4",
    "mov": "video/quicktime",
    "avi": "video/x-msvideo",
    "mkv": "video/x-matroska",
    "webm": "video/webm",
    "m4v": "video/mp4",
    "ts": "video/mp2t",
    "m2ts": "video/mp2t",
    "mts": "video/mp2t",
    "mpg": "video/mpeg",
    "mpeg": "video/mpeg",
    "m2v": "video/mpeg",
    "flv": "video/x-flv",
    "ogv": "video/ogg",
    "wmv": "video/x-ms-wmv",
    "asf": "video/x-ms-asf",
    "gif": "image/gif",
    "webp": "image/webp",
    "h264": "video/h264",
    "264": "video/h264",
    "hevc": "video/h265",
    "265": "video/h265",
}

Etag = Annotated[str, StringConstraints(min_length=1, max_length=200, pattern=NO_CONTROL_CHARACTERS)]
_LONGEST_DURATION_MS = 1000 * 24 * 3600 * 1000


class _CamelRequest(BaseModel):
    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True, extra="ignore")


class CreateVideoRequest(_CamelRequest):
    total_size: int = Field(
        description="Bytes of the whole file.", examples=[1_073_741_824], json_schema_extra={"exclusiveMinimum": 0}
    )
    duration: int | None = Field(
        None, ge=0, le=_LONGEST_DURATION_MS, description="Milliseconds, if known.", examples=[61_000]
    )
    filename: FileName = Field(examples=["lecture.mp4"])
    extension: str | None = Field(
        None, description="Ending of a video file, such as mp4, mov or gif; else the filename's.", examples=["mp4"]
    )
    part_size: int | None = Field(
        None,
        description="Preferred bytes per part, 5 MiB to 5 GiB; larger where there would be over 10,000 parts. Unset: 32 MiB.",
        examples=[8_388_608],
    )
    team_id: UUID | None = Field(
        None,
        description="A team of yours to which the video belongs; one of the identity provider may see it.",
        examples=[None],
    )

    @field_validator("filename")
    @classmethod
    def _is_a_name(cls, filename: str) -> str:
        if not filename.strip():
            raise ValueError("must contain a name")
        return filename

    @property
    def content_type(self) -> str:
        """By the given extension, or else by the filename's."""
        given = self.extension if self.extension is not None else self.filename.rpartition(".")[2]
        found = CONTENT_TYPES.get(given.strip().lower().removeprefix("."))
        if found is None:
            raise InvalidInput(f"extension: {given[:20]!r} is none of {', '.join(CONTENT_TYPES)}")
        return found

    @field_validator("total_size")
    @classmethod
    def _is_not_empty(cls, size: int) -> int:
        if size <= 0:
            raise ValueError("This file is empty")
        return size


class StartedAnswer(CamelAnswer):
    video_id: UUID = Field(examples=[EXAMPLE_ID])
    upload_id: str = Field(examples=["2~b3f1"])
    status: str = Field(examples=["CREATED"])
    total_parts: int | None = Field(examples=[32])
    part_size: int | None = Field(description="Bytes of every part but the last.", examples=[33_554_432])
    total_size: int | None = Field(examples=[1_073_741_824])

    @classmethod
    def of(cls, started: StartedUpload) -> Self:
        plan = started.plan
        return cls(
            video_id=started.video.id,
            upload_id=started.upload_id,
            status=started.video.status,
            total_parts=plan.total_parts if plan else None,
            part_size=plan.part_size if plan else None,
            total_size=plan.total_size if plan else None,
        )


class UrlAnswer(CamelAnswer):
    part_number: int = Field(examples=[1])
    url: str = Field(description="PUT the part's bytes here.", examples=["https://example.com/…?X-Amz-Signature=…"])
    size: int | None = Field(description="Bytes that the part must have.", examples=[33_554_432])
    expires_at: str = Field(examples=["2026-01-17T11:00:00.000Z"])


class PartAnswer(CamelAnswer):
    part_number: int = Field(examples=[1])
    etag: str = Field(examples=["d41d8cd98f00b204e9800998ecf8427e"])
    uploaded_at: str = Field(examples=["2026-01-17T10:00:00.000Z"])

    @classmethod
    def of(cls, part: UploadPart) -> Self:
        return cls(part_number=part.number, etag=part.etag, uploaded_at=iso_utc(part.uploaded_at))


class UrlsAnswer(CamelAnswer):
    video_id: UUID = Field(examples=[EXAMPLE_ID])
    urls: list[UrlAnswer]
    etags: list[PartAnswer] = Field(description="Requested parts that have arrived, reported or not; they need no URL.")
    next_part_number: int | None = Field(description="The next part number; null after the last.", examples=[21])

    @classmethod
    def of(cls, video_id: UUID, issued: IssuedUrls) -> Self:
        urls = [
            UrlAnswer(part_number=one.number, url=one.url, size=one.size, expires_at=iso_utc(one.expires_at))
            for one in issued.urls
        ]
        etags = [PartAnswer.of(part) for part in issued.uploaded]
        return cls(video_id=video_id, urls=urls, etags=etags, next_part_number=issued.following)


class PartRequest(_CamelRequest):
    etag: Etag = Field(
        description="ETag returned by the store, with or without quotes.", examples=['"d41d8cd98f00b204"']
    )


class ProgressAnswer(CamelAnswer):
    video_id: UUID = Field(examples=[EXAMPLE_ID])
    status: str = Field(examples=["UPLOADING"])
    total_parts: int | None = Field(examples=[100])
    uploaded_parts: int = Field(examples=[45])
    percentage: int = Field(examples=[45])
    part_size: int | None = Field(None, examples=[33_554_432])
    total_size: int | None = Field(None, examples=[3_355_443_200])
    uploaded_bytes: int = Field(0, description="Bytes that are kept if the upload stops now.", examples=[1_509_949_440])
    parts: list[PartAnswer]

    @classmethod
    def of(cls, video: Video, upload: Upload | None, parts: list[UploadPart]) -> Self:
        # A video that was dropped into the store had no parts; it is all there.
        is_whole = upload is None and not video.status.is_before_uploaded
        total = upload.total_parts if upload else (1 if is_whole else None)
        return cls(
            video_id=video.id,
            status=video.status,
            total_parts=total,
            uploaded_parts=1 if is_whole else len(parts),
            percentage=100 if is_whole else percentage(len(parts), total),
            part_size=upload.part_size if upload else None,
            total_size=upload.total_size if upload else video.size_bytes,
            uploaded_bytes=(video.size_bytes or 0) if is_whole else _bytes_of(upload, parts),
            parts=[PartAnswer.of(part) for part in parts],
        )


def _bytes_of(upload: Upload | None, parts: list[UploadPart]) -> int:
    """Of parts that were only reported, the plan knows the size."""
    plan = upload.plan if upload else None
    return sum(part.size if part.size is not None else plan.size_of(part.number) if plan else 0 for part in parts)


class NamedPart(_CamelRequest):
    number: int = Field(
        validation_alias=AliasChoices("part", "partNumber", "PartNumber"), ge=1, le=10_000, examples=[1]
    )
    etag: Etag = Field(
        validation_alias=AliasChoices("etag", "eTag", "ETag"), examples=["d41d8cd98f00b204e9800998ecf8427e"]
    )


class CompleteRequest(_CamelRequest):
    parts: list[NamedPart] | None = Field(
        None,
        max_length=10_000,
        description="Unset: all parts that the store has, reported or not.",
        examples=[[{"part": 1, "etag": "d41d8cd9"}]],
    )

    @model_validator(mode="after")
    def _names_each_part_once(self) -> Self:
        counted = Counter(part.number for part in self.parts or ())
        if doubled := [number for number, times in counted.items() if times > 1]:
            raise ValueError(f"parts: part {min(doubled)} is named twice")
        return self


class CompletedAnswer(CamelAnswer):
    video_id: UUID = Field(examples=[EXAMPLE_ID])
    status: str = Field(examples=["UPLOADED"])
    size_bytes: int | None = Field(examples=[1_073_741_824])

    @classmethod
    def of(cls, video: Video) -> Self:
        # The answer is the same however far the pipeline has come since.
        status = video.status if video.status is VideoStatus.FAILED else VideoStatus.UPLOADED
        return cls(video_id=video.id, status=status, size_bytes=video.size_bytes)


class UnfinishedUpload(CamelAnswer):
    video_id: UUID = Field(examples=[EXAMPLE_ID])
    name: str = Field(examples=["lecture.mp4"])
    status: str = Field(examples=["UPLOADING"])
    total_size: int | None = Field(examples=[3_355_443_200])
    part_size: int | None = Field(examples=[33_554_432])
    total_parts: int | None = Field(examples=[100])
    uploaded_parts: int = Field(examples=[45])
    uploaded_bytes: int = Field(description="Bytes that have arrived and are kept.", examples=[1_509_949_440])
    percentage: int = Field(examples=[45])
    created_at: str = Field(examples=["2026-01-17T10:00:00.000Z"])
    active_at: str = Field(description="Time of the last part or URL request.", examples=["2026-01-17T10:00:01.000Z"])

    @classmethod
    def of(cls, one: ResumableUpload) -> Self:
        return cls(
            video_id=one.video_id,
            name=one.name,
            status=one.status,
            total_size=one.total_size,
            part_size=one.part_size,
            total_parts=one.total_parts,
            uploaded_parts=one.uploaded_parts,
            uploaded_bytes=one.uploaded_bytes,
            percentage=percentage(one.uploaded_parts, one.total_parts),
            created_at=iso_utc(one.created_at),
            active_at=iso_utc(one.active_at),
        )


class UnfinishedAnswer(CamelAnswer):
    uploads: list[UnfinishedUpload]
