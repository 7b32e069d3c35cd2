"""`sightline queues` and `sightline dead-letters` against a platform that runs."""

import asyncio
import json
import os
import re
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr

from sightline.bootstrap import Platform, open_platform
from sightline.bus import Attribute, QueueMessage
from sightline.bus.topology import SPLIT_QUEUE, STORAGE_QUEUE
from sightline.config import Settings
from sightline.db import DatabaseSettings
from sightline.observability import create_registry

DLQ = f"{SPLIT_QUEUE}-dlq"


class Command:
    """The command on one state directory."""

    def __init__(self, state: Path) -> None:
        self.state = state

    async def start(self, *arguments: str) -> asyncio.subprocess.Process:
        kept = {name: os.environ[name] for name in ("PATH", "HOME", "TMPDIR") if name in os.environ}
        return await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "sightline", *arguments, "--state-dir", str(self.state)),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            env=kept | {"COLUMNS": "200"},
        )

    async def __call__(self, *arguments: str, answer: str = "") -> tuple[int, str, str]:
        process = await self.start(*arguments)
        out, err = await asyncio.wait_for(process.communicate(answer.encode()), 60)
        return process.returncode or 0, out.decode(), err.decode()

    async def json(self, *arguments: str) -> Any:
        code, out, err = await self(*arguments, "--json")
        assert code == 0, err
        return json.loads(out)


@asynccontextmanager
async def _up(state: Path) -> AsyncIterator[Command]:
    command = Command(state)
    process = await command.start("up", "--port", "0")
    assert process.stdout is not None
    assert process.stderr is not None
    errors = asyncio.create_task(process.stderr.read())
    output = b""
    try:
        while b"sightline status" not in output:
            line = await asyncio.wait_for(process.stdout.readline(), 60)
            assert line, (output + await errors).decode()
            output += line
        yield command
    finally:
        if process.returncode is None:
            process.send_signal(signal.SIGTERM)
        await asyncio.wait_for(process.wait(), 20)
        await errors


@asynccontextmanager
async def _inside(state: Path, url: str) -> AsyncIterator[Platform]:
    settings = Settings(state_dir=state, database=DatabaseSettings(url=SecretStr(url)))
    async with open_platform(settings, registry=create_registry()) as platform:
        yield platform


async def _bury(platform: Platform, *bodies: str, reason: str = "it was bad", **attributes: str) -> list[str]:
    named = {name: Attribute("String", value) for name, value in attributes.items()}
    async with platform.database.transaction() as tx:
        ids = await platform.bus.send(tx, SPLIT_QUEUE, *(QueueMessage(body, named) for body in bodies))
    for received in await platform.bus.receive(SPLIT_QUEUE, most=10, wait_s=1):
        await platform.bus.bury(received, reason)
    return ids


