"""Long polling: who waits for which queue, and what wakes them."""

import asyncio
from collections import defaultdict
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from sightline.db import Listener

CHANNEL = "sightline_bus"


class Waiters:
    """Wakes whoever waits for a queue when a message comes into it, in this process or any other."""

    def __init__(self, listener: Listener) -> None:
        self._listener = listener
        self._waiting: dict[str, set[asyncio.Event]] = defaultdict(set)
        self._subscription = ExitStack()

    @property
    def is_listening(self) -> bool:
        """Whether words arrive; if not, whoever waits had better look by themselves now and then."""
        return self._listener.is_connected

    @contextmanager
    def waiting_for(self, queue: str) -> Iterator[asyncio.Event]:
        """An event that is set when there may be something to receive. Enter before looking, or a word may be missed."""
        if not self._waiting:
            self._subscription.enter_context(self._listener.subscribe(CHANNEL, self._on_notify))
        event = asyncio.Event()
        self._waiting[queue].add(event)
        try:
            yield event
        finally:
            self._waiting[queue].discard(event)

    def _on_notify(self, queue: str) -> None:
        # An empty word means that anything may have been missed.
        queues = [queue] if queue else list(self._waiting)
        for name in queues:
            for event in self._waiting.get(name, ()):
                event.set()
