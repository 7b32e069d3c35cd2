"""`sightline people` as an operator runs it."""

import json
import zipfile
from uuid import UUID

import asyncpg
import pytest

from support.platform_process import ask

ANN = UUID(int=11)


@pytest.mark.req(1058)
async def test_a_person_is_exported_and_only_erased_when_that_is_confirmed(fresh_database, tmp_path, video_of):
    for _ in range(2):
        await video_of(ANN)
    state = ("--state-dir", str(tmp_path / "state"))

    async def run(*arguments: str) -> tuple[int, str, str]:
        return await ask("people", *arguments, *state, SIGHTLINE_DATABASE_URL=fresh_database.url, COLUMNS="200")

    code, out, err = await run("export", str(ANN), "--to", str(tmp_path / "ann.zip"))
    assert (code, err) == (0, "")
    with zipfile.ZipFile(tmp_path / "ann.zip") as archive:
        assert len(json.loads(archive.read("videos.json"))) == 2
    assert (tmp_path / "ann.zip").stat().st_mode & 0o077 == 0
    admin = await asyncpg.connect(fresh_database.admin_url)
    code, out, err = await run("erase", str(ANN))
    assert code == 0, err
    assert "Nothing was changed" in out
    assert "Backups that were made before still hold the data" in err
    assert await admin.fetchval("SELECT count(*) FROM videos") == 2
    code, out, err = await run("erase", str(ANN), "--yes", "--json")
    assert code == 0, err
    assert json.loads(out)["rows"]["videos"] == 2
    assert await admin.fetchval("SELECT count(*) FROM videos") == 0
    recorded = await admin.fetch("SELECT action, target FROM audit_log ORDER BY number")
    assert [row["action"] for row in recorded] == ["person.exported", "audit.pseudonymized", "person.erased"]
    assert not any(str(ANN) in str(row["target"]) for row in recorded)
    code, _, err = await run("erase", "nobody@example.com")
    assert code == 1
    assert "no person is known as nobody@example.com" in err
    await admin.close()
