"""Who publishes for Home Assistant, how far it came, and what Home Assistant was told of."""

from dataclasses import dataclass
from pathlib import Path
from uuid import UUID

from sightline.db import Transaction, load_queries
from sightline.live import stream_state
from sightline.security.home_assistant.payloads import OccupancySensor, usable

EVENTS_STREAM = "events"

_sql = load_queries(Path(__file__).with_name("home_assistant.sql"))


@dataclass(frozen=True, slots=True)
class CameraName:
    camera_id: str
    name: str


async def claim(tx: Transaction, holder: UUID, *, lease_s: float) -> int | None:
    """The number of the last message that was published; None if another process publishes."""
    top = (await stream_state(tx, EVENTS_STREAM)).top
    found: int | None = await _sql["claim"].value(tx, top=top, holder=holder, lease_s=lease_s)
    return found


async def release(tx: Transaction, holder: UUID) -> None:
    await _sql["release"].run(tx, holder=holder)


async def save_sequence(tx: Transaction, holder: UUID, sequence: int) -> None:
    await _sql["save_sequence"].run(tx, holder=holder, sequence=sequence)


async def occupied(tx: Transaction, *, within_s: float) -> set[OccupancySensor]:
    rows = await _sql["occupied"].rows(tx, within_s=within_s)
    return set(usable([OccupancySensor(row["camera_key"], row["label"]) for row in rows]))


async def entities(tx: Transaction) -> dict[OccupancySensor, CameraName | None]:
    """None: the camera was deleted."""
    return {
        OccupancySensor(row["camera_key"], row["label"]): None
        if row["name"] is None
        else CameraName(row["camera_id"], row["name"])
        for row in await _sql["entities"].rows(tx)
    }


async def names_of(tx: Transaction, camera_keys: set[UUID]) -> dict[UUID, CameraName]:
    rows = await _sql["names"].rows(tx, camera_keys=list(camera_keys))
    return {row["camera_key"]: CameraName(row["camera_id"], row["name"]) for row in rows}


async def add_entity(tx: Transaction, entity: OccupancySensor) -> None:
    await _sql["add_entity"].run(tx, camera_key=entity.camera_key, label=entity.label)


async def remove_entity(tx: Transaction, entity: OccupancySensor) -> None:
    await _sql["remove_entity"].run(tx, camera_key=entity.camera_key, label=entity.label)
