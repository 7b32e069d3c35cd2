"""The Python client as docs/client.md shows it: every example runs, word by word, against a platform that runs."""

import asyncio
import os
import re
import shutil
import sys
from datetime import datetime
from pathlib import Path

import httpx
import pytest

from sightline.client import AsyncSightline, InvalidInput, NotFound, ProcessingFailed, Sightline, UploadStatus
from support.events_by_http import report_knife
from support.platform_process import environment
from support.sample_film import sample_film
from support.waiting import soon, until

ROOT = Path(__file__).resolve().parents[2]
ADDRESS = "http://127.0.0.1:8400"
EXAMPLES = re.findall(r"```python\n(.*?)```", (ROOT / "docs/client.md").read_text(encoding="utf-8"), re.S)

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def run_example(source: str, directory: Path) -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        *(sys.executable, "-W", "error", "-c", source),
        cwd=directory,
        env=environment(),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )


@pytest.mark.req(772, 773, 774)
@pytest.mark.time_limit(400)
async def test_every_example_of_the_documentation_runs(address: str, video_id: str, tmp_path: Path):
    assert len(EXAMPLES) == 7
    shutil.copy(await asyncio.to_thread(sample_film), tmp_path / "talk.mp4")
    printed = []
    async with httpx.AsyncClient(base_url=address, timeout=None) as http:
        event_id = await report_knife(http, "Front door")
        for example in EXAMPLES:
            process = await run_example(example.replace(ADDRESS, address), tmp_path)
            ending = asyncio.create_task(process.communicate())
            if "client.live(" in example:

                async def has_ended(ending: "asyncio.Task[tuple[bytes, bytes]]" = ending) -> bool:
                    if not ending.done():  # it may not have been connected when the last one came
                        await report_knife(http, "Back door")
                    return ending.done()

                await until(has_ended, within_s=100)
            out, err = await soon(ending, within_s=100)
            assert process.returncode == 0, f"{example}\n{err.decode()}"
            assert out.strip(), example
            printed.append(out.decode())
        assert (await http.get(f"/api/events/{event_id}")).json()["state"] == "resolved"
    assert "100%" in printed[0]
    assert "Invoice total: $1,475.25" in printed[0]
    assert "Invoice total" in (tmp_path / "captions.vtt").read_text(encoding="utf-8")
    assert (tmp_path / "moment.mp4").stat().st_size > 1000
    assert len([name for name in os.listdir(tmp_path) if name.endswith(".jpg")]) == 4, "three slides and a scene"
    assert "no video" in printed[-1]


@pytest.mark.req(772, 775)
async def test_both_forms_of_the_client_find_the_same(address: str, video_id: str):
    def without_asyncio() -> tuple[list[str], list[str], str]:
        with Sightline(address) as client:
            assert client.video(video_id).history[-1].status == "COMPLETED"
            texts = [segment.text for segment in client.segments(video_id, page_size=2)]
            jobs = [job.job_type for job in client.jobs(video=video_id, page_size=2)]
            assert client.job(next(client.jobs(video=video_id)).job_id).status == "done"
            return texts, jobs, client.captions(video_id)

    texts, jobs, captions = await asyncio.to_thread(without_asyncio)
    async with AsyncSightline(address) as client:
        assert [segment.text async for segment in client.segments(video_id)] == texts
        assert [job.job_type async for job in client.jobs(video=video_id)] == jobs
        assert await client.captions(video_id) == captions
    assert len(texts) > 4
    assert {"transcode", "sample", "ocr", "segment_index"} <= set(jobs)


@pytest.mark.req(774)
async def test_search_walks_all_pages_and_passes_its_parameters_on(address: str, video_id: str):
    async with AsyncSightline(address) as client:
        page = await client.search_page("sightline*", video_id=video_id)
        walked = [hit async for hit in client.search("sightline*", video_id=video_id, page_size=1)]
        assert [hit.segment_id for hit in walked] == [hit.segment_id for hit in page.hits]
        assert page.total == len(walked) > 1
        assert len([hit async for hit in client.search("sightline*", video_id=video_id, page_size=1, limit=1)]) == 1
        with pytest.raises(InvalidInput, match="no_such_parameter"):
            await client.search_page("sightline", no_such_parameter="x")
        with pytest.raises(InvalidInput, match="time zone"):
            await client.search_page("sightline", created_from=datetime(2026, 1, 1))  # noqa: DTZ001


@pytest.mark.req(773)
async def test_a_file_that_is_no_video_is_reported_as_failed_and_can_be_deleted(address: str, tmp_path: Path):
    broken = tmp_path / "broken.mp4"
    broken.write_bytes(b"\x00\x00\x00\x18ftypmp42" + b"not a video" * 1000)
    seen: list[UploadStatus] = []
    async with AsyncSightline(address) as client:
        video = await client.upload(broken, progress=seen.append)
        assert seen[-1].sent_bytes == seen[-1].total_bytes == broken.stat().st_size
        with pytest.raises(ProcessingFailed, match="broken.mp4"):
            await soon(client.wait_until_searchable(video), within_s=100)
        await client.delete_video(video)
        with pytest.raises(NotFound):
            await client.video(video)
