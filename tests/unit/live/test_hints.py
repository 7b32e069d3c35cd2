"""Hints of the database where something else brings messages: they count only if it is late."""

import asyncio

import pytest

from sightline.live import transport as transport
from sightline.live.transport import Hints
from support.waiting import soon


@pytest.fixture
def short_grace(monkeypatch):
    monkeypatch.setattr(transport, "GRACE_S", 0.01)


@pytest.mark.parametrize(
    ("payload", "is_late"),
    [("events 58", True), ("events 57", False), ("videos 57", True), ("events", True), ("gossip 99", False)],
)
async def test_what_was_not_brought_in_time_is_asked_for(short_grace, payload, is_late):
    asked, looked = [], asyncio.Event()

    def tops():
        looked.set()
        return {"events": 57, "videos": 3}

    hints = Hints(tops, lambda: asked.append(True))
    hints.notify(payload)
    assert asked == []
    await soon(looked.wait())
    assert bool(asked) is is_late


async def test_many_hints_are_one_look(short_grace):
    looks, looked = [], asyncio.Event()

    def tops():
        looks.append(True)
        looked.set()
        return {"events": 0}

    asked = []
    hints = Hints(tops, lambda: asked.append(True))
    for number in range(1, 50):
        hints.notify(f"events {number}")
    await soon(looked.wait())
    assert (len(looks), len(asked)) == (1, 1)
