"""What each role of a process runs. A feature adds its services here by one line."""

import asyncio
from collections.abc import Callable
from typing import Literal

from sightline.bootstrap import Platform
from sightline.bus import PostgresBus, QueueWatch, RetentionSweep
from sightline.supervisor import Service

Role = Literal["work", "consume", "schedule"]


def services_of(role: Role, platform: Platform) -> list[Service]:
    """The services of a role, in the order in which they start."""
    match role:
        case "work":
            return [Idle("workers")]
        case "consume":
            return [Idle("consumers")]
        case "schedule":
            housekeeping: list[Service] = [QueueWatch(platform.bus, platform.bus_metrics)]
            if isinstance(platform.bus, PostgresBus):
                housekeeping.append(RetentionSweep(platform.bus.sweep))
            return [Idle("scheduler"), *housekeeping]


class Idle:
    """A role that no feature has given work yet: it holds its place in the status and waits."""

    def __init__(self, name: str) -> None:
        self.name = name

    async def run(self, stop: asyncio.Event, ready: Callable[[], None]) -> None:
        ready()
        await stop.wait()
