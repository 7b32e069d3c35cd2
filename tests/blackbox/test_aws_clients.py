"""Clients of AWS that people use, and the commands and programs of docs/aws.md as printed, against the default platform."""

import asyncio
import json
import os
import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from support import installed
from support.aws_platform import AwsPlatform, embedded_platform
from support.emulators import PYTHON
from support.go_requests import GoClient, text_in
from support.node import NODE, WEB
from support.platform_process import ask
from support.waiting import soon, until

ROOT = WEB.parent
AWS = WEB / "testing" / "aws"
TECHNIQUES = "video_analysis_events"
TAKEDOWN = {
    "start": 83,
    "end": 105,
    "category": "STANDUP_GAME",
    "technique": "Double Leg Takedown",
    "role": "athlete in white gi",
}
SWEEP = TAKEDOWN | {"category": "GUARD_PLAY", "technique": "Sweep"}

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.time_limit(300)]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def platform(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[AwsPlatform]:
    installed.wait_for(installed.NODE_PACKAGES)
    async with embedded_platform(tmp_path_factory.mktemp("clients")) as opened:
        yield opened


def printed(platform: AwsPlatform, heading: str, language: str) -> str:
    """The first block of a language below a heading of docs/aws.md, with the address of this platform."""
    text = (ROOT / "docs" / "aws.md").read_text(encoding="utf-8")
    found = re.search(rf"\n##+ {heading}\n(?:(?!\n##).)*?\n```{language}\n(.*?)```", text, re.S)
    assert found is not None, heading
    return found[1].replace("127.0.0.1:8400", platform.address.removeprefix("http://"))


def environment(platform: AwsPlatform, directory: Path) -> dict[str, str]:
    """The variables that the documentation exports, and no configuration of the person who runs the tests."""
    exported = re.findall(r"(AWS_\w+)=(\S+)", printed(platform, "Clients", "sh"))
    path = f"{PYTHON.parent}{os.pathsep}{os.environ['PATH']}"
    return {**dict(exported), "PATH": path, "HOME": str(directory), "PYTHONUNBUFFERED": "1", "AWS_PAGER": ""}


async def start(platform: AwsPlatform, directory: Path, *command: str | Path) -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        *map(str, command),
        cwd=directory,
        env=environment(platform, directory),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )


async def run(platform: AwsPlatform, directory: Path, *command: str | Path) -> str:
    process = await start(platform, directory, *command)
    out, _ = await soon(process.communicate(), within_s=120)
    assert process.returncode == 0, out.decode()[-3000:]
    return out.decode()


@pytest.mark.req(516)
async def test_the_javascript_sdk_sends_publishes_and_receives(platform: AwsPlatform, tmp_path: Path):
    assert json.loads(await run(platform, tmp_path, NODE, AWS / "bus.mjs")) == {
        "identity": "000000000000",
        "message": ["Olá", "ção"],
        "order": ["1", "2", "3"],
        "published": ["n11", "n12"],
        "filtered": [11, 12],
        "missingQueue": [True, "QueueDoesNotExist", True],
        "missingTopic": [True, 404, 1],
    }


@pytest.mark.req(514, 516)
async def test_the_consumer_of_document_000_in_javascript(platform: AwsPlatform, tmp_path: Path):
    video = await platform.video()
    assert (await platform.mark(video, TAKEDOWN, SWEEP)).status_code == 200
    process = await start(
        platform, tmp_path, NODE, AWS / "technique_consumer.mjs", platform.arn(TECHNIQUES), "js-consumer"
    )
    async with platform.listening_process(process) as listening:
        done = await platform.analyzed(video)
        seen = await listening.result()
    (event,), (completion,) = seen["events"], seen["completions"]
    assert (event["start_time"], event["total"]) == ("00:01:23", 2)
    assert event["event_candidates"][0]["skill_name"] == "Double Leg Takedown"
    assert completion == {
        "video_id": str(video),
        "job_id": done["job_id"],
        "total_event_count": 2,
        "result_s3_uri": done["result_s3_uri"],
    }


@pytest.mark.req(515, 517)
async def test_requests_as_the_go_sdk_sends_them(platform: AwsPlatform):
    go, topic = GoClient(platform.http, platform.address), platform.arn("rez-agent-messages-dev")
    identity = await go.query("sts", "GetCallerIdentity")
    assert text_in(identity, "GetCallerIdentityResult", "Account") == "000000000000"
    queue = (await go.sqs("CreateQueue", QueueName="go-message-queue-dev")).json()["QueueUrl"]
    arn = (await go.sqs("GetQueueAttributes", QueueUrl=queue, AttributeNames=["QueueArn"])).json()["Attributes"]
    policy = {"message_type": ["scheduled_hello"], "source": ["scheduler"]}
    subscribed = await go.query(
        "sns",
        "Subscribe",
        TopicArn=topic,
        Protocol="sqs",
        Endpoint=arn["QueueArn"],
        Attributes__entry__1__key="FilterPolicy",
        Attributes__entry__1__value=json.dumps(policy),
    )
    assert text_in(subscribed, "SubscribeResult", "SubscriptionArn").startswith(f"{topic}:")
    message = json.dumps({"schema_version": "1.0", "event_type": "message_created", "note": "a + b & c = ção"})
    published = await go.query(
        "sns",
        "Publish",
        TopicArn=topic,
        Message=message,
        MessageAttributes__entry__1__Name="message_type",
        MessageAttributes__entry__1__Value__DataType="String",
        MessageAttributes__entry__1__Value__StringValue="scheduled_hello",
        MessageAttributes__entry__2__Name="source",
        MessageAttributes__entry__2__Value__DataType="String",
        MessageAttributes__entry__2__Value__StringValue="scheduler",
    )
    message_id = text_in(published, "PublishResult", "MessageId")
    received = await go.sqs("ReceiveMessage", QueueUrl=queue, WaitTimeSeconds=20, MaxNumberOfMessages=10)
    assert received.headers["content-type"] == "application/x-amz-json-1.0"
    (one,) = received.json()["Messages"]
    envelope = json.loads(one["Body"])
    assert (envelope["MessageId"], envelope["Message"], envelope["TopicArn"]) == (message_id, message, topic)
    deleted = await go.sqs("DeleteMessage", QueueUrl=queue, ReceiptHandle=one["ReceiptHandle"])
    assert deleted.status_code == 200
    assert (await go.sqs("ReceiveMessage", QueueUrl=queue)).json().get("Messages", []) == []


