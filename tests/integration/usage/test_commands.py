"""`sightline usage` and `sightline quotas` as an operator runs them."""

import csv
import io
import json
from uuid import UUID

import asyncpg
import pytest

from support.platform_process import ask

ANN = UUID(int=11)


@pytest.mark.req(1145, 1142)
async def test_an_operator_reads_usage_and_changes_quotas_at_a_terminal(fresh_database, tmp_path, video_of):
    await video_of(ANN)
    admin = await asyncpg.connect(fresh_database.admin_url)
    await admin.execute("INSERT INTO owner_usage VALUES ($1, '2026-01-03', 'processed_ms', 90000)", ANN)
    state = ("--state-dir", str(tmp_path / "state"))

    async def run(*arguments: str) -> tuple[int, str, str]:
        return await ask(*arguments, *state, SIGHTLINE_DATABASE_URL=fresh_database.url, COLUMNS="200")

    async def good(*arguments: str) -> str:
        code, out, err = await run(*arguments)
        assert (code, err) == (0, "")
        return out

    assert f"{ANN}" in await good("usage", "--month", "2026-01")
    (line,) = csv.DictReader(io.StringIO(await good("usage", "--month", "2026-01", "--csv")))
    assert (line["owner_id"], line["videos"], line["processed_seconds"]) == (str(ANN), "1", "90.0")
    (one,) = json.loads(await good("usage", "--month", "2026-01", "--json"))["owners"]
    assert one["processed_seconds"] == 90.0
    assert "2026-01-03" in await good("usage", str(ANN), "--month", "2026-01")
    shown = await good("quotas", "set", str(ANN), "--storage", "1.5GB", "--videos", "3")
    assert "1.5 GB" in shown
    await good("quotas", "set", str(ANN), "--videos", "default", "--minutes-per-month", "0")
    found = json.loads(await good("quotas", "show", str(ANN), "--json"))
    assert found["set"] == {
        "storage_bytes": 1_500_000_000,
        "videos": None,
        "open_uploads": None,
        "minutes_per_month": 0,
    }
    await good("quotas", "reset", str(ANN))
    assert await admin.fetchval("SELECT count(*) FROM owner_quotas") == 0
    for wrong in (("--storage", "much"), ("--videos", "-1"), ("--videos", "9" * 12), ()):
        code, _, err = await run("quotas", "set", str(ANN), *wrong)
        assert (code, bool(err)) == (1, True)
    actions = [row["action"] for row in await admin.fetch("SELECT action FROM audit_log ORDER BY number")]
    assert actions == ["quotas.changed"] * 3
    await admin.close()
