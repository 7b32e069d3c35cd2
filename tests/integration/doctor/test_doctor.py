"""The usual misconfigurations are found, each with a way to mend it; a sound installation has none."""

import asyncio
from pathlib import Path

import asyncpg
import pytest

from sightline.config import Settings
from sightline.doctor import Diagnosis, examine
from sightline.doctor.database import examine_database
from sightline.doctor.machine import examine_machine
from sightline.doctor.services import (
    examine_account,
    examine_address,
    examine_mail,
    examine_objects,
    examine_secrets,
    examine_sign_in,
)
from support.emulators import free_port, shared
from support.postgres import DatabaseAddresses
from support.shared_pooler import SharedPooler

UNSAFE = "a power failure would lose data"


def _settings(**sections: dict[str, object]) -> Settings:
    return Settings.model_validate(sections)


def _problems(findings: list[Diagnosis]) -> list[Diagnosis]:
    found = [one for one in findings if one.level != "ok"]
    assert all(one.fix for one in found), "a finding without a way to mend it"
    return found


@pytest.mark.req(1005)
async def test_a_sound_installation_has_no_problem(fresh_database: DatabaseAddresses, tmp_path: Path):
    settings = _settings(
        database={"url": fresh_database.url, "admin_url": fresh_database.admin_url},
        auth={"access_key_secret": "a" * 32},
        push={"webhook_secret": "b" * 32},
    ).model_copy(update={"state_dir": tmp_path / "state"})
    findings = await examine(settings)
    # The server of the tests is faster than safe, which is right to be found.
    assert [one.text for one in findings if one.level == "problem"] == [UNSAFE]
    parts = {one.part for one in findings}
    assert {"database", "clock", "notifications", "objects", "bus", "secrets", "media sandbox", "mail"} <= parts


@pytest.mark.req(1005)
async def test_a_database_that_does_not_answer():
    [found] = _problems(
        await examine_database(_settings(database={"url": f"postgresql://a@127.0.0.1:{free_port()}/b"}))
    )
    assert found.level == "problem"
    assert "pg_hba.conf" in found.fix


@pytest.mark.req(1005)
async def test_a_database_without_its_last_migrations(fresh_database: DatabaseAddresses):
    owner = await asyncpg.connect(fresh_database.admin_url)
    try:
        await owner.execute("DELETE FROM schema_migrations WHERE number > 60")
    finally:
        await owner.close()
    findings = _problems(await examine_database(_settings(database={"url": fresh_database.url})))
    [found] = [one for one in findings if "migrat" in one.text]
    assert (found.level, found.fix) == ("problem", "sightline migrate")


@pytest.mark.req(1034)
async def test_a_database_behind_a_pooler(fresh_database: DatabaseAddresses):
    async with SharedPooler(fresh_database.url, servers=1).serving() as url:
        database: dict[str, object] = {"url": url, "direct_url": fresh_database.url, "pooler": "transaction"}
        findings = await examine_database(_settings(database=database))
    assert [one.text for one in findings if one.level == "problem"] == [UNSAFE]
    assert {"database", "clock", "notifications"} <= {one.part for one in findings}


@pytest.mark.req(1032)
async def test_a_database_of_a_newer_version_that_removed_something(fresh_database: DatabaseAddresses):
    owner = await asyncpg.connect(fresh_database.admin_url)
    await owner.execute("INSERT INTO schema_migrations VALUES (9002, '9002_b', '-', now(), 'the table videos')")
    await owner.close()
    findings = _problems(await examine_database(_settings(database={"url": fresh_database.url})))
    [found] = [one for one in findings if "9002_b" in one.text]
    assert (found.level, found.fix) == ("problem", "install the newer version here as well")


@pytest.mark.req(1005)
async def test_a_state_directory_that_others_can_read(tmp_path: Path):
    await asyncio.to_thread(tmp_path.chmod, 0o755)
    settings = _settings().model_copy(update={"state_dir": tmp_path})
    found = [one for one in _problems(await examine_machine(settings)) if one.part == "state directory"]
    assert [one.fix for one in found] == [f"chmod 700 {tmp_path}"]


async def test_fewer_files_than_connections(tmp_path: Path):
    settings = _settings(api={"max_connections": 10_000_000}).model_copy(update={"state_dir": tmp_path})
    assert "LimitNOFILE" in next(one.fix for one in await examine_machine(settings) if one.part == "open files")


@pytest.mark.req(1005)
async def test_a_bucket_that_does_not_exist():
    emulator = shared("ministack")
    where = {"s3_endpoint": emulator.endpoint, "s3_access_key_id": "test", "s3_secret_access_key": "test"}
    [found] = _problems(await examine_objects(_settings(objects={"backend": "s3", "bucket": "not-there", **where})))
    assert "not-there" in found.text


@pytest.mark.req(1005)
async def test_an_account_of_other_credentials():
    settings = Settings(bus=shared("ministack").settings().model_copy(update={"account_id": "111122223333"}))
    [found] = _problems(await examine_account(settings))
    assert "names 111122223333" in found.text


@pytest.mark.req(1005)
async def test_a_mail_server_that_is_not_there_and_none_at_all():
    mail = {"channel": "smtp", "smtp_host": "127.0.0.1", "smtp_port": free_port(), "from_address": "a@example.com"}
    [absent] = _problems(await examine_mail(_settings(notifications=mail)))
    assert absent.level == "problem"
    [none] = _problems(await examine_mail(_settings()))
    assert none.level == "warning"


async def test_tokens_in_clear_and_for_anybody():
    settings = _settings(auth={"jwt_secret": "s" * 32}, api={"public_url": "http://video.example.com"})
    found = _problems(await examine_sign_in(settings))
    assert [one.level for one in found] == ["problem", "warning"]


@pytest.mark.req(1005)
async def test_an_address_that_leads_nowhere():
    [found] = _problems(await examine_address(_settings(api={"public_url": f"http://127.0.0.1:{free_port()}"})))
    assert "SIGHTLINE_API_PUBLIC_URL" in found.fix


async def test_secrets_of_one_machine_in_a_fleet():
    [found] = _problems(await examine_secrets(_settings(database={"url": "postgresql://a@b/c"})))
    assert "SIGHTLINE_AUTH_ACCESS_KEY_SECRET and SIGHTLINE_PUSH_WEBHOOK_SECRET" in found.text
