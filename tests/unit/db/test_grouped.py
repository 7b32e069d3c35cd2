"""Calls that share a commit: each gets its own answer, and one that fails takes no other with it."""

import asyncio
from collections.abc import Sequence

import pytest

from sightline.db import Grouped
from sightline.errors import BackendUnavailable
from support.waiting import until


class Work:
    """Doubles numbers; holds its first call back until told to go on."""

    def __init__(self, bad: int | None = None, error: Exception | None = None) -> None:
        self.calls: list[list[int]] = []
        self.may_go_on = asyncio.Event()
        self._bad = bad
        self._error = error or ValueError("bad")

    async def __call__(self, asked: Sequence[int]) -> list[int]:
        self.calls.append(list(asked))
        await self.may_go_on.wait()
        if self._bad in asked:
            raise self._error
        return [2 * one for one in asked]


async def _ask(work: Work, *numbers: int) -> list[int | BaseException]:
    """The first alone, the others while it is being worked on."""
    grouped: Grouped[int, int] = Grouped(work)
    asking = [asyncio.create_task(grouped.call(number)) for number in numbers[:1]]
    await until(lambda: bool(work.calls))
    asking += [asyncio.create_task(grouped.call(number)) for number in numbers[1:]]
    await asyncio.sleep(0)
    work.may_go_on.set()
    return await asyncio.gather(*asking, return_exceptions=True)


async def test_whoever_comes_meanwhile_shares_the_next_call():
    work = Work()
    assert await _ask(work, 1, 2, 3, 4) == [2, 4, 6, 8]
    assert work.calls == [[1], [2, 3, 4]]


@pytest.mark.req(1151)
async def test_who_arrives_while_the_loop_still_brings_calls_shares_the_first_one():
    async def later(number: int, rounds: int) -> int:
        for _ in range(rounds):
            await asyncio.sleep(0)
        return await grouped.call(number)

    work = Work()
    work.may_go_on.set()
    grouped: Grouped[int, int] = Grouped(work)
    assert await asyncio.gather(*(later(number, rounds=number) for number in range(8))) == list(range(0, 16, 2))
    assert work.calls == [list(range(8))]


async def test_one_bad_call_is_told_apart_from_the_others():
    work = Work(bad=3)
    one, two, three, four = await _ask(work, 1, 2, 3, 4)
    assert (one, two, four) == (2, 4, 8)
    assert isinstance(three, ValueError)
    assert work.calls == [[1], [2, 3, 4], [2], [3], [4]]


async def test_what_fails_for_all_is_not_tried_for_each():
    work = Work(bad=3, error=BackendUnavailable("database", "away"))
    answers = await _ask(work, 1, 2, 3)
    assert [type(answer) for answer in answers] == [int, BackendUnavailable, BackendUnavailable]
    assert work.calls == [[1], [2, 3]]


async def test_one_who_gave_up_waiting_disturbs_nobody():
    work = Work()
    grouped: Grouped[int, int] = Grouped(work)
    first, second = asyncio.create_task(grouped.call(1)), asyncio.create_task(grouped.call(2))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    first.cancel()
    work.may_go_on.set()
    assert await second == 4
    with pytest.raises(asyncio.CancelledError):
        await first
