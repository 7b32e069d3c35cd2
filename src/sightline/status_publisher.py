"""Publication of the state of services: what changes in quick succession, as while everything starts, is written once."""

import asyncio
from collections.abc import Callable

from sightline.supervisor import ServiceStatus

TOGETHER_S = 0.1


class StatusPublisher:
    """Calls `write` at most every `TOGETHER_S`, the last time with the last change."""

    def __init__(self, write: Callable[[list[ServiceStatus]], None]) -> None:
        self._write = write
        self._services: list[ServiceStatus] = []
        self._later: asyncio.TimerHandle | None = None
        self._is_closed = False

    def changed(self, services: list[ServiceStatus]) -> None:
        if self._is_closed:
            return
        is_first = not self._services
        self._services = services
        if is_first:
            self._write(services)
        elif self._later is None:
            self._later = asyncio.get_running_loop().call_later(TOGETHER_S, self.publish)

    def publish(self) -> None:
        """Writes now what has not been written."""
        if self._later is None:
            return
        self._later.cancel()
        self._later = None
        self._write(self._services)

    def close(self) -> None:
        """Writes nothing more: the directory belongs to the next platform."""
        self._is_closed = True
        if self._later is not None:
            self._later.cancel()
            self._later = None
