"""Detections: any detector tells what it saw, one at a time or many at once, with or without pictures."""

import base64
import binascii
import json
from collections.abc import Sequence
from typing import Annotated, Any
from uuid import UUID, uuid4

from fastapi import APIRouter, Body, Query
from pydantic import (
    AfterValidator,
    AwareDatetime,
    BaseModel,
    ConfigDict,
    Discriminator,
    Field,
    StringConstraints,
    Tag,
)

from sightline.api.answers.security import EXAMPLE_BATCH, EXAMPLE_TIME, DetectionAnswer, DetectionsAnswer
from sightline.api.dependencies import CallerTransaction, CurrentCaller, CurrentPlatform
from sightline.bootstrap import Platform
from sightline.errors import InvalidInput
from sightline.objects import detection_image_key
from sightline.security.camera import normalize_camera_id
from sightline.security.cameras_store import check_cameras
from sightline.security.detections.batches_store import recent_detections
from sightline.security.detections.detection import Detection, NewDetection
from sightline.security.detections.incoming import TakenIn
from sightline.timing import utc_now

MOST_AT_ONCE = 1000
LARGEST_ATTRIBUTES = 4000
IMAGE_SHOWN_S = 3600.0
_IMAGES = {b"\xff\xd8\xff": "jpg", b"\x89PNG\r\n\x1a\n": "png"}

_EXAMPLE = {"camera_id": "front_door", "object_type": "person", "confidence": 0.93, "bbox": [0.2, 0.3, 0.1, 0.4]}

router = APIRouter(prefix="/api/detections", tags=["security events"])


def _storable(attributes: dict[str, Any]) -> dict[str, Any]:
    try:
        text = json.dumps(attributes, allow_nan=False)
        text.encode()
    except (ValueError, RecursionError) as error:
        raise ValueError("these are not JSON") from error
    if len(text) > LARGEST_ATTRIBUTES:
        raise ValueError(f"these are longer than {LARGEST_ATTRIBUTES} characters")
    if "\\u0000" in text or "\\ud" in text.lower():
        raise ValueError("a text contains a character that cannot be stored")
    return attributes


Word = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=1, max_length=64, pattern=r"^[^\x00-\x1f\x7f]+$"),
]
Share = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]


class DetectionBody(BaseModel):
    model_config = ConfigDict(extra="forbid")

    camera_id: Word = Field(examples=["front_door"], description="Normalized: `Front Door` is `front_door`.")
    object_type: Word = Field(examples=["person"])
    confidence: Share = Field(examples=[0.93])
    detected_at: AwareDatetime | None = Field(None, examples=[EXAMPLE_TIME], description="Unset: now.")
    bbox: tuple[Share, Share, Share, Share] | None = Field(
        None, examples=[[0.2, 0.3, 0.1, 0.4]], description="x, y, width, height, from 0 to 1 of the picture."
    )
    image: str | None = Field(None, examples=[None], description="A JPEG or PNG picture, in base64.")
    attributes: Annotated[dict[str, Any], AfterValidator(_storable)] = Field(
        default_factory=dict, examples=[{"license_plate": "B-XY 12"}], description="Whatever else is known."
    )
    source_id: Word | None = Field(
        None, examples=["cam1-000017"], description="The detector's own id; told again, it is the same detection."
    )


class DetectionsBody(BaseModel):
    model_config = ConfigDict(extra="forbid")

    detections: list[DetectionBody] = Field(min_length=1, max_length=MOST_AT_ONCE)


def _one_or_many(body: Any) -> str:
    """Tells which is meant, so that what is wrong is said about that one alone."""
    return "many" if isinstance(body, DetectionsBody) or (isinstance(body, dict) and "detections" in body) else "one"


Told = Annotated[
    Annotated[DetectionBody, Tag("one")] | Annotated[DetectionsBody, Tag("many")], Discriminator(_one_or_many)
]


class TakenInAnswer(BaseModel):
    id: int | None = Field(examples=[17], description="Null if it was told before.")
    batch_id: str | None = Field(examples=[EXAMPLE_BATCH])
    is_fast_path: bool = Field(examples=[False], description="It is assessed at once.")

    @classmethod
    def of(cls, taken: TakenIn) -> "TakenInAnswer":
        return cls(id=taken.detection_id, batch_id=taken.batch_id, is_fast_path=taken.is_fast_path)


