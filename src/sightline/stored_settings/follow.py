"""How a running process follows changed settings: one service watches the table, others are built anew."""

import asyncio
from collections.abc import Callable
from contextlib import suppress

import structlog

from sightline.config import Settings
from sightline.db import Listener
from sightline.stored_settings.resolve import resolve_valid
from sightline.stored_settings.store import SettingsStore
from sightline.supervisor import Every, Service

CHANNEL = "settings_changed"
READ_EVERY_S = 30.0
"""For changes whose notification was lost."""

log = structlog.get_logger(__name__)

OnSettings = Callable[[Settings], None]


class SettingsWatch:
    """The settings in force. `environment` is what the process was started with."""

    def __init__(self, environment: Settings, store: SettingsStore, listener: Listener) -> None:
        self.environment = environment
        self.current = environment
        self.store = store
        self._listener = listener
        self._followers: list[OnSettings] = []
        self._ignored: dict[str, str] = {}

    def follow(self, on_settings: OnSettings) -> Callable[[], None]:
        """Calls with the settings after each change, until the returned function is called. It must not block."""
        self._followers.append(on_settings)
        return lambda: self._followers.remove(on_settings)

    async def refresh(self) -> Settings:
        """Reads what is stored now and applies it in this process."""
        stored = {key: change.value for key, change in (await self.store.read()).items()}
        settings, ignored = resolve_valid(self.environment, stored)
        if ignored != self._ignored:
            self._ignored = dict(ignored)
            for section, reason in ignored.items():
                log.warning("settings.stored_ignored", section=section, reason=reason)
        if settings != self.current:
            self.current = settings
            for on_settings in [*self._followers]:
                on_settings(settings)
            log.info("settings.applied")
        return settings

    def service(self) -> Service:
        return Every(
            "settings",
            READ_EVERY_S,
            self.refresh,
            wake_on=lambda wake: self._listener.subscribe(CHANNEL, lambda _: wake()),
        )


class RestartedOnChange:
    """A service that is stopped and built anew when a section that it was built from changes."""

    def __init__(self, watch: SettingsWatch, sections: tuple[str, ...], build: Callable[[], Service]) -> None:
        self._watch = watch
        self._sections = sections
        self._build = build
        self._built_from = self._used(watch.current)
        self._service = build()
        self.name = self._service.name

    async def run(self, stop: asyncio.Event, ready: Callable[[], None]) -> None:
        while not stop.is_set():
            self._build_anew_if_changed()
            changed = asyncio.Event()

            def notice(settings: Settings, changed: asyncio.Event = changed) -> None:
                if self._used(settings) != self._built_from:
                    changed.set()

            unfollow = self._watch.follow(notice)
            try:
                await _run_until(self._service, ready, stop, changed)
            finally:
                unfollow()

    def _build_anew_if_changed(self) -> None:
        """Settings also change before the service is started, and between its failure and the next start."""
        used = self._used(self._watch.current)
        if used != self._built_from:
            self._built_from, self._service = used, self._build()

    def _used(self, settings: Settings) -> object:
        return [getattr(settings, section) for section in self._sections]


async def _run_until(service: Service, ready: Callable[[], None], *ends: asyncio.Event) -> None:
    """Ends the service in its own time when one of the events is set; its errors are raised."""
    stop = asyncio.Event()
    running = asyncio.create_task(service.run(stop, ready))
    waits = [asyncio.create_task(end.wait()) for end in ends]
    try:
        await asyncio.wait([running, *waits], return_when=asyncio.FIRST_COMPLETED)
        stop.set()
        await running
    finally:
        for task in (running, *waits):
            task.cancel()
        for task in waits:
            with suppress(asyncio.CancelledError):
                await task
