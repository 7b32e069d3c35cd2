"""Relay of drafts to DynamoDB: stores the record, then publishes its event and removes the draft in one transaction.

A relay that is killed leaves the draft. The next one finds the record stored, and publishes its event.
"""

import json
from datetime import timedelta
from typing import Any

import structlog

from sightline.bus import Sender, TopicMessage, message_topic
from sightline.contracts.message_events import parse_message_event
from sightline.db import Database
from sightline.errors import PlatformError
from sightline.messages.announce import event_attributes
from sightline.messages.dynamodb import drafts_store as drafts
from sightline.messages.dynamodb.client import ConditionFailed, translated
from sightline.messages.dynamodb.drafts_store import Draft
from sightline.supervisor import Every
from sightline.timing import Backoff

EVERY_S = 1.0
BATCH = 100
MAX_ERROR_LENGTH = 500

log = structlog.get_logger(__name__)


class DraftRelay:
    def __init__(self, database: Database, bus: Sender, client: Any, table: str) -> None:
        self._database = database
        self._bus = bus
        self._client = client
        self._table = table
        self._backoff = Backoff(first_s=1.0, max_s=60.0)

    def service(self) -> Every:
        return Every("message-drafts", EVERY_S, self.move_due)

    async def move_due(self) -> int:
        """Returns how many drafts were moved."""
        async with self._database.transaction() as tx:
            waiting = await drafts.due(tx, limit=BATCH)
        return sum([await self.move(message_id) for message_id in waiting])

    async def move(self, message_id: str) -> bool:
        """False if there is no such draft, another relay has it, or DynamoDB did not accept it."""
        async with self._database.transaction() as tx:
            draft = await drafts.take(tx, message_id)
            if draft is None:
                return False
            try:
                is_ours = await self._put(draft)
            except PlatformError as error:
                delay = timedelta(seconds=self._backoff.delay_s(draft.attempts + 1))
                await drafts.postpone(tx, message_id, delay=delay, error=error.message[:MAX_ERROR_LENGTH])
                log.warning("message.draft_pending", message_id=message_id, error=error.message)
                return False
            if is_ours:
                await self._bus.publish(tx, _created_event(draft))
            await drafts.remove(tx, message_id)
        return True

    async def _put(self, draft: Draft) -> bool:
        """Whether the stored record is this draft's."""
        try:
            with translated():
                await self._client.put_item(
                    TableName=self._table, Item=draft.item, ConditionExpression="attribute_not_exists(message_id)"
                )
            return True
        except ConditionFailed:
            with translated():
                response = await self._client.get_item(
                    TableName=self._table, Key={"message_id": draft.item["message_id"]}, ConsistentRead=True
                )
            return bool(response.get("Item", {}).get("event_id") == draft.item["event_id"])


def _created_event(draft: Draft) -> TopicMessage:
    event = parse_message_event(json.loads(draft.event))
    return TopicMessage(
        message_topic(event.message.stage),
        draft.event,
        event_attributes(event),
        lane=draft.item.get("owner_id", {}).get("S", ""),
        is_urgent=bool(json.loads(draft.item["notification"]["S"]).get("is_alarm")),
    )
