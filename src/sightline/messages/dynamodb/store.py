"""The message store in DynamoDB: one conditional update per status change, lists by index, ninety days by time to live.

It shares no transaction with the platform's database; ADR 0021 says how record and event are still stored together.
"""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import datetime, timedelta
from typing import Any

from sightline.bus import Sender
from sightline.contracts.message_events import Stage
from sightline.db import Database, Transaction
from sightline.errors import BackendUnavailable
from sightline.messages.announce import announcement
from sightline.messages.dynamodb import drafts_store as drafts
from sightline.messages.dynamodb.client import ConditionFailed, open_dynamodb, translated
from sightline.messages.dynamodb.draft_relay import DraftRelay
from sightline.messages.dynamodb.items import Item, history_item, message_of, moment, new_item, number, text
from sightline.messages.dynamodb.lists import list_request, statistics_request
from sightline.messages.dynamodb.table import make_table
from sightline.messages.message import LEASE_ENDED, STATUSES, Message, MessageHistoryEntry, NewMessage, Status
from sightline.messages.settings import MessagesSettings
from sightline.messages.store import MessageFilter, MessageStatistics
from sightline.paging import Cursor
from sightline.timing import Clock, iso_utc, utc_now

_WAITS = "#status IN (:created, :queued, :failed)"
_LEFT_OVER = "(#status = :processing AND lease_until < :now)"
_OURS = "#status = :processing AND attempts = :attempt"


