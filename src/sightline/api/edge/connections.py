"""Open connections: how many there may be, in total and per address, and the regular check that closes idle ones."""

import asyncio
import ipaddress
import resource
import time
from collections.abc import Callable
from typing import Protocol
from weakref import WeakKeyDictionary

import structlog
from prometheus_client import CollectorRegistry, Counter, Gauge

from sightline.api.edge.refusals import SILENT, TOO_MANY, TOO_MANY_FROM_ADDRESS, Refusal
from sightline.config import ApiSettings

LOG_EVERY_S = 60.0
MAX_LINGERING = 100
# Files for the database, objects and pipes that connections must leave.
RESERVED_FILES = 256
_LONGEST_CHECK_INTERVAL_S = 1.0

log = structlog.get_logger(__name__)


class WatchedConnection(Protocol):
    def check(self, now: float) -> None:
        """Called regularly with the time; ends the connection if it breaks a time limit."""


class ConnectionMetrics:
    def __init__(self, registry: CollectorRegistry) -> None:
        self.open = Gauge("sightline_http_connections", "Open connections.", registry=registry)
        self.refused = Counter(
            "sightline_http_connections_refused_total",
            "Connections that were refused or cut because they broke a limit.",
            ["reason"],
            registry=registry,
        )


# A registry has each metric once, however many servers of a process are counted in it.
_metrics: WeakKeyDictionary[CollectorRegistry, ConnectionMetrics] = WeakKeyDictionary()


class Connections:
    """Counts of one server, shared by all its connections. A limit of 0 is no limit."""

    def __init__(
        self,
        limits: ApiSettings,
        registry: CollectorRegistry,
        *,
        clock: Callable[[], float] = time.monotonic,
        max_files: Callable[[], int] = lambda: resource.getrlimit(resource.RLIMIT_NOFILE)[0],
    ) -> None:
        self.limits = limits
        self.clock = clock
        self._max_total = _within_files(limits.max_connections, max_files())
        self._proxies = [ipaddress.ip_network(one) for one in limits.trusted_proxies]
        self._open: dict[WatchedConnection, str | None] = {}
        self._by_address: dict[str, int] = {}
        self._lingering = 0
        self._logged_at: dict[str, float] = {}
        metrics = _metrics.get(registry) or ConnectionMetrics(registry)
        _metrics[registry] = metrics
        self._gauge = metrics.open
        self._refused = metrics.refused

    def admit(self, connection: WatchedConnection, peer: str | None) -> Refusal | None:
        """Counts the connection, or returns why it may not be opened. A trusted proxy counts in total only."""
        if self._max_total and len(self._open) >= self._max_total:
            return TOO_MANY
        address = None if peer is None or self.is_proxy(peer) else address_key(peer)
        if address is not None and not self.enter(address):
            return TOO_MANY_FROM_ADDRESS
        self._open[connection] = address
        self._gauge.set(len(self._open))
        return None

    def release(self, connection: WatchedConnection) -> None:
        if connection in self._open:
            address = self._open.pop(connection)
            self._gauge.set(len(self._open))
            if address is not None:
                self.leave(address)

    def replace(self, old: WatchedConnection, new: WatchedConnection) -> None:
        """The same socket goes on with another protocol."""
        if old in self._open:
            self._open[new] = self._open.pop(old)

    def enter(self, address: str) -> bool:
        """Counts one more for the address, unless it has as many as it may."""
        count = self._by_address.get(address, 0)
        limit = self.limits.max_connections_per_address
        if limit and count >= limit:
            return False
        self._by_address[address] = count + 1
        return True

    def leave(self, address: str) -> None:
        left = self._by_address[address] - 1
        if left:
            self._by_address[address] = left
        else:
            del self._by_address[address]

    @property
    def has_proxies(self) -> bool:
        return bool(self._proxies)

    def is_proxy(self, peer: str) -> bool:
        if not self._proxies:
            return False
        try:
            address = ipaddress.ip_address(peer)
        except ValueError:
            return False
        return any(address in network for network in self._proxies)

    def report(self, reason: str, peer: str | None) -> None:
        """Counts a refusal. Strangers cause these lines, so each reason is logged once a minute at most."""
        self._refused.labels(reason).inc()
        if reason == SILENT:
            return  # browsers open connections that they may need, and often do not
        now = self.clock()
        if now - self._logged_at.get(reason, -LOG_EVERY_S) >= LOG_EVERY_S:
            self._logged_at[reason] = now
            log.warning("connection.refused", reason=reason, address=peer)

    def start_lingering(self) -> bool:
        """Whether a refused connection may stay until its answer is read; only some may, since each costs a socket."""
        if self._lingering >= MAX_LINGERING:
            return False
        self._lingering += 1
        return True

    def stop_lingering(self) -> None:
        self._lingering -= 1

    async def watch(self) -> None:
        """Checks all connections until it is cancelled. One timer for all costs less than one for each."""
        limits = self.limits
        shortest = min(limits.header_timeout_s, limits.body_timeout_s, limits.send_timeout_s)
        interval = min(_LONGEST_CHECK_INTERVAL_S, shortest / 4)
        while True:
            await asyncio.sleep(interval)
            self.check_all()

    def check_all(self) -> None:
        now = self.clock()
        for connection in tuple(self._open):
            connection.check(now)


def address_key(peer: str) -> str:
    """The address; of IPv6 its network of 64 bits, since the owner of one address has them all."""
    try:
        address = ipaddress.ip_address(peer.partition("%")[0])
    except ValueError:
        return peer
    if isinstance(address, ipaddress.IPv4Address):
        return str(address)
    if address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    return str(ipaddress.ip_network((address, 64), strict=False))


def _within_files(wanted: int, max_files: int) -> int:
    """The limit that leaves files for everything else; without them not even refusing would work."""
    if max_files in (resource.RLIM_INFINITY, 0):
        return wanted
    possible = max(max_files - RESERVED_FILES, max_files // 2)
    return min(wanted or possible, possible)
