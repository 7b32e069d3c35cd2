"""Batch handlers: one transaction for many messages, and a poison among them is found and set apart."""

from collections.abc import Sequence

import pytest

from sightline.bus import Consumer, ConsumerOptions, Delivery
from sightline.db import Transaction
from sightline.errors import InvalidInput
from sightline.timing import Backoff
from support.integration_bus import effects, send, table_of_effects
from support.waiting import until


def _consumer(use, handler) -> Consumer:
    options = ConsumerOptions(batch=10, concurrency=1, wait_s=20.0, backoff=Backoff(first_s=0.01, max_s=0.05))
    return Consumer("work", queues=use.bus, database=use.database, batch_handler=handler, options=options)


async def _all_settled(use) -> bool:
    return await use.counts("work") == (0, 0, 0)


async def test_a_batch_is_settled_in_one_transaction(use):
    await table_of_effects(use)
    sizes: list[int] = []

    async def handler(tx: Transaction, batch: Sequence[Delivery]) -> None:
        sizes.append(len(batch))
        await tx.executemany("INSERT INTO effects VALUES ($1)", [(one.received.body,) for one in batch])

    await send(use, "work", *(f"{number:02}" for number in range(25)))
    async with use.consuming(_consumer(use, handler)):
        await until(lambda: _all_settled(use))
    assert sizes == [10, 10, 5]
    assert await effects(use) == [f"{number:02}" for number in range(25)]


@pytest.mark.req(150, 152)
async def test_only_the_failed_message_of_a_batch_is_redelivered(use):
    await table_of_effects(use)

    async def handler(tx: Transaction, batch: Sequence[Delivery]) -> None:
        for one in batch:
            await tx.execute("INSERT INTO effects VALUES ($1)", one.received.body)
            if one.received.body == "poison":
                raise InvalidInput("the envelope is not JSON")

    await send(use, "work", "a", "b", "poison", "c")
    async with use.consuming(_consumer(use, handler)):
        await until(lambda: _all_settled(use))
    assert await effects(use) == ["a", "b", "c"]
    assert [letter.body for letter in await use.bus.peek("work", limit=10)] == ["poison"]


async def test_a_message_lost_from_a_batch_rolls_it_back_and_the_others_are_processed_alone(use):
    await table_of_effects(use)
    is_first = True

    async def handler(tx: Transaction, batch: Sequence[Delivery]) -> None:
        nonlocal is_first
        for one in batch:
            await tx.execute("INSERT INTO effects VALUES ($1)", one.received.body)
        if is_first:
            is_first = False
            await use.bus.change_visibility("work", [batch[1].received.receipt], 0)
            (elsewhere,) = await use.bus.receive("work", wait_s=0)
            await use.bus.delete("work", [elsewhere.receipt])

    await send(use, "work", "a", "b", "c")
    async with use.consuming(_consumer(use, handler)):
        await until(lambda: _all_settled(use))
    assert await effects(use) == ["a", "c"]  # b belongs to the other that received it
