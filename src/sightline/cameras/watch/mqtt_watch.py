"""Watching a camera over MQTT: connects to the broker, listens, and connects again, until it is stopped."""

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from urllib.parse import urlsplit

import structlog

from sightline.cameras.address import ENCRYPTED_SCHEMES, port_of
from sightline.cameras.mqtt import Feed, FrigateFeed, FrigateTopics, PacketLimit, SensorFeed, read_topics
from sightline.cameras.mqtt.feed import FedSighting
from sightline.cameras.mqtt.packet_limit import MAX_PACKET_BYTES
from sightline.cameras.problems import SourceProblem
from sightline.cameras.secrets import open_secrets
from sightline.cameras.source import SourceSecrets, SourceState
from sightline.cameras.sources.reach import checked_address
from sightline.cameras.sources.relay import LOOPBACK, RelayTarget, camera_tls, open_relay
from sightline.cameras.watch.camera_watch import RECONNECT, STEADY_S, WITH_PERSON, WatchParts
from sightline.cameras.watch.eyes import moment
from sightline.cameras.watch.leases_store import WatchedCamera
from sightline.cameras.watch.outbox import SightingOutbox
from sightline.cameras.watch.sighting import CameraSighting
from sightline.errors import InvalidInput, PermanentFailure
from sightline.timing import is_set_within

KEEPALIVE_S = 30
_REFUSALS = (4, 5, 134, 135)
"""Bad user name or password, and not authorized, in both versions of the protocol."""

log = structlog.get_logger(__name__)


