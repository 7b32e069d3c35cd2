"""Retries of failed broadcasts, counted as document 003 requires."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

import structlog
from prometheus_client import CollectorRegistry, Counter

from sightline.errors import TransientFailure
from sightline.timing import Backoff

MAX_RETRIES = 3
BACKOFF = Backoff(first_s=1.0, max_s=30.0)

log = structlog.get_logger(__name__)


@dataclass
class BroadcastRetryMetrics:
    """A broadcast sends new messages to the sockets of this process. One without new messages is not counted."""

    registry: CollectorRegistry | None = None
    total_attempts: int = 0
    successful_broadcasts: int = 0
    failed_broadcasts: int = 0
    """Attempts that failed."""
    retries_exhausted: int = 0
    """Broadcasts that were postponed; the next one delivers their messages."""
    retry_counts: dict[int, int] = field(default_factory=dict)
    """How many broadcasts succeeded after so many retries."""

    def __post_init__(self) -> None:
        self._attempts = Counter(
            "sightline_live_broadcast_attempts_total",
            "Attempts to bring new messages to sockets.",
            ["outcome"],
            registry=self.registry,
        )
        self._broadcasts = Counter(
            "sightline_live_broadcasts_total",
            "Broadcasts that succeeded, by retries needed.",
            ["retries"],
            registry=self.registry,
        )
        self._exhausted = Counter(
            "sightline_live_broadcast_retries_exhausted_total",
            "Broadcasts put off because every retry failed.",
            registry=self.registry,
        )

    def succeeded(self, *, retries: int) -> None:
        self.total_attempts += 1
        self.successful_broadcasts += 1
        self.retry_counts[retries] = self.retry_counts.get(retries, 0) + 1
        self._attempts.labels("done").inc()
        self._broadcasts.labels(str(retries)).inc()

    def failed(self) -> None:
        self.total_attempts += 1
        self.failed_broadcasts += 1
        self._attempts.labels("failed").inc()

    def exhausted(self) -> None:
        self.retries_exhausted += 1
        self._exhausted.inc()


async def broadcast_with_retry(
    broadcast: Callable[[], Awaitable[int]],
    pause: Callable[[float], Awaitable[None]],
    metrics: BroadcastRetryMetrics,
    *,
    max_retries: int = MAX_RETRIES,
    backoff: Backoff = BACKOFF,
) -> int | None:
    """How many messages went out, or None when every attempt failed. `pause` may return early, once the database is back."""
    retries = 0
    while True:
        try:
            count = await broadcast()
        except Exception as error:  # after any error the messages are still in the database and can be read again
            metrics.failed()
            problem = str(error) or type(error).__name__
            if retries >= max_retries:
                metrics.exhausted()
                unknown = None if isinstance(error, TransientFailure) else error
                log.error("live.broadcast_delayed", error=problem, attempts=retries + 1, exc_info=unknown)
                return None
            retries += 1
            delay_s = backoff.delay_s(retries)
            log.warning("live.broadcast_failed", error=problem, retry=retries, again_in_s=round(delay_s, 2))
            await pause(delay_s)
        else:
            if count or retries:
                metrics.succeeded(retries=retries)
            return count
