"""Dead letters on any backend: listing, rate-limited redriving and discarding."""

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field

from sightline.bus.bus import DeadLetters
from sightline.bus.dead_letter_filter import DeadLetterFilter, parse_message_ids
from sightline.bus.message import QueueCounts, Received
from sightline.bus.topology import Topology
from sightline.errors import InvalidInput, NotFound
from sightline.timing import Clock, utc_now

PAGE = 500
MAX_MOVES_PER_SECOND = 500
MAX_BATCH = 100
MAX_REDRIVES = 3

Sleep = Callable[[float], Awaitable[object]]


@dataclass(frozen=True, slots=True)
class DeadLetterReport:
    """The outcome of a redrive or discard, or of its dry run."""

    queue: str
    matched: int
    moved: int
    """0 in a dry run; fewer than `ids` when another process moved some first."""
    skipped: int
    """Redriven too often already: a letter that fails every time would loop for ever."""
    without_source: int
    """Sent directly to the dead-letter queue, so there is no source queue to return to."""
    by_source: Mapping[str, int]
    ids: tuple[str, ...]
    not_found: tuple[str, ...]
    has_more: bool
    """More letters match than the limit allowed."""
    is_dry_run: bool


@dataclass(frozen=True, slots=True)
class QueueOverview:
    """The counts of a queue and of its dead letters."""

    counts: QueueCounts
    dead_letter_queue: str | None
    dead_letters: int


def queue_overview(topology: Topology, counts: Iterable[QueueCounts]) -> list[QueueOverview]:
    """One row per queue, in the order of the topology; then the queues of clients by name."""
    found = {one.queue: one for one in counts}
    rows = []
    for queue in topology.queues:
        dead = found.get(queue.dead_letter_queue or "")
        total = 0 if dead is None else dead.visible + dead.in_flight + dead.delayed
        own = found.get(queue.name) or QueueCounts(queue.name, 0, 0, 0, None)
        rows.append(QueueOverview(own, queue.dead_letter_queue, total))
    for one in sorted((one for one in found.values() if not one.is_declared), key=lambda one: one.queue):
        dead = found.get(one.dead_letter_queue or "")
        total = 0 if dead is None else dead.visible + dead.in_flight + dead.delayed
        rows.append(QueueOverview(one, one.dead_letter_queue, total))
    return rows


def require_queue(topology: Topology, name: str) -> str:
    """Returns the name of a queue or dead-letter queue, or raises `NotFound`."""
    if name not in {queue.name for queue in topology.all_queues}:
        names = ", ".join(queue.name for queue in topology.queues)
        raise NotFound(f"no queue {name}; there are {names}", code="QUEUE_NOT_FOUND")
    return name


async def iterate_letters(
    letters: DeadLetters,
    queue: str,
    criteria: DeadLetterFilter,
    *,
    after: str | None = None,
    page: int = PAGE,
    clock: Clock = utc_now,
) -> AsyncGenerator[Received, None]:
    """Matching letters, oldest first, each once, even while other processes remove some."""
    now = clock()
    seen: set[str] = set()
    found = 0
    stale_pages = 0
    while criteria.ids is None or found < len(criteria.ids):
        page_of_letters = await letters.peek(queue, limit=page, after=after)
        fresh = [letter for letter in page_of_letters if letter.message_id not in seen]
        for letter in fresh:
            seen.add(letter.message_id)
            if criteria.matches(letter, now=now):
                found += 1
                yield letter
        # If the letter to continue after is deleted, the backend starts from the oldest again. So pages may repeat, but
        # no more of them than were seen.
        stale_pages = 0 if fresh else stale_pages + 1
        if len(page_of_letters) < page or stale_pages > len(seen) // page + 1:
            return
        after = page_of_letters[-1].message_id


async def list_letters(
    letters: DeadLetters, queue: str, criteria: DeadLetterFilter, *, limit: int, after: str | None = None
) -> tuple[list[Received], bool]:
    """The first matching letters, and whether there are more."""
    some: list[Received] = []
    async with aclosing(iterate_letters(letters, queue, criteria, after=after)) as found:
        async for letter in found:
            if len(some) == limit:
                return some, True
            some.append(letter)
    return some, False


async def find_letter(letters: DeadLetters, queue: str, message_id: str) -> Received:
    async with aclosing(
        iterate_letters(letters, queue, DeadLetterFilter(ids=parse_message_ids([message_id])))
    ) as found:
        async for letter in found:
            return letter
    raise NotFound(f"no dead letter {message_id} in {queue}", code="MESSAGE_NOT_FOUND")


