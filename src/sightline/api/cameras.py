"""Cameras and where their pictures come from; their zones are in `camera_zones`."""

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Path, Query
from pydantic import BaseModel, ConfigDict, Field

from sightline.api.answers.cameras import CamerasAnswer, WatchedCameraAnswer, WholeCameraAnswer
from sightline.api.camera_sources.bodies import SourceBody, StoredSource, source_change
from sightline.api.camera_sources.uploads import upload_of
from sightline.api.dependencies import CallerTransaction, CurrentCaller, CurrentPlatform
from sightline.bootstrap import Platform
from sightline.cameras import (
    CameraSource,
    count_sources,
    create_source,
    delete_source,
    notify_changed,
    open_secrets,
    replace_source,
    sealed_secrets,
    source_of,
    sources_of,
)
from sightline.contracts import Caller
from sightline.contracts.values import Name
from sightline.db import Transaction
from sightline.errors import InvalidInput, NotAllowed, PermanentFailure, QuotaExceeded
from sightline.security import (
    Camera,
    create_camera,
    delete_camera,
    list_cameras,
    need_camera,
    normalize_camera_id,
    update_camera,
    zones_of,
)
from sightline.security.alerts import ZoneName

router = APIRouter(prefix="/api/cameras", tags=["security events"])

_PRINTABLE_OR_NONE = r"^[^\x00-\x1f\x7f]*$"
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
    source: SourceBody | None = Field(
        None,
        examples=[{"address": "rtsp://192.168.1.20:554/stream1"}],
        description="Where its pictures come from. Unset: another program posts its detections.",
    )


class ChangedCamera(BaseModel):
    """What is left out stays as it is."""

    model_config = ConfigDict(extra="forbid")

    name: Name | None = Field(None, examples=["Front Door"])
    zone: ZoneName | None = Field(None, examples=["Europe/Berlin"], description="Time zone of the camera.")
    source: SourceBody | None = Field(
        None, examples=[{"looks_per_s": 2}], description="Null removes it: the camera is not watched any more."
    )
    is_enabled: bool | None = Field(None, examples=[True], description="Short for the same field of `source`.")


@router.post("", status_code=201)
async def new_camera(platform: CurrentPlatform, caller: CurrentCaller, body: NewCamera) -> WatchedCameraAnswer:
    """Add a camera. Its id is normalized to letters, digits and underscores."""
    if body.team_id is not None and body.team_id not in caller.team_ids:
        raise NotAllowed(f"you are not a member of team {body.team_id}")
    return await add_camera(
        platform,
        caller,
        camera_id=normalize_camera_id(body.camera_id or body.name),
        name=body.name,
        source=body.source,
        team_id=body.team_id,
        zone=body.zone,
    )


async def add_camera(
    platform: Platform,
    caller: Caller,
    *,
    camera_id: str,
    name: str,
    source: SourceBody | None,
    team_id: UUID | None = None,
    zone: str = "UTC",
) -> WatchedCameraAnswer:
    change = None if source is None else source_change(source, platform, caller, None)
    async with platform.database.transaction() as tx:
        if change is not None:
            await _check_quota(tx, platform, caller.user_id)
        camera = await create_camera(
            tx,
            camera_id=camera_id,
            name=name,
            owner_id=caller.user_id,
            owner_email=caller.email,
            team_id=team_id,
            zone=zone,
        )
        if change is not None:
            await create_source(tx, camera.camera_key, change)
        stored = await source_of(tx, camera.camera_key)
    return _shown(platform, caller, camera, stored)


