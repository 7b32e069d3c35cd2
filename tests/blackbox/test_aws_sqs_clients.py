"""Consumers of SQS that people use, unchanged, against a running platform: nothing but the endpoint differs from AWS."""

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from support import installed
from support.emulators import PYTHON
from support.platform_process import ask, up

SUPPORT = Path(__file__).resolve().parents[1] / "support"

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.req(477)]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def state_and_address(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[tuple[Path, str]]:
    state = tmp_path_factory.mktemp("sqs") / "state"
    async with up(state) as running:
        yield state, running.address


async def run(client: str, address: str) -> Any:
    """What the client prints."""
    installed.wait_for(installed.EMULATORS)
    process = await asyncio.create_subprocess_exec(
        str(PYTHON),
        str(SUPPORT / client),
        address,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        stdin=asyncio.subprocess.DEVNULL,
    )
    out, err = await process.communicate()
    assert process.returncode == 0, (out + err).decode()[-3000:]
    return json.loads(out.splitlines()[-1])


async def test_boto3_as_client_and_as_resource(state_and_address: tuple[Path, str]):
    found = await run("sqs_boto3_client.py", state_and_address[1])
    assert found == {
        "client": {
            "bodies": [f"message {n}" for n in range(10)],
            "tags": {"team": "blue"},
            "listed": True,
            "missing": "AWS.SimpleQueueService.NonExistentQueue",
        },
        "resource": {
            "order": ["one", "two"],
            "arn": "arn:aws:sqs:us-east-1:000000000000:res.fifo",
            "groups": "g",
            "by_name": True,
            "left": [],
        },
        "moved": "back and forth",
    }


async def test_celery_and_kombu(state_and_address: tuple[Path, str]):
    found = await run("sqs_celery_client.py", state_and_address[1])
    assert found["celery"] == list(range(30))
    assert found["kombu"] == [{"number": number, "word": "ção"} for number in range(3)]


@pytest.mark.req(466)
async def test_lambda_powertools_and_what_operators_see_of_it(state_and_address: tuple[Path, str]):
    state, address = state_and_address
    found = await run("sqs_powertools_client.py", address)
    assert found == {
        "done": [n for n in range(10) if n != 7],
        "dead": '{"n": 7}',
        "source": "arn:aws:sqs:us-east-1:000000000000:lambda-in",
    }
    code, out, err = await ask("queues", "--json", "--state-dir", str(state))
    assert code == 0, err
    rows = {row["queue"]: row for row in json.loads(out)["queues"]}
    assert (rows["lambda-in"]["dead_letter_queue"], rows["lambda-in"]["dead_letters"]) == ("lambda-dead", 1)
