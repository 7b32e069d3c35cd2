"""Shapes on a camera's picture: zones, masks and lines."""

from typing import Annotated, Self

from fastapi import APIRouter, Path
from pydantic import BaseModel, ConfigDict, Field, model_validator

from sightline.api.answers.security import ZoneAnswer, ZonesAnswer
from sightline.api.cameras import CameraId, own_camera
from sightline.api.dependencies import CallerTransaction, CurrentCaller, CurrentPlatform
from sightline.cameras import notify_changed
from sightline.contracts.values import Name
from sightline.geometry import LineDirection
from sightline.security import (
    DEFAULT_LOITER_S,
    LOITERED_KINDS,
    ZoneKind,
    ZoneShape,
    change_zone,
    create_zone,
    delete_zone,
    need_camera,
    normalize_camera_id,
    shape_error,
    without_repeats,
    zones_of,
)

router = APIRouter(prefix="/api/cameras", tags=["security events"])

Share = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]
ZoneId = Annotated[int, Path(ge=1, le=2**62, description="The zone's id.", examples=[1])]


class NewZone(BaseModel):
    model_config = ConfigDict(extra="forbid")

    name: Name = Field(examples=["Porch"])
    kind: ZoneKind = Field(
        examples=["entry"],
        description="An area; `mask`: motion and objects there are ignored; `line`: crossings of it are reported.",
    )
    polygon: list[tuple[Share, Share]] = Field(
        min_length=2,
        max_length=101,
        examples=[[[0.1, 0.5], [0.6, 0.5], [0.6, 1.0], [0.1, 1.0]]],
        description="Corners as [x, y], from 0 to 1 of the picture's width and height; of a line its start and its end.",
    )
    loiter_s: int | None = Field(
        None,
        ge=5,
        le=86_400,
        examples=[60],
        description="Who stays in the area longer than this loiters; null: staying is fine. Unset: 60 for entry and restricted.",
    )
    direction: LineDirection | None = Field(
        None,
        examples=[None],
        description="Which crossings of a line count, as seen by somebody who walks from its start to its end. Unset: both.",
    )

    @model_validator(mode="after")
    def _is_drawable(self) -> Self:
        found = shape_error(self.kind, without_repeats(self.polygon))
        if found is not None:
            raise ValueError(f"polygon: {found}")
        if self.loiter_s is not None and self.kind in ("mask", "line"):
            raise ValueError(f"loiter_s: nobody stays in a {self.kind}; leave it out")
        if self.direction is not None and self.kind != "line":
            raise ValueError("direction: only a line has one; leave it out")
        return self

    def shape(self) -> ZoneShape:
        loiter_s = self.loiter_s
        if "loiter_s" not in self.model_fields_set and self.kind in LOITERED_KINDS:
            loiter_s = DEFAULT_LOITER_S
        direction = self.direction or "both" if self.kind == "line" else None
        return ZoneShape(self.name, self.kind, without_repeats(self.polygon), loiter_s, direction)


@router.get("/{camera_id}/zones")
async def zones(tx: CallerTransaction, camera_id: CameraId) -> ZonesAnswer:
    """The zones, masks and lines of a camera, in the order in which they were added."""
    found = await need_camera(tx, normalize_camera_id(camera_id))
    drawn = await zones_of(tx, found.camera_id, owner_id=found.owner_id)
    return ZonesAnswer(zones=[ZoneAnswer.of(zone) for zone in drawn])


@router.post("/{camera_id}/zones", status_code=201)
async def new_zone(platform: CurrentPlatform, caller: CurrentCaller, camera_id: CameraId, body: NewZone) -> ZoneAnswer:
    """Add a zone, a mask or a line to a camera of the caller's own."""
    found = await own_camera(platform, caller, camera_id)
    async with platform.database.transaction() as tx:
        zone = await create_zone(tx, found, body.shape())
        await notify_changed(tx, found.camera_key)
    return ZoneAnswer.of(zone)


@router.put("/{camera_id}/zones/{zone_id}")
async def replace_zone(
    platform: CurrentPlatform, caller: CurrentCaller, camera_id: CameraId, zone_id: ZoneId, body: NewZone
) -> ZoneAnswer:
    """Replace a zone, a mask or a line of a camera of the caller's own."""
    found = await own_camera(platform, caller, camera_id)
    async with platform.database.transaction() as tx:
        zone = await change_zone(tx, found, zone_id, body.shape())
        await notify_changed(tx, found.camera_key)
    return ZoneAnswer.of(zone)


@router.delete("/{camera_id}/zones/{zone_id}", status_code=204)
async def remove_zone(platform: CurrentPlatform, caller: CurrentCaller, camera_id: CameraId, zone_id: ZoneId) -> None:
    """Remove a zone, a mask or a line from a camera of the caller's own."""
    found = await own_camera(platform, caller, camera_id)
    async with platform.database.transaction() as tx:
        await delete_zone(tx, found, zone_id)
        await notify_changed(tx, found.camera_key)
