"""What happens to dead letters, on a backend that is a list."""

from collections.abc import Callable, Sequence

import pytest

from sightline.bus import (
    DeadLetterFilter,
    Queue,
    QueueCounts,
    Received,
    Topology,
    discard_letters,
    find_letter,
    iterate_letters,
    list_letters,
    parse_message_ids,
    queue_overview,
    redrive_letters,
    require_queue,
)
from sightline.bus.dead_letters import MAX_BATCH
from sightline.errors import InvalidInput, NotFound
from support.dead_letter import NOW, id_of, letter

ALL = DeadLetterFilter()


class ListedLetters:
    """Keeps letters in a list; `when_looked` is told of each look, so that others can be at work meanwhile."""

    def __init__(self, letters: Sequence[Received]) -> None:
        self.letters = list(letters)
        self.looks = 0
        self.batches: list[list[str]] = []
        self.when_looked: Callable[[int], None] = lambda look: None

    async def peek(self, queue: str, *, limit: int, after: str | None = None) -> list[Received]:
        self.looks += 1
        ids = [one.message_id for one in self.letters]
        start = ids.index(after) + 1 if after in ids else 0
        found = self.letters[start : start + limit]
        self.when_looked(self.looks)
        return found

    async def redrive(self, queue: str, message_ids: Sequence[str]) -> int:
        return await self.discard(queue, message_ids)

    async def discard(self, queue: str, message_ids: Sequence[str]) -> int:
        self.batches.append(list(message_ids))
        before = len(self.letters)
        self.letters = [one for one in self.letters if one.message_id not in message_ids]
        return before - len(self.letters)

    def take(self, *numbers: int) -> None:
        self.letters = [one for one in self.letters if one.message_id not in {id_of(number) for number in numbers}]


async def _numbers(backend: ListedLetters, page: int) -> list[int]:
    return [
        int(one.message_id[-12:]) async for one in iterate_letters(backend, "work", ALL, page=page, clock=lambda: NOW)
    ]


@pytest.mark.parametrize("page", [1, 2, 3, 10])
async def test_pages_of_any_size_find_each_letter_once(page: int):
    assert await _numbers(ListedLetters([letter(number) for number in range(6)]), page) == list(range(6))


@pytest.mark.parametrize("page", [1, 2, 3])
async def test_letters_that_others_take_meanwhile_hide_none_and_double_none(page: int):
    backend = ListedLetters([letter(number) for number in range(8)])
    # The letter to continue behind goes, and a backend that does not know it starts from the oldest.
    backend.when_looked = lambda look: backend.take(2 * page - 1) if look == 2 else None
    assert await _numbers(backend, page) == list(range(8))


async def test_iterating_ends_even_if_the_backend_repeats_pages_for_ever():
    backend = ListedLetters([letter(1), letter(2)])
    backend.letters.append(backend.letters[0])  # one id twice: "behind it" is behind the first
    assert await _numbers(backend, 1) == [1, 2]
    assert backend.looks < 10


async def test_iterating_ends_as_soon_as_all_ids_are_found():
    backend = ListedLetters([letter(number) for number in range(2000)])
    assert (await find_letter(backend, "work", id_of(3))).message_id == id_of(3)
    assert backend.looks == 1
    with pytest.raises(NotFound, match="no dead letter .* in work"):
        await find_letter(backend, "work", id_of(5000))


async def test_a_page_reports_whether_there_are_more():
    backend = ListedLetters([letter(number) for number in range(4)])
    some, has_more = await list_letters(backend, "work", ALL, limit=3)
    assert ([one.message_id for one in some], has_more) == ([id_of(0), id_of(1), id_of(2)], True)
    rest, has_more = await list_letters(backend, "work", ALL, limit=3, after=some[-1].message_id)
    assert ([one.message_id for one in rest], has_more) == ([id_of(3)], False)


@pytest.mark.req(175)
async def test_chosen_letters_are_redriven_and_counted_by_source_queue():
    backend = ListedLetters([letter(1), letter(2, source="other"), letter(3), letter(4)])
    report = await redrive_letters(
        backend, "work", DeadLetterFilter(ids=parse_message_ids([id_of(1), id_of(2), id_of(3), id_of(9)]))
    )
    assert (report.matched, report.moved, dict(report.by_source)) == (3, 3, {"work": 2, "other": 1})
    assert report.not_found == (id_of(9),)
    assert [one.message_id for one in backend.letters] == [id_of(4)]


