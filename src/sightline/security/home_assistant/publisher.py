"""The publisher for Home Assistant: a sensor for each kind of object at each camera, and every event as a message.

One process of a fleet publishes, by a lease. Events are sent at least once: how far it came is stored once the broker confirmed.
"""

import asyncio
import ssl
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import structlog

from sightline.db import Database
from sightline.errors import NotFound
from sightline.live import messages_after
from sightline.security.events import events_store
from sightline.security.home_assistant import store
from sightline.security.home_assistant.payloads import (
    OFF,
    OFFLINE,
    ON,
    ONLINE,
    OccupancySensor,
    Topics,
    discovery_message,
    event_message,
)
from sightline.security.home_assistant.store import EVENTS_STREAM, CameraName
from sightline.security.home_assistant_settings import HomeAssistantSettings
from sightline.supervisor import OUTAGE_ERRORS
from sightline.timing import Backoff, is_set_within

if TYPE_CHECKING:  # only where it is switched on
    from aiomqtt import Client

TICK_S = 1.0
LEASE_S = 15.0
KEEPALIVE_S = 30
CONNECT_S = 10.0
MESSAGES_AT_ONCE = 200
PUBLISHED = ("event", "event.updated", "event.acknowledged", "event.resolved", "event.reopened")
RECONNECT = Backoff(first_s=1.0, max_s=60.0)
STEADY_S = 30.0
"""A connection that lasted so long is made again at once when it is lost."""

log = structlog.get_logger(__name__)


class HomeAssistantPublisher:
    name = "home-assistant"

    def __init__(
        self,
        database: Database,
        settings: HomeAssistantSettings,
        *,
        page_url: str,
        ca_file: Path | None = None,
        tick_s: float = TICK_S,
    ) -> None:
        """`ca_file` is trusted beside the authorities of the system."""
        self._database = database
        self._settings = settings
        self._page_url = page_url
        self._ca_file = ca_file
        self._tick_s = tick_s
        self._topics = Topics(settings.prefix, settings.discovery_prefix)
        self._holder = uuid4()
        self._connected_at = float("inf")
        self._announced: dict[OccupancySensor, bytes] = {}
        """What was said of each entity on this connection."""
        self._states: dict[OccupancySensor, bytes] = {}

    async def run(self, stop: asyncio.Event, ready: Callable[[], None]) -> None:
        from aiomqtt import MqttError

        ready()
        failures = 0
        while not stop.is_set():
            pause_s = LEASE_S / 3
            self._connected_at = float("inf")
            try:
                if await self._claim() is not None:
                    await self._publish(stop)
                failures = 0
            except (MqttError, *OUTAGE_ERRORS) as error:
                lived_s = time.monotonic() - self._connected_at
                failures = 1 if lived_s > STEADY_S else failures + 1
                pause_s = RECONNECT.delay_s(failures)
                log.warning("home_assistant.failed", error=str(error) or type(error).__name__, failures=failures)
            await is_set_within(stop, pause_s)
        with suppress(*OUTAGE_ERRORS):
            async with self._database.transaction() as tx:
                await store.release(tx, self._holder)

    async def _claim(self) -> int | None:
        async with self._database.transaction() as tx:
            return await store.claim(tx, self._holder, lease_s=LEASE_S)

    async def _publish(self, stop: asyncio.Event) -> None:
        """Until it is stopped, another process publishes, or the broker is gone."""
        from aiomqtt import Client, Will

        settings, (host, port, is_encrypted) = self._settings, self._settings.address()
        password = settings.password
        client = Client(
            host,
            port,
            username=settings.username,
            password=None if password is None else password.get_secret_value(),
            # The same in all processes: the broker ends the session of one that vanished before it accepts the next, so
            # that OFFLINE, its will, cannot come after the ONLINE of the next.
            identifier=f"sightline-{settings.prefix}",
            timeout=CONNECT_S,
            keepalive=KEEPALIVE_S,
            tls_context=self._tls() if is_encrypted else None,
            # The broker says it for a process that was killed.
            will=Will(self._topics.availability, OFFLINE, qos=1, retain=True),
        )
        async with client:
            self._connected_at = time.monotonic()
            log.info("home_assistant.connected", host=host, port=port)
            self._announced.clear()
            self._states.clear()
            listening = asyncio.create_task(self._listen(client))
            try:
                await client.publish(self._topics.availability, ONLINE, qos=1, retain=True)
                while not stop.is_set():
                    if listening.done():
                        listening.result()  # raises why the connection ended
                    if (sequence := await self._claim()) is None:
                        return
                    await self._tick(client, sequence)
                    await is_set_within(stop, self._tick_s)
                await client.publish(self._topics.availability, OFFLINE, qos=1, retain=True)
            finally:
                listening.cancel()
                with suppress(asyncio.CancelledError, Exception):
                    await listening

    def _tls(self) -> ssl.SSLContext:
        context = ssl.create_default_context()
        if self._ca_file is not None:
            context.load_verify_locations(self._ca_file)
        return context

    async def _listen(self, client: "Client") -> None:
        """Home Assistant forgets what is not retained when it starts, and says that it did."""
        await client.subscribe(self._topics.birth, qos=1)
        async for message in client.messages:
            if message.payload == ONLINE and not message.retain:
                self._announced.clear()
                self._states.clear()

    async def _tick(self, client: "Client", sequence: int) -> None:
        async with self._database.transaction() as tx:
            occupied = await store.occupied(tx, within_s=self._settings.off_after_s)
            known = await store.entities(tx)
            new = occupied - known.keys()
            names = await store.names_of(tx, {one.camera_key for one in new})
            messages = await messages_after(tx, EVENTS_STREAM, sequence, types=PUBLISHED, limit=MESSAGES_AT_ONCE)
        for entity, camera in [*known.items(), *((one, names.get(one.camera_key)) for one in sorted(new))]:
            if camera is None:
                await self._withdraw(client, entity)
            else:
                await self._show(client, entity, camera, is_on=entity in occupied, is_new=entity in new)
        for message in messages:
            await self._publish_event(client, message.sequence, message.type, message.event_id)

    async def _show(
        self, client: "Client", entity: OccupancySensor, camera: CameraName, *, is_on: bool, is_new: bool
    ) -> None:
        config = discovery_message(entity, camera.camera_id, camera.name, self._topics)
        if self._announced.get(entity) != config:
            await client.publish(self._topics.discovery(entity), config, qos=1, retain=True)
            self._announced[entity] = config
        if is_new:
            async with self._database.transaction() as tx:
                await store.add_entity(tx, entity)
        state = ON if is_on else OFF
        if self._states.get(entity) != state:
            await client.publish(self._topics.state(entity), state, qos=1, retain=True)
            self._states[entity] = state

    async def _withdraw(self, client: "Client", entity: OccupancySensor) -> None:
        """An empty retained message removes the one before, and with it the entity."""
        for topic in (self._topics.discovery(entity), self._topics.state(entity)):
            await client.publish(topic, b"", qos=1, retain=True)
        async with self._database.transaction() as tx:
            await store.remove_entity(tx, entity)
        self._announced.pop(entity, None)
        self._states.pop(entity, None)

    async def _publish_event(self, client: "Client", sequence: int, kind: str, event_id: Any) -> None:
        with suppress(NotFound):  # purged meanwhile
            async with self._database.transaction() as tx:
                event = await events_store.need_event(tx, int(event_id))
            message = event_message(kind, event, page_url=self._page_url)
            await client.publish(self._topics.events, message, qos=1)
        async with self._database.transaction() as tx:
            await store.save_sequence(tx, self._holder, sequence)
