"""Sightings on their way: what is called back when, and how much may wait."""

import asyncio
from datetime import UTC, datetime
from uuid import uuid4

import pytest
from prometheus_client import CollectorRegistry

from sightline.cameras.watch import outbox as outbox_module
from sightline.cameras.watch.metrics import WatchMetrics
from sightline.cameras.watch.outbox import SightingOutbox
from sightline.cameras.watch.sighting import CameraSighting
from support.waiting import soon, until

KEY = uuid4()


def sighting(number: int, picture: bytes | None = None) -> CameraSighting:
    now = datetime.now(UTC)
    return CameraSighting(KEY, "yard", "person", 0.9, now, (0, 0, 1, 1), "track", number, picture)


@pytest.mark.req(655)
async def test_a_message_is_acknowledged_only_after_what_it_said_was_stored():
    may_store, acknowledged = asyncio.Event(), []

    async def report(batch):
        await may_store.wait()

    outbox = SightingOutbox(KEY, report, WatchMetrics(CollectorRegistry()))
    outbox.after_all(lambda: acknowledged.append("nothing said"))
    assert acknowledged == ["nothing said"]
    outbox.add([sighting(1)])
    outbox.after_all(lambda: acknowledged.append("first"))
    outbox.after_all(lambda: acknowledged.append("second, which said nothing new"))
    running = asyncio.create_task(outbox.run())
    await asyncio.sleep(0)
    assert acknowledged == ["nothing said"]
    may_store.set()
    await until(lambda: acknowledged[1:] == ["first", "second, which said nothing new"])
    await soon(outbox.finish(running))


@pytest.mark.req(654)
async def test_pictures_that_wait_are_limited_and_their_sightings_stay(monkeypatch):
    monkeypatch.setattr(outbox_module, "MAX_WAITING_PICTURE_BYTES", 10)
    stored = []

    async def report(batch):
        stored.extend(batch)

    outbox = SightingOutbox(KEY, report, WatchMetrics(CollectorRegistry()))
    outbox.add([sighting(number, b"12345") for number in range(4)])
    running = asyncio.create_task(outbox.run())
    await soon(outbox.finish(running))
    assert [(one.number, one.picture) for one in stored] == [(0, None), (1, None), (2, b"12345"), (3, b"12345")]
