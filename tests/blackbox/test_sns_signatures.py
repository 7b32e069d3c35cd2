"""Notifications as a consumer gets them, checked by the verifier that AWS publishes, over TLS."""

import asyncio
import json
import os
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from support import installed
from support.aws_calls import AwsClients
from support.integration_certificate import make_certificate
from support.local_http import LocalHttp
from support.node import NODE, WEB
from support.platform_process import up
from support.tls_proxy import tls_proxy
from support.waiting import until


async def verdicts(messages: list[dict[str, str]], *, host: str, trusted: Path) -> list[str]:
    """What the verifier says of each message; it fetches the certificate by itself."""
    await asyncio.to_thread(installed.wait_for, installed.NODE_PACKAGES)
    process = await asyncio.create_subprocess_exec(
        *(NODE, WEB / "testing" / "aws" / "sns.mjs", host),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env={**os.environ, "NODE_EXTRA_CA_CERTS": str(trusted)},
    )
    out, err = await process.communicate(json.dumps(messages).encode())
    assert process.returncode == 0, (out + err).decode()[-3000:]
    found: list[str] = json.loads(out)
    return found


@pytest.mark.req(488)
async def test_a_public_verifier_finds_signatures_of_both_versions_valid_and_changed_messages_invalid(tmp_path: Path):
    certificate = make_certificate(tmp_path, "localhost")
    async with tls_proxy(certificate) as proxy:
        host = f"localhost:{proxy.port}"
        async with up(tmp_path / "state", SIGHTLINE_API_PUBLIC_URL=f"https://{host}") as running:
            address = urlsplit(running.address)
            proxy.target = (str(address.hostname), int(address.port or 0))
            aws = AwsClients(running.address)
            messages = [await notification(aws, version) for version in ("1", "2")]
            messages.append(await confirmation(aws))
            changed = [{**message, "Message": message["Message"] + "!"} for message in messages]
            found = await verdicts([*messages, *changed], host=host, trusted=certificate)
    assert [one["SignatureVersion"] for one in messages] == ["1", "2", "2"]
    assert found == ["valid"] * 3 + ["The message signature is invalid."] * 3


async def notification(aws: AwsClients, version: str) -> dict[str, str]:
    """A message as a consumer of a queue gets it."""
    name = f"orders-{version}"
    topic = (await aws.call("sns", "create_topic", Name=name, Attributes={"SignatureVersion": version}))["TopicArn"]
    url = (await aws.call("sqs", "create_queue", QueueName=name))["QueueUrl"]
    endpoint = f"arn:aws:sqs:us-east-1:000000000000:{name}"
    await aws.call("sns", "subscribe", TopicArn=topic, Protocol="sqs", Endpoint=endpoint)
    await aws.call("sns", "publish", TopicArn=topic, Message="größer\n", Subject="Hello")
    received = await aws.call("sqs", "receive_message", QueueUrl=url, WaitTimeSeconds=20)
    found: dict[str, str] = json.loads(received["Messages"][0]["Body"])
    return found


async def confirmation(aws: AwsClients) -> dict[str, str]:
    """The request to confirm, as a web address gets it."""
    web = LocalHttp()
    await web.start()
    try:
        topic = "arn:aws:sns:us-east-1:000000000000:orders-2"
        await aws.call("sns", "subscribe", TopicArn=topic, Protocol="http", Endpoint=f"{web.url}/hook")

        async def has_come() -> bool:
            return bool(web.asked)

        await until(has_come)
        found: dict[str, str] = json.loads(web.bodies[0])
        return found
    finally:
        web.stop()