async def redrive_letters(
    letters: DeadLetters,
    queue: str,
    criteria: DeadLetterFilter,
    *,
    limit: int | None = None,
    per_second: float = MAX_MOVES_PER_SECOND,
    max_redrives: int = MAX_REDRIVES,
    is_forced: bool = False,
    is_dry_run: bool = False,
    sleep: Sleep = asyncio.sleep,
    clock: Clock = utc_now,
) -> DeadLetterReport:
    """Moves letters back to their source queues; `is_forced` includes those already redriven `max_redrives` times."""
    _check(limit, per_second)
    selection = _Selection(None if is_forced else max_redrives, needs_source=True)
    await selection.collect(iterate_letters(letters, queue, criteria, clock=clock), limit)
    moved = None if is_dry_run else await _move(letters.redrive, queue, selection.by_source, per_second, sleep)
    return _report(queue, criteria, selection, moved)


async def discard_letters(
    letters: DeadLetters,
    queue: str,
    criteria: DeadLetterFilter,
    *,
    limit: int | None = None,
    per_second: float = MAX_MOVES_PER_SECOND,
    is_dry_run: bool = False,
    sleep: Sleep = asyncio.sleep,
    clock: Clock = utc_now,
) -> DeadLetterReport:
    """Deletes letters permanently."""
    _check(limit, per_second)
    selection = _Selection(max_redrives=None, needs_source=False)
    await selection.collect(iterate_letters(letters, queue, criteria, clock=clock), limit)
    moved = None if is_dry_run else await _move(letters.discard, queue, selection.by_source, per_second, sleep)
    return _report(queue, criteria, selection, moved)


def _check(limit: int | None, per_second: float) -> None:
    if limit is not None and limit < 1:
        raise InvalidInput(f"the limit must be at least 1, not {limit}")
    if not 0 < per_second <= MAX_MOVES_PER_SECOND:
        raise InvalidInput(f"the rate must be above 0 and at most {MAX_MOVES_PER_SECOND} a second, not {per_second:g}")


@dataclass(slots=True)
class _Selection:
    """The letters to move, chosen before any moves: a moved letter could fail again while the rest is still being read."""

    max_redrives: int | None
    needs_source: bool
    matched: set[str] = field(default_factory=set)
    skipped: int = 0
    without_source: int = 0
    by_source: dict[str, list[str]] = field(default_factory=dict)
    has_more: bool = False

    async def collect(self, found: AsyncGenerator[Received, None], limit: int | None) -> None:
        left = limit
        async with aclosing(found):
            async for letter in found:
                has_no_source = self.needs_source and letter.source_queue is None
                is_looping = self.max_redrives is not None and letter.redrives >= self.max_redrives
                if left == 0 and not has_no_source and not is_looping:
                    self.has_more = True
                    return
                self.matched.add(letter.message_id)
                if has_no_source:
                    self.without_source += 1
                elif is_looping:
                    self.skipped += 1
                else:
                    self.by_source.setdefault(letter.source_queue or letter.queue, []).append(letter.message_id)
                    left = None if left is None else left - 1


async def _move(
    move: Callable[[str, Sequence[str]], Awaitable[int]],
    queue: str,
    by_source: Mapping[str, Sequence[str]],
    per_second: float,
    sleep: Sleep,
) -> Counter[str]:
    moved: Counter[str] = Counter()
    pause_s = 0.0
    for source, batch in _batches(by_source, max(1, min(int(per_second), MAX_BATCH))):
        if pause_s:
            await sleep(pause_s)
        moved[source] += await move(queue, batch)
        pause_s = len(batch) / per_second
    return moved


def _batches(by_source: Mapping[str, Sequence[str]], size: int) -> Iterator[tuple[str, Sequence[str]]]:
    for source, ids in by_source.items():
        for start in range(0, len(ids), size):
            yield source, ids[start : start + size]


def _report(
    queue: str, criteria: DeadLetterFilter, selection: _Selection, moved: Counter[str] | None
) -> DeadLetterReport:
    would_move = {source: len(ids) for source, ids in selection.by_source.items()}
    return DeadLetterReport(
        queue=queue,
        matched=len(selection.matched),
        moved=0 if moved is None else moved.total(),
        skipped=selection.skipped,
        without_source=selection.without_source,
        by_source=would_move if moved is None else dict(moved),
        ids=tuple(one for ids in selection.by_source.values() for one in ids),
        not_found=() if selection.has_more else tuple(sorted((criteria.ids or frozenset()) - selection.matched)),
        has_more=selection.has_more,
        is_dry_run=moved is None,
    )
