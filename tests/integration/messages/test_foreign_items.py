"""Items that other programs write into the DynamoDB table, as document 002's Go code does, on three unrelated emulators."""

import os
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest
from pydantic import SecretStr

from sightline.db import Database
from sightline.errors import TooLarge
from sightline.messages import MessageFilter, MessagesSettings, NewMessage
from sightline.messages.dynamodb.client import open_dynamodb
from sightline.messages.dynamodb.store import DynamoDbMessageStore
from sightline.messages.dynamodb.table import make_bare_table
from sightline.paging import Cursor
from support import emulators
from support.messaging import Messaging

TABLE = f"foreign-items-{os.getpid()}"
LEASE = timedelta(minutes=10)
NOW = datetime.now(UTC).replace(microsecond=0)


def go_item(**changes: Any) -> dict[str, Any]:
    """What a Go program marshals from its struct: no `ttl`, no history, times of RFC 3339 with whole seconds."""
    item = {
        "message_id": {"S": str(uuid4())},
        "message_type": {"S": "manual_notification"},
        "stage": {"S": "dev"},
        "status": {"S": "created"},
        "created_by": {"S": "user:alice@example.com"},
        "correlation_id": {"S": "660e9500-f39c-52e5-b827-557766551111"},
        "payload": {"M": {"title": {"S": "Deploy"}, "message": {"S": "It is done."}, "build": {"N": "42"}}},
        "created_date": {"S": NOW.strftime("%Y-%m-%dT%H:%M:%SZ")},
        "region": {"S": "eu-west-1"},
    }
    return {name: value for name, value in (item | changes).items() if value is not None}


@pytest.fixture(params=["ministack", "moto", "dynalite"])
async def client(request: pytest.FixtureRequest) -> AsyncIterator[Any]:
    settings = MessagesSettings(
        backend="dynamodb",
        dynamodb_endpoint=emulators.shared(request.param).endpoint,
        dynamodb_access_key_id="test",
        dynamodb_secret_access_key=SecretStr("test"),
    )
    async with open_dynamodb(settings) as opened:
        await make_bare_table(opened, TABLE)
        yield opened


@pytest.fixture
def store(client: Any, database: Database, messaging: Messaging) -> DynamoDbMessageStore:
    return DynamoDbMessageStore(
        client, TABLE, database=database, bus=messaging.bus, stage="dev", region="us-east-1", channel="ntfy"
    )


async def put(client: Any, item: dict[str, Any]) -> str:
    await client.put_item(TableName=TABLE, Item=item)
    message_id: str = item["message_id"]["S"]
    return message_id


@pytest.mark.req(460)
async def test_an_item_of_another_program_is_read_processed_and_keeps_its_own_fields(
    client: Any, store: DynamoDbMessageStore
):
    message_id = await put(client, go_item())
    found = await store.get(message_id)
    assert found is not None
    assert (found.ttl, found.retry_count, found.attempts, found.history) == (None, 0, 0, ())
    assert found.payload == {"title": "Deploy", "message": "It is done.", "build": 42}
    assert (found.notification.channel, found.notification.title) == ("ntfy", "Deploy")
    assert found.notification.body == "It is done."
    assert found.created_date == NOW
    claimed = await store.claim(message_id, by="p1", lease=LEASE)
    assert claimed is not None
    assert await store.fail(claimed, error="down", by="p1")
    again = await store.claim(message_id, by="p1", lease=LEASE)
    assert again is not None
    assert await store.complete(again, notification_id="n-1", by="p1")
    item = (await client.get_item(TableName=TABLE, Key={"message_id": {"S": message_id}}))["Item"]
    assert item["region"] == {"S": "eu-west-1"}
    assert item["payload"]["M"]["build"] == {"N": "42"}
    assert (item["status"], item["attempts"], item["retry_count"]) == ({"S": "completed"}, {"N": "2"}, {"N": "1"})
    done = await store.get(message_id)
    assert done is not None
    assert [step.status for step in done.history] == ["processing", "failed", "processing", "completed"]


