"""Settings of the object store."""

from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, SecretStr

from sightline.comma_separated import CommaSeparated


class ObjectsSettings(BaseModel):
    model_config = ConfigDict(extra="forbid")

    backend: Literal["disk", "s3"] = Field(
        "disk", description="Where objects are stored: a directory that this application serves itself, or S3."
    )
    directory: Path | None = Field(
        None, description="Directory of the disk backend. Unset: `objects` in the state directory."
    )
    bucket: str = Field("fiapx-videos", min_length=1, description="Name of the bucket that holds the videos.")
    signing_key_id: str | None = Field(
        None,
        description="Key id that signs the URLs of the disk backend. Unset: one is created in the state directory.",
    )
    signing_secret: SecretStr | None = Field(None, description="Secret of the signing key id.")
    endpoint_hosts: CommaSeparated = Field(
        (),
        description="Host names, comma-separated, for which the API's own port is the S3 endpoint of the disk backend; "
        "`bucket.name` works as well.",
    )
    endpoint_url: str | None = Field(
        None,
        description="Where S3 clients reach the endpoint of the disk backend, if a proxy in front changes the Host header.",
    )
    s3_endpoint: str | None = Field(None, description="URL of the S3 service. Unset: AWS itself.")
    s3_public_endpoint: str | None = Field(
        None, description="URL under which clients reach the S3 service, if it differs."
    )
    s3_region: str = Field("us-east-1", description="Region of the bucket.")
    s3_access_key_id: str | None = Field(None, description="Key id. Unset: the usual AWS chain of credentials.")
    s3_secret_access_key: SecretStr | None = Field(None, description="Secret of the key id.")
    minimum_free_bytes: int = Field(
        256 * 1024 * 1024,
        ge=0,
        description="With less free space than this, the disk backend refuses to store and reports itself unhealthy.",
    )
