"""A team of three with its videos, asked over HTTP as each of its members."""

from collections.abc import Awaitable, Callable
from typing import Any
from uuid import UUID

import httpx

from sightline.access import CallerRights
from sightline.bootstrap import Platform
from sightline.contracts import Caller
from support.waiting import until

Ask = Callable[..., Awaitable[httpx.Response]]
"""A request of a person: who, method, path, body."""

OLGA, EDDA, VERA, OTTO, RENA, OPA = (UUID(int=number) for number in range(201, 207))
ROLES = {EDDA: "editor", VERA: "viewer", RENA: "editor"}


async def join(ask: Ask, team: str, person: UUID, role: str) -> None:
    made = await ask(OLGA, "POST", f"/api/teams/{team}/invitations", {"role": role})
    token = made.json()["url"].partition("#")[2]
    assert (await ask(person, "POST", "/api/team-invitations/accept", {"token": token})).status_code == 200


async def upload_to(ask: Ask, team: str | None, person: UUID = EDDA) -> str:
    body = {"totalSize": 1000, "filename": "night.mp4", "teamId": team}
    answer = await ask(person, "POST", "/videos", body)
    assert answer.status_code == 201, answer.text
    return str(answer.json()["videoId"])


async def fill(platform: Platform, video_id: str) -> None:
    """Rows of what is computed from the video, as the pipeline writes them."""
    async with platform.database.transaction() as tx:
        for statement in (
            """INSERT INTO segments (id, video_id, owner_id, team_id, text, normalized_text, text_hash, t_start, t_end, confidence,
                                     bounding_box, language, frame_ms, is_merged)
               SELECT gen_random_uuid(), id, owner_id, team_id, 'gate open', 'gate open', 'h', 0, 1000, 0.9,
                      '{"x":0,"y":0,"width":1,"height":1}', 'eng', 0, true FROM videos WHERE id = $1""",
            """INSERT INTO search_rows (segment_id, video_id, owner_id, team_id, weight, t_start, t_end, language, folded, common)
               SELECT id, video_id, owner_id, team_id, 1, 0, 1000, 'eng', 'gate open', '' FROM segments WHERE video_id = $1""",
            """INSERT INTO search_common_words (word, video_id, owner_id, team_id, hits)
               SELECT 'gate', id, owner_id, team_id, 1 FROM videos WHERE id = $1""",
            """INSERT INTO search_passages (video_id, owner_id, team_id, scope, scene, weight, t_start, t_end, folded, unit_starts,
                                            segment_ids)
               SELECT v.id, v.owner_id, v.team_id, 'moment', 0, 1, 0, 1000, 'gate open', '{0}', ARRAY[s.id]
               FROM videos AS v JOIN segments AS s ON s.video_id = v.id WHERE v.id = $1""",
            """INSERT INTO shares (token_hash, sealed_token, video_id, owner_id, created_by, title, with_text, expires_at)
               SELECT sha256(id::text::bytea), '\\x00', id, owner_id, owner_id, 't', true, now() + interval '1 day'
               FROM videos WHERE id = $1""",
        ):
            await tx.execute(statement, UUID(video_id))


SEEN = ("videos", "segments", "shares", "video_moves", "uploads", "jobs")
OWNED = ("segments", "search_rows", "search_common_words", "search_passages")


async def rows_seen(platform: Platform, claims: dict[str, Any] | None, video_id: str) -> dict[str, int]:
    """What the claims see of the video, table by table; None: as the platform."""
    found = {}
    for table in SEEN:
        database = platform.database
        column = "id" if table == "videos" else "video_id"
        async with database.transaction() if claims is None else database.as_caller(claims) as tx:
            found[table] = await tx.fetchval(f"SELECT count(*) FROM {table} WHERE {column} = $1", UUID(video_id))
    return found


async def claims_of(platform: Platform, person: UUID) -> dict[str, Any]:
    return (await CallerRights(platform.database).added_to(Caller(person))).claims()


async def wait_for_lock(platform: Platform) -> None:
    async def is_waiting() -> bool:
        async with platform.database.transaction() as tx:
            return bool(await tx.fetchval("SELECT EXISTS (SELECT FROM pg_locks WHERE NOT granted)"))

    await until(is_waiting)
