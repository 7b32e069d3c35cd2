"""Languages of text on screen from outside: the command, SQL and HTTP."""

import json
from uuid import uuid4

import asyncpg
import httpx
import pytest

from support.language_registry import language_registry
from support.platform_process import ask, up
from support.waiting import until
from support.written_frame import written_frame

TEXT = "Atenção: não há vagas"


async def job_with(state, languages):
    """Adds a video with one key frame and, by SQL as document 001 shows it, an ocr job; returns the job's id."""
    code, url, err = await ask("db", "--state-dir", str(state))
    assert code == 0, err
    video_id = uuid4()
    key = f"frames/{video_id}/0.jpg"
    frame = state / "objects" / key
    frame.parent.mkdir(parents=True)
    frame.write_bytes(written_frame(TEXT))
    payload = {"video_id": str(video_id), "frame_paths": [key], "languages": languages, "min_confidence": 0.6}
    connection = await asyncpg.connect(url.strip())
    try:
        await connection.execute(
            "INSERT INTO videos (id, owner_id, name, status, duration_ms) "
            "VALUES ($1, '00000000-0000-0000-0000-000000000001', 'a talk.mp4', 'PRINTING', 1000)",
            video_id,
        )
        job_id = await connection.fetchval(
            "INSERT INTO jobs (job_type, video_id, payload) VALUES ('ocr', $1, $2) RETURNING id",
            video_id,
            json.dumps(payload),
        )
    finally:
        await connection.close()
    return video_id, job_id


async def ended(http, job_id, status):
    """The job, when its status is the given one."""
    found = {}

    async def has_ended():
        found.update((await http.get(f"/jobs/{job_id}")).json())
        return found["status"] == status

    await until(has_ended, within_s=60)
    return found


@pytest.mark.req(441, 442, 444, 445)
async def test_a_job_in_a_missing_language_says_how_to_add_it_and_is_done_after_that(tmp_path):
    state = tmp_path / "state"
    async with (
        language_registry() as registry,
        up(state, SIGHTLINE_TEXT_LANGUAGE_REGISTRY=registry.url, SIGHTLINE_TEXT_ENGINE="tesseract") as platform,
        httpx.AsyncClient(base_url=platform.address, timeout=None) as http,
    ):
        listed = (await http.get("/api/languages")).json()
        assert {"deu", "eng", "fra"} <= {one["code"] for one in listed["installed"]}
        assert listed["cannot_change"] is None
        assert registry.ranges == []  # nothing is downloaded before it is asked for

        video_id, job_id = await job_with(state, ["por"])
        failed = await ended(http, job_id, "failed")
        assert "the language por is not installed" in json.dumps(failed)
        assert "sightline languages add por" in json.dumps(failed)
        assert failed["retry_count"] == 0

        code, out, err = await ask(
            *("languages", "add", "por", "--state-dir", str(state)), SIGHTLINE_TEXT_LANGUAGE_REGISTRY=registry.url
        )
        assert code == 0, err
        assert "Installed por" in out
        assert "SHA-256 42fab1f017aedab69b92bdecc01bbb11166cd3b177575612ee860f8e2825ece0" in out
        assert (await http.post(f"/jobs/{job_id}/retry")).status_code == 200
        await ended(http, job_id, "done")

        async def texts():
            return [one["text"] for one in (await http.get(f"/videos/{video_id}/segments")).json()["segments"]]

        async def is_read():
            return await texts() == [TEXT]

        await until(is_read)

        code, out, err = await ask("languages", "remove", "por", "--state-dir", str(state))
        assert code == 0, err
        assert (await http.post("/api/languages", json={"language": "Portuguese"})).status_code == 202

        async def is_installed():
            return "por" in {one["code"] for one in (await http.get("/api/languages")).json()["installed"]}

        await until(is_installed)


@pytest.mark.req(441, 443)
async def test_the_command_refuses_what_it_cannot_add_in_one_line(tmp_path):
    state = ("--state-dir", str(tmp_path))
    code, _, err = await ask("languages", "add", "por", "portugese", *state)
    assert (code, len(err.strip().splitlines())) == (1, 1)
    assert "did you mean por (Portuguese)?" in err
    code, _, err = await ask("languages", "add", "por", *state, SIGHTLINE_TEXT_LANGUAGE_REGISTRY="http://127.0.0.1:9")
    assert (code, len(err.strip().splitlines())) == (1, 1)
    assert "http://127.0.0.1:9/@tesseract.js-data/por/-/por-1.0.0.tgz cannot be downloaded" in err
    code, _, err = await ask("languages", "remove", "eng", *state)
    assert code == 1
    assert "eng came with Sightline" in err
    code, out, err = await ask("languages", "--available", *state)
    assert code == 0, err
    assert ["por", "Portuguese", "8.1", "MB", "2.4", "MB"] in [line.split() for line in out.splitlines()]
