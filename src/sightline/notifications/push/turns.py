"""Turns at a rate limit: when several notifications wait for one destination, alarms go first, then owners take turns."""

import asyncio
import heapq
import itertools
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


class Turns:
    """One notification at a time has its turn. The others wait in the order of their round, not of their arrival.

    An owner's second waiting notification is one round later than its first, so each round has one of every owner: however many
    one owner has waiting, another's next one waits for at most one of them.
    """

    def __init__(self) -> None:
        self._is_taken = False
        self._round = 0
        self._last_round: dict[str, int] = {}
        self._waiting: list[tuple[bool, int, int, str, asyncio.Future[None]]] = []
        self._arrivals = itertools.count()

    def ahead(self, owner: str) -> int:
        """How many turns come before that of a new notification of the owner."""
        counts = Counter(entry[3] for entry in self._waiting)
        mine = counts.pop(owner, 0)
        return int(self._is_taken) + mine + sum(min(count, mine + 1) for count in counts.values())

    @asynccontextmanager
    async def turn(self, owner: str, *, is_alarm: bool = False) -> AsyncIterator[None]:
        await self._wait(owner, is_alarm)
        try:
            yield
        finally:
            self._next()

    async def _wait(self, owner: str, is_alarm: bool) -> None:
        if not self._is_taken:
            self._is_taken = True
            self._last_round[owner] = self._round
            return
        its_round = max(self._round, self._last_round.get(owner, -1) + 1)
        if not is_alarm:
            self._last_round[owner] = its_round
        its_turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        heapq.heappush(self._waiting, (not is_alarm, its_round, next(self._arrivals), owner, its_turn))
        try:
            await its_turn
        except asyncio.CancelledError:
            if its_turn.done() and not its_turn.cancelled():
                self._next()  # it got its turn and is gone: the turn is passed on
            raise

    def _next(self) -> None:
        while self._waiting:
            not_alarm, its_round, _, _, its_turn = heapq.heappop(self._waiting)
            if its_turn.done():
                continue  # it was cancelled while it waited
            if not_alarm:
                self._round = its_round
            its_turn.set_result(None)
            return
        self._is_taken = False
        self._round = 0
        self._last_round.clear()
