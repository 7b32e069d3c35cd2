"""`sightline queues` and `sightline dead-letters` on a database that nobody else works on."""

import json
import re
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from pydantic import SecretStr

from sightline.bootstrap import Platform, open_platform
from sightline.bus import (
    SPLIT_QUEUE,
    STORAGE_QUEUE,
    Attribute,
    QueueMessage,
    RegisteredSubscription,
    RegisteredTopic,
)
from sightline.config import Settings
from sightline.observability import create_registry
from support.platform_process import ask, sightline
from support.postgres import patient_settings
from support.waiting import soon

DLQ = f"{SPLIT_QUEUE}-dlq"


class Command:
    """The command on one state directory."""

    def __init__(self, state: Path) -> None:
        self.state = state

    async def __call__(self, *arguments: str, answer: str = "") -> tuple[int, str, str]:
        return await ask(*arguments, "--state-dir", str(self.state), answer=answer, COLUMNS="200")

    async def json(self, *arguments: str) -> Any:
        code, out, err = await self(*arguments, "--json")
        assert code == 0, err
        return json.loads(out)


@asynccontextmanager
async def _inside(state: Path, url: str) -> AsyncIterator[Platform]:
    settings = Settings(state_dir=state, database=patient_settings(url=SecretStr(url)))
    async with open_platform(settings, registry=create_registry()) as platform:
        yield platform


async def _bury(platform: Platform, *bodies: str, reason: str = "it was bad", **attributes: str) -> list[str]:
    named = {name: Attribute("String", value) for name, value in attributes.items()}
    async with platform.database.transaction() as tx:
        ids = await platform.bus.send(tx, SPLIT_QUEUE, *(QueueMessage(body, named) for body in bodies))
    for received in await platform.bus.receive(SPLIT_QUEUE, limit=10, wait_s=1):
        await platform.bus.bury(received, reason)
    return ids


@pytest.mark.req(175, 176)
async def test_an_operator_sees_redrives_and_discards(clean_environment, tmp_path: Path, fresh_database):
    state = tmp_path / "state"
    (tmp_path / ".env").write_text(f"SIGHTLINE_DATABASE_URL={fresh_database.url}\n")
    command = Command(state)
    async with _inside(state, fresh_database.url) as platform:
        code, out, err = await command("dead-letters", "list")
        assert (code, out) == (0, "No dead letters\n"), err

        clip, cut = await _bury(platform, '{"video": "v1"}', '{"video": "v2"}', event_type="clip")
        [odd] = await _bury(platform, "not [red]json[/]\x9b2J", reason="not JSON\x1b[2J")

        code, out, err = await command("queues")
        assert code == 0, err
        assert re.search(rf"{SPLIT_QUEUE} +0 +0 +0 +3", out)
        assert re.search(rf"{STORAGE_QUEUE} +0 +0 +0 +0", out)
        shown = {queue["queue"]: queue for queue in (await command.json("queues"))["queues"]}
        assert shown[SPLIT_QUEUE]["dead_letters"] == 3

        code, out, _ = await command("dead-letters", "list", "--type", "clip", "--limit", "1")
        assert (clip in out, cut in out, "… and more" in out) == (True, False, True)
        listed = await command.json("dead-letters", "list", SPLIT_QUEUE, "--reason", "json", "--older-than", "0s")
        assert [letter["message_id"] for letter in listed["dead_letters"]] == [odd]

        code, out, _ = await command("dead-letters", "show", SPLIT_QUEUE, clip)
        assert code == 0
        for line in (f"source queue +{SPLIT_QUEUE}", "reason +it was bad", "event_type: clip", '    "video": "v1"'):
            assert re.search(line, out), line
        code, out, _ = await command("dead-letters", "show", DLQ, odd)
        for text in ("not [red]json[/]\\x9b2J", "not JSON\\x1b[2J"):  # strangers do not get to move the cursor
            assert text in out
        assert (await command.json("dead-letters", "show", DLQ, odd))["reason"] == "not JSON\x1b[2J"

        code, out, _ = await command("dead-letters", "redrive", SPLIT_QUEUE, "--all", "--dry-run")
        assert (code, out.splitlines()[0]) == (0, "3 of 3 dead letters would be redriven")
        report = await command.json("dead-letters", "redrive", SPLIT_QUEUE, clip, "--rate", "100")
        assert (report["moved"], report["by_source"]) == (1, {SPLIT_QUEUE: 1})
        [again] = await platform.bus.receive(SPLIT_QUEUE, limit=10, wait_s=1)
        assert (again.message_id, again.receive_count) == (clip, 1)

        code, out, err = await command("dead-letters", "discard", SPLIT_QUEUE, "--contains", "json", answer="n\n")
        assert (code, out, "Nothing was discarded" in err) == (1, "", True)
        code, out, err = await command("dead-letters", "discard", SPLIT_QUEUE, "--contains", "json", answer="y\n")
        assert (code, out.splitlines()[0]) == (0, "1 of 1 dead letters discarded"), err
        code, out, _ = await command("dead-letters", "discard", SPLIT_QUEUE, odd, cut, "--yes")
        assert (code, "1 of 1 dead letters discarded" in out, f"Not found: {odd}" in out) == (1, True, True)
        assert (await command.json("dead-letters", "list"))["dead_letters"] == []