async def test_a_dry_run_reports_the_same_and_moves_nothing():
    backend = ListedLetters([letter(1), letter(2, redrives=3)])
    for move in (redrive_letters, discard_letters):
        report = await move(backend, "work", ALL, is_dry_run=True)
        assert (report.matched, report.moved, report.is_dry_run) == (2, 0, True)
        assert report.by_source == {"work": len(report.ids)}
    assert backend.batches == []


async def test_letters_that_keep_dying_are_left_unless_forced():
    backend = ListedLetters([letter(1, redrives=2), letter(2, redrives=3), letter(3, redrives=7)])
    report = await redrive_letters(backend, "work", ALL)
    assert (report.matched, report.moved, report.skipped) == (3, 1, 2)
    report = await redrive_letters(backend, "work", ALL, is_forced=True)
    assert (report.moved, report.skipped) == (2, 0)


async def test_discarding_knows_no_loop_guard():
    backend = ListedLetters([letter(1, redrives=9), letter(2, source=None)])
    assert (await discard_letters(backend, "work", ALL)).moved == 2


async def test_a_letter_that_came_from_nowhere_cannot_return():
    report = await redrive_letters(ListedLetters([letter(1, source=None)]), "work", ALL)
    assert (report.matched, report.moved, report.without_source) == (1, 0, 1)


async def test_the_limit_counts_moved_letters_and_reports_if_there_are_more():
    backend = ListedLetters([letter(1), letter(2, redrives=3), letter(3), letter(4, redrives=3)])
    report = await redrive_letters(backend, "work", ALL, limit=1)
    assert (report.moved, report.skipped, report.has_more) == (1, 1, True)
    report = await redrive_letters(backend, "work", ALL, limit=1)
    assert (report.moved, report.skipped, report.has_more) == (1, 2, False)


@pytest.mark.parametrize(
    ("per_second", "sizes", "pauses"),
    [(500, [100, 100, 30], [0.2, 0.2]), (200, [100, 100, 30], [0.5, 0.5]), (115, [100, 100, 30], [100 / 115] * 2)],
)
async def test_no_more_than_so_many_a_second_are_moved(per_second: float, sizes: list[int], pauses: list[float]):
    backend = ListedLetters([letter(number) for number in range(230)])
    slept: list[float] = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)

    await redrive_letters(backend, "work", ALL, per_second=per_second, sleep=sleep)
    assert ([len(batch) for batch in backend.batches], slept) == (sizes, pauses)
    assert max(sizes) <= MAX_BATCH


async def test_less_than_one_a_second_is_one_at_a_time():
    backend = ListedLetters([letter(1), letter(2)])
    slept: list[float] = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)

    await discard_letters(backend, "work", ALL, per_second=0.5, sleep=sleep)
    assert (backend.batches, slept) == ([[id_of(1)], [id_of(2)]], [2.0])


@pytest.mark.parametrize("per_second", [0, -1, 501, float("nan")])
async def test_a_rate_above_the_maximum_is_rejected(per_second: float):
    with pytest.raises(InvalidInput, match="the rate must be above 0 and at most 500"):
        await redrive_letters(ListedLetters([]), "work", ALL, per_second=per_second)


async def test_a_limit_below_one_is_rejected():
    with pytest.raises(InvalidInput, match="limit"):
        await discard_letters(ListedLetters([]), "work", ALL, limit=0)


async def test_letters_that_another_process_moved_first_are_not_counted():
    backend = ListedLetters([letter(1), letter(2)])
    backend.when_looked = lambda look: backend.take(2)
    report = await redrive_letters(backend, "work", ALL)
    assert (report.matched, report.moved) == (2, 1)


@pytest.mark.req(176)
def test_the_overview_puts_dead_letters_beside_the_queue_they_died_in():
    topology = Topology(topics=(), queues=(Queue("b"), Queue("a", max_receives=None)))
    rows = queue_overview(topology, [QueueCounts("b", 5, 1, 0, 2.0), QueueCounts("b-dlq", 2, 1, 1, 9.0)])
    assert [(row.counts.queue, row.counts.visible, row.dead_letter_queue, row.dead_letters) for row in rows] == [
        ("b", 5, "b-dlq", 4),
        ("a", 0, None, 0),
    ]


def test_an_unknown_queue_is_answered_with_the_known():
    topology = Topology(topics=(), queues=(Queue("b"), Queue("a", max_receives=None)))
    assert require_queue(topology, "b-dlq") == "b-dlq"
    with pytest.raises(NotFound, match="no queue c; there are b, a"):
        require_queue(topology, "c")
