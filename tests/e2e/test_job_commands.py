"""`sightline jobs` on a database that nobody else works on."""

import json
import re
import signal
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from sightline.db import Database
from support.dead_jobs import NOBODY, clip, dead, queued, transcode
from support.platform_process import ask, sightline
from support.waiting import soon


class Command:
    """`sightline jobs` where the test's settings lead."""

    async def __call__(self, *arguments: str) -> tuple[int, str, str]:
        return await ask("jobs", *arguments, COLUMNS="200")

    async def json(self, *arguments: str) -> Any:
        code, out, err = await self(*arguments, "--json")
        assert code == 0, err
        return json.loads(out)


@pytest.fixture
def jobs(clean_environment: Path, fresh_database) -> Command:
    (clean_environment / ".env").write_text(f"SIGHTLINE_DATABASE_URL={fresh_database.url}\n")
    return Command()


@pytest.mark.req(87, 88)
async def test_an_operator_sees_retries_and_cancels(jobs: Command, database: Database):
    assert await jobs("list") == (0, "No jobs\n", "")
    dead_clip, blocked = await dead(database, clip()), await dead(database, transcode(UUID(int=5)))
    active = await queued(database, transcode(UUID(int=5)))

    code, out, err = await jobs()
    assert code == 0, err
    assert re.search(r"transcode +1 +0 +0 +1 +(\d+m )?\d+s", out)
    assert re.search(r"clip_generate +0 +0 +0 +1", out)
    rows = {row["job_type"]: row for row in (await jobs.json())["job_types"]}
    assert (rows["transcode"]["failed"], rows["ocr"]["failed"]) == (1, 0)

    code, out, _ = await jobs("list", "--status", "failed", "--limit", "1")
    assert (code, str(blocked) in out, str(dead_clip) in out) == (0, True, False)
    assert "Boom: it broke" in out
    assert "… and more" in out
    listed = await jobs.json("list", "--type", "transcode", "--video", str(UUID(int=5)))
    assert [job["job_id"] for job in listed["jobs"]] == [str(active), str(blocked)]

    code, out, _ = await jobs("show", str(dead_clip))
    assert code == 0
    for line in (
        "job type +clip_generate",
        "status +failed",
        "failed +node-1:7:abc +Boom: it broke",
        "original_payload",
    ):
        assert re.search(line, out), line

    code, out, err = await jobs("retry", "--all", "--dry-run")
    assert (code, out.splitlines()[:2]) == (0, ["1 job would be queued again", "  clip_generate: 1"]), err
    assert f"Skipped: {blocked}: transcode job {active} of the same video is active" in out
    report = await jobs.json("retry", str(dead_clip), str(blocked))
    assert (report["ids"], [one["job_id"] for one in report["skipped"]]) == ([str(dead_clip)], [str(blocked)])
    code, out, _ = await jobs("retry", str(dead_clip), str(NOBODY))
    assert (code, "it is queued, not failed" in out, f"Not found: {NOBODY}" in out) == (1, True, True)

    code, out, err = await jobs("cancel", str(active))
    assert (code, out) == (0, f"transcode job {active} cancelled\n"), err
    code, _, err = await jobs("cancel", str(active))
    assert (code, err) == (1, f"sightline: job {active} is failed; only a queued job can be cancelled\n")
    shown = await jobs.json("show", str(active))
    assert shown["error_details"]["type"] == "Cancelled"
    assert shown["history"][-1]["by"].startswith("operator ")
    assert shown["payload"]["original_payload"]["video_id"] == str(UUID(int=5))
    code, _, err = await jobs("show", str(NOBODY))
    assert (code, err) == (1, f"sightline: no job {NOBODY}\n")


async def test_watching_goes_on_until_it_is_interrupted(jobs):
    process = await sightline("jobs", "--watch", "--json")
    for _ in range(2):
        assert json.loads(await soon(process.stdout.readline()))["job_types"]
    process.send_signal(signal.SIGINT)
    _, err = await soon(process.communicate())
    assert (process.returncode, err) == (0, b"")
