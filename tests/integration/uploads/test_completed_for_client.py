"""Uploads whose parts are all in the store, and whose client never comes back to say so; on disk and on S3."""

from contextlib import asynccontextmanager
from datetime import timedelta
from typing import Any

import pytest
from pydantic import SecretStr

from sightline.api import create_app
from sightline.objects import ObjectsSettings
from sightline.timing import utc_now
from sightline.uploads import plan as plan_module
from support.objects_server import KEY, serving_disk
from support.uploading import CONTENT, PART, Uploading, abandoned, grow_old, make_parts_small, md5, splits

LATER = timedelta(hours=25)


@pytest.fixture(params=["disk", "s3"])
async def start_on(request, platform_with, client_for, monkeypatch, tmp_path):
    """`async with start_on() as upload`, whose parts are in the backend. S3 is the disk backend of another process's kind."""

    @asynccontextmanager
    async def on_disk():
        platform = await platform_with()
        make_parts_small(monkeypatch, platform)
        yield await Uploading.start(client_for(create_app(platform)), platform, CONTENT)

    @asynccontextmanager
    async def on_s3():
        monkeypatch.setattr(plan_module, "USUAL_PART_BYTES", PART)
        async with serving_disk(tmp_path / "s3", min_part_bytes=1) as served:
            platform = await platform_with(
                objects=ObjectsSettings(
                    backend="s3",
                    s3_endpoint=served.url,
                    s3_access_key_id=KEY.key_id,
                    s3_secret_access_key=SecretStr(KEY.secret),
                )
            )
            yield await Uploading.start(client_for(create_app(platform)), platform, CONTENT)

    return on_disk if request.param == "disk" else on_s3


def much_later(platform):
    """The store's own times are as new as they are, so the sweep's clock is ahead."""
    sweep = abandoned(platform)
    sweep._clock = lambda: utc_now() + LATER
    return sweep


@pytest.mark.req(419)
async def test_parts_that_were_never_reported_are_completed_after_the_idle_time(start_on):
    async with start_on() as upload:
        await upload.urls()
        await upload.put(1, 2, 3)
        assert await abandoned(upload.platform).sweep() == 0
        assert await upload.status() == "UPLOADING"
        await grow_old(upload.platform)
        assert await much_later(upload.platform).sweep() == 0
        assert await upload.status() == "UPLOADED"
        assert await upload.platform.objects.get(upload.key) == CONTENT
        assert len(await splits(upload.platform)) == 1
        progress = await upload.progress()
        assert [part["etag"] for part in progress["parts"]] == [md5(upload.part(n)) for n in (1, 2, 3)]
        assert await much_later(upload.platform).sweep() == 0
        assert await splits(upload.platform) == []


@pytest.mark.req(419)
async def test_an_upload_that_lacks_a_part_is_given_up(start_on):
    async with start_on() as upload:
        await upload.put(1, 3)
        await upload.put(2, content=b"short")
        await upload.urls(fromPart=1)  # so that the parts are known, and grow old
        await grow_old(upload.platform)
        assert await much_later(upload.platform).sweep() == 1
        assert await upload.status() == "FAILED"
        assert await upload.platform.objects.head(upload.key) is None


@pytest.mark.req(420)
async def test_when_all_parts_are_reported_the_completion_does_not_wait_for_the_idle_time(start_on):
    async with start_on() as upload:
        await upload.send(1, 2, 3)
        await grow_old(upload.platform, hours=1)
        sweep = abandoned(upload.platform)
        assert await sweep.sweep() == 0
        assert await upload.status() != "UPLOADED", "the store shows parts of a moment ago"
        sweep._clock = lambda: utc_now() + timedelta(hours=1)
        assert await sweep.sweep() == 0
        assert await upload.status() == "UPLOADED"
        assert (await upload.complete()).status_code == 200, "a client that comes late finds it done"
        assert len(await splits(upload.platform)) == 1


@pytest.mark.req(420)
async def test_a_report_of_a_part_that_is_not_there_completes_nothing(start_on):
    async with start_on() as upload:
        await upload.send(1, 3)
        await upload.report(2)
        await grow_old(upload.platform, hours=1)
        sweep = abandoned(upload.platform)
        sweep._clock = lambda: utc_now() + timedelta(hours=1)
        assert await sweep.sweep() == 0
        assert [part["partNumber"] for part in (await upload.progress())["parts"]] == [1, 3]


@pytest.mark.req(421)
async def test_without_a_body_everything_in_the_store_counts(start_on):
    async with start_on() as upload:
        await upload.send(2)
        await upload.put(1)
        bodies: tuple[dict[str, Any] | None, ...] = (None, {})
        for body in bodies:
            refused = await upload.complete(body)
            assert refused.status_code == 409
            assert "part 3 is missing" in refused.json()["error"]["message"]
            assert refused.json()["error"]["details"] == {"uploaded": 2, "total": 3, "missing": [3]}
        await upload.put(3)
        assert (await upload.complete({})).json()["status"] == "UPLOADED"
        assert await upload.platform.objects.get(upload.key) == CONTENT


@pytest.mark.req(423)
async def test_a_resuming_client_learns_all_etags(start_on):
    async with start_on() as upload:
        await upload.urls()
        await upload.send(1)
        await upload.put(3)
        found = (await upload.urls(fromPart=1)).json()
        assert [(part["partNumber"], part["etag"]) for part in found["etags"]] == [
            (1, md5(upload.part(1))),
            (3, md5(upload.part(3))),
        ]
        assert [url["partNumber"] for url in found["urls"]] == [2]
        assert (await upload.progress())["uploadedBytes"] == 15
        (listed,) = (await upload.client.get("/uploads")).json()["uploads"]
        assert listed["uploadedBytes"] == 15


async def test_a_discarded_upload_is_not_completed_although_all_parts_are_there(start_on):
    async with start_on() as upload:
        await upload.put(1, 2, 3)
        async with upload.platform.database.transaction() as tx:
            await tx.execute("UPDATE uploads SET state = 'aborting'")  # as a killed process leaves it
        assert await abandoned(upload.platform).sweep() == 1
        assert await upload.status() == "FAILED"


async def test_bytes_that_were_only_reported_count_as_the_plan_has_them(start):
    upload = await start()
    await upload.report(1)
    await upload.report(3)
    assert (await upload.progress())["uploadedBytes"] == 15
    (listed,) = (await upload.client.get("/uploads")).json()["uploads"]
    assert listed["uploadedBytes"] == 15
