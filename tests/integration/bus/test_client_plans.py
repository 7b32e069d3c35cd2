"""Deletes and changes of received messages look up what they were given, whatever the planner believes about the queue."""

import json
from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import pytest

from sightline.bus.limits import MAX_VISIBILITY_S
from sightline.bus.postgres import client_messages
from support.sqs_rig import SqsRig

BACKLOG = 2000
GIVEN = 20


def rows_read(plan: dict[str, Any]) -> Iterator[float]:
    """Of messages, by every scan of the plan."""
    if plan.get("Relation Name") == "bus_messages" and "Scan" in plan["Node Type"]:
        removed = plan.get("Rows Removed by Filter", 0)
        yield (plan["Actual Rows"] + removed) * plan["Actual Loops"]
    if plan["Node Type"] == "Nested Loop":
        yield plan.get("Rows Removed by Join Filter", 0) * plan["Actual Loops"]
    for below in plan.get("Plans", ()):
        yield from rows_read(below)


@pytest.mark.req(520)
@pytest.mark.parametrize("mode", ["force_custom_plan", "force_generic_plan"])
@pytest.mark.parametrize("name", ["add_and_delete", "hide_many", "existing", "delete_from_fifo"])
async def test_a_statement_reads_what_it_was_given_and_not_the_backlog(sqs: SqsRig, mode: str, name: str):
    queue = await sqs.queue("jobs")
    async with sqs.database.transaction() as tx:  # statistics are of an empty table
        await tx.execute(
            "INSERT INTO sightline.bus_messages (queue_id, message_id, body, receive_count, visible_at)"
            " SELECT $1, gen_random_uuid(), 'x', 1, now() + interval '1 hour' FROM generate_series(1, $2)",
            queue.id,
            BACKLOG,
        )
        seqs = [row[0] for row in await tx.fetch("SELECT seq FROM sightline.bus_messages LIMIT $1", GIVEN)]
    values: dict[str, Any] = {
        "queue_id": queue.id,
        "queue_ids": [queue.id] * GIVEN,
        "seqs": seqs,
        "receive_counts": [1] * GIVEN,
        "visibilities": [30.0] * GIVEN,
        "is_fifo": False,
        "max_s": MAX_VISIBILITY_S,
        "new_queue_ids": [queue.id],
        "message_ids": [uuid4()],
        "bodies": ["another"],
        "queues": ["jobs"],
    }
    statement = client_messages._sql[name]
    async with sqs.database.transaction(by_index=True) as tx:
        await tx.execute(f"SET LOCAL plan_cache_mode = {mode}")
        shown = await tx.fetchval(
            f"EXPLAIN (ANALYZE, FORMAT JSON) {statement.sql}", *(values[one] for one in statement.parameters)
        )
    plan = (json.loads(shown) if isinstance(shown, str) else shown)[0]["Plan"]
    read = sum(rows_read(plan))
    assert GIVEN <= read <= 4 * GIVEN, (read, plan)
