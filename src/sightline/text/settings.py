"""Settings of reading and searching text."""

from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field


def _split(value: Any) -> Any:
    return tuple(part.strip() for part in value.split(",") if part.strip()) if isinstance(value, str) else value


class TextSettings(BaseModel):
    model_config = ConfigDict(extra="forbid")

    engine: str = Field(
        "tesseract",
        min_length=1,
        description="What reads lines: tesseract, rapidocr (with the extra of that name), or one that a package has registered.",
    )
    languages: Annotated[tuple[str, ...], BeforeValidator(_split)] = Field(
        ("eng",),
        min_length=1,
        description="Languages that the text on new videos is read in, comma-separated; `sightline languages` lists what is there.",
    )
    merge_gap_ms: int = Field(
        300,
        ge=0,
        description="Longest break, in ms, within one showing of a text; after a longer one it is shown again.",
    )
    cpu_limit_s: int = Field(1800, ge=1, description="CPU time that reading a stretch of 50 key frames may take.")
    memory_limit_bytes: int = Field(
        4 * 1024**3, ge=1024**3, description="Address space that a process which reads text may use."
    )
