"""The rules over dead letters, whoever keeps them: finding them, and giving them another chance or none, not too fast."""

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
    """What was done, or in a dry run would be."""

    queue: str
    matched: int
    moved: int
    """0 in a dry run; fewer than `ids` when somebody else was faster."""
    skipped: int
    """Redriven too often already: a letter that dies each time would go round for ever."""
    without_source: int
    """Put into the dead-letter queue by hand, so there is no queue to return to."""
    by_source: Mapping[str, int]
    ids: tuple[str, ...]
    not_found: tuple[str, ...]
    has_more: bool
    """The limit left some that are meant."""
    is_dry_run: bool


@dataclass(frozen=True, slots=True)
class QueueOverview:
    """A queue's counts and how many of its messages lie dead."""

    counts: QueueCounts
    dead_letter_queue: str | None
    dead_letters: int


def queue_overview(topology: Topology, counts: Iterable[QueueCounts]) -> list[QueueOverview]:
    """In the topology's order."""
    found = {one.queue: one for one in counts}
    rows = []
    for queue in topology.queues:
        dead = found.get(queue.dead_letter_queue or "")
        total = 0 if dead is None else dead.visible + dead.in_flight + dead.delayed
        own = found.get(queue.name) or QueueCounts(queue.name, 0, 0, 0, None)
        rows.append(QueueOverview(own, queue.dead_letter_queue, total))
    return rows


def require_queue(topology: Topology, name: str) -> str:
    """Raises unless there is such a queue, by its own or its dead-letter queue's name."""
    if name not in {queue.name for queue in topology.all_queues}:
        names = ", ".join(queue.name for queue in topology.queues)
        raise NotFound(f"no queue {name}; there are {names}", code="QUEUE_NOT_FOUND")
    return name


async def iterate_letters(
    letters: DeadLetters,
    queue: str,
    wanted: DeadLetterFilter,
    *,
    after: str | None = None,
    page: int = PAGE,
    clock: Clock = utc_now,
) -> AsyncGenerator[Received, None]:
    """The letters that are meant, oldest first, each once, whatever others take out of the queue meanwhile."""
    now = clock()
    seen: set[str] = set()
    found = 0
    stale_pages = 0
    while wanted.ids is None or found < len(wanted.ids):
        letters_here = await letters.peek(queue, limit=page, after=after)
        fresh = [letter for letter in letters_here if letter.message_id not in seen]
        for letter in fresh:
            seen.add(letter.message_id)
            if wanted.matches(letter, now=now):
                found += 1
                yield letter
        # The letter to continue behind may be gone, and then a keeper starts from the oldest. So known ground is
        # walked again, but never more of it than there is.
        stale_pages = 0 if fresh else stale_pages + 1
        if len(letters_here) < page or stale_pages > len(seen) // page + 1:
            return
        after = letters_here[-1].message_id


async def list_letters(
    letters: DeadLetters, queue: str, wanted: DeadLetterFilter, *, limit: int, after: str | None = None
) -> tuple[list[Received], bool]:
    """The first of them, and whether there are more."""
    some: list[Received] = []
    async with aclosing(iterate_letters(letters, queue, wanted, after=after)) as found:
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
    wanted: DeadLetterFilter,
    *,
    limit: int | None = None,
    per_second: float = MAX_MOVES_PER_SECOND,
    max_redrives: int = MAX_REDRIVES,
    is_forced: bool = False,
    is_dry_run: bool = False,
    sleep: Sleep = asyncio.sleep,
    clock: Clock = utc_now,
) -> DeadLetterReport:
    """Back to the queues they came from. Forced, the loop guard lets pass what was redriven `max_redrives` times."""
    _check(limit, per_second)
    choice = _Choice(None if is_forced else max_redrives, needs_source=True)
    await choice.make(iterate_letters(letters, queue, wanted, clock=clock), limit)
    moved = None if is_dry_run else await _move(letters.redrive, queue, choice.by_source, per_second, sleep)
    return _report(queue, wanted, choice, moved)


async def discard_letters(
    letters: DeadLetters,
    queue: str,
    wanted: DeadLetterFilter,
    *,
    limit: int | None = None,
    per_second: float = MAX_MOVES_PER_SECOND,
    is_dry_run: bool = False,
    sleep: Sleep = asyncio.sleep,
    clock: Clock = utc_now,
) -> DeadLetterReport:
    """For good."""
    _check(limit, per_second)
    choice = _Choice(max_redrives=None, needs_source=False)
    await choice.make(iterate_letters(letters, queue, wanted, clock=clock), limit)
    moved = None if is_dry_run else await _move(letters.discard, queue, choice.by_source, per_second, sleep)
    return _report(queue, wanted, choice, moved)


def _check(limit: int | None, per_second: float) -> None:
    if limit is not None and limit < 1:
        raise InvalidInput(f"the limit must be at least 1, not {limit}")
    if not 0 < per_second <= MAX_MOVES_PER_SECOND:
        raise InvalidInput(f"the rate must be above 0 and at most {MAX_MOVES_PER_SECOND} a second, not {per_second:g}")


@dataclass(slots=True)
class _Choice:
    """Made before anything moves: what has moved could die again while the rest is still being looked through."""

    max_redrives: int | None
    needs_source: bool
    matched: set[str] = field(default_factory=set)
    skipped: int = 0
    without_source: int = 0
    by_source: dict[str, list[str]] = field(default_factory=dict)
    has_more: bool = False

    async def make(self, found: AsyncGenerator[Received, None], limit: int | None) -> None:
        left = limit
        async with aclosing(found):
            async for letter in found:
                is_homeless = self.needs_source and letter.source_queue is None
                is_looping = self.max_redrives is not None and letter.redrives >= self.max_redrives
                if left == 0 and not is_homeless and not is_looping:
                    self.has_more = True
                    return
                self.matched.add(letter.message_id)
                if is_homeless:
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


def _report(queue: str, wanted: DeadLetterFilter, choice: _Choice, moved: Counter[str] | None) -> DeadLetterReport:
    would_move = {source: len(ids) for source, ids in choice.by_source.items()}
    return DeadLetterReport(
        queue=queue,
        matched=len(choice.matched),
        moved=0 if moved is None else moved.total(),
        skipped=choice.skipped,
        without_source=choice.without_source,
        by_source=would_move if moved is None else dict(moved),
        ids=tuple(one for ids in choice.by_source.values() for one in ids),
        not_found=() if choice.has_more else tuple(sorted((wanted.ids or frozenset()) - choice.matched)),
        has_more=choice.has_more,
        is_dry_run=moved is None,
    )
