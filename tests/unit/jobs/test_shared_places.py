"""Places that jobs share in turn."""

import asyncio
from contextlib import suppress

import pytest

from sightline.jobs import SharedPlaces


class Works:
    """Pieces of work that hold a place until the test ends them."""

    def __init__(self, places: int) -> None:
        self.places = SharedPlaces(places)
        self.begun: list[str] = []
        self.tasks: list[asyncio.Task[None]] = []
        self._ends: list[tuple[str, asyncio.Event]] = []

    async def add(self, job: str, count: int = 1) -> None:
        for _ in range(count):
            self.tasks.append(asyncio.create_task(self._work(job)))
            await self.settled()

    async def _work(self, job: str) -> None:
        end = asyncio.Event()
        async with self.places.turn(job):
            self.begun.append(job)
            self._ends.append((job, end))
            await end.wait()

    async def end_one(self, job: str) -> None:
        found = next(one for one in self._ends if one[0] == job)
        self._ends.remove(found)
        found[1].set()
        await self.settled()

    @property
    def at_work(self) -> str:
        return "".join(sorted(job for job, _ in self._ends))

    async def settled(self) -> None:
        for _ in range(5):
            await asyncio.sleep(0)

    async def close(self) -> None:
        for task in self.tasks:
            task.cancel()
        with suppress(asyncio.CancelledError):
            await asyncio.gather(*self.tasks, return_exceptions=True)


@pytest.fixture
async def works():
    made = Works(2)
    yield made
    await made.close()


@pytest.mark.req(715)
async def test_a_job_alone_has_all_places_and_not_more(works):
    await works.add("a", 5)
    assert works.at_work == "aa"


@pytest.mark.req(715)
async def test_a_job_that_comes_while_another_works_starts_at_once(works):
    await works.add("a", 5)
    await works.add("b", 5)
    assert works.at_work == "aab"


@pytest.mark.req(715)
async def test_the_extra_place_is_one_for_all_and_never_makes_more(works):
    await works.add("a", 5)
    await works.add("b", 2)
    await works.add("c", 2)
    assert works.at_work == "aab"
    await works.end_one("a")
    assert works.at_work == "abc"
    await works.end_one("a")
    assert works.at_work == "abc"


@pytest.mark.req(715)
async def test_jobs_take_turns_piece_by_piece(works):
    await works.add("a", 6)
    await works.add("b", 6)
    await works.end_one("b")
    for _ in range(8):
        await works.end_one(works.at_work[0])
    assert abs(works.begun.count("a") - works.begun.count("b")) <= 1


@pytest.mark.req(715)
async def test_a_cancelled_wait_leaves_no_trace_and_a_cancelled_turn_gives_its_place_back(works):
    await works.add("a", 4)
    works.tasks[3].cancel()
    works.tasks[0].cancel()
    await works.settled()
    assert works.begun == ["a", "a", "a"]
    assert [task.done() for task in works.tasks] == [True, False, False, True]
    await works.add("b", 1)
    assert works.begun[-1] == "b"


async def test_a_place_that_is_handed_out_to_a_job_cancelled_at_that_moment_is_free_again():
    works = Works(1)
    await works.add("a", 2)
    await works.add("b", 2)
    # The end of a's work and the cancellation of the next come in one turn of the loop.
    ending = asyncio.create_task(works.end_one("a"))
    await asyncio.sleep(0)
    assert works.at_work == "b"
    works.tasks[1].cancel()
    await ending
    await works.end_one("b")
    assert works.at_work == "b"
    assert works.tasks[1].cancelled()
    await works.close()
