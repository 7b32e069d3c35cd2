"""Handing over: three tries with growing waits, only where another try may help, within a rate."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from sightline.errors import BackendUnavailable, PermanentFailure, Throttled
from sightline.notifications import Notification, NotificationPostponed, NotificationSender, PushSettings

NOTIFICATION = Notification("m1", "test", "topic", "t", "b", datetime(2026, 1, 1, tzinfo=UTC))


class _Channel:
    name = "ntfy"

    def __init__(self, *outcomes: Exception | str) -> None:
        self.outcomes = list(outcomes)
        self.sent = 0
        self.found: str | None = None

    def destination(self, notification: Notification) -> str:
        return "ntfy"

    async def send(self, notification: Notification) -> str:
        self.sent += 1
        outcome = self.outcomes.pop(0) if self.outcomes else "id"
        if isinstance(outcome, Exception):
            raise outcome
        return outcome

    async def find(self, notification: Notification) -> str | None:
        return self.found


class _Rig:
    def __init__(self, channel: _Channel, **settings: Any) -> None:
        self.waits: list[float] = []
        self.now = 0.0
        usual: dict[str, Any] = {"ntfy_per_minute": 0}
        self.sender = NotificationSender(
            {"ntfy": channel},
            PushSettings(**(usual | settings)),
            sleep=self._sleep,
            clock=lambda: self.now,
            chance=lambda: 0.5,
        )

    async def _sleep(self, seconds: float) -> None:
        self.waits.append(seconds)
        self.now += seconds


def _down() -> BackendUnavailable:
    return BackendUnavailable("ntfy", "down")


@pytest.mark.req(187)
async def test_three_tries_one_and_two_seconds_apart():
    channel = _Channel(_down(), _down(), "id")
    rig = _Rig(channel)
    assert await rig.sender.send("ntfy", NOTIFICATION) == "id"
    assert rig.waits == [1.0, 2.0]


@pytest.mark.req(187)
async def test_the_third_failure_is_the_last():
    channel = _Channel(_down(), _down(), _down())
    rig = _Rig(channel)
    with pytest.raises(BackendUnavailable):
        await rig.sender.send("ntfy", NOTIFICATION)
    assert (channel.sent, rig.waits) == (3, [1.0, 2.0])


@pytest.mark.req(187)
async def test_what_is_refused_for_good_is_not_tried_again_and_opens_no_breaker():
    channel = _Channel(*[PermanentFailure("400") for _ in range(10)])
    rig = _Rig(channel)
    for _ in range(10):
        with pytest.raises(PermanentFailure):
            await rig.sender.send("ntfy", NOTIFICATION)
    assert (channel.sent, rig.waits) == (10, [])
    assert await rig.sender.send("ntfy", NOTIFICATION) == "id"


async def test_a_short_wait_that_the_server_asks_for_is_kept_and_a_long_one_puts_off():
    channel = _Channel(Throttled("429", retry_after=timedelta(seconds=3)), "id")
    rig = _Rig(channel)
    assert await rig.sender.send("ntfy", NOTIFICATION) == "id"
    assert rig.waits == [3.0]
    channel.outcomes = [Throttled("429", retry_after=timedelta(minutes=5))]
    with pytest.raises(NotificationPostponed) as caught:
        await rig.sender.send("ntfy", NOTIFICATION)
    assert caught.value.retry_after == timedelta(minutes=5)


@pytest.mark.req(188)
async def test_an_open_breaker_puts_off_without_trying():
    channel = _Channel(*[_down() for _ in range(5)])
    rig = _Rig(channel)
    with pytest.raises(BackendUnavailable):
        await rig.sender.send("ntfy", NOTIFICATION)
    with pytest.raises(NotificationPostponed):
        await rig.sender.send("ntfy", NOTIFICATION)
    assert channel.sent == 5
    with pytest.raises(NotificationPostponed):
        await rig.sender.send("ntfy", NOTIFICATION)
    assert channel.sent == 5
    rig.now += 30
    assert await rig.sender.send("ntfy", NOTIFICATION) == "id"


async def test_a_rate_is_kept_by_short_waits_and_then_by_putting_off():
    rig = _Rig(_Channel(), ntfy_per_minute=6)
    await rig.sender.send("ntfy", NOTIFICATION)
    with pytest.raises(NotificationPostponed) as caught:
        await rig.sender.send("ntfy", NOTIFICATION)
    assert caught.value.retry_after.total_seconds() == pytest.approx(10, abs=0.1)
    rig.now += 6
    await rig.sender.send("ntfy", NOTIFICATION)
    assert rig.waits == [pytest.approx(4, abs=0.1)]


async def test_a_repetition_that_is_there_already_is_not_sent():
    channel = _Channel()
    channel.found = "there"
    rig = _Rig(channel)
    assert await rig.sender.send("ntfy", NOTIFICATION, is_repetition=True) == "there"
    assert channel.sent == 0
    assert await rig.sender.send("ntfy", NOTIFICATION) == "id"
