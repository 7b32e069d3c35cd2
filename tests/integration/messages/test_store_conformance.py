"""The suite on PostgreSQL, and on DynamoDB of three emulators that share no code."""

import asyncio
import os
from collections.abc import AsyncIterator
from datetime import timedelta
from functools import partial
from typing import Any

import asyncpg
import pytest
import pytest_asyncio
from pydantic import SecretStr

from conformance.message_store import LEASE, NOW, Kept, MessageStoreSuite
from sightline.db import open_database
from sightline.messages import MessageFilter, MessagesSettings, NewMessage, Status
from sightline.messages.dynamodb.client import open_dynamodb
from sightline.messages.dynamodb.store import DynamoDbMessageStore
from sightline.messages.dynamodb.table import make_bare_table, table_definition
from sightline.messages.postgres.store import PostgresMessageStore
from support import emulators
from support.messaging import Messaging, open_messaging
from support.postgres import Databases, patient_settings
from support.waiting import until

TABLE = f"rez-agent-messages-{os.getpid()}"


pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def shared_messaging(databases: Databases) -> AsyncIterator[tuple[Messaging, asyncpg.Connection]]:
    """One database for all tests, and the connection of its administrator."""
    addresses = databases.migrated()
    database = await open_database(patient_settings(), addresses.url)
    admin = await asyncpg.connect(addresses.admin_url, timeout=600)
    async with open_messaging(addresses, database) as opened:
        yield opened, admin
    await admin.close()
    database.terminate()
    databases.drop(addresses)


@pytest_asyncio.fixture(loop_scope="module")
async def messaging(shared_messaging: tuple[Messaging, asyncpg.Connection]) -> AsyncIterator[Messaging]:
    """Emptied rather than made anew: that takes longer than most tests."""
    opened, admin = shared_messaging
    yield opened
    await admin.execute("TRUNCATE messages, message_drafts, sightline.bus_messages CASCADE")


class TestPostgres(MessageStoreSuite):
    @pytest.fixture
    def kept(self, messaging: Messaging) -> Kept:
        return Kept(messaging.store, messaging.database, messaging.bus)

    @pytest.mark.req(164)
    async def test_the_sweep_removes_what_is_past_its_time(self, kept: Kept):
        assert isinstance(kept.store, PostgresMessageStore)
        await kept.add(created_date=NOW - timedelta(days=91))
        await kept.add()
        assert await kept.store.sweep() == 1

    async def test_of_two_under_one_key_at_once_one_is_new(self, kept: Kept):
        news = [NewMessage("m-1", "t", "dev", "web-api", "user:a", "c", {"n": n}, NOW) for n in range(3)]
        answers = await asyncio.gather(*map(kept.store.add_and_commit, news))
        assert sum(answers) == 1
        assert (await kept.get("m-1")).payload == {"n": answers.index(True)}
        assert len(await kept.said()) == 1

    @pytest.mark.req(1153)
    async def test_claiming_and_completing_read_the_messages_asked_for_whatever_else_there_is(
        self, kept: Kept, messaging: Messaging
    ):
        for _ in range(60):
            await kept.add()
        asked = [(await kept.add()).message_id for _ in range(3)]
        before = await _keys_read(messaging)
        claimed = await asyncio.gather(*(kept.store.claim(one, by="a", lease=LEASE) for one in asked))
        done = [kept.store.complete(one, notification_id="n", by="a") for one in claimed if one is not None]
        assert await asyncio.gather(*done) == [True] * 3
        assert 0 < await _keys_read(messaging) - before < 60

    @pytest.mark.req(1153)
    @pytest.mark.parametrize("status", ["created", "processing", "failed", "completed"])
    async def test_each_status_is_found(self, kept: Kept, status: Status):
        made: dict[str, str] = {}
        for name in ("created", "processing", "failed", "completed"):
            made[name] = (await kept.add()).message_id
            claimed = None if name == "created" else await kept.store.claim(made[name], by="a", lease=LEASE)
            if name == "failed" and claimed is not None:
                await kept.store.fail(claimed, error="no", by="a")
            if name == "completed" and claimed is not None:
                await kept.store.complete(claimed, notification_id="n", by="a")
        found = await kept.store.find(MessageFilter(status=status), limit=10)
        assert [one.message_id for one in found] == [made[status]]

    async def test_one_that_cannot_be_stored_spoils_no_other(self, kept: Kept):
        news = [
            NewMessage(f"m-{n}", "t", "dev", "web-api", "user:a", "c", {"text": text}, NOW)
            for n, text in enumerate(("fine", "\0", "fine too"))
        ]
        first, second, third = await asyncio.gather(*map(kept.store.add_and_commit, news), return_exceptions=True)
        assert (first, third) == (True, True)
        assert isinstance(second, asyncpg.UntranslatableCharacterError)
        assert len(await kept.said()) == 2


async def _keys_read(messaging: Messaging) -> int:
    """Index entries of the table of messages that statements have read."""
    async with messaging.database.statement() as tx:  # on the connection that the store used
        await tx.execute("SELECT pg_stat_force_next_flush()")
    async with messaging.database.transaction() as tx:
        query = "SELECT sum(idx_tup_read)::bigint FROM pg_stat_user_indexes WHERE relname = 'messages'"
        read: int = await tx.fetchval(query)
    return read


def _settings(emulator: emulators.Emulator) -> MessagesSettings:
    return MessagesSettings(
        backend="dynamodb",
        dynamodb_endpoint=emulator.endpoint,
        dynamodb_access_key_id="test",
        dynamodb_secret_access_key=SecretStr("test"),
    )


