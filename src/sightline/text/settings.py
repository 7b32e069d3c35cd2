"""Settings of reading text, and of its copy in OpenSearch."""

from pydantic import BaseModel, ConfigDict, Field, SecretStr

from sightline.comma_separated import CommaSeparated
from sightline.text.languages.catalogue import REGISTRY


class TextSettings(BaseModel):
    model_config = ConfigDict(extra="forbid")

    engine: str = Field(
        "combined",
        min_length=1,
        description="OCR engine: combined (PP-OCR and Tesseract), tesseract, rapidocr (PP-OCR alone), "
        "or one that a package registers.",
    )
    languages: CommaSeparated = Field(
        ("eng",),
        min_length=1,
        description="Languages of the text on new videos, comma-separated; `sightline languages` lists those installed.",
    )
    language_registry: str = Field(
        REGISTRY,
        pattern=r"^https?://",
        description="npm registry, or a mirror of one, that `sightline languages add` downloads from.",
    )
    merge_gap_ms: int = Field(
        300,
        ge=0,
        description="Longest break, in ms, within one segment; after a longer one the text becomes a new segment.",
    )
    cpu_limit_s: int = Field(
        1800, ge=1, description="CPU time limit, in seconds, for reading a chunk of 100 key frames."
    )
    memory_limit_bytes: int = Field(
        4 * 1024**3, ge=1024**3, description="Address space limit of a process that reads text."
    )


class OpenSearchSettings(BaseModel):
    model_config = ConfigDict(extra="forbid")

    url: str | None = Field(
        None,
        pattern=r"^https?://[^/@]+(/[^?#]*)?$",
        description="Address of an OpenSearch (or Elasticsearch) server that gets a copy of all searchable text. Unset: none does.",
    )
    index: str = Field(
        "sightline-segments",
        pattern=r"^[a-z0-9][a-z0-9._-]{0,200}$",
        description="Name of its index; it is created with its mapping if it is missing.",
    )
    username: str | None = Field(None, min_length=1, description="User name, if the server wants one.")
    password: SecretStr | None = Field(None, description="Password of that user.")
    timeout_s: float = Field(60.0, gt=0, le=600, description="Longest time for one request to the server.")
