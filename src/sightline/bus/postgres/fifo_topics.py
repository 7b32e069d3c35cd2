"""FIFO topics: messages are numbered in the order of their publication, and a repeated one is not delivered again."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from sightline.bus.message import TopicMessage
from sightline.bus.names import new_id
from sightline.bus.registry import RegisteredTopic
from sightline.db import Transaction, load_queries

TOPIC_LOCKS = 0x51F1  # first half of the advisory locks of FIFO topics; the second is a hash of the name

_sql = load_queries(Path(__file__).with_name("fifo_topics.sql"))


async def number_messages(
    tx: Transaction, topic: RegisteredTopic, messages: Sequence[TopicMessage]
) -> tuple[list[TopicMessage], list[TopicMessage]]:
    """The messages with their ids and numbers, in which a repeated one has those of the first; and those to deliver."""
    per_group = topic.attributes.get("FifoThroughputScope") == "MessageGroup"
    given = [replace(one, message_id=one.message_id or new_id()) for one in messages]
    await _sql["lock_topic"].rows(tx, namespace=TOPIC_LOCKS, topic=topic.name)
    rows = await _sql["number"].rows(
        tx,
        topic=topic.name,
        message_ids=[one.message_id for one in given],
        scopes=[one.group_id or "" if per_group else "" for one in given],
        deduplication_ids=[one.deduplication_id or "" for one in given],
    )
    numbered = [
        replace(one, message_id=str(row["message_id"]), sequence_number=f"1{row['seq']:019}")
        for one, row in zip(given, rows, strict=True)
    ]
    is_new = [one.message_id == other.message_id for one, other in zip(given, numbered, strict=True)]
    return numbered, [one for one, new in zip(numbered, is_new, strict=True) if new]


async def forget_topic_deduplications(tx: Transaction) -> None:
    await _sql["forget"].run(tx)
