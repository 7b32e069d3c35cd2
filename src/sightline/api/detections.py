"""Detections: reported by any detector, one or many per request, with or without images."""

import json
from collections.abc import Sequence
from typing import Annotated, Any
from uuid import UUID

from fastapi import APIRouter, Body, Query
from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Discriminator,
    Field,
    StringConstraints,
    Tag,
)

from sightline.api.answers.security import EXAMPLE_BATCH, EXAMPLE_TIME, DetectionAnswer, DetectionsAnswer
from sightline.api.dependencies import CallerTransaction, CurrentCaller, CurrentPlatform
from sightline.api.picture_urls import picture_url
from sightline.bootstrap import Platform
from sightline.contracts.values import NO_CONTROL_CHARACTERS, Moment
from sightline.security import check_cameras, normalize_camera_id
from sightline.security.detections import Detection, NewDetection, ReceivedDetection, read_image, recent_detections
from sightline.timing import utc_now

MAX_DETECTIONS_PER_REQUEST = 1000
MAX_ATTRIBUTES_LENGTH = 4000

_EXAMPLE = {"camera_id": "front_door", "object_type": "person", "confidence": 0.93, "bbox": [0.2, 0.3, 0.1, 0.4]}

router = APIRouter(prefix="/api/detections", tags=["security events"])


def _storable(attributes: dict[str, Any]) -> dict[str, Any]:
    try:
        text = json.dumps(attributes, allow_nan=False, ensure_ascii=False)
        text.encode()
    except (ValueError, RecursionError) as error:
        raise ValueError("attributes are not valid JSON") from error
    if len(text) > MAX_ATTRIBUTES_LENGTH:
        raise ValueError(f"attributes are longer than {MAX_ATTRIBUTES_LENGTH} characters")
    return attributes


Word = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=1, max_length=64, pattern=NO_CONTROL_CHARACTERS),
]
Share = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]


class DetectionBody(BaseModel):
    model_config = ConfigDict(extra="forbid")

    camera_id: Word = Field(examples=["front_door"], description="Normalized: `Front Door` is `front_door`.")
    object_type: Word = Field(examples=["person"])
    confidence: Share = Field(examples=[0.93])
    detected_at: Moment | None = Field(None, examples=[EXAMPLE_TIME], description="Unset: now.")
    bbox: tuple[Share, Share, Share, Share] | None = Field(
        None, examples=[[0.2, 0.3, 0.1, 0.4]], description="x, y, width, height, from 0 to 1 of the picture."
    )
    image: str | None = Field(None, examples=[None], description="A JPEG or PNG picture, in base64.")
    attributes: Annotated[dict[str, Any], AfterValidator(_storable)] = Field(
        default_factory=dict, examples=[{"license_plate": "B-XY 12"}], description="Further data."
    )
    source_id: Word | None = Field(
        None, examples=["cam1-000017"], description="The detector's own id; reported again, it is the same detection."
    )


class DetectionsBody(BaseModel):
    model_config = ConfigDict(extra="forbid")

    detections: list[DetectionBody] = Field(min_length=1, max_length=MAX_DETECTIONS_PER_REQUEST)


def _one_or_many(body: Any) -> str:
    """Which of the two the body is, so that validation errors are about that one only."""
    return "many" if isinstance(body, DetectionsBody) or (isinstance(body, dict) and "detections" in body) else "one"


Reported = Annotated[
    Annotated[DetectionBody, Tag("one")] | Annotated[DetectionsBody, Tag("many")], Discriminator(_one_or_many)
]


class TakenInAnswer(BaseModel):
    id: int | None = Field(examples=[17], description="Null if it was reported before, or stands inside a mask.")
    batch_id: str | None = Field(examples=[EXAMPLE_BATCH])
    is_fast_path: bool = Field(examples=[False], description="It is assessed at once.")

    @classmethod
    def of(cls, received: ReceivedDetection) -> "TakenInAnswer":
        return cls(id=received.detection_id, batch_id=received.batch_id, is_fast_path=received.is_fast_path)


class IntakeAnswer(BaseModel):
    taken_in: int = Field(examples=[1], description="How many were new.")
    detections: list[TakenInAnswer] = Field(description="In the order in which they were reported.")


@router.post("", status_code=201)
async def report(
    platform: CurrentPlatform, caller: CurrentCaller, body: Annotated[Reported, Body(examples=[_EXAMPLE])]
) -> IntakeAnswer:
    """Report what was seen: one detection, or `{"detections": [...]}` with up to a thousand. All are kept, or none."""
    reported = body.detections if isinstance(body, DetectionsBody) else [body]
    camera_ids = [normalize_camera_id(one.camera_id) for one in reported]
    async with platform.database.as_caller(caller.claims()) as tx:
        keys = await check_cameras(tx, list(dict.fromkeys(camera_ids)))
    images = [None if one.image is None else read_image(one.image) for one in reported]
    now = utc_now()
    new = [
        NewDetection(
            camera_key=keys[camera_id],
            camera_id=camera_id,
            object_type=one.object_type.casefold(),
            confidence=one.confidence,
            detected_at=one.detected_at or now,
            box=one.bbox,
            attributes=one.attributes,
            source_id=one.source_id,
            is_posted=True,
        )
        for one, camera_id in zip(reported, camera_ids, strict=True)
    ]
    received = await platform.security.incoming.receive_with_images(new, images, now=now)
    return IntakeAnswer(
        taken_in=sum(one.detection_id is not None for one in received),
        detections=[TakenInAnswer.of(one) for one in received],
    )


@router.get("")
async def detections(
    platform: CurrentPlatform,
    tx: CallerTransaction,
    camera_id: Annotated[
        str | None, Query(max_length=100, description="Only of this camera.", examples=["front_door"])
    ] = None,
    video_id: Annotated[
        UUID | None, Query(description="In this video: its id is `video_id` in their attributes.", examples=[None])
    ] = None,
    limit: Annotated[int, Query(ge=1, le=200, description="Maximum number of detections.", examples=[50])] = 50,
    cursor: Annotated[
        int | None, Query(ge=1, le=2**62, description="`next_cursor` of the previous page.", examples=[17])
    ] = None,
) -> DetectionsAnswer:
    """The newest detections of cameras that the caller may see."""
    only_camera_id = None if camera_id is None else normalize_camera_id(camera_id)
    found = await recent_detections(tx, camera_id=only_camera_id, video_id=video_id, before=cursor, limit=limit + 1)
    shown = found[:limit]
    following = shown[-1].id if len(found) > len(shown) else None
    return DetectionsAnswer(detections=await with_images(platform, shown), next_cursor=following)


async def with_images(platform: Platform, found: Sequence[Detection]) -> list[DetectionAnswer]:
    return [DetectionAnswer.of(one, await picture_url(platform.objects, one.image_key)) for one in found]
