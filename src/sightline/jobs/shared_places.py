"""Places for heavy work that several jobs of one worker share: they take turns, and a newcomer need not wait for those at work."""

import asyncio
from collections import Counter, deque
from collections.abc import AsyncIterator, Hashable
from contextlib import asynccontextmanager


class SharedPlaces:
    """At most `places` pieces of work at a time, and one more for a job that has none of them.

    A free place goes to the waiting job with the fewest places; among equals to the one whose last turn is longest ago. A job alone
    gets all places. The extra place is why a short job that comes while others work starts at once.
    """

    def __init__(self, places: int) -> None:
        self._places = places
        self._held: Counter[Hashable] = Counter()
        self._waiting: dict[Hashable, deque[asyncio.Future[None]]] = {}
        """In the order of the last turns."""

    @asynccontextmanager
    async def turn(self, job: Hashable) -> AsyncIterator[None]:
        """Holds a place within the block; waits for one if there is none."""
        await self._take(job)
        try:
            yield
        finally:
            self._give_back(job)

    async def _take(self, job: Hashable) -> None:
        place = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(job, deque()).append(place)
        self._hand_out()
        try:
            await place
        except asyncio.CancelledError:
            if not place.cancelled():
                self._give_back(job)  # handed out at the moment of the cancellation
            raise

    def _give_back(self, job: Hashable) -> None:
        self._held[job] -= 1
        if not self._held[job]:
            del self._held[job]
        self._hand_out()

    def _hand_out(self) -> None:
        while (job := self._next()) is not None:
            waiting = self._waiting.pop(job)
            place = waiting.popleft()
            if waiting:
                self._waiting[job] = waiting  # at the end of the order
            if not place.cancelled():
                self._held[job] += 1
                place.set_result(None)

    def _next(self) -> Hashable | None:
        if not self._waiting:
            return None
        job = min(self._waiting, key=lambda one: self._held[one])
        free = self._places - self._held.total()
        return job if free > 0 or (free == 0 and not self._held[job]) else None
