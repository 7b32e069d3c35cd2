"""States of cameras as everybody sees them: stored, logged, and on the live feed when a camera comes or goes."""

import asyncio
from datetime import datetime
from uuid import UUID

import structlog

from sightline.cameras.problems import SourceProblem
from sightline.cameras.source import SourceState
from sightline.cameras.sources import Opened
from sightline.cameras.watch.leases_store import WatchedCamera, save_picture, save_state
from sightline.db import Database
from sightline.live import LiveFeed, LiveMessage
from sightline.supervisor import OUTAGE_ERRORS
from sightline.timing import iso_utc

STREAM = "events"

log = structlog.get_logger(__name__)


class CameraStates:
    def __init__(self, database: Database, live: LiveFeed, watcher: UUID) -> None:
        self._database = database
        self._live = live
        self._watcher = watcher
        self._locks: dict[UUID, asyncio.Lock] = {}
        self._unsaved: dict[UUID, tuple[WatchedCamera, SourceState, SourceProblem | None]] = {}

    async def save(self, camera: WatchedCamera, state: SourceState, problem: SourceProblem | None) -> None:
        """A database that is away does not end the watching: the state is saved by `save_again`, unless another follows."""
        key = camera.camera_key
        async with self._locks.setdefault(key, asyncio.Lock()):
            self._unsaved[key] = (camera, state, problem)
            if await self._is_saved(camera, state, problem):
                self._unsaved.pop(key, None)

    async def save_again(self) -> None:
        """Saves the states that an outage kept from being saved."""
        for key in list(self._unsaved):
            async with self._locks[key]:
                # Another one may have been saved while this one waited for its turn.
                if key in self._unsaved and await self._is_saved(*self._unsaved[key]):
                    self._unsaved.pop(key, None)

    async def _is_saved(self, camera: WatchedCamera, state: SourceState, problem: SourceProblem | None) -> bool:
        code, reason = (None, None) if problem is None else (problem.code, problem.message)
        try:
            async with self._database.transaction() as tx:
                saved = await save_state(tx, self._watcher, camera.camera_key, state, code=code, reason=reason)
                if saved is None or saved[0] == state:
                    return True
                if (message := _message(camera, state, problem, saved[1])) is not None:
                    await self._live.append(tx, message)
        except OUTAGE_ERRORS as error:
            log.warning("camera.state_unsaved", camera_id=camera.camera_id, error=str(error) or type(error).__name__)
            return False
        log.info("camera.state", camera_id=camera.camera_id, state=state, before=saved[0], code=code)
        return True

    async def save_picture(self, camera_key: UUID, at: datetime, opened: Opened) -> None:
        try:
            async with self._database.transaction() as tx:
                await save_picture(
                    tx,
                    self._watcher,
                    camera_key,
                    at=at,
                    width=opened.width,
                    height=opened.height,
                    codec=opened.codec,
                    fps=opened.fps,
                )
        except OUTAGE_ERRORS as error:
            log.warning("camera.state_unsaved", camera_key=str(camera_key), error=str(error) or type(error).__name__)


def _message(
    camera: WatchedCamera, state: SourceState, problem: SourceProblem | None, since: datetime
) -> LiveMessage | None:
    """None while it connects, which is neither here nor there."""
    if state == "connecting":
        return None
    return LiveMessage(
        STREAM,
        "camera.live" if state == "live" else "camera.lost",
        {
            "camera_id": camera.camera_id,
            "name": camera.name,
            "state": state,
            "code": None if problem is None else problem.code,
            "reason": None if problem is None else problem.message,
            "since": iso_utc(since),
        },
        owner_id=camera.owner_id,
        team_id=camera.team_id,
        topic=f"camera.{camera.camera_id}",
    )
