"""Cameras and their zones."""

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Path, Query
from pydantic import BaseModel, ConfigDict, Field

from sightline.api.answers.security import CameraAnswer, CamerasAnswer, WholeCameraAnswer, ZoneAnswer
from sightline.api.dependencies import CallerTransaction, CurrentCaller, CurrentPlatform
from sightline.bootstrap import Platform
from sightline.contracts import Caller
from sightline.contracts.values import Name
from sightline.errors import InvalidInput, NotAllowed
from sightline.security import (
    Camera,
    ZoneKind,
    create_camera,
    create_zone,
    delete_zone,
    list_cameras,
    need_camera,
    normalize_camera_id,
    zones_of,
)
from sightline.security.alerts import ZoneName

router = APIRouter(prefix="/api/cameras", tags=["security events"])

_PRINTABLE_OR_NONE = r"^[^\x00-\x1f\x7f]*$"
Share = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]
CameraId = Annotated[str, Path(max_length=100, description="The camera's id.", examples=["front_door"])]


class NewCamera(BaseModel):
    model_config = ConfigDict(extra="forbid")

    name: Name = Field(examples=["Front Door"])
    camera_id: Name | None = Field(
        None,
        examples=["front_door"],
        description="Normalized: `Front Door` is `front_door`. Unset: derived from the name.",
    )
    zone: ZoneName = Field(
        "UTC", examples=["Europe/Berlin"], description="Time zone of the camera; used to decide when it is night."
    )
    team_id: UUID | None = Field(
        None, examples=[None], description="One of the caller's teams, whose members may see it."
    )


class NewZone(BaseModel):
    model_config = ConfigDict(extra="forbid")

    name: Name = Field(examples=["Porch"])
    kind: ZoneKind = Field(examples=["entry"])
    polygon: list[tuple[Share, Share]] = Field(
        min_length=3,
        max_length=100,
        examples=[[[0.1, 0.5], [0.6, 0.5], [0.6, 1.0], [0.1, 1.0]]],
        description="Corners as [x, y], from 0 to 1 of the picture's width and height.",
    )


@router.post("", status_code=201)
async def new_camera(platform: CurrentPlatform, caller: CurrentCaller, body: NewCamera) -> CameraAnswer:
    """Add a camera. Its id is normalized to letters, digits and underscores."""
    if body.team_id is not None and body.team_id not in caller.team_ids:
        raise NotAllowed(f"you are not a member of team {body.team_id}")
    camera_id = normalize_camera_id(body.camera_id or body.name)
    async with platform.database.transaction() as tx:
        camera = await create_camera(
            tx,
            camera_id=camera_id,
            name=body.name,
            owner_id=caller.user_id,
            owner_email=caller.email,
            team_id=body.team_id,
            zone=body.zone,
        )
    return CameraAnswer.of(camera)


@router.get("")
async def cameras(
    tx: CallerTransaction,
    limit: Annotated[int, Query(ge=1, le=200, description="Maximum number of results.", examples=[50])] = 50,
    cursor: Annotated[
        str,
        Query(
            max_length=120,
            pattern=_PRINTABLE_OR_NONE,
            description="`next_cursor` of the previous page.",
            examples=["front_door"],
        ),
    ] = "",
) -> CamerasAnswer:
    """The cameras that the caller may see, by id."""
    found = await list_cameras(tx, after=_read_cursor(cursor), limit=limit + 1)
    shown = found[:limit]
    following = f"{shown[-1].camera_id}~{shown[-1].camera_key}" if len(found) > len(shown) else None
    return CamerasAnswer(cameras=[CameraAnswer.of(camera) for camera in shown], next_cursor=following)


@router.get("/{camera_id}")
async def camera(tx: CallerTransaction, camera_id: CameraId) -> WholeCameraAnswer:
    """One camera with its zones."""
    found = await need_camera(tx, normalize_camera_id(camera_id))
    zones = [ZoneAnswer.of(zone) for zone in await zones_of(tx, found.camera_id, owner_id=found.owner_id)]
    return WholeCameraAnswer(**CameraAnswer.of(found).model_dump(), zones=zones)


@router.post("/{camera_id}/zones", status_code=201)
async def new_zone(platform: CurrentPlatform, caller: CurrentCaller, camera_id: CameraId, body: NewZone) -> ZoneAnswer:
    """Add a zone to a camera of the caller's own."""
    found = await _own_camera(platform, caller, camera_id)
    async with platform.database.transaction() as tx:
        return ZoneAnswer.of(await create_zone(tx, found, name=body.name, kind=body.kind, polygon=body.polygon))


@router.delete("/{camera_id}/zones/{zone_id}", status_code=204)
async def remove_zone(
    platform: CurrentPlatform,
    caller: CurrentCaller,
    camera_id: CameraId,
    zone_id: Annotated[int, Path(ge=1, le=2**62, description="The zone's id.", examples=[1])],
) -> None:
    """Remove a zone from a camera of the caller's own."""
    found = await _own_camera(platform, caller, camera_id)
    async with platform.database.transaction() as tx:
        await delete_zone(tx, found, zone_id)


def _read_cursor(text: str) -> tuple[str, UUID] | None:
    """An id alone is a cursor of an earlier version, after which every camera of that id was listed."""
    camera_id, mark, key = text.partition("~")
    try:
        return (camera_id, UUID(key) if mark else UUID(int=2**128 - 1)) if text else None
    except ValueError:
        raise InvalidInput("Invalid cursor") from None


async def _own_camera(platform: Platform, caller: Caller, camera_id: str) -> Camera:
    """Team members may read; owners and operators may change."""
    async with platform.database.as_caller(caller.claims()) as tx:
        found = await need_camera(tx, normalize_camera_id(camera_id))
    if found.owner_id != caller.user_id and not caller.is_operator:
        raise NotAllowed(f"camera {found.camera_id} belongs to another member of your team")
    return found
