"""One connection that follows a stream: its caller, and sending to it without waiting."""

from collections.abc import Callable, Sequence
from typing import Protocol
from uuid import UUID

import structlog

from sightline.contracts import Caller
from sightline.contracts.live import Acked, Gap, Hello, Ping, Pong, Problem, Resumed, ResyncAck, Subscribed
from sightline.live.frames import Frames
from sightline.live.redelivery import REDELIVER_AFTER_S, PendingAcks
from sightline.live.viewer import EVERYTHING, Viewer

SLOW_CONSUMER = 4008

ControlFrame = Hello | Resumed | Gap | Subscribed | Acked | Ping | Pong | ResyncAck | Problem

log = structlog.get_logger(__name__)


class Connection(Protocol):
    """A socket, as the hub sees it. No method waits."""

    def send(self, frames: Frames) -> bool:
        """Queues the frames; False when the socket is closed."""

    def pending_bytes(self) -> int:
        """Bytes that are queued and not sent yet."""

    def close(self, code: int, reason: str) -> None:
        """Closes it with a close frame."""

    def kick(self, code: int, reason: str) -> None:
        """Closes a client that does not read: sends the reason if possible, and does not wait for long."""


class Follower:
    __slots__ = (
        "_max_pending_bytes",
        "_on_slow",
        "caller",
        "client_id",
        "connection",
        "ends_at",
        "has_client_id",
        "has_subscribed",
        "is_open",
        "last_received_at",
        "pending_acks",
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
        has_client_id: bool,
        since: int,
        now: float,
        heartbeat_s: float,
        max_pending_bytes: int,
        on_slow: Callable[[], None],
        ends_at: float | None = None,
        redeliver_after_s: Sequence[float] = REDELIVER_AFTER_S,
    ) -> None:
        self.connection = connection
        self.caller = caller
        self.viewer = viewer
        self.client_id = client_id
        # A client without a client id does not support acknowledgements, so none are required of it.
        self.has_client_id = has_client_id
        self.since = since
        self.last_received_at = now
        self.ping_at = now + heartbeat_s
        self.ends_at = ends_at
        self.pending_acks = PendingAcks(redeliver_after_s)
        self.is_open = True
        self.has_subscribed = viewer.patterns != EVERYTHING
        self._max_pending_bytes = max_pending_bytes
        self._on_slow = on_slow

    @property
    def device(self) -> tuple[UUID, str]:
        return self.caller.user_id, self.client_id

    def send(self, frames: Frames) -> bool:
        """Whether the socket accepted the frames. A client that reads too slowly is closed instead: it reconnects and resumes.

        No single message is ever skipped, so a connection gets every message up to its end.
        """
        if not self.is_open:
            return False
        try:
            if self.connection.pending_bytes() > self._max_pending_bytes:
                self.is_open = False
                self._on_slow()
                log.warning("live.slow_consumer", client_id=self.client_id)
                self.connection.kick(SLOW_CONSUMER, "slow consumer")
                return False
            self.is_open = self.connection.send(frames)
        except Exception as error:  # an error of one socket must not affect the others
            log.info("live.send_failed", client_id=self.client_id, error=str(error) or type(error).__name__)
            self.is_open = False
        return self.is_open

    def send_control(self, frame: ControlFrame) -> bool:
        return self.send(Frames([frame.encode()]))

    def close(self, code: int, reason: str) -> None:
        if self.is_open:
            self.is_open = False
            self.connection.close(code, reason)
