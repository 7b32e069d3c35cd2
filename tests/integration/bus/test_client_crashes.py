"""Clients of queues killed half-way: nothing that was accepted is lost, and every group stays in order."""

from collections import defaultdict

import asyncpg
import pytest

from support import queue_client_process
from support.forks import forks_of
from support.sqs_rig import SqsRig
from support.waiting import until


@pytest.mark.req(478)
async def test_senders_and_receivers_killed_again_and_again_lose_nothing_and_keep_the_order(
    sqs: SqsRig, fresh_database
):
    sqs.account = queue_client_process.ACCOUNT
    queue = await sqs.fifo()
    await _table_of_effects(fresh_database.admin_url)
    accepted: dict[str, int] = {}
    with forks_of(queue_client_process.__name__) as forks:
        for run in range(3):
            sender = await forks.start(fresh_database.url, "send", str(run))
            for _ in range(25):
                word, _, body = (await forks.heard_from(sender)).partition(" ")
                assert word == "sent"
                _note(accepted, body)
            await forks.kill(sender)
            receiver = await forks.start(fresh_database.url, "receive", "")
            for _ in range(10):
                assert (await forks.heard_from(receiver)).startswith("got")
            await forks.kill(receiver)
            await sqs.let_visibility_end(queue)
        assert await sqs.sizes(queue) != (0, 0, 0)
        await forks.start(fresh_database.url, "receive", "")
        await until(lambda: _is_empty(sqs, queue))
    received = await _received(sqs)
    assert sum(last + 1 for last in accepted.values()) == 3 * 25 * 10
    for group, last in accepted.items():
        first_seen = list(dict.fromkeys(received[group]))
        # In order and without a gap; what was sent with the last breath may be there too.
        assert first_seen == list(range(len(first_seen)))
        assert len(first_seen) > last


def _note(accepted: dict[str, int], body: str) -> None:
    run, group, number = body.split("-")
    accepted[f"{run}-{group}"] = max(accepted.get(f"{run}-{group}", 0), int(number))


async def _table_of_effects(url: str) -> None:
    admin = await asyncpg.connect(url)
    await admin.execute("CREATE TABLE effects (n bigint GENERATED ALWAYS AS IDENTITY, body text)")
    await admin.execute("GRANT SELECT, INSERT ON effects TO sightline_worker")
    await admin.close()


async def _received(sqs: SqsRig) -> dict[str, list[int]]:
    """The numbers of every group in the order in which they were received."""
    async with sqs.database.transaction() as tx:
        rows = await tx.fetch("SELECT body FROM effects ORDER BY n")
    received: dict[str, list[int]] = defaultdict(list)
    for row in rows:
        run, group, number = row["body"].split("-")
        received[f"{run}-{group}"].append(int(number))
    return received


async def _is_empty(sqs: SqsRig, queue) -> bool:
    return await sqs.sizes(queue) == (0, 0, 0)