class _DynamoDb(MessageStoreSuite):
    emulator: str

    @pytest_asyncio.fixture(scope="class", loop_scope="module")
    @classmethod
    async def client(cls) -> AsyncIterator[Any]:
        async with open_dynamodb(_settings(emulators.shared(cls.emulator))) as client:
            yield client

    @pytest_asyncio.fixture(scope="class", loop_scope="module")
    @classmethod
    async def store(cls, client: Any, shared_messaging: tuple[Messaging, asyncpg.Connection]) -> DynamoDbMessageStore:
        messaging, _ = shared_messaging
        store = DynamoDbMessageStore(
            client, TABLE, database=messaging.database, bus=messaging.bus, stage="dev", region="us-east-1"
        )
        await cls.make(store, client)
        return store

    @pytest_asyncio.fixture(loop_scope="module")
    async def kept(self, store: DynamoDbMessageStore, client: Any, messaging: Messaging) -> AsyncIterator[Kept]:
        yield Kept(store, messaging.database, messaging.bus)
        items = (await client.scan(TableName=TABLE))["Items"]
        keys = ({"message_id": item["message_id"]} for item in items)
        await asyncio.gather(*(client.delete_item(TableName=TABLE, Key=key) for key in keys))

    @staticmethod
    async def make(store: DynamoDbMessageStore, client: Any) -> None:
        await store.create()
        await store.create()  # again is fine

    @pytest.mark.req(139)
    async def test_a_crash_between_record_and_event_is_made_good_by_the_relay(self, kept: Kept):
        store = kept.store
        assert isinstance(store, DynamoDbMessageStore)
        new = NewMessage("m-1", "t", "dev", "web-api", "user:a", "c", {}, NOW)
        async with kept.database.transaction() as tx:
            await store.add(tx, new)
        relay = store.relay()
        bus, relay._bus = relay._bus, _Dies()  # type: ignore[assignment]
        with pytest.raises(RuntimeError, match="killed"):
            await relay.move("m-1")
        assert await store.get("m-1") is not None
        assert await kept.said() == []
        relay._bus = bus
        assert await relay.move_due() == 1
        assert len(await kept.said()) == 1
        assert await relay.move_due() == 0

    async def test_a_record_that_another_creation_stored_is_not_announced_twice(self, kept: Kept):
        store = kept.store
        assert isinstance(store, DynamoDbMessageStore)
        new = NewMessage("m-1", "t", "dev", "web-api", "user:a", "c", {}, NOW)
        async with kept.database.transaction() as tx:
            await store.add(tx, new)
        async with kept.database.transaction() as tx:
            await tx.execute("UPDATE message_drafts SET message_id = 'other'")
            assert await store.add(tx, new)
        assert await store.relay().move("m-1")
        assert await store.relay().move("other")
        assert len(await kept.said()) == 1

    @pytest.mark.req(164)
    async def test_the_table_has_the_key_the_two_indexes_and_the_time_to_live(self, kept: Kept):
        store = kept.store
        assert isinstance(store, DynamoDbMessageStore)
        found = (await store._client.describe_table(TableName=store._table))["Table"]
        wanted = table_definition(store._table)
        assert found["KeySchema"] == wanted["KeySchema"]
        indexes = {one["IndexName"]: one["KeySchema"] for one in found["GlobalSecondaryIndexes"]}
        assert indexes == {one["IndexName"]: one["KeySchema"] for one in wanted["GlobalSecondaryIndexes"]}
        ttl = await store._client.describe_time_to_live(TableName=store._table)
        assert ttl["TimeToLiveDescription"]["AttributeName"] == "ttl"


class TestDynamoDbOnMinistack(_DynamoDb):
    emulator = "ministack"


class TestDynamoDbOnMoto(_DynamoDb):
    emulator = "moto"
    has_races = True


class TestDynamoDbOnDynalite(_DynamoDb):
    emulator = "dynalite"

    @staticmethod
    async def make(store: DynamoDbMessageStore, client: Any) -> None:
        await make_bare_table(client, TABLE)

    async def test_the_table_has_the_key_the_two_indexes_and_the_time_to_live(self, kept: Kept):
        pytest.skip("dynalite knows no time to live")


@pytest.mark.req(158)
@pytest.mark.parametrize("emulator", ["ministack", "dynalite"])
async def test_of_conditional_updates_at_once_exactly_one_is_made(emulator: str):
    """What our store relies on, of DynamoDB itself. moto is not among them: it checks and writes without a lock."""
    table = f"races-{os.getpid()}"
    async with open_dynamodb(_settings(emulators.shared(emulator))) as client:
        await client.create_table(
            TableName=table,
            KeySchema=[{"AttributeName": "id", "KeyType": "HASH"}],
            AttributeDefinitions=[{"AttributeName": "id", "AttributeType": "S"}],
            BillingMode="PAY_PER_REQUEST",
        )
        await until(partial(_is_active, client, table))

        async def claim(row: str, by: str) -> bool:
            try:
                await client.update_item(
                    TableName=table,
                    Key={"id": {"S": row}},
                    UpdateExpression="SET winner = :by",
                    ConditionExpression="attribute_not_exists(winner)",
                    ExpressionAttributeValues={":by": {"S": by}},
                )
            except client.exceptions.ConditionalCheckFailedException:
                return False
            return True

        for number in range(25):
            row = f"row-{number}"
            won = await asyncio.gather(*(claim(row, f"p{n}") for n in range(8)))
            assert sum(won) == 1
            kept = await client.get_item(TableName=table, Key={"id": {"S": row}}, ConsistentRead=True)
            assert kept["Item"]["winner"] == {"S": f"p{won.index(True)}"}


async def _is_active(client: Any, table: str) -> bool:
    description = await client.describe_table(TableName=table)
    return bool(description["Table"]["TableStatus"] == "ACTIVE")


class _Dies:
    async def publish(self, *_: object) -> None:
        raise RuntimeError("killed")
