"""`sightline up` on an AWS endpoint, and programs of the contract documents beside it, for tests from outside."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import asyncpg
import httpx

from support import emulators, installed
from support.emulators import PYTHON, Emulator
from support.platform_process import database_url, up
from support.waiting import soon, until

PROGRAMS = Path(__file__).resolve().parents[1] / "blackbox" / "programs"
LOCAL_OWNER = UUID("00000000-0000-0000-0000-000000000001")
RESULTS = "team-results"


@dataclass
class AwsPlatform:
    aws: Emulator
    """The AWS endpoint that programs are given: an emulator's, or the platform's own."""
    address: str
    state: Path
    http: httpx.AsyncClient

    def arn(self, topic: str) -> str:
        return f"arn:aws:sns:us-east-1:{self.aws.account_id}:{topic}"

    async def video(self, *, seconds: int = 600) -> UUID:
        """A video that was transcoded, as a row of the table that document 001 shows."""
        video_id = uuid4()
        connection = await asyncpg.connect(await database_url(self.state))
        try:
            await connection.execute(
                "INSERT INTO videos (id, owner_id, name, fps, duration_ms, s3_proxy_path)"
                " VALUES ($1, $2, 'match.mp4', 30, $3, 'x')",
                video_id,
                LOCAL_OWNER,
                seconds * 1000,
            )
        finally:
            await connection.close()
        return video_id

    async def mark(self, video_id: UUID, *clips: dict[str, Any]) -> httpx.Response:
        return await self.http.put(f"/videos/{video_id}/annotations", json=list(clips))

    async def analyzed(self, video_id: UUID, **request: Any) -> dict[str, Any]:
        """The job that analyzed the video, when it is over."""
        answer = await self.http.post("/jobs", json={"video_id": str(video_id), **request})
        assert answer.status_code == 202, answer.text
        job_id = answer.json()["job_id"]

        async def is_over() -> bool:
            return (await self.http.get(f"/jobs/{job_id}")).json()["status"] in ("completed", "failed")

        await until(is_over)
        found: dict[str, Any] = (await self.http.get(f"/jobs/{job_id}")).json()
        return found

    async def boto3(self, code: str) -> Any:
        """What a few lines of boto3 leave in `result`."""
        program = f"import json\nfrom blackbox.programs.aws_clients import clients\n{code}\nprint(json.dumps(result, default=str))"
        return json.loads(await self._finish(await self._start("-c", program)))

    async def program(self, name: str, *arguments: str) -> dict[str, Any]:
        """What a program printed in the end."""
        found: dict[str, Any] = json.loads(await self._finish(await self._start(str(PROGRAMS / name), *arguments)))
        return found

    @asynccontextmanager
    async def listening(self, name: str, *arguments: str) -> AsyncIterator["Listening"]:
        """A program that is subscribed when the block begins."""
        async with self.listening_process(await self._start(str(PROGRAMS / name), *arguments)) as listening:
            yield listening

    @asynccontextmanager
    async def listening_process(self, process: asyncio.subprocess.Process) -> AsyncIterator["Listening"]:
        try:
            assert process.stdout is not None
            assert await soon(process.stdout.readline()) == b"ready\n"
            yield Listening(self, process)
        finally:
            if process.returncode is None:
                process.kill()
            await process.wait()

    async def _start(self, *arguments: str) -> asyncio.subprocess.Process:
        return await asyncio.create_subprocess_exec(
            PYTHON,
            *arguments,
            stdout=asyncio.subprocess.PIPE,
            cwd=PROGRAMS,
            env={"PYTHONPATH": str(PROGRAMS.parents[1])},
        )

    async def _finish(self, process: asyncio.subprocess.Process) -> bytes:
        out, _ = await soon(process.communicate(), within_s=120)
        assert process.returncode == 0, out
        return out


@dataclass
class Listening:
    platform: AwsPlatform
    process: asyncio.subprocess.Process

    async def result(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(await self.platform._finish(self.process))
        return found


@asynccontextmanager
async def embedded_platform(directory: Path) -> AsyncIterator[AwsPlatform]:
    """The platform with its defaults: programs get the address of its API as their AWS endpoint."""
    installed.wait_for(installed.EMULATORS)
    state = directory / "state"
    async with (
        up(state) as running,
        httpx.AsyncClient(base_url=running.address, timeout=300) as http,
    ):
        yield AwsPlatform(Emulator("sightline", running.address, "000000000000"), running.address, state, http)


@asynccontextmanager
async def aws_platform(directory: Path) -> AsyncIterator[AwsPlatform]:
    """The whole platform on SNS, SQS, EventBridge, DynamoDB and S3 of one emulator."""
    with emulators.running("ministack", directory) as emulator:
        keys = {"ACCESS_KEY_ID": "test", "SECRET_ACCESS_KEY": "test"}
        settings = {
            "SIGHTLINE_BUS_BACKEND": "aws",
            "SIGHTLINE_BUS_ACCOUNT_ID": emulator.account_id,
            "SIGHTLINE_BUS_AWS_ENDPOINT": emulator.endpoint,
            "SIGHTLINE_MESSAGES_BACKEND": "dynamodb",
            "SIGHTLINE_MESSAGES_DYNAMODB_ENDPOINT": emulator.endpoint,
            "SIGHTLINE_OBJECTS_BACKEND": "s3",
            "SIGHTLINE_OBJECTS_S3_ENDPOINT": emulator.endpoint,
            "SIGHTLINE_TECHNIQUES_TOPICS": f"arn:aws:sns:us-east-1:{emulator.account_id}:team-*",
            "SIGHTLINE_TECHNIQUES_OUTPUT_LOCATIONS": f"s3://{RESULTS}/analyses",
            **{f"SIGHTLINE_BUS_AWS_{name}": value for name, value in keys.items()},
            **{f"SIGHTLINE_MESSAGES_DYNAMODB_{name}": value for name, value in keys.items()},
            **{f"SIGHTLINE_OBJECTS_S3_{name}": value for name, value in keys.items()},
        }
        state = directory / "state"
        buckets = AwsPlatform(emulator, "", state, httpx.AsyncClient(timeout=None))
        await buckets.boto3(
            f"(s3,) = clients({emulator.endpoint!r}, 's3')\n"
            f"result = [s3.create_bucket(Bucket=name) for name in ('fiapx-videos', {RESULTS!r})]"
        )
        async with (
            up(state, **settings) as running,
            httpx.AsyncClient(base_url=running.address, timeout=300) as http,
        ):
            yield AwsPlatform(emulator, running.address, state, http)
