"""The storage event of document 004, in the form in which S3 puts it on EventBridge."""

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from sightline.contracts.parsing import parse_detail

STORAGE_SOURCE = "aws.s3"
OBJECT_CREATED = "Object Created"

Reason = Literal["PutObject", "POST Object", "CopyObject", "CompleteMultipartUpload"]


class _StorageModel(BaseModel):
    # S3 may add fields at any time.
    model_config = ConfigDict(extra="ignore", frozen=True)


class Bucket(_StorageModel):
    name: str = Field(min_length=1)


class CreatedObject(_StorageModel):
    key: str = Field(min_length=1)
    size: int | None = Field(None, ge=0)
    etag: str | None = None


class ObjectCreated(_StorageModel):
    """The `detail` of the event."""

    bucket: Bucket
    object: CreatedObject
    reason: str
    version: str = "0"

    def to_detail(self) -> dict[str, Any]:
        return self.model_dump(mode="json", exclude_none=True)


def object_created(bucket: str, key: str, *, size: int, etag: str, reason: Reason) -> ObjectCreated:
    return ObjectCreated(bucket=Bucket(name=bucket), object=CreatedObject(key=key, size=size, etag=etag), reason=reason)


def parse_object_created(event: Any) -> ObjectCreated:
    """The detail of an EventBridge event. Raises `InvalidInput` that names the invalid field."""
    return parse_detail(ObjectCreated, event, name="storage event")
