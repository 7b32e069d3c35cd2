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
from sightline.messages.dynamodb.items import check_size, history_item, is_expired, message_of, new_item
from sightline.messages.dynamodb.lists import list_request, statistics_request
from sightline.messages.dynamodb.repair import repaired_fields
from sightline.messages.dynamodb.table import make_table
from sightline.messages.dynamodb.values import Item, moment, number, text, text_in
from sightline.messages.message import LEASE_ENDED, STATUSES, Channel, Message, MessageHistoryEntry, NewMessage, Status
from sightline.messages.settings import MessagesSettings
from sightline.messages.store import MessageFilter, MessageStatistics
from sightline.paging import Cursor
from sightline.timing import Clock, iso_utc, utc_now

_WAITS = "#status IN (:created, :queued, :failed)"
_LEFT_OVER = "(#status = :processing AND lease_until < :now)"
_OURS = "#status = :processing AND attempts = :attempt"
# DynamoDB can neither count in a field that another program wrote as text nor add to a history that is no list.
_USABLE = " AND ".join(
    f"(attribute_not_exists({name}) OR attribute_type({name}, :{kind}))"
    for name, kind in (("attempts", "number"), ("retry_count", "number"), ("history", "list"))
)
_TYPES = {":number": text("N"), ":list": text("L")}
_ABANDONED = "#status = :processing AND attribute_not_exists(lease_until)"


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
        channel: Channel = "log",
        clock: Clock = utc_now,
    ) -> None:
        """`channel` is that of messages of other programs, which name none."""
        self._client = client
        self._table = table
        self._database = database
        self._bus = bus
        self._stage = stage
        self._region = region
        self._channel = channel
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
        check_size(item)
        return await drafts.add(tx, new.message_id, item, event.body)

    async def add_and_commit(self, new: NewMessage) -> bool:
        async with self._database.transaction() as tx:
            is_new = await self.add(tx, new)
        await self.ensure_stored(new.message_id)
        return is_new

    async def ensure_stored(self, message_id: str) -> None:
        await self._relay.move(message_id)

    async def get(self, message_id: str) -> Message | None:
        item = await self._item(message_id)
        return None if item is None or is_expired(item, self._clock()) else self._message(item)

    async def _item(self, message_id: str) -> Item | None:
        with translated():
            response = await self._client.get_item(
                TableName=self._table, Key={"message_id": text(message_id)}, ConsistentRead=True
            )
        found: Item | None = response.get("Item")
        return found

    def _message(self, item: Item) -> Message:
        return message_of(item, now=self._clock(), channel=self._channel)

    async def find(self, criteria: MessageFilter, *, limit: int, before: Cursor[str] | None = None) -> list[Message]:
        now = self._clock()
        last = None if before is None else await self._item(before.id)
        request = list_request(
            self._table,
            criteria,
            stage=self._stage,
            before=before,
            now=now,
            stored_date=None if last is None else text_in(last.get("created_date")),
        )
        found: list[Message] = []
        while len(found) < limit:
            with translated():
                response = await self._client.query(**request, Limit=limit)
            found += [self._message(item) for item in response["Items"] if not is_expired(item, now)]
            if "LastEvaluatedKey" not in response:
                break
            request["ExclusiveStartKey"] = response["LastEvaluatedKey"]
        return found[:limit]

    async def claim(self, message_id: str, *, by: str, lease: timedelta) -> Message | None:
        claimed = await self._claim(message_id, _WAITS, None, by=by, lease=lease)
        claimed = claimed or await self._claim(message_id, _LEFT_OVER, LEASE_ENDED, by=by, lease=lease)
        if claimed is not None:
            return claimed
        item = await self._item(message_id)
        if item is None:
            return None
        if await self._repair(item):
            return await self.claim(message_id, by=by, lease=lease)
        return await self._claim_abandoned(item, by=by, lease=lease)

    async def _claim_abandoned(self, item: Item, *, by: str, lease: timedelta) -> Message | None:
        """Other programs take no lease; a message that one of them left in `processing` is claimed when its time is over."""
        found = self._message(item)
        if (
            "lease_until" in item
            or found.status != "processing"
            or (found.lease_until or self._clock()) > self._clock()
        ):
            return None
        seen = {":seen": item["updated_date"]} if "updated_date" in item else {}
        unchanged = "updated_date = :seen" if seen else "attribute_not_exists(updated_date)"
        condition = f"{_ABANDONED} AND {unchanged}"
        return await self._claim(found.message_id, condition, LEASE_ENDED, by=by, lease=lease, values=seen)

    async def _claim(
        self,
        message_id: str,
        condition: str,
        note: str | None,
        *,
        by: str,
        lease: timedelta,
        values: dict[str, Any] | None = None,
    ) -> Message | None:
        now = self._clock()
        item = await self._move(
            message_id,
            "processing",
            condition=f"attribute_not_exists(notification_id) AND {_USABLE} AND {condition}",
            changes="attempts = if_not_exists(attempts, :zero) + :one, processing_started_at = :now, lease_until = :lease",
            values={":zero": number(0), ":one": number(1), ":lease": moment(now + lease), **_TYPES}
            | _named(condition)
            | (values or {}),
            by=by,
            note=note,
            now=now,
        )
        return None if item is None else self._message(item)

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
            changes="error_message = :note, retry_count = if_not_exists(retry_count, :zero) + :one, processing_completed_at = :now",
            values={":note": text(error), ":zero": number(0), ":one": number(1), ":attempt": number(claimed.attempts)}
            | _named(_OURS),
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
        if (present := await self._item(message_id)) is not None:
            await self._repair(present)
        condition = f"attribute_not_exists(notification_id) AND (#status IN (:failed, :queued) OR {_LEFT_OVER})"
        item = await self._move(
            message_id, "queued", condition=condition, values=_named(condition), by=by, note="given another chance"
        )
        if item is None:
            return False
        await self._bus.publish(tx, announcement(self._message(item), region=self._region, at=self._clock()))
        return True

    async def statistics(self, *, since: datetime, stage: Stage) -> MessageStatistics:
        counts: dict[Status, int] = dict.fromkeys(STATUSES, 0)
        seconds: list[float] = []
        request = statistics_request(self._table, stage=stage, since=since)
        while True:
            with translated():
                response = await self._client.query(**request)
            for item in response["Items"]:
                one = self._message(item | {"message_id": text("")})
                if one.status in counts:  # other programs may have statuses of their own
                    counts[one.status] += 1
                started, ended = one.processing_started_at, one.processing_completed_at
                if one.status == "completed" and started is not None and ended is not None:
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
        """The updated item, or None if it is not in the expected state. Attributes of other programs are kept."""
        now = now or self._clock()
        more = f", {changes}" if changes else ""
        # Only a message that is being processed has a lease.
        ends = "" if status == "processing" else f" REMOVE lease_until{removes}"
        step = history_item(MessageHistoryEntry(status=status, at=iso_utc(now), by=by, note=note))
        used = f"{condition}{more}"
        history = "history = list_append(if_not_exists(history, :none), :step)"
        request = {
            "UpdateExpression": f"SET #status = :to, updated_date = :now, {history}{more}{ends}",
            "ConditionExpression": f"attribute_exists(message_id) AND {condition}",
            "ExpressionAttributeNames": {"#status": "status"},
            "ExpressionAttributeValues": {
                ":to": text(status),
                ":now": moment(now),
                ":step": {"L": [step]},
                ":none": {"L": []},
                **{name: value for name, value in values.items() if name in used},
            },
        }
        return await self._update(message_id, request)

    async def _update(self, message_id: str, request: dict[str, Any]) -> Item | None:
        try:
            with translated():
                response = await self._client.update_item(
                    TableName=self._table, Key={"message_id": text(message_id)}, ReturnValues="ALL_NEW", **request
                )
        except ConditionFailed:
            return None
        found: Item = response["Attributes"]
        return found

    async def _repair(self, item: Item) -> bool:
        """Gives the platform's own fields the types that its updates need; False if there is nothing to repair."""
        fields = repaired_fields(item)
        if not fields:
            return False
        names = {f"#{position}": name for position, name in enumerate(fields)}
        values = {f":{position}": value for position, value in enumerate(fields.values())}
        seen = {f":seen{position}": item[name] for position, name in enumerate(fields) if name in item}
        conditions = [f"#{position} = :seen{position}" for position, name in enumerate(fields) if name in item]
        await self._update(
            item["message_id"]["S"],
            {
                "UpdateExpression": "SET " + ", ".join(f"#{position} = :{position}" for position in range(len(fields))),
                "ConditionExpression": " AND ".join(["attribute_exists(message_id)", *conditions]),
                "ExpressionAttributeNames": names,
                "ExpressionAttributeValues": values | seen,
            },
        )
        return True


def _named(condition: str) -> dict[str, Any]:
    """The statuses that a condition names, as values; DynamoDB rejects unused ones."""
    return {f":{status}": text(status) for status in STATUSES if f":{status}" in condition}


@asynccontextmanager
async def open_dynamodb_store(
    settings: MessagesSettings, *, database: Database, bus: Sender, stage: Stage, region: str
) -> AsyncIterator[DynamoDbMessageStore]:
    table = settings.table_for(stage)
    async with open_dynamodb(settings) as client:
        yield DynamoDbMessageStore(
            client, table, database=database, bus=bus, stage=stage, region=region, channel=settings.channel
        )
