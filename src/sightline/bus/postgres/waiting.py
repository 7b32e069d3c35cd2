"""Long polling: waiting receives per queue, woken by database notifications."""

import asyncio
from collections import defaultdict
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from sightline.db import Listener

CHANNEL = "sightline_bus"


class Waiters:
    """Wakes the receives that wait for a queue when any process adds a message to it."""

    def __init__(self, listener: Listener) -> None:
        self._listener = listener
        self._waiting: dict[str, set[asyncio.Event]] = defaultdict(set)
        self._subscription = ExitStack()
        self._is_subscribed = False

    @property
    def is_listening(self) -> bool:
        """Whether notifications arrive; if not, waiting receives have to poll."""
        return self._listener.is_connected

    @contextmanager
    def waiting_for(self, queue: str, event: asyncio.Event | None = None) -> Iterator[asyncio.Event]:
        """An event, the given one or a new one, that is set when there may be a message. Enter before the first claim, or a
        notification may be missed."""
        if not self._is_subscribed:
            self._is_subscribed = True
            self._subscription.enter_context(self._listener.subscribe(CHANNEL, self._on_notify))
        event = event or asyncio.Event()
        self._waiting[queue].add(event)
        try:
            yield event
        finally:
            self._waiting[queue].discard(event)
            if not self._waiting[queue]:
                del self._waiting[queue]

    def _on_notify(self, queue: str) -> None:
        # An empty payload means that notifications may have been missed.
        queues = [queue] if queue else list(self._waiting)
        for name in queues:
            for event in tuple(self._waiting.get(name, ())):
                event.set()
