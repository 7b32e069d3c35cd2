"""What the motion gate of a camera has learned to ignore: trees, flags, timestamps."""

import base64
from typing import Annotated, Self

from fastapi import APIRouter, Query
from pydantic import BaseModel, Field

from sightline.api.answers.security import EXAMPLE_TIME
from sightline.api.cameras import CameraId, own_camera
from sightline.api.dependencies import CallerTransaction, CurrentCaller, CurrentPlatform
from sightline.cameras import LearnedMask, LearnedMotion, read_learned_mask, watch_anew
from sightline.errors import NotFound
from sightline.security import need_camera, normalize_camera_id
from sightline.timing import iso_utc

router = APIRouter(prefix="/api/cameras/{camera_id}/motion", tags=["cameras"])


class MotionAnswer(BaseModel):
    learned_at: str = Field(examples=[EXAMPLE_TIME], description="When it was stored; that is done every two minutes.")
    share: float = Field(examples=[0.08], description="The part of the picture in which motion is ignored.")
    rows: int = Field(examples=[2])
    columns: int = Field(examples=[3])
    cells: list[str] = Field(examples=[["000", "011"]], description="Top row first; 1 where motion is ignored.")
    picture: str = Field(
        examples=["data:image/png;base64,iVBORw0KGgo…"],
        description="The same as a PNG with a pixel per cell, to be laid over the camera's picture.",
    )

    @classmethod
    def of(cls, mask: LearnedMask, learned_at: str) -> Self:
        return cls(
            learned_at=learned_at,
            share=round(mask.share, 4),
            rows=mask.rows,
            columns=mask.columns,
            cells=mask.lines(),
            picture="data:image/png;base64," + base64.b64encode(mask.png()).decode(),
        )


@router.get("")
async def learned_motion(
    platform: CurrentPlatform,
    tx: CallerTransaction,
    camera_id: CameraId,
    or_null: Annotated[
        bool, Query(description="Answer null, not an error, if nothing has been learned yet.", examples=[True])
    ] = False,
) -> MotionAnswer | None:
    """Where motion is ignored, since something there moves all the time."""
    camera = await need_camera(tx, normalize_camera_id(camera_id))
    found = await LearnedMotion(platform.objects).find(camera.camera_key)
    if found is None:
        if or_null:
            return None
        raise NotFound(f"camera {camera.camera_id} has learned nothing yet", code="MOTION_NOT_FOUND")
    state, stored_at = found
    return MotionAnswer.of(read_learned_mask(state), iso_utc(stored_at))


@router.delete("", status_code=204)
async def forget_motion(platform: CurrentPlatform, caller: CurrentCaller, camera_id: CameraId) -> None:
    """Forget what was learned; the camera is connected again and learns anew."""
    camera = await own_camera(platform, caller, camera_id)
    async with platform.database.transaction() as tx:
        await watch_anew(tx, camera.camera_key)
    await LearnedMotion(platform.objects).forget(camera.camera_key)