@pytest.mark.req(466, 507)
async def test_queues_topics_and_rules_of_clients_are_listed_with_their_account(
    clean_environment, tmp_path: Path, fresh_database
):
    state = tmp_path / "state"
    (tmp_path / ".env").write_text(f"SIGHTLINE_DATABASE_URL={fresh_database.url}\n")
    command = Command(state)
    async with _inside(state, fresh_database.url) as platform:
        queues, registry = platform.open_bus.client_queues, platform.open_bus.registry
        assert queues is not None
        assert registry is not None
        account = await registry.account(uuid4(), is_operator=False)
        queue = await queues.control.create(account, "orders", {}, {})
        async with registry.changing() as change:
            topic = registry.names.local_name(account.account_id, "order-events")
            endpoint = registry.names.queue_arn(queue.name)
            await change.put(RegisteredTopic(topic, account.account_id))
            await change.put(RegisteredSubscription(uuid4(), topic, account.account_id, "sqs", endpoint))

    code, out, err = await command("queues")
    assert code == 0, err
    assert re.search(rf"^orders +{account.account_id} +0 +0 +0 +–$", out, re.MULTILINE)
    [shown] = [one for one in (await command.json("queues"))["queues"] if one["name"] == "orders"]
    assert (shown["account_id"], shown["owner_id"]) == (account.account_id, str(account.owner_id))
    code, out, err = await command("topics")
    assert code == 0, err
    assert re.search(rf"^order-events +{account.account_id} +sqs orders +–$", out, re.MULTILINE)
    assert re.search(rf"^video-upload-completed .*{STORAGE_QUEUE}$", out, re.MULTILINE)
    listed = await command.json("topics")
    assert set(listed) == {"topics", "event_buses"}


async def test_watching_goes_on_until_it_is_interrupted(clean_environment, tmp_path: Path, fresh_database):
    (tmp_path / ".env").write_text(f"SIGHTLINE_DATABASE_URL={fresh_database.url}\n")
    process = await sightline("queues", "--watch", "--json")
    for _ in range(2):
        assert json.loads(await soon(process.stdout.readline()))["queues"]
    process.send_signal(signal.SIGINT)
    _, err = await soon(process.communicate())
    assert (process.returncode, err) == (0, b"")


async def test_without_a_platform_they_say_how_to_start_one_and_start_nothing(clean_environment, tmp_path: Path):
    command = Command(tmp_path / "no thing")
    for arguments in (("queues",), ("dead-letters", "list"), ("dead-letters", "redrive", SPLIT_QUEUE, "--all")):
        code, _, err = await command(*arguments)
        assert code == 1
        assert f"no platform is running on {command.state}" in err
        assert f"sightline up --state-dir '{command.state}'" in err
    assert not command.state.exists()


async def test_what_is_not_clearly_said_is_refused_before_anything_is_opened(clean_environment, tmp_path: Path):
    command = Command(tmp_path / "state")
    for arguments, said in (
        (("redrive", SPLIT_QUEUE), "choose dead letters by their ids"),
        (("discard", SPLIT_QUEUE, "--all", "--reason", "x"), "choose dead letters by their ids"),
        (("redrive", SPLIT_QUEUE, "nonsense"), "'nonsense' is not a message id"),
        (("show", SPLIT_QUEUE, "nonsense"), "'nonsense' is not a message id"),
        (("list", "--older-than", "soon"), "'soon' is not an age"),
        (("list", "--older-than", "9999999999d"), "is too long for an age"),
        (("list", "--attribute", "team"), "not of the form name=value"),
    ):
        code, _, err = await command("dead-letters", *arguments)
        assert code == 1
        assert said in err
        assert "Traceback" not in err


async def test_on_another_database_an_unknown_queue_and_missing_tables_are_named(
    clean_environment, tmp_path: Path, fresh_database, empty_database
):
    command = Command(tmp_path / "state")
    (tmp_path / ".env").write_text(f"SIGHTLINE_DATABASE_URL={fresh_database.url}\n")
    code, _, err = await command("dead-letters", "list", "nope")
    assert (code, "no queue nope; there are" in err, SPLIT_QUEUE in err) == (1, True, True)
    (tmp_path / ".env").write_text(f"SIGHTLINE_DATABASE_URL={empty_database.admin_url}\n")
    code, _, err = await command("queues")
    assert (code, "run `sightline migrate`" in err) == (1, True), err