@router.get("")
async def cameras(
    platform: CurrentPlatform,
    tx: CallerTransaction,
    caller: CurrentCaller,
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
    sources = await sources_of(tx, [camera.camera_key for camera in shown])
    return CamerasAnswer(
        cameras=[_shown(platform, caller, camera, sources.get(camera.camera_key)) for camera in shown],
        next_cursor=following,
    )


@router.get("/{camera_id}")
async def camera(
    platform: CurrentPlatform, tx: CallerTransaction, caller: CurrentCaller, camera_id: CameraId
) -> WholeCameraAnswer:
    """One camera with its source, its state and its zones."""
    found = await need_camera(tx, normalize_camera_id(camera_id))
    source = await source_of(tx, found.camera_key)
    zones = await zones_of(tx, found.camera_id, owner_id=found.owner_id)
    return WholeCameraAnswer.with_zones(_shown(platform, caller, found, source), zones)


@router.patch("/{camera_id}")
async def change_camera(
    platform: CurrentPlatform, caller: CurrentCaller, camera_id: CameraId, body: ChangedCamera
) -> WatchedCameraAnswer:
    """Change a camera of the caller's own: its name, its time zone, where its pictures come from. Its id stays."""
    found = await own_camera(platform, caller, camera_id)
    current = await stored_source(platform, found)
    wanted = body.source
    if body.is_enabled is not None and (wanted is not None or current is not None):
        wanted = (wanted or SourceBody()).model_copy(update={"is_enabled": body.is_enabled})
    change = None if wanted is None else source_change(wanted, platform, caller, current)
    async with platform.database.transaction() as tx:
        if change is not None and current is None:
            await _check_quota(tx, platform, found.owner_id)
        changed = await update_camera(tx, found, name=body.name or found.name, zone=body.zone or found.zone)
        if change is not None:
            await replace_source(tx, found.camera_key, change)
        elif "source" in body.model_fields_set:
            await delete_source(tx, found.camera_key)
        stored = await source_of(tx, found.camera_key)
    return _shown(platform, caller, changed, stored)


@router.delete("/{camera_id}", status_code=204)
async def remove_camera(platform: CurrentPlatform, caller: CurrentCaller, camera_id: CameraId) -> None:
    """Remove a camera of the caller's own with its zones and recordings. Its events stay."""
    found = await own_camera(platform, caller, camera_id)
    async with platform.database.transaction() as tx:
        await delete_camera(tx, found)
        await notify_changed(tx, found.camera_key)
    await platform.camera_pictures.remove(found.camera_key)


def _read_cursor(text: str) -> tuple[str, UUID] | None:
    """An id alone is a cursor of an earlier version, after which every camera of that id was listed."""
    camera_id, mark, key = text.partition("~")
    try:
        return (camera_id, UUID(key) if mark else UUID(int=2**128 - 1)) if text else None
    except ValueError:
        raise InvalidInput("Invalid cursor") from None


async def own_camera(platform: Platform, caller: Caller, camera_id: str) -> Camera:
    """Team members may read; owners and operators may change."""
    async with platform.database.as_caller(caller.claims()) as tx:
        found = await need_camera(tx, normalize_camera_id(camera_id))
    if not _may_change(caller, found):
        raise NotAllowed(f"camera {found.camera_id} belongs to another member of your team")
    return found


def _shown(platform: Platform, caller: Caller, camera: Camera, source: CameraSource | None) -> WatchedCameraAnswer:
    may_change = _may_change(caller, camera)
    upload = upload_of(platform, caller, source, may_change=may_change)
    return WatchedCameraAnswer.with_source(camera, source, may_change=may_change, upload=upload)


def _may_change(caller: Caller, camera: Camera) -> bool:
    return camera.owner_id == caller.user_id or caller.is_operator


async def stored_source(platform: Platform, camera: Camera) -> StoredSource | None:
    """The source of a camera that the caller may change, with its secrets."""
    async with platform.database.transaction() as tx:
        source = await source_of(tx, camera.camera_key)
        if source is None:
            return None
        sealed = await sealed_secrets(tx, camera.camera_key)
    try:
        return StoredSource(source, sealed, open_secrets(platform.sealing, source, sealed))
    except PermanentFailure:
        return StoredSource(source, sealed, None)


async def _check_quota(tx: Transaction, platform: Platform, owner_id: UUID) -> None:
    limit = platform.settings.cameras.max_per_owner
    if limit and await count_sources(tx, owner_id) >= limit:
        raise QuotaExceeded(f"You have {limit} cameras with an address, which is the limit. Remove one first.")
