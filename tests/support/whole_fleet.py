"""The surroundings of a fleet: an external PostgreSQL behind a pooler, an AWS emulator, a mail server."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import asyncpg

from sightline.db import migrate
from support.aws_calls import botocore_session
from support.durable_server import Server
from support.emulators import Emulator, free_port, running
from support.fleet_members import Member
from support.mailing import MailServer, mail_server
from support.shared_pooler import SharedPooler

BUCKET = "fiapx-videos"
POOLED_CONNECTIONS = 24
LEASE_S = 20

_UNAVAILABLE = (OSError, asyncpg.PostgresError, asyncpg.InterfaceError)


@dataclass
class Surroundings:
    directory: Path
    server: Server
    pooler: SharedPooler
    pooled_url: str
    aws: Emulator
    mails: MailServer

    def settings(self, *, with_pooler: bool = True) -> dict[str, str]:
        direct = self.server.postgres.url
        url = {"DATABASE_URL": self.pooled_url, "DATABASE_DIRECT_URL": direct, "DATABASE_POOLER": "transaction"}
        keys = {"ACCESS_KEY_ID": "test", "SECRET_ACCESS_KEY": "test"}
        values = {
            **(url if with_pooler else {"DATABASE_URL": direct}),
            "DATABASE_POOL_MAX": "5",
            "BUS_BACKEND": "aws",
            "BUS_ACCOUNT_ID": self.aws.account_id,
            "BUS_AWS_ENDPOINT": self.aws.endpoint,
            **{f"BUS_AWS_{name}": value for name, value in keys.items()},
            "OBJECTS_BACKEND": "s3",
            "OBJECTS_BUCKET": BUCKET,
            "OBJECTS_S3_ENDPOINT": self.aws.endpoint,
            **{f"OBJECTS_S3_{name}": value for name, value in keys.items()},
            "AUTH_ACCESS_KEY_SECRET": "a" * 32,
            "PUSH_WEBHOOK_SECRET": "b" * 32,
            "JOBS_LEASE_S": str(LEASE_S),
            "JOBS_HEARTBEAT_S": "5",
            "NOTIFICATIONS_CHANNEL": "smtp",
            "NOTIFICATIONS_FROM_ADDRESS": "videos@example.com",
            "NOTIFICATIONS_SMTP_HOST": "127.0.0.1",
            "NOTIFICATIONS_SMTP_PORT": str(self.mails.port),
            "NOTIFICATIONS_SMTP_TLS": "none",
            "NOTIFICATIONS_SEND_TIMEOUT_S": str(LEASE_S / 2),
            "NOTIFICATIONS_RETRY_AFTER_S": "5",
            "SPEECH_TRANSCRIBE": "never",
            "MEANING_EMBED": "never",
            "OBSERVABILITY_LOG_FORMAT": "json",
        }
        return {f"SIGHTLINE_{name}": value for name, value in values.items()}

    def member(self, name: str, *arguments: str, source: Path | None = None, **more: str) -> Member:
        return Member(name, arguments, self.settings() | more, self.directory / "members", source)

    def api(self, name: str) -> tuple[Member, str]:
        """An API process, and its address."""
        port = str(free_port())
        return self.member(name, "api", "--port", port), f"http://127.0.0.1:{port}"

    async def fetch(self, statement: str, *values: Any) -> list[asyncpg.Record]:
        """Looks in from outside, past the pooler; nothing while the database is away."""
        try:
            connection = await asyncpg.connect(self.server.postgres.admin_url, timeout=20)
        except _UNAVAILABLE:
            return []
        try:
            return list(await connection.fetch(statement, *values))
        except _UNAVAILABLE:
            return []
        finally:
            connection.terminate()

    async def hurry(self) -> None:
        """Ends delays of minutes, and gives attempts back: nothing is to fail for good only because it met four kills."""
        await self.fetch("UPDATE jobs SET run_after = now() WHERE run_after > now()")
        await self.fetch("UPDATE jobs SET retry_count = 0 WHERE status = 'queued' AND retry_count > 0")

    async def completed(self) -> int:
        rows = await self.fetch("SELECT count(*) FROM videos WHERE status = 'COMPLETED'")
        return int(rows[0][0]) if rows else 0


@asynccontextmanager
async def surroundings(directory: Path) -> AsyncIterator[Surroundings]:
    async with AsyncExitStack() as stack:
        server = Server(directory / "postgres", max_connections="200")
        await server.start()
        stack.push_async_callback(server.stop)
        await migrate(server.postgres.admin_url)
        pooler = SharedPooler(server.postgres.url, servers=POOLED_CONNECTIONS)
        pooled_url = await stack.enter_async_context(pooler.serving())
        aws = stack.enter_context(running("ministack", directory))
        _create_bucket(aws)
        mails = await stack.enter_async_context(mail_server())
        yield Surroundings(directory, server, pooler, pooled_url, aws, mails)


def _create_bucket(aws: Emulator) -> None:
    client = botocore_session().create_client(
        "s3",
        "us-east-1",
        endpoint_url=aws.endpoint,
        aws_access_key_id="test",
        aws_secret_access_key="test",
    )
    client.create_bucket(Bucket=BUCKET)
