"""Roles of the platform as processes of their own on one database, and programs of others beside them."""

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import asyncpg
import httpx

from support.aws_calls import botocore_session
from support.command_server import CommandProcess
from support.emulators import free_port
from support.platform_process import sightline
from support.waiting import soon, until

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE_WORKER = ROOT / "docs" / "examples" / "worker.py"
DOCUMENT_WORKERS = Path(__file__).with_name("document_workers.py")
BUCKET = "fiapx-videos"
KEY = {"S3_ACCESS_KEY_ID": "external-key-id", "S3_SECRET_ACCESS_KEY": "external-secret"}


@dataclass
class Fleet:
    """`sql` is a connection of another program: none of the platform's own."""

    url: str
    state: Path
    port: int
    sql: asyncpg.Connection
    http: httpx.AsyncClient
    processes: list[CommandProcess] = field(default_factory=list)

    @property
    def settings(self) -> dict[str, str]:
        return {
            "SIGHTLINE_DATABASE_URL": self.url,
            "SIGHTLINE_STATE_DIR": str(self.state),
            "SIGHTLINE_API_PORT": str(self.port),
            "SIGHTLINE_OBJECTS_SIGNING_KEY_ID": KEY["S3_ACCESS_KEY_ID"],
            "SIGHTLINE_OBJECTS_SIGNING_SECRET": KEY["S3_SECRET_ACCESS_KEY"],
            "SIGHTLINE_UPLOADS_DROPPED_OWNER_EMAIL": "owner@example.com",
            # What another program puts into the bucket in one piece is found by the scanner.
            "SIGHTLINE_UPLOADS_SCAN_S": "0.5",
            "SIGHTLINE_UPLOADS_SCAN_SETTLE_S": "0",
            "SIGHTLINE_JOBS_SUCCESSOR_WAIT_S": "2",
        }

    async def role(self, *arguments: str, **more: str) -> CommandProcess:
        process = await sightline(*arguments, **self.settings | more)
        self.processes.append(process)
        return process

    @asynccontextmanager
    async def program(self, path: Path, *arguments: str, **more: str) -> AsyncIterator[asyncio.subprocess.Process]:
        """A program that works on the database and the object store, with nothing but their addresses; killed at the end."""
        environment = {
            "PATH": os.environ["PATH"],
            "DATABASE_URL": self.url,
            "S3_ENDPOINT": f"http://127.0.0.1:{self.port}/objects",
            "S3_BUCKET": BUCKET,
            "POLL_S": "0.2",
            **KEY,
            **more,
        }
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, str(path), *arguments), env=environment, stdout=asyncio.subprocess.PIPE
        )
        try:
            yield process
            assert process.returncode in (None, -signal.SIGKILL), "the program ended by itself"
        finally:
            if process.returncode is None:
                process.kill()
            await process.wait()

    async def drop(self, path: Path) -> UUID:
        """Puts a video into the bucket, as another program would."""
        video_id = uuid4()
        await self.put(f"videos/original/{video_id}/master.mp4", await asyncio.to_thread(path.read_bytes))
        return video_id

    async def upload(self, path: Path, name: str) -> UUID:
        """Sends a video as a client of the API does; returns its id."""
        content = await asyncio.to_thread(path.read_bytes)
        new = {"totalSize": len(content), "filename": name, "extension": "mp4", "duration": 1000}
        video_id = (await self.http.post("/videos", json=new)).raise_for_status().json()["videoId"]
        url = (await self.http.get(f"/videos/{video_id}/upload-urls")).raise_for_status().json()["urls"][0]["url"]
        etag = (await self.http.put(url, content=content)).raise_for_status().headers["etag"]
        done = await self.http.post(f"/videos/{video_id}/complete", json={"parts": [{"part": 1, "etag": etag}]})
        assert done.is_success, done.text
        return UUID(video_id)

    async def put(self, key: str, content: bytes) -> None:
        client = botocore_session().create_client(
            "s3",
            "us-east-1",
            endpoint_url=f"http://127.0.0.1:{self.port}/objects",
            aws_access_key_id=KEY["S3_ACCESS_KEY_ID"],
            aws_secret_access_key=KEY["S3_SECRET_ACCESS_KEY"],
        )
        await asyncio.to_thread(lambda: client.put_object(Bucket=BUCKET, Key=key, Body=content))

    async def answers(self) -> bool:
        try:
            return (await self.http.get("/api/health")).status_code == 200
        except httpx.HTTPError:
            return False

    async def status(self, video_id: UUID) -> str | None:
        answer = await self.http.get(f"/videos/{video_id}")
        return None if answer.status_code == 404 else str(answer.json()["status"])

    async def reaches(self, video_id: UUID, status: str) -> None:
        async def has() -> bool:
            return await self.status(video_id) == status

        await until(has, within_s=120)

    async def job(self, job_id: UUID) -> asyncpg.Record:
        row = await self.sql.fetchrow("SELECT * FROM jobs WHERE id = $1", job_id)
        assert row is not None
        return row

    async def becomes(self, job_id: UUID, **values: Any) -> asyncpg.Record:
        async def has() -> bool:
            row = await self.job(job_id)
            return all(row[name] == value for name, value in values.items())

        await until(has, within_s=60)
        return await self.job(job_id)


@asynccontextmanager
async def running_fleet(url: str, state: Path, *roles: str) -> AsyncIterator[Fleet]:
    sql = await asyncpg.connect(url)
    port = free_port()
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=None) as http:
        fleet = Fleet(url, state, port, sql, http)
        try:
            for role in roles:
                await fleet.role(role)
            if "api" in roles:
                await until(fleet.answers, within_s=60)
            yield fleet
        finally:
            for process in fleet.processes:
                if process.returncode is None:
                    process.kill()
                await soon(process.wait())
                process.close()
            await sql.close()
