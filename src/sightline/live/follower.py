"""One connection that follows a stream: who it is, and how it is spoken to without ever waiting for it."""

from collections.abc import Callable, Sequence
from typing import Protocol
from uuid import UUID

import structlog

from sightline.contracts import Caller
from sightline.contracts.live import Acked, Gap, Hello, Ping, Pong, Problem, Resumed, ResyncAck, Subscribed
from sightline.live.frames import Frames
from sightline.live.redelivery import REDELIVER_AFTER_S, Owed
from sightline.live.viewer import EVERYTHING, Viewer

SLOW_CONSUMER = 4008

ControlFrame = Hello | Resumed | Gap | Subscribed | Acked | Ping | Pong | ResyncAck | Problem

log = structlog.get_logger(__name__)


class Connection(Protocol):
    """A socket, as the hub sees it. Nothing here waits."""

    def send(self, frames: Frames) -> bool:
        """Hands them over; False when the socket is gone."""

    def pending_bytes(self) -> int:
        """What was handed over and has not left yet."""

    def close(self, code: int, reason: str) -> None:
        """Ends it in good order."""

    def kick(self, code: int, reason: str) -> None:
        """Ends one that does not read: says why if it can still be said, and does not wait for long."""


class Follower:
    __slots__ = (
        "_most_pending",
        "_was_slow",
        "caller",
        "client_id",
        "connection",
        "ends_at",
        "has_subscribed",
        "heard_at",
        "is_named",
        "is_open",
        "owed",
        "ping_at",
        "since",
        "viewer",
    )

    def __init__(
        self,
        connection: Connection,
        caller: Caller,
        viewer: Viewer,
        *,
        client_id: str,
        is_named: bool,
        since: int,
        now: float,
        heartbeat_s: float,
        most_pending: int,
        was_slow: Callable[[], None],
        ends_at: float | None = None,
        redeliver_after_s: Sequence[float] = REDELIVER_AFTER_S,
    ) -> None:
        self.connection = connection
        self.caller = caller
        self.viewer = viewer
        self.client_id = client_id
        # Whoever names no client id is taken for one that does not know of acknowledgements, and is asked for none.
        self.is_named = is_named
        self.since = since
        self.heard_at = now
        self.ping_at = now + heartbeat_s
        self.ends_at = ends_at
        self.owed = Owed(redeliver_after_s)
        self.is_open = True
        self.has_subscribed = viewer.patterns != EVERYTHING
        self._most_pending = most_pending
        self._was_slow = was_slow

    @property
    def device(self) -> tuple[UUID, str]:
        return self.caller.user_id, self.client_id

    def send(self, frames: Frames) -> bool:
        """Whether the socket took it. One that lets too much pile up is ended instead: it returns and resumes.

        A single message is never left out, so what a connection gets is whole up to its end.
        """
        if not self.is_open:
            return False
        try:
            if self.connection.pending_bytes() > self._most_pending:
                self.is_open = False
                self._was_slow()
                log.warning("live.slow_consumer", client_id=self.client_id)
                self.connection.kick(SLOW_CONSUMER, "slow consumer")
                return False
            self.is_open = self.connection.send(frames)
        except Exception as error:  # a socket in whatever state must not disturb the others
            log.info("live.send_failed", client_id=self.client_id, error=str(error) or type(error).__name__)
            self.is_open = False
        return self.is_open

    def tell(self, frame: ControlFrame) -> bool:
        return self.send(Frames([frame.encode()]))

    def close(self, code: int, reason: str) -> None:
        if self.is_open:
            self.is_open = False
            self.connection.close(code, reason)
