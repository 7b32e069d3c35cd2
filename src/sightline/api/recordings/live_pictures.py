"""`GET /api/cameras/{id}/live.mjpeg`: the newest pictures of a camera, one after another, in one response."""

import asyncio
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import ExitStack, suppress
from datetime import timedelta
from uuid import UUID

import structlog
from fastapi import APIRouter, Request, Response
from starlette.types import Receive, Scope, Send

from sightline.api.auth.authentication import SignedIn
from sightline.api.cameras import CameraId
from sightline.api.dependencies import CurrentCaller, CurrentPlatform
from sightline.api.live.handshake import seconds_left
from sightline.api.live.http_follower import ending_with
from sightline.api.live.transport import stopping_of, transport_of
from sightline.bootstrap import Platform
from sightline.cameras import LatestPicture, mark_viewed, source_of
from sightline.contracts import Caller
from sightline.errors import NotAuthenticated, NotFound, PlatformError, Throttled, TransientFailure
from sightline.security import need_camera, normalize_camera_id
from sightline.timing import is_set_within, utc_now

MIN_STEP_S = 0.2
"""At most five pictures per second."""
RENEW_EVERY_S = 5.0
"""How often the rights of the viewer are checked and the camera is marked as viewed."""
MAX_UNREAD_S = 15.0
"""A client that takes longer to read a picture is disconnected."""
BOUNDARY = "sightline-picture"
PICTURES_TYPE = f"multipart/x-mixed-replace; boundary={BOUNDARY}"

router = APIRouter(prefix="/api/cameras", tags=["cameras"])

log = structlog.get_logger(__name__)