@pytest.mark.req(175)
@pytest.mark.req(176)
async def test_an_operator_sees_redrives_and_discards(clean_environment, tmp_path: Path, fresh_database):
    """On a database that no consumer works on: it would have a word in what becomes of the letters."""
    state = tmp_path / "state"
    (tmp_path / ".env").write_text(f"SIGHTLINE_DATABASE_URL={fresh_database.url}\n")
    sightline = Command(state)
    async with _inside(state, fresh_database.url) as platform:
        code, out, err = await sightline("dead-letters", "list")
        assert (code, out) == (0, "no dead letters\n"), err

        clip, cut = await _bury(platform, '{"video": "v1"}', '{"video": "v2"}', event_type="clip")
        [odd] = await _bury(platform, "not [red]json[/]\x9b2J", reason="not JSON\x1b[2J")

        code, out, err = await sightline("queues")
        assert code == 0, err
        assert re.search(rf"{SPLIT_QUEUE} +0 +0 +0 +3", out)
        assert re.search(rf"{STORAGE_QUEUE} +0 +0 +0 +0", out)
        shown = {queue["queue"]: queue for queue in (await sightline.json("queues"))["queues"]}
        assert shown[SPLIT_QUEUE]["dead_letters"] == 3

        code, out, _ = await sightline("dead-letters", "list", "--type", "clip", "--limit", "1")
        assert (clip in out, cut in out, "… and more" in out) == (True, False, True)
        listed = await sightline.json("dead-letters", "list", SPLIT_QUEUE, "--reason", "json", "--older-than", "0s")
        assert [letter["message_id"] for letter in listed["dead_letters"]] == [odd]

        code, out, _ = await sightline("dead-letters", "show", SPLIT_QUEUE, clip)
        assert code == 0
        for line in (f"source queue +{SPLIT_QUEUE}", "reason +it was bad", "event_type: clip", '    "video": "v1"'):
            assert re.search(line, out), line
        code, out, _ = await sightline("dead-letters", "show", DLQ, odd)
        for text in ("not [red]json[/]\\x9b2J", "not JSON\\x1b[2J"):  # strangers do not get to move the cursor
            assert text in out
        assert (await sightline.json("dead-letters", "show", DLQ, odd))["reason"] == "not JSON\x1b[2J"

        code, out, _ = await sightline("dead-letters", "redrive", SPLIT_QUEUE, "--all", "--dry-run")
        assert (code, out.splitlines()[0]) == (0, "3 of 3 dead letters would be redriven")
        report = await sightline.json("dead-letters", "redrive", SPLIT_QUEUE, clip, "--rate", "100")
        assert (report["moved"], report["by_source"]) == (1, {SPLIT_QUEUE: 1})
        [again] = await platform.bus.receive(SPLIT_QUEUE, most=10, wait_s=1)
        assert (again.message_id, again.receive_count) == (clip, 1)

        code, out, err = await sightline("dead-letters", "discard", SPLIT_QUEUE, "--contains", "json", answer="n\n")
        assert (code, out, "Nothing was discarded" in err) == (1, "", True)
        code, out, err = await sightline("dead-letters", "discard", SPLIT_QUEUE, "--contains", "json", answer="y\n")
        assert (code, out.splitlines()[0]) == (0, "1 of 1 dead letters discarded"), err
        code, out, _ = await sightline("dead-letters", "discard", SPLIT_QUEUE, odd, cut, "--yes")
        assert (code, "1 of 1 dead letters discarded" in out, f"not found: {odd}" in out) == (1, True, True)
        assert (await sightline.json("dead-letters", "list"))["dead_letters"] == []


async def test_watching_goes_on_until_it_is_interrupted(clean_environment, tmp_path: Path):
    state = tmp_path / "state"
    async with _up(state) as sightline:
        process = await sightline.start("queues", "--watch", "--json")
        assert process.stdout is not None
        for _ in range(2):
            assert json.loads(await asyncio.wait_for(process.stdout.readline(), 20))["queues"]
        process.send_signal(signal.SIGINT)
        _, err = await asyncio.wait_for(process.communicate(), 20)
        assert (process.returncode, err) == (0, b"")


async def test_without_a_platform_they_say_how_to_start_one_and_start_nothing(clean_environment, tmp_path: Path):
    sightline = Command(tmp_path / "no thing")
    for arguments in (("queues",), ("dead-letters", "list"), ("dead-letters", "redrive", SPLIT_QUEUE, "--all")):
        code, _, err = await sightline(*arguments)
        assert code == 1
        assert f"no platform is running on {sightline.state}" in err
        assert f"sightline up --state-dir '{sightline.state}'" in err
    assert not sightline.state.exists()


async def test_what_is_not_clearly_said_is_refused_before_anything_is_opened(clean_environment, tmp_path: Path):
    sightline = Command(tmp_path / "state")
    for arguments, said in (
        (("redrive", SPLIT_QUEUE), "say which letters by one of"),
        (("discard", SPLIT_QUEUE, "--all", "--reason", "x"), "say which letters by one of"),
        (("redrive", SPLIT_QUEUE, "nonsense"), "'nonsense' is not a message id"),
        (("show", SPLIT_QUEUE, "nonsense"), "'nonsense' is not a message id"),
        (("list", "--older-than", "soon"), "'soon' is not an age"),
        (("list", "--older-than", "9999999999d"), "longer than anything"),
        (("list", "--attribute", "team"), "not of the form name=value"),
    ):
        code, _, err = await sightline("dead-letters", *arguments)
        assert code == 1
        assert said in err
        assert "Traceback" not in err


async def test_on_another_database_an_unknown_queue_and_missing_tables_are_named(
    clean_environment, tmp_path: Path, fresh_database, empty_database
):
    sightline = Command(tmp_path / "state")
    (tmp_path / ".env").write_text(f"SIGHTLINE_DATABASE_URL={fresh_database.url}\n")
    code, _, err = await sightline("dead-letters", "list", "nope")
    assert (code, "no queue nope; there are" in err, SPLIT_QUEUE in err) == (1, True, True)
    (tmp_path / ".env").write_text(f"SIGHTLINE_DATABASE_URL={empty_database.admin_url}\n")
    code, _, err = await sightline("queues")
    assert (code, "run `sightline migrate`" in err) == (1, True), err