class MqttWatch:
    """One revision of one camera. The broker keeps messages while it is away, and each until what it says is stored."""

    def __init__(self, parts: WatchParts, camera: WatchedCamera) -> None:
        self._parts = parts
        self._camera = camera
        self._log = log.bind(camera_id=camera.camera_id, camera_key=str(camera.camera_key))
        self._outbox = SightingOutbox(camera.camera_key, parts.report, parts.metrics)
        self._feed: Feed | None = None
        self._live_since: float | None = None

    @property
    def revision(self) -> int:
        return self._camera.source.revision

    def set_viewed(self, is_viewed: bool) -> None:
        """Pictures come when the sender publishes them, whether a person looks or not."""

    async def is_redrawn(self) -> bool:
        return False

    async def run(self, stop: asyncio.Event) -> None:
        reporting = asyncio.create_task(self._outbox.run())
        failures = 0
        try:
            while not stop.is_set():
                problem = await self._connect_once(stop)
                if stop.is_set():
                    return
                lived_s = 0.0 if self._live_since is None else time.monotonic() - self._live_since
                if self._live_since is not None:
                    self._parts.metrics.live.dec()
                failures = 1 if lived_s > STEADY_S else failures + 1
                self._live_since = None
                self._parts.metrics.connections.labels(problem.code).inc()
                self._log.info("camera.disconnected", reason=problem.code, failures=failures)
                state: SourceState = "refused" if problem.needs_person else "lost" if failures > 1 else "connecting"
                await self._parts.states.save(self._camera, state, problem)
                await is_set_within(stop, (WITH_PERSON if problem.needs_person else RECONNECT).delay_s(failures))
        finally:
            if self._live_since is not None:
                self._parts.metrics.live.dec()
            self._parts.pictures.forget(self._camera.camera_key)
            await self._outbox.finish(reporting)

    async def _connect_once(self, stop: asyncio.Event) -> SourceProblem:
        listening = asyncio.create_task(self._listen())
        stopping = asyncio.create_task(stop.wait())
        try:
            await asyncio.wait((listening, stopping), return_when=asyncio.FIRST_COMPLETED)
            return listening.result() if listening.done() else SourceProblem("ended")
        except SourceProblem as problem:
            return problem
        except Exception as error:  # one camera must not end the others
            self._log.error("camera.watch_failed", error=type(error).__name__, exc_info=error)
            return SourceProblem("watcher_failed")
        finally:
            stopping.cancel()
            listening.cancel()
            with suppress(asyncio.CancelledError, Exception):
                await listening

    async def _listen(self) -> SourceProblem:
        source = self._camera.source
        try:
            secrets = open_secrets(self._parts.sealing, source, self._camera.sealed)
        except PermanentFailure:
            return SourceProblem("secret_lost")
        if self._feed is None:
            try:
                topics = read_topics(secrets.address)
            except InvalidInput:
                return SourceProblem("not_found")
            self._feed = FrigateFeed(topics) if isinstance(topics, FrigateTopics) else SensorFeed(topics)
        parts = urlsplit(secrets.address)
        host = parts.hostname or ""
        ip = await checked_address(host, port_of(parts), source.reach, resolve=self._parts.resolve)
        is_encrypted = parts.scheme in ENCRYPTED_SCHEMES
        ca_file = self._parts.settings.ca_file
        tls = camera_tls(verifies=source.verifies_certificate, ca_file=ca_file) if is_encrypted else None
        target = RelayTarget(ip, port_of(parts), tls, host)
        timeout_s = self._parts.settings.connect_timeout_s
        async with open_relay(target, timeout_s=timeout_s, accepts=self._accepts(PacketLimit())) as relay:
            return await self._receive(self._feed, relay.port, secrets, timeout_s)

    def _accepts(self, limit: PacketLimit) -> Callable[[bytes], bool]:
        def accepts(data: bytes) -> bool:
            if not (is_accepted := limit.accepts(data)):
                self._log.warning("camera.packet_too_large", max_bytes=MAX_PACKET_BYTES)
            return is_accepted

        return accepts

    async def _receive(self, feed: Feed, port: int, secrets: SourceSecrets, timeout_s: float) -> SourceProblem:
        from aiomqtt import MqttCodeError, MqttError  # only where a camera needs it

        from sightline.cameras.watch.mqtt_client import MqttClient

        client = MqttClient(
            LOOPBACK,
            port,
            username=secrets.username,
            password=secrets.password,
            # Stable, so that the broker keeps what was published while this process was away.
            identifier=f"sl{self._camera.camera_key.hex[:20]}",
            timeout=timeout_s,
            keepalive=KEEPALIVE_S,
        )
        try:
            async with client:
                for topic in feed.topics:
                    await client.subscribe(topic, qos=1)
                await self._set_live()
                async for message in client.messages:
                    await self._take(feed, message.topic.value, message.payload, is_retained=message.retain)
                    if message.qos > 0:  # its number alone: what it said may be large, and wait long
                        self._outbox.after_all(partial(client.acknowledge, message.mid, message.qos))
                    if client.needs_redelivery:
                        return SourceProblem("ended")
        except MqttCodeError as error:
            if getattr(error.rc, "value", error.rc) in _REFUSALS:
                return SourceProblem("password_needed" if secrets.username is None else "wrong_password")
            return SourceProblem("camera_error" if self._live_since is None else "ended")
        except MqttError:
            return SourceProblem("timed_out" if self._live_since is None else "ended")
        return SourceProblem("ended")

    async def _set_live(self) -> None:
        self._live_since = time.monotonic()
        self._parts.metrics.live.inc()
        self._parts.metrics.connections.labels("live").inc()
        await self._parts.states.save(self._camera, "live", None)

    async def _take(self, feed: Feed, topic: str, payload: bytes, *, is_retained: bool) -> None:
        result = feed.read(topic, payload, is_retained=is_retained, now=time.time())
        if result.sightings:
            self._outbox.add([self._sighting(one) for one in result.sightings])
        if result.picture is not None:
            await self._parts.pictures.offer(self._camera.camera_key, result.picture)

    def _sighting(self, one: FedSighting) -> CameraSighting:
        return CameraSighting(
            camera_key=self._camera.camera_key,
            camera_id=self._camera.camera_id,
            label=one.label,
            score=one.score,
            at=moment(one.at),
            box=one.box,
            track_id=one.track_id,
            number=one.number,
            picture=one.picture,
            attributes=one.attributes,
        )
