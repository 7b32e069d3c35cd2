"""Usage over HTTP: people see their own, operators everybody's, page by page and as CSV."""

import csv
import io
from uuid import UUID

import pytest

from sightline.api import create_app
from sightline.uploads import UploadsSettings
from support.asking import is_error

OWNERS = [UUID(int=number) for number in range(20, 27)]
ANN, BEN, OPERATOR = OWNERS[0], OWNERS[1], UUID(int=99)


@pytest.fixture
async def app(platform_with, auth_on):
    app = create_app(await platform_with(auth=auth_on, uploads=UploadsSettings(quota_minutes_per_month=60)))
    async with app.state.platform.database.transaction() as tx:
        for number, owner in enumerate(OWNERS):
            for day, measure, amount in (
                ("2026-01-03", "processed_ms", 1000 * (number // 2)),  # several have the same
                ("2026-01-04", "job_ms.ocr", 500),
                ("2026-02-01", "processed_ms", 7),
            ):
                await tx.execute(
                    "INSERT INTO owner_usage VALUES ($1, $2::text::date, $3, $4)", owner, day, measure, amount
                )
    return app


@pytest.mark.req(1144)
async def test_people_see_their_own_by_day_and_nobody_elses(app, client, signed_in):
    found = (await client.get("/api/usage?month=2026-01", headers=signed_in(OWNERS[6]))).json()
    assert found["owner_id"] == str(OWNERS[6])
    assert [(one["day"], one["processed_seconds"], one["job_seconds"]) for one in found["days"]] == [
        ("2026-01-03", 3.0, {}),
        ("2026-01-04", 0.0, {"ocr": 0.5}),
    ]
    assert (found["total"]["processed_seconds"], found["total"]["job_seconds"]) == (3.0, {"ocr": 0.5})
    quotas = {one["quota"]: one for one in found["quotas"]}
    assert (quotas["minutes_per_month"]["limit"], quotas["storage_bytes"]["limit"]) == (60, None)
    assert quotas["minutes_per_month"]["resets_at"].endswith("-01T00:00:00.000Z")
    for path in ("", ".csv", f"/{BEN}", f"/{BEN}/quotas"):
        is_error(await client.get(f"/api/usage/owners{path}", headers=signed_in(ANN)), 403, "FORBIDDEN")
    for wrong in ("2026-13", "2026", "januar1", "0000-01"):
        is_error(await client.get(f"/api/usage?month={wrong}", headers=signed_in(ANN)), 400, "VALIDATION_ERROR")


@pytest.mark.req(1144)
async def test_stored_bytes_that_nobody_measured_yet_are_not_called_zero(app, client, signed_in):
    async def stored():
        return (await client.get("/api/usage", headers=signed_in(ANN))).json()["stored"]

    assert await stored() == {"originals_bytes": 0, "derived_bytes": None, "recordings_bytes": None}
    async with app.state.platform.database.transaction() as tx:
        await tx.execute(
            "INSERT INTO owner_usage VALUES ($1, (now() AT TIME ZONE 'UTC')::date, 'stored_derived_bytes', 7)", ANN
        )
    assert await stored() == {"originals_bytes": 0, "derived_bytes": 7, "recordings_bytes": 0}


@pytest.mark.req(1144)
async def test_row_level_security_shows_nobody_what_another_used_or_was_given(app, client, signed_in):
    database = app.state.platform.database
    async with database.transaction() as tx:
        await tx.execute("INSERT INTO owner_usage_changes (owner_id, measure, amount) VALUES ($1, 'uploads', 1)", BEN)
        await tx.execute("INSERT INTO owner_quotas (owner_id, videos) VALUES ($1, 1)", BEN)
    for caller, rows in ((ANN, (3, 0, 0)), (BEN, (3, 1, 1))):
        async with database.as_caller({"sub": str(caller), "role": "authenticated"}) as tx:
            tables = ("owner_usage", "owner_usage_changes", "owner_quotas")
            assert tuple([await tx.fetchval(f"SELECT count(*) FROM {table}") for table in tables]) == rows


@pytest.mark.req(1145)
@pytest.mark.parametrize("sort", ["processed_ms", "stored_bytes"])
async def test_operators_page_through_all_owners_once_in_order(app, client, signed_in, sort):
    operator = signed_in(OPERATOR, sightline_role="operator")
    seen, cursor = [], None
    while True:
        query = {"month": "2026-01", "sort": sort, "limit": 3} | ({} if cursor is None else {"cursor": cursor})
        page = (await client.get("/api/usage/owners", params=query, headers=operator)).json()
        seen += page["owners"]
        cursor = page["next_cursor"]
        if cursor is None:
            break
    # The operator's own requests are written a little later, or by now.
    figures = [one for one in seen if UUID(one["owner_id"]) in OWNERS]
    assert {one["owner_id"] for one in figures} == {str(one) for one in OWNERS}
    assert len(figures) == len(OWNERS)
    if sort == "processed_ms":
        assert [one["processed_seconds"] for one in figures] == [3, 2, 2, 1, 1, 0, 0]
    is_error(await client.get("/api/usage/owners?cursor=x", headers=operator), 400, "VALIDATION_ERROR")


@pytest.mark.req(1145)
async def test_the_csv_file_has_every_owner_and_runs_nothing_in_a_spreadsheet(app, client, signed_in):
    operator = signed_in(OPERATOR, sightline_role="operator")
    async with app.state.platform.database.transaction() as tx:
        await tx.execute(
            """INSERT INTO caller_memberships (user_id, team_ids, issued_at, expires_at, name)
               VALUES ($1, '{}', now(), now(), '=cmd()')""",
            ANN,
        )
    found = await client.get("/api/usage/owners.csv?month=2026-01&sort=processed_ms", headers=operator)
    assert found.headers["content-type"].startswith("text/csv")
    lines = [line for line in csv.DictReader(io.StringIO(found.text)) if UUID(line["owner_id"]) in OWNERS]
    assert [float(line["processed_seconds"]) for line in lines] == [3, 2, 2, 1, 1, 0, 0]
    assert {line["quota_minutes_per_month"] for line in lines} == {"60"}
    assert [line["name"] for line in lines if line["owner_id"] == str(ANN)] == ["'=cmd()"]


@pytest.mark.req(1140)
async def test_requests_of_a_caller_are_counted(app, client, signed_in):
    for _ in range(3):
        await client.get("/api/me", headers=signed_in(BEN))
    await app.state.platform.usage.write()
    found = (await client.get("/api/usage", headers=signed_in(BEN))).json()
    assert found["total"]["api_requests"] == 3
