"""Services that are built anew when their settings change, whenever that is."""

import asyncio
from types import SimpleNamespace
from typing import Any, cast

import pytest

from sightline.config import Settings
from sightline.notifications import NotificationsSettings
from sightline.stored_settings import RestartedOnChange, SettingsWatch
from support.waiting import soon


class Sender:
    name = "sender"

    def __init__(self, language: str, started: list[str]) -> None:
        self._language = language
        self._started = started

    async def run(self, stop: asyncio.Event, ready: Any) -> None:
        self._started.append(self._language)
        ready()
        await stop.wait()


@pytest.fixture
def watch() -> SettingsWatch:
    return SettingsWatch(_with("en"), cast("Any", SimpleNamespace()), cast("Any", SimpleNamespace()))


def _with(language: Any) -> Settings:
    return Settings().model_copy(update={"notifications": NotificationsSettings(language=language)})


def _change(watch: SettingsWatch, language: str) -> None:
    watch.current = _with(language)
    for follower in [*watch._followers]:
        follower(watch.current)


@pytest.mark.req(1100)
async def test_a_service_runs_with_settings_that_changed_before_and_while_it_runs(watch):
    started: list[str] = []
    service = RestartedOnChange(
        watch, ("notifications",), lambda: Sender(watch.current.notifications.language, started)
    )
    _change(watch, "pt")  # after it was built, before it is started
    stop, ready = asyncio.Event(), asyncio.Event()
    running = asyncio.create_task(service.run(stop, ready.set))
    await soon(ready.wait())
    assert started == ["pt"]
    ready.clear()
    _change(watch, "en")
    await soon(ready.wait())
    assert started == ["pt", "en"]
    stop.set()
    await soon(running)
    assert watch._followers == []