class LiveViewers:
    """How many live pictures each person follows in this process."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._open: Counter[UUID] = Counter()

    def enter(self, user_id: UUID) -> ExitStack:
        """Counts one more from now on, until what it returns is closed."""
        if self._open[user_id] >= self._limit:
            raise Throttled(
                f"You are watching {self._limit} live pictures already. Close one of them first",
                retry_after=timedelta(seconds=RENEW_EVERY_S),
            )
        self._open[user_id] += 1
        entered = ExitStack()
        entered.callback(self._leave, user_id)
        return entered

    def _leave(self, user_id: UUID) -> None:
        self._open[user_id] -= 1
        if not self._open[user_id]:
            del self._open[user_id]


class PictureViewer:
    """One open response, as the check of credentials sees it."""

    def __init__(self) -> None:
        self.is_over = asyncio.Event()
        self.reason: str | None = None

    def close(self, _code: int, reason: str) -> None:
        self.reason = self.reason or reason
        self.is_over.set()


class PictureStream(Response):
    """Lasts until the client goes, reads too slowly, may no longer see the camera, or the server stops."""

    media_type = PICTURES_TYPE

    def __init__(
        self,
        viewer: PictureViewer,
        pictures: AsyncIterator[LatestPicture],
        renew: Callable[[], Awaitable[None]],
        counted: ExitStack,
    ) -> None:
        self.status_code = 200
        self.background = None
        # A proxy that collects the answer before it passes it on would pass on nothing.
        self.init_headers({"cache-control": "no-store", "x-accel-buffering": "no"})
        self._viewer = viewer
        self._pictures = pictures
        self._renew = renew
        self._counted = counted

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        started = time.monotonic()
        renewing = asyncio.create_task(self._keep_rights())
        shown = 0
        try:
            with self._counted:
                async with ending_with(self._viewer, receive, stopping_of(scope)):
                    await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
                    async for picture in self._paced():
                        async with asyncio.timeout(MAX_UNREAD_S):
                            await send(_part(_framed(picture)))
                        shown += 1
                    await send(_part(f"--{BOUNDARY}--\r\n".encode(), is_last=True))
        except TimeoutError:
            self._viewer.close(0, "the client does not read")
            if (transport := transport_of(scope)) is not None:
                transport.abort()
        finally:
            renewing.cancel()
            with suppress(asyncio.CancelledError):
                await renewing
            seconds = round(time.monotonic() - started, 1)
            log.info("camera.viewed", seconds=seconds, pictures=shown, reason=self._viewer.reason)

    async def _paced(self) -> AsyncIterator[LatestPicture]:
        """The newest picture each time, until it is over."""
        over = asyncio.create_task(self._viewer.is_over.wait())
        coming: asyncio.Future[LatestPicture] | None = None
        try:
            while not self._viewer.is_over.is_set():
                coming = asyncio.ensure_future(anext(self._pictures))
                await asyncio.wait((coming, over), return_when=asyncio.FIRST_COMPLETED)
                if not coming.done():
                    return
                yield coming.result()
                await is_set_within(self._viewer.is_over, MIN_STEP_S)
        finally:
            for task in (over, coming):
                if task is not None:
                    task.cancel()
            await asyncio.gather(*(task for task in (over, coming) if task is not None), return_exceptions=True)

    async def _keep_rights(self) -> None:
        while not await is_set_within(self._viewer.is_over, RENEW_EVERY_S):
            try:
                await self._renew()
            except TransientFailure:
                continue  # a database that is away for a moment ends no view
            except PlatformError as error:
                self._viewer.close(0, error.public_message)
            except Exception as error:
                log.warning("camera.view_check_failed", error=type(error).__name__)


@router.get(
    "/{camera_id}/live.mjpeg",
    response_class=Response,
    responses={200: {"content": {PICTURES_TYPE: {"example": ""}}, "description": "JPEG pictures, as they come."}},
)
async def live_pictures(
    request: Request, platform: CurrentPlatform, caller: CurrentCaller, camera_id: CameraId
) -> Response:
    """The pictures of a camera as they come, at most 5 per second; any browser shows them in an `img`.

    A client that does not read is disconnected. The response ends when the caller may no longer see the camera.
    """
    viewers: LiveViewers = request.app.state.live_viewers
    with viewers.enter(caller.user_id) as counted:
        camera_key = await _need_live_camera(platform, caller, camera_id)
        return _stream(request, platform, caller, camera_id, camera_key, counted.pop_all())


def _stream(
    request: Request, platform: Platform, caller: Caller, camera_id: str, camera_key: UUID, counted: ExitStack
) -> PictureStream:
    viewer = PictureViewer()
    signed_in: SignedIn = request.state.signed_in
    platform.open_connections.add(viewer, caller, key_id=signed_in.key_id, session_id=signed_in.session_id)
    left_s = seconds_left(request.headers.get("authorization")) if platform.settings.auth.is_configured else None
    ends_at = signed_in.expires_at or (None if left_s is None else utc_now() + timedelta(seconds=left_s))

    async def renew() -> None:
        if ends_at is not None and utc_now() >= ends_at:
            raise NotAuthenticated("Your session has ended. Sign in again.")
        await _need_live_camera(platform, caller, camera_id)

    pictures = platform.camera_pictures.follow(camera_key)
    return PictureStream(viewer, pictures, renew, counted)


async def _need_live_camera(platform: Platform, caller: Caller, camera_id: str) -> UUID:
    """The camera, if the caller may see it now. Says to the process that watches it that somebody looks."""
    async with platform.database.as_caller(caller.claims()) as tx:
        camera = await need_camera(tx, normalize_camera_id(camera_id))
        source = await source_of(tx, camera.camera_key)
    if source is None or not source.is_enabled:
        raise NotFound(
            f"camera {camera.camera_id} has no live picture. Give it an address, or turn it on", code="LIVE_NOT_READY"
        )
    async with platform.database.transaction() as tx:
        await mark_viewed(tx, camera.camera_key)
    return camera.camera_key


def _framed(picture: LatestPicture) -> bytes:
    head = f"--{BOUNDARY}\r\nContent-Type: image/jpeg\r\nContent-Length: {len(picture.content)}\r\n\r\n"
    return head.encode() + picture.content + b"\r\n"


def _part(body: bytes, *, is_last: bool = False) -> dict[str, object]:
    return {"type": "http.response.body", "body": body, "more_body": not is_last}
