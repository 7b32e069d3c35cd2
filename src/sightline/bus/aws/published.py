"""Id and context of published topic messages, kept in the database and found again by their content.

The contract documents say which attributes a topic message has, and SNS hands every attribute to every subscriber. So nothing
of the platform travels with the message: `publish` records a fingerprint of body and attributes in the sender's
transaction, before SNS can see the message, and a receiver looks it up. A message that is sent twice has the same id both
times. Messages of other producers are not recorded, and keep the id that SQS gave them.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from hashlib import blake2b
from pathlib import Path
from typing import Any

from sightline.bus.aws.context import MessageContext
from sightline.bus.aws.outbox import NewEntry
from sightline.bus.context import current_context
from sightline.bus.envelope import attributes_to_json
from sightline.bus.message import Attributes
from sightline.db import Transaction, load_queries

# A queue keeps a message for 14 days at most, and so does its dead-letter queue.
KEPT = timedelta(days=29)

_sql = load_queries(Path(__file__).with_name("published.sql"))


def fingerprint(body: str, attributes: Attributes) -> bytes:
    content = json.dumps([body, attributes_to_json(attributes)], sort_keys=True, ensure_ascii=False)
    return blake2b(content.encode("utf-8", "surrogatepass"), digest_size=16).digest()


async def record(tx: Transaction, entries: Sequence[NewEntry]) -> list[NewEntry]:
    """Returns the entries with the ids that receivers will see."""
    prints = [fingerprint(entry.body, entry.attributes) for entry in entries]
    present = current_context()
    # Each content once, and in one order for all senders, so that two of them never wait for each other.
    new = dict(sorted(zip(prints, entries, strict=True), key=lambda pair: pair[0]))
    contexts = [present if entry.context is None else entry.context for entry in new.values()]
    rows = await _sql["record"].rows(
        tx,
        fingerprints=list(new),
        message_ids=[entry.message_id for entry in new.values()],
        contexts=[json.dumps(dict(context)) if context else None for context in contexts],
    )
    ids = {row["fingerprint"]: row["message_id"] for row in rows}
    return [replace(entry, message_id=ids[one]) for one, entry in zip(prints, entries, strict=True)]


async def find(tx: Transaction, prints: Sequence[bytes]) -> dict[bytes, MessageContext]:
    rows = await _sql["find"].rows(tx, fingerprints=list(prints))
    return {row["fingerprint"]: MessageContext(str(row["message_id"]), _context(row["context"])) for row in rows}


async def sweep(tx: Transaction) -> int:
    return await _sql["sweep"].run(tx, kept_s=KEPT.total_seconds())


def _context(text: str | None) -> Mapping[str, str]:
    found: dict[str, Any] = json.loads(text) if text else {}
    return found
