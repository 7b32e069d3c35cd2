"""Waiting in queues: what theory says, and a simulator of stations with several servers that is checked against it."""

import heapq
import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

HOUR_S = 3600.0
_STEPS_PER_DECADE = 20
_SHORTEST_S = 1e-5

Path = tuple[tuple[str, float], ...]
"""The stations that something visits one after the other, and how long it is served at each, in seconds."""


def erlang_c(servers: int, offered: float) -> float:
    """The share of arrivals that have to wait; `offered` is arrivals a second times seconds of service."""
    if offered >= servers:
        return 1.0
    blocked = 1.0  # Erlang B, built up server by server, so that nothing overflows
    for count in range(1, servers + 1):
        blocked = offered * blocked / (count + offered * blocked)
    return blocked / (1 - offered / servers * (1 - blocked))


def mean_wait_mmc(rate: float, service_s: float, servers: int) -> float:
    """Mean wait where services take exponentially distributed times; infinite where more comes than can be served."""
    offered = rate * service_s
    if offered >= servers:
        return math.inf
    return erlang_c(servers, offered) * service_s / (servers - offered)


def mean_wait_md1(rate: float, service_s: float) -> float:
    """Mean wait before one server whose services all take the same time."""
    use = rate * service_s
    return math.inf if use >= 1 else use * service_s / (2 * (1 - use))


def servers_needed(rate: float, service_s: float, *, max_wait_s: float, max_use: float) -> int:
    """The fewest servers that are busy for at most `max_use` of the time and keep the mean wait below `max_wait_s`."""
    servers = max(1, math.ceil(rate * service_s / max_use))
    while mean_wait_mmc(rate, service_s, servers) > max_wait_s:
        servers += 1
    return servers


@dataclass
class Waits:
    """Waiting times, as counts in steps of 12 %."""

    count: int = 0
    total_s: float = 0.0
    longest_s: float = 0.0
    _steps: dict[int, int] = field(default_factory=dict)

    def add(self, wait_s: float) -> None:
        self.count += 1
        self.total_s += wait_s
        self.longest_s = max(self.longest_s, wait_s)
        step = 0 if wait_s <= _SHORTEST_S else 1 + int(math.log10(wait_s / _SHORTEST_S) * _STEPS_PER_DECADE)
        self._steps[step] = self._steps.get(step, 0) + 1

    @property
    def mean_s(self) -> float:
        return self.total_s / self.count if self.count else 0.0

    def quantile(self, share: float) -> float:
        """An upper bound, at most 12 % too high."""
        left = share * self.count
        for step in sorted(self._steps):
            left -= self._steps[step]
            if left <= 0:
                return 0.0 if step == 0 else min(self.longest_s, _SHORTEST_S * 10 ** (step / _STEPS_PER_DECADE))
        return self.longest_s


class Station:
    """Servers that serve whatever comes in the order in which it comes."""

    def __init__(self, name: str, servers: int) -> None:
        self.name = name
        self.servers = servers
        self.waits = Waits()
        self.busy_s: dict[int, float] = {}
        """By the hour in which the service began."""
        self._free_at = [0.0] * servers

    def serve(self, at: float, service_s: float) -> float:
        """When the service ends; to be called in the order of arrival."""
        begins = max(at, self._free_at[0])
        ends = begins + service_s
        heapq.heapreplace(self._free_at, ends)
        self.waits.add(begins - at)
        hour = int(begins // HOUR_S)
        self.busy_s[hour] = self.busy_s.get(hour, 0.0) + service_s
        return ends

    def use(self, hour: int) -> float:
        return self.busy_s.get(hour, 0.0) / (self.servers * HOUR_S)

    @property
    def busiest(self) -> float:
        return max((self.use(hour) for hour in self.busy_s), default=0.0)


def play(stations: dict[str, Station], arrivals: Iterable[tuple[float, Path]]) -> None:
    """Lets everything that arrives, in the order of time, visit the stations of its path."""
    under_way: list[tuple[float, int, Path, int]] = []
    for number, (at, path) in enumerate(arrivals):
        _play_until(stations, under_way, at)
        heapq.heappush(under_way, (at, number, path, 0))
    _play_until(stations, under_way, math.inf)


def _play_until(stations: dict[str, Station], under_way: list[tuple[float, int, Path, int]], until: float) -> None:
    while under_way and under_way[0][0] < until:
        at, number, path, step = heapq.heappop(under_way)
        name, service_s = path[step]
        ends = stations[name].serve(at, service_s)
        if step + 1 < len(path):
            heapq.heappush(under_way, (ends, number, path, step + 1))


def merged(*arrivals: Iterable[tuple[float, Path]]) -> Iterator[tuple[float, Path]]:
    return heapq.merge(*arrivals, key=lambda one: one[0])
