"""Signed addresses: short-lived, and ended for a whole video at once."""

import asyncio
from pathlib import Path
from uuid import UUID, uuid4

import httpx
import pytest

from sightline.config import load_settings
from sightline.errors import ConfigurationError
from sightline.objects import original_key, poster_key
from sightline.objects.disk import DiskObjectStore
from sightline.objects.disk.sweep import DiskSweep
from support.asking import is_error
from support.uploading import CONTENT, Uploading, make_parts_small

ANN, BEN, EVE, TEAM = (UUID(int=number) for number in (11, 12, 13, 77))


@pytest.fixture
async def platform(platform_with, auth_on):
    return await platform_with(auth=auth_on)


@pytest.fixture
def client_of(app, monkeypatch, platform, signed_in):
    make_parts_small(monkeypatch, platform)

    def client(person, **claims):
        return httpx.AsyncClient(
            transport=httpx.ASGITransport(app), base_url="http://localhost:8400", headers=signed_in(person, **claims)
        )

    return client


async def uploaded(client: httpx.AsyncClient, platform, **more) -> str:
    upload = await Uploading.start(client, platform, CONTENT, **more)
    await upload.send()
    await upload.complete()
    return str(upload.video_id)


async def address(client: httpx.AsyncClient, video_id: str) -> str:
    answer = await client.get(f"/videos/{video_id}/download")
    assert answer.status_code == 200, answer.text
    url: str = answer.json()["url"]
    return url


async def get(client: httpx.AsyncClient, url: str) -> httpx.Response:
    """As anyone who has the address."""
    return await client.get(url, headers={"authorization": ""})


@pytest.mark.req(374)
async def test_revoking_ends_every_address_of_a_video_and_of_no_other(client_of, platform):
    async with client_of(ANN) as ann:
        one, other = await uploaded(ann, platform), await uploaded(ann, platform)
        await platform.objects.put(poster_key(UUID(one)), b"jpeg")
        urls = [await address(ann, one), await platform.objects.sign_get(poster_key(UUID(one)), expires_s=60)]
        of_other = await address(ann, other)
        assert [(await get(ann, url)).status_code for url in (*urls, of_other)] == [200, 200, 200]
        revoked = await ann.post(f"/videos/{one}/revoke-links")
        assert (revoked.status_code, revoked.json()["is_revoked"]) == (200, True)
        assert [(await get(ann, url)).status_code for url in (*urls, of_other)] == [403, 403, 200]
        assert "revoked" in (await get(ann, urls[0])).text
        again = await address(ann, one)
        assert (await get(ann, again)).content == CONTENT
        await ann.post(f"/videos/{one}/revoke-links")
        assert (await get(ann, again)).status_code == 403


@pytest.mark.req(374)
async def test_the_generation_of_an_address_cannot_be_changed(client_of, platform):
    async with client_of(ANN) as ann:
        video = await uploaded(ann, platform)
        old = await address(ann, video)
        await ann.post(f"/videos/{video}/revoke-links")
        new = await address(ann, video)
        assert "X-Sightline-Generation=1" in new
        forged = old.replace("X-Amz-Signature=", "X-Sightline-Generation=1&X-Amz-Signature=")
        assert (await get(ann, forged)).status_code == 403
        assert (await get(ann, new.replace("Generation=1", "Generation=2"))).status_code == 403


@pytest.mark.req(374)
async def test_owners_and_operators_revoke_and_teams_and_strangers_do_not(client_of, platform):
    team = [str(TEAM)]
    async with client_of(ANN, team_ids=team) as ann, client_of(BEN, team_ids=team) as ben, client_of(EVE) as eve:
        video = await uploaded(ann, platform, teamId=str(TEAM))
        is_error(await ben.post(f"/videos/{video}/revoke-links"), 403, "FORBIDDEN")
        assert (await eve.post(f"/videos/{video}/revoke-links")).status_code == 404
        async with client_of(BEN, team_ids=team, sightline_role="operator") as operator:
            assert (await operator.post(f"/videos/{video}/revoke-links")).status_code == 200


@pytest.mark.req(375)
async def test_deleting_a_video_ends_its_addresses_even_if_a_job_writes_again(client_of, platform):
    async with client_of(ANN) as ann:
        video = await uploaded(ann, platform)
        url = await address(ann, video)
        assert (await ann.delete(f"/videos/{video}")).status_code == 204
        await platform.objects.put(original_key(UUID(video)), CONTENT)  # by a job that had not noticed yet
        assert (await get(ann, url)).status_code == 403


@pytest.mark.req(374)
async def test_every_process_knows_at_once_and_after_a_restart(platform, tmp_path: Path):
    disk = platform.open_objects.disk
    assert disk is not None
    video_id = uuid4()
    another = DiskObjectStore(
        disk.layout.root,
        disk.bucket,
        key=disk.signing_key,
        public_url=disk.public_url,
        announce=_nothing,
    )
    await asyncio.gather(*(disk.revoke_urls(video_id) for _ in range(5)))
    assert another.generations.of_key(original_key(video_id)) == disk.generations.of_key(original_key(video_id)) > 0
    assert another.generations.of_key(original_key(uuid4())) == 0
    another.close()


async def _nothing(created: object) -> None: ...


@pytest.mark.req(375)
async def test_generations_of_videos_that_are_gone_are_forgotten_after_their_addresses_expired(platform):
    disk = platform.open_objects.disk
    assert disk is not None
    gone, there = uuid4(), uuid4()
    await platform.objects.put(original_key(there), b"x")
    for video_id in (gone, there):
        await disk.revoke_urls(video_id)
    _, sweep = disk.maintenance()
    assert isinstance(sweep, DiskSweep)
    await sweep.sweep()
    assert disk.generations.of_key(original_key(gone)) == 1
    assert disk.generations.remove_unneeded(before=float("inf")) == 1
    assert disk.generations.of_key(original_key(gone)) == 0
    assert disk.generations.of_key(original_key(there)) == 1


@pytest.mark.req(376)
async def test_no_user_gets_an_address_for_more_than_a_day(client_of, platform):
    async with client_of(ANN) as ann:
        video = await uploaded(ann, platform)
        assert (await ann.get(f"/videos/{video}/download?expires_in=86400")).status_code == 200
        is_error(await ann.get(f"/videos/{video}/download?expires_in=86401"), 422, "VALIDATION_ERROR")


@pytest.mark.req(376)
@pytest.mark.parametrize(
    "name",
    ["SIGHTLINE_MEDIA_PLAYBACK_EXPIRY_S", "SIGHTLINE_MEDIA_DOWNLOAD_EXPIRY_S", "SIGHTLINE_UPLOADS_URL_EXPIRY_S"],
)
def test_no_setting_allows_more_than_a_day(name):
    load_settings({name: "86400"}, env_file=None)
    with pytest.raises(ConfigurationError, match=name):
        load_settings({name: "86401"}, env_file=None)


@pytest.mark.req(374)
async def test_a_revocation_on_s3_says_until_when_addresses_work(client_of, platform, monkeypatch):
    """The S3 backend cannot end a presigned URL; the response must not pretend that it did."""
    from sightline.objects.s3 import S3ObjectStore

    async with client_of(ANN) as ann:
        video = await uploaded(ann, platform)
        monkeypatch.setattr(type(platform.objects), "revoke_urls", S3ObjectStore.revoke_urls)
        answer = (await ann.post(f"/videos/{video}/revoke-links")).json()
        assert answer["is_revoked"] is False
        assert answer["valid_until"] is not None
