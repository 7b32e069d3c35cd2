"""Asking parts how they are."""

import asyncio

import pytest

from sightline.errors import BackendUnavailable
from sightline.observability import Health


async def _well() -> None:
    pass


async def _forever() -> None:
    await asyncio.Event().wait()


def _failing(error: BaseException):
    async def check() -> None:
        raise error

    return check


@pytest.mark.req(307)
async def test_without_parts_nothing_is_sick():
    assert await Health().check_all() == []


@pytest.mark.req(307)
async def test_parts_answer_in_the_order_they_were_added():
    health = Health()
    for part in ("database", "objects", "bus"):
        health.add(part, _well)
    assert [(part.part, part.is_healthy) for part in await health.check_all()] == [
        ("database", True),
        ("objects", True),
        ("bus", True),
    ]


@pytest.mark.req(307)
async def test_a_sick_part_gives_its_reason_and_spares_the_others():
    health = Health()
    health.add("database", _failing(BackendUnavailable("database", "it is away")))
    health.add("objects", _well)
    database, objects = await health.check_all()
    assert (database.is_healthy, database.error, objects.is_healthy) == (False, "it is away", True)


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (ValueError(), "ValueError"),
        (KeyError("x"), "'x'"),
        (TimeoutError("the socket timed out"), "the socket timed out"),
    ],
)
async def test_any_error_makes_a_part_sick_and_is_told(error: Exception, told: str):
    health = Health()
    health.add("database", _failing(error))
    assert [part.error for part in await health.check_all()] == [told]


@pytest.mark.req(307)
async def test_a_part_that_does_not_answer_in_time_is_sick():
    health = Health(timeout_s=0.05)
    health.add("bus", _forever)
    (bus,) = await health.check_all()
    assert bus.error == "no response in 0.05 s"
    assert bus.milliseconds >= 50


@pytest.mark.req(307)
async def test_a_slow_part_does_not_make_the_others_wait_for_their_turn():
    met = asyncio.Barrier(2)

    async def meets() -> None:
        await met.wait()

    health = Health(timeout_s=3600)
    health.add("one", meets)
    health.add("two", meets)  # would wait for each other forever if asked one after the other
    assert all(part.is_healthy for part in await health.check_all())


async def test_a_part_that_swallows_being_cancelled_with_an_error_of_its_own_is_still_late():
    async def stubborn() -> None:
        try:
            await _forever()
        except asyncio.CancelledError:
            raise RuntimeError("interrupted") from None

    health = Health(timeout_s=0.05)
    health.add("bus", stubborn)
    assert [part.error for part in await health.check_all()] == ["no response in 0.05 s"]


async def test_whoever_stops_asking_is_not_held_up():
    health = Health(timeout_s=3600)
    health.add("bus", _forever)
    asking = asyncio.create_task(health.check_all())
    await asyncio.sleep(0)
    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking


def test_a_name_can_be_used_once_only():
    health = Health()
    health.add("database", _well)
    with pytest.raises(ValueError, match="database has a health check already"):
        health.add("database", _well)