@pytest.mark.req(517)
async def test_errors_in_the_form_that_the_go_sdk_reads(platform: AwsPlatform):
    go = GoClient(platform.http, platform.address)
    missing = await go.sqs("GetQueueUrl", QueueName="go-missing")
    assert (missing.status_code, missing.json()["__type"]) == (400, "com.amazonaws.sqs#QueueDoesNotExist")
    assert missing.headers["x-amzn-query-error"] == "AWS.SimpleQueueService.NonExistentQueue;Sender"
    unknown = await go.query("sns", "Publish", TopicArn=platform.arn("go-missing"), Message="x")
    assert (unknown.status_code, text_in(unknown, "Error", "Code")) == (404, "NotFound")
    assert text_in(unknown, "Error", "Type") == "Sender"
    assert text_in(unknown, "RequestId") == unknown.headers["x-amzn-requestid"]
    forged = GoClient(platform.http, platform.address, secret="another")
    assert (await forged.sqs("ListQueues")).status_code == 403
    refused = await forged.query("sns", "ListTopics")
    assert (refused.status_code, text_in(refused, "Error", "Code")) == (403, "SignatureDoesNotMatch")


@pytest.mark.req(517)
async def test_a_key_made_on_the_command_line_signs_until_it_is_revoked(platform: AwsPlatform):
    state = ("--state-dir", str(platform.state))
    code, out, err = await ask("keys", "create", "--json", *state)
    assert code == 0, err
    made = json.loads(out)
    go = GoClient(platform.http, platform.address, made["access_key_id"], made["secret_access_key"])
    listed = await go.sqs("ListQueues")
    assert listed.status_code == 200, listed.text
    assert not [name for name in listed.headers if name.startswith("access-control-")], "keys do not belong into pages"
    code, _, err = await ask("keys", "revoke", made["key_id"], *state)
    assert code == 0, err

    async def is_refused() -> bool:
        return (await go.sqs("ListQueues")).status_code == 403

    await until(is_refused)


@pytest.mark.req(518)
async def test_the_commands_of_the_documentation_for_the_aws_cli(platform: AwsPlatform, tmp_path: Path):
    (tmp_path / "README.md").write_text("a note")
    commands = printed(platform, "AWS CLI", "sh")
    assert len(commands.splitlines()) > 12
    said = await run(platform, tmp_path, "bash", "-euo", "pipefail", "-c", commands)
    assert '"Account": "000000000000"' in said
    assert '"Body": "An order"' in said
    assert '"Body": "Hello"' not in said, "that one was received before and deleted"
    assert '"StringValue": "new"' in said
    assert re.search(r" 6 README\.md\n", said), said
    left = await run(platform, tmp_path, "bash", "-c", "aws s3 ls s3://fiapx-videos/notes/ || true")
    assert left.strip() == ""


@pytest.mark.req(514, 518)
async def test_the_python_program_of_the_documentation(platform: AwsPlatform, tmp_path: Path):
    video = await platform.video()
    await platform.mark(video, TAKEDOWN, SWEEP)
    program = printed(platform, "Python", "python").replace(
        "is_complete = False\n", 'is_complete = False\nprint("ready")\n'
    )
    process = await start(platform, tmp_path, PYTHON, "-c", program)
    assert process.stdout is not None
    try:
        assert await soon(process.stdout.readline()) == b"ready\n"
        await platform.analyzed(video)
        out, _ = await soon(process.communicate())
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()
    assert process.returncode == 0, out.decode()
    lines = out.decode().splitlines()
    assert lines[-1] == f"{video} complete", (
        "messages of the embedded bus come in the order in which they were published"
    )
    assert [line.partition(" ")[0] for line in lines] == [str(video)] * 3
    assert ["Double Leg Takedown" in line or "Sweep" in line for line in lines] == [True, True, False]


@pytest.mark.req(518)
async def test_the_javascript_program_of_the_documentation(platform: AwsPlatform, tmp_path: Path):
    (tmp_path / "node_modules").symlink_to(WEB / "node_modules")
    (tmp_path / "hello.mjs").write_text(printed(platform, "JavaScript", "js"))
    assert await run(platform, tmp_path, NODE, "hello.mjs") == "Hello from JavaScript\n"


@pytest.mark.req(518)
async def test_the_celery_app_of_the_documentation(platform: AwsPlatform, tmp_path: Path):
    (tmp_path / "shop.py").write_text(printed(platform, "Celery", "python"))
    await run(platform, tmp_path, PYTHON, "-c", "from shop import pack; pack.delay(42)")
    worker = await start(platform, tmp_path, PYTHON, "-m", "celery", "-A", "shop", "worker", "--pool=solo")
    assert worker.stdout is not None
    try:
        said = await soon(worker.stdout.readuntil(b"packed 42"))
    finally:
        worker.kill()
        await worker.wait()
    assert b"Traceback" not in said
