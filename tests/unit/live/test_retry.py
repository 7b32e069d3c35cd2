"""Broadcasts that fail: how often they are tried, how long is waited, what is counted."""

import pytest
from prometheus_client import CollectorRegistry

from sightline.errors import BackendUnavailable
from sightline.live.retry import BACKOFF, BroadcastRetryMetrics, broadcast_with_retry
from sightline.timing import Backoff


class Broadcast:
    """Fails as often as it is told, then brings three messages."""

    def __init__(self, failures, count=3):
        self.failures = failures
        self.count = count
        self.calls = 0
        self.pauses = []

    async def __call__(self):
        self.calls += 1
        if self.calls <= self.failures:
            raise BackendUnavailable("database", "away")
        return self.count

    async def pause(self, seconds):
        self.pauses.append(seconds)


def counted(metrics):
    return (
        metrics.total_attempts,
        metrics.successful_broadcasts,
        metrics.failed_broadcasts,
        metrics.retries_exhausted,
        metrics.retry_counts,
    )


@pytest.mark.req(216, 217)
@pytest.mark.parametrize(
    ("failures", "answer", "calls", "counts"),
    [
        (0, 3, 1, (1, 1, 0, 0, {0: 1})),
        (1, 3, 2, (2, 1, 1, 0, {1: 1})),
        (3, 3, 4, (4, 1, 3, 0, {3: 1})),
        (4, None, 4, (4, 0, 4, 1, {})),
    ],
)
async def test_four_attempts_at_the_most_and_each_is_counted(failures, answer, calls, counts):
    broadcast, metrics = Broadcast(failures), BroadcastRetryMetrics(CollectorRegistry())
    assert await broadcast_with_retry(broadcast, broadcast.pause, metrics) == answer
    assert broadcast.calls == calls
    assert counted(metrics) == counts


@pytest.mark.req(216)
async def test_the_pauses_are_1_2_and_4_seconds_give_or_take_a_fifth():
    seen = set()
    for _ in range(20):
        broadcast = Broadcast(4)
        await broadcast_with_retry(broadcast, broadcast.pause, BroadcastRetryMetrics(CollectorRegistry()))
        for pause, middle in zip(broadcast.pauses, (1, 2, 4), strict=True):
            assert middle * 0.8 <= pause <= middle * 1.2
        seen.add(broadcast.pauses[0])
    assert len(seen) > 1  # jitter


@pytest.mark.req(216)
def test_no_pause_is_longer_than_30_seconds():
    assert [BACKOFF.delay_s(retry, lambda: 0.5) for retry in range(1, 8)] == [1, 2, 4, 8, 16, 30, 30]
    assert isinstance(BACKOFF, Backoff)


@pytest.mark.req(217)
async def test_the_counters_are_metrics_too_and_finding_nothing_is_no_broadcast():
    registry = CollectorRegistry()
    metrics = BroadcastRetryMetrics(registry)
    for broadcast in (Broadcast(0), Broadcast(2), Broadcast(2), Broadcast(9), Broadcast(0, count=0)):
        await broadcast_with_retry(broadcast, broadcast.pause, metrics)
    assert counted(metrics) == (11, 3, 8, 1, {0: 1, 2: 2})
    value = registry.get_sample_value
    assert value("sightline_live_broadcast_attempts_total", {"outcome": "done"}) == 3
    assert value("sightline_live_broadcast_attempts_total", {"outcome": "failed"}) == 8
    assert value("sightline_live_broadcasts_total", {"retries": "2"}) == 2
    assert value("sightline_live_broadcast_retries_exhausted_total") == 1
