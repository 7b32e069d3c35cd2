"""Snoozes of cameras: the caller is not alerted by a camera until a moment."""

from fastapi import APIRouter
from pydantic import BaseModel, Field

from sightline.api.cameras import CameraId
from sightline.api.dependencies import CallerTransaction, CurrentCaller, CurrentPlatform
from sightline.api.events.snooze_body import SnoozeUntil
from sightline.security import Camera, need_camera, normalize_camera_id
from sightline.security.alerts import CameraSnooze, camera_snooze, snooze_camera
from sightline.timing import iso_utc

router = APIRouter(prefix="/api/cameras", tags=["security events"])


class CameraSnoozeBody(SnoozeUntil):
    lets_critical: bool = Field(True, examples=[True], description="Critical events notify all the same.")


class CameraSnoozeAnswer(BaseModel):
    camera_id: str = Field(examples=["front_door"])
    snoozed_until: str | None = Field(examples=["2030-12-23T18:00:00.000Z"])
    lets_critical: bool = Field(examples=[True])

    @classmethod
    def of(cls, camera: Camera, snooze: CameraSnooze | None) -> "CameraSnoozeAnswer":
        return cls(
            camera_id=camera.camera_id,
            snoozed_until=None if snooze is None else iso_utc(snooze.until),
            lets_critical=snooze is None or snooze.lets_critical,
        )


@router.get("/{camera_id}/snooze")
async def get_snooze(tx: CallerTransaction, caller: CurrentCaller, camera_id: CameraId) -> CameraSnoozeAnswer:
    """Until when the caller is not alerted by the camera."""
    camera = await need_camera(tx, normalize_camera_id(camera_id))
    return CameraSnoozeAnswer.of(camera, await camera_snooze(tx, camera.camera_key, caller.user_id))


@router.patch("/{camera_id}/snooze")
async def snooze(
    platform: CurrentPlatform, caller: CurrentCaller, camera_id: CameraId, body: CameraSnoozeBody
) -> CameraSnoozeAnswer:
    """No alerts of this camera for the caller until a moment; without one, alerts again. Events are created all the same."""
    async with platform.database.as_caller(caller.claims()) as tx:
        camera = await need_camera(tx, normalize_camera_id(camera_id))
    until = body.moment
    wanted = None if until is None else CameraSnooze(until, body.lets_critical)
    async with platform.database.transaction() as tx:
        await snooze_camera(tx, camera.camera_key, caller.user_id, wanted)
    return CameraSnoozeAnswer.of(camera, wanted)