@pytest.mark.req(460)
async def test_numbers_that_were_written_as_text_and_a_history_of_another_form_are_usable(
    client: Any, store: DynamoDbMessageStore
):
    odd = {
        "attempts": {"S": "2"},
        "retry_count": {"S": "1"},
        "ttl": {"S": "4102444800"},
        "history": {"S": "made by hand"},
    }
    message_id = await put(client, go_item(payload={"S": "just a text"}, **odd))
    found = await store.get(message_id)
    assert found is not None
    assert (found.attempts, found.retry_count, found.ttl, found.history) == (2, 1, 4102444800, ())
    assert found.payload == {"message": "just a text"}
    claimed = await store.claim(message_id, by="p1", lease=LEASE)
    assert claimed is not None
    assert claimed.attempts == 3
    assert await store.fail(claimed, error="down", by="p1")
    item = (await client.get_item(TableName=TABLE, Key={"message_id": {"S": message_id}}))["Item"]
    assert item["retry_count"] == {"N": "2"}
    assert item["foreign_history"] == {"S": "made by hand"}


@pytest.mark.req(460)
async def test_a_message_that_another_program_left_in_processing_is_claimed_when_its_time_is_over(
    client: Any, store: DynamoDbMessageStore
):
    def processing(age: timedelta) -> dict[str, Any]:
        # As the document's updateMessageStatus writes it, in the local time of its server.
        at = (datetime.now(UTC) - age).astimezone(datetime.fromisoformat("2025-01-01T00:00:00-03:00").tzinfo)
        return go_item(status={"S": "processing"}, updated_date={"S": at.isoformat(timespec="seconds")})

    fresh = await put(client, processing(timedelta(minutes=1)))
    abandoned = await put(client, processing(timedelta(minutes=6)))
    assert await store.claim(fresh, by="p1", lease=LEASE) is None
    held = await store.get(fresh)
    assert held is not None
    assert held.lease_until is not None
    assert held.lease_until > datetime.now(UTC)
    claimed = await store.claim(abandoned, by="p1", lease=LEASE)
    assert claimed is not None
    assert await store.claim(abandoned, by="p2", lease=LEASE) is None


@pytest.mark.req(460)
async def test_items_of_other_programs_are_listed_page_by_page_with_the_others(
    client: Any, store: DynamoDbMessageStore
):
    message_type = f"listed-{uuid4()}"
    ids = []
    for number in range(5):
        at = (NOW - timedelta(seconds=number)).strftime("%Y-%m-%dT%H:%M:%SZ")
        item = go_item(created_date={"S": at}, message_type={"S": message_type}, status={"S": "on hold"})
        ids.append(await put(client, item))
    await put(client, go_item(message_type={"S": message_type}, ttl={"S": "1"}))  # expired, and said so in text
    listed: list[str] = []
    before = None
    while page := await store.find(MessageFilter(message_type=message_type), limit=2, before=before):
        listed += [one.message_id for one in page]
        before = Cursor(page[-1].created_date, page[-1].message_id)
    assert listed == ids
    statistics = await store.statistics(since=NOW - timedelta(days=1), stage="dev")
    assert set(statistics.counts) == {"created", "queued", "processing", "completed", "failed"}


@pytest.mark.req(461)
async def test_a_message_above_the_limit_of_an_item_is_refused_before_anything_is_stored(
    database: Database, store: DynamoDbMessageStore
):
    def message(size: int) -> NewMessage:
        return NewMessage(str(uuid4()), "t", "dev", "web-api", "user:a", "c", {"message": "x" * size}, NOW)

    fits, large = message(380 * 1024), message(400 * 1024)
    with pytest.raises(TooLarge, match="the limit is"):
        await store.add_and_commit(large)
    async with database.transaction() as tx:
        assert await tx.fetchval("SELECT count(*) FROM message_drafts") == 0
    assert await store.add_and_commit(fits)
    stored = await store.get(fits.message_id)
    assert stored is not None
    assert stored.payload == fits.payload
