"""Settings of stored bytes."""

from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, SecretStr


class ObjectsSettings(BaseModel):
    model_config = ConfigDict(extra="forbid")

    directory: Path | None = Field(
        None, description="The disk keeper's directory. Unset: `objects` in the state directory."
    )
    bucket: str = Field("fiapx-videos", min_length=1, description="Name of the bucket that holds the videos.")
    s3_endpoint: str | None = Field(None, description="Address of the S3 service. Unset: AWS itself.")
    s3_region: str = Field("us-east-1", description="Region of the bucket.")
    s3_access_key_id: str | None = Field(None, description="Key id. Unset: the usual AWS chain of credentials.")
    s3_secret_access_key: SecretStr | None = Field(None, description="Secret of the key id.")
    minimum_free_bytes: int = Field(
        256 * 1024 * 1024, ge=0, description="The disk keeper is not well with less free space than this."
    )