class IntakeAnswer(BaseModel):
    taken_in: int = Field(examples=[1], description="How many were new.")
    detections: list[TakenInAnswer] = Field(description="In the order in which they were told.")


@router.post("", status_code=201)
async def tell(
    platform: CurrentPlatform, caller: CurrentCaller, body: Annotated[Told, Body(examples=[_EXAMPLE])]
) -> IntakeAnswer:
    """Tell what was seen: one detection, or `{"detections": [...]}` with up to a thousand. All are kept, or none."""
    told = body.detections if isinstance(body, DetectionsBody) else [body]
    camera_ids = [normalize_camera_id(one.camera_id) for one in told]
    async with platform.database.as_caller(caller.claims()) as tx:
        await check_cameras(tx, list(dict.fromkeys(camera_ids)))
    pictures = [None if one.image is None else _picture(one.image) for one in told]
    now = utc_now()
    new = [
        NewDetection(
            camera_id=camera_id,
            object_type=one.object_type.casefold(),
            confidence=one.confidence,
            detected_at=one.detected_at or now,
            box=one.bbox,
            attributes=one.attributes,
            source_id=one.source_id,
            image_key=None if picture is None else detection_image_key(camera_id, now, uuid4(), picture[1]),
        )
        for one, camera_id, picture in zip(told, camera_ids, pictures, strict=True)
    ]
    taken = await _keep(platform, new, [picture[0] if picture else None for picture in pictures])
    return IntakeAnswer(
        taken_in=sum(one.detection_id is not None for one in taken),
        detections=[TakenInAnswer.of(one) for one in taken],
    )


@router.get("")
async def detections(
    platform: CurrentPlatform,
    tx: CallerTransaction,
    camera_id: Annotated[str | None, Query(max_length=100, description="Of it alone.", examples=["front_door"])] = None,
    video_id: Annotated[
        UUID | None, Query(description="In this video: its id is `video_id` in their attributes.", examples=[None])
    ] = None,
    limit: Annotated[int, Query(ge=1, le=200, description="How many at the most.", examples=[50])] = 50,
    cursor: Annotated[int | None, Query(ge=1, le=2**62, description="From `next_cursor`.", examples=[17])] = None,
) -> DetectionsAnswer:
    """The newest detections of cameras that the caller may see."""
    wanted = None if camera_id is None else normalize_camera_id(camera_id)
    found = await recent_detections(tx, camera_id=wanted, video_id=video_id, before=cursor, most=limit + 1)
    shown = found[:limit]
    following = shown[-1].id if len(found) > len(shown) else None
    return DetectionsAnswer(detections=await with_images(platform, shown), next_cursor=following)


async def with_images(platform: Platform, found: Sequence[Detection]) -> list[DetectionAnswer]:
    answers = []
    for one in found:
        url = None
        if one.image_key is not None:
            url = await platform.objects.sign_get(one.image_key, expires_s=IMAGE_SHOWN_S)
        answers.append(DetectionAnswer.of(one, url))
    return answers


async def _keep(platform: Platform, new: Sequence[NewDetection], pictures: Sequence[bytes | None]) -> list[TakenIn]:
    """Pictures first, so that no row ever names one that is not there; those of detections that are not kept go again."""
    keys = [one.image_key for one in new]
    stored = []
    try:
        for key, picture in zip(keys, pictures, strict=True):
            if key is not None and picture is not None:
                await platform.objects.put(key, picture)
                stored.append(key)
        taken = await platform.security.intake.take_in(new)
    except BaseException:
        await platform.objects.delete(stored)
        raise
    if unused := [key for key, one in zip(keys, taken, strict=True) if key is not None and one.detection_id is None]:
        await platform.objects.delete(unused)
    return taken


def _picture(text: str) -> tuple[bytes, str]:
    """The bytes, and the ending that tells their type."""
    try:
        content = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError) as error:
        raise InvalidInput("image: not base64") from error
    for magic, ending in _IMAGES.items():
        if content.startswith(magic):
            return content, ending
    raise InvalidInput("image: neither JPEG nor PNG")