class DynamoDbMessageStore:
    name = "dynamodb"

    def __init__(
        self,
        client: Any,
        table: str,
        *,
        database: Database,
        bus: Sender,
        stage: Stage,
        region: str,
        clock: Clock = utc_now,
    ) -> None:
        self._client = client
        self._table = table
        self._database = database
        self._bus = bus
        self._stage = stage
        self._region = region
        self._clock = clock
        self._relay = DraftRelay(database, bus, client, table)

    def relay(self) -> DraftRelay:
        return self._relay

    async def create(self) -> None:
        await make_table(self._client, self._table)

    async def add(self, tx: Transaction, new: NewMessage) -> bool:
        if await self.get(new.message_id) is not None:
            return False
        event = announcement(new, region=self._region, at=self._clock())
        item = new_item(new, json.loads(event.body)["event_id"])
        return await drafts.add(tx, new.message_id, item, event.body)

    async def add_and_commit(self, new: NewMessage) -> bool:
        async with self._database.transaction() as tx:
            is_new = await self.add(tx, new)
        await self.ensure_stored(new.message_id)
        return is_new

    async def ensure_stored(self, message_id: str) -> None:
        await self._relay.move(message_id)

    async def get(self, message_id: str) -> Message | None:
        with translated():
            response = await self._client.get_item(
                TableName=self._table, Key={"message_id": text(message_id)}, ConsistentRead=True
            )
        item = response.get("Item")
        # DynamoDB takes up to two days to remove expired items.
        if item is None or int(item["ttl"]["N"]) <= self._clock().timestamp():
            return None
        return message_of(item)

    async def find(self, criteria: MessageFilter, *, limit: int, before: Cursor[str] | None = None) -> list[Message]:
        request = list_request(self._table, criteria, stage=self._stage, before=before, now=self._clock())
        found: list[Message] = []
        while len(found) < limit:
            with translated():
                response = await self._client.query(**request, Limit=limit)
            found += [message_of(item) for item in response["Items"]]
            if "LastEvaluatedKey" not in response:
                break
            request["ExclusiveStartKey"] = response["LastEvaluatedKey"]
        return found[:limit]

    async def claim(self, message_id: str, *, by: str, lease: timedelta) -> Message | None:
        claimed = await self._claim(message_id, _WAITS, None, by=by, lease=lease)
        return claimed or await self._claim(message_id, _LEFT_OVER, LEASE_ENDED, by=by, lease=lease)

    async def _claim(
        self, message_id: str, condition: str, note: str | None, *, by: str, lease: timedelta
    ) -> Message | None:
        now = self._clock()
        item = await self._move(
            message_id,
            "processing",
            condition=f"attribute_not_exists(notification_id) AND {condition}",
            changes="attempts = attempts + :one, processing_started_at = :now, lease_until = :lease",
            values={":one": number(1), ":lease": moment(now + lease)} | _named(condition),
            by=by,
            note=note,
            now=now,
        )
        return None if item is None else message_of(item)

    async def complete(self, claimed: Message, *, notification_id: str, by: str) -> bool:
        item = await self._move(
            claimed.message_id,
            "completed",
            condition=_OURS,
            changes="notification_id = :notification_id, processing_completed_at = :now",
            removes=", error_message",
            values={":notification_id": text(notification_id), ":attempt": number(claimed.attempts)} | _named(_OURS),
            by=by,
        )
        return item is not None

    async def fail(self, claimed: Message, *, error: str, by: str) -> bool:
        item = await self._move(
            claimed.message_id,
            "failed",
            condition=_OURS,
            changes="error_message = :note, retry_count = retry_count + :one, processing_completed_at = :now",
            values={":note": text(error), ":one": number(1), ":attempt": number(claimed.attempts)} | _named(_OURS),
            by=by,
            note=error,
        )
        return item is not None

    async def postpone(self, tx: Transaction, claimed: Message, *, reason: str, by: str) -> bool:
        item = await self._move(
            claimed.message_id,
            "queued",
            condition=_OURS,
            changes="error_message = :note",
            values={":note": text(reason), ":attempt": number(claimed.attempts)} | _named(_OURS),
            by=by,
            note=reason,
        )
        return item is not None

    async def requeue(self, tx: Transaction, message_id: str, *, by: str) -> bool:
        condition = f"attribute_not_exists(notification_id) AND (#status IN (:failed, :queued) OR {_LEFT_OVER})"
        item = await self._move(
            message_id, "queued", condition=condition, values=_named(condition), by=by, note="given another chance"
        )
        if item is None:
            return False
        await self._bus.publish(tx, announcement(message_of(item), region=self._region, at=self._clock()))
        return True

    async def statistics(self, *, since: datetime, stage: Stage) -> MessageStatistics:
        counts: dict[Status, int] = dict.fromkeys(STATUSES, 0)
        seconds: list[float] = []
        request = statistics_request(self._table, stage=stage, since=since)
        while True:
            with translated():
                response = await self._client.query(**request)
            for item in response["Items"]:
                counts[item["status"]["S"]] += 1
                if item["status"]["S"] == "completed":
                    started, ended = (
                        datetime.fromisoformat(item[name]["S"])
                        for name in ("processing_started_at", "processing_completed_at")
                    )
                    seconds.append((ended - started).total_seconds())
            if "LastEvaluatedKey" not in response:
                return MessageStatistics(counts, sum(seconds) / len(seconds) if seconds else None)
            request["ExclusiveStartKey"] = response["LastEvaluatedKey"]

    async def sweep(self) -> int:
        return 0  # the table's time to live does it

    async def check(self) -> None:
        with translated():
            response = await self._client.describe_table(TableName=self._table)
        if (status := response["Table"]["TableStatus"]) not in ("ACTIVE", "UPDATING"):
            raise BackendUnavailable("messages", f"the table {self._table} is {status}")

    async def _move(
        self,
        message_id: str,
        status: Status,
        *,
        condition: str,
        values: dict[str, Any],
        by: str,
        changes: str = "",
        removes: str = "",
        note: str | None = None,
        now: datetime | None = None,
    ) -> Item | None:
        """The updated item, or None if it is not in the expected state."""
        now = now or self._clock()
        more = f", {changes}" if changes else ""
        # Only a message that is being processed has a lease.
        ends = "" if status == "processing" else f" REMOVE lease_until{removes}"
        step = history_item(MessageHistoryEntry(status=status, at=iso_utc(now), by=by, note=note))
        used = f"{condition}{more}"
        try:
            with translated():
                response = await self._client.update_item(
                    TableName=self._table,
                    Key={"message_id": text(message_id)},
                    UpdateExpression=f"SET #status = :to, updated_date = :now, history = list_append(history, :step){more}{ends}",
                    ConditionExpression=f"attribute_exists(message_id) AND {condition}",
                    ExpressionAttributeNames={"#status": "status"},
                    ExpressionAttributeValues={
                        ":to": text(status),
                        ":now": moment(now),
                        ":step": {"L": [step]},
                        **{name: value for name, value in values.items() if name in used},
                    },
                    ReturnValues="ALL_NEW",
                )
        except ConditionFailed:
            return None
        found: Item = response["Attributes"]
        return found


def _named(condition: str) -> dict[str, Any]:
    """The statuses that a condition names, as values; DynamoDB rejects unused ones."""
    return {f":{status}": text(status) for status in STATUSES if f":{status}" in condition}


@asynccontextmanager
async def open_dynamodb_store(
    settings: MessagesSettings, *, database: Database, bus: Sender, stage: Stage, region: str
) -> AsyncIterator[DynamoDbMessageStore]:
    table = settings.dynamodb_table or f"rez-agent-messages-{stage}"
    async with open_dynamodb(settings) as client:
        yield DynamoDbMessageStore(client, table, database=database, bus=bus, stage=stage, region=region)
