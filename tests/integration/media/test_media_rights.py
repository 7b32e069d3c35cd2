"""Row level security around what is made of a video: a stranger sees no stream, no frame and no clip of it."""

import time
from uuid import uuid4

import httpx
import jwt
import pytest
from pydantic import SecretStr

from sightline.api import create_app
from sightline.config import AuthSettings
from sightline.videos import VideoStatus

SECRET = "a secret that is long enough for HS256, as it must be"
OWNER, STRANGER = uuid4(), uuid4()


def signed_in(user):
    token = jwt.encode({"sub": str(user), "exp": int(time.time()) + 600}, SECRET, "HS256")
    return {"authorization": f"Bearer {token}"}


@pytest.mark.req(136)
async def test_other_people_get_not_found_for_a_video_or_clip(use):
    use.platform.settings.auth = AuthSettings(jwt_secret=SecretStr(SECRET))
    video_id = await use.add(None, status=VideoStatus.COMPLETED, owner=OWNER)
    await use.platform.objects.put(f"frames/{video_id}/0.jpg", b"x")
    transport = httpx.ASGITransport(create_app(use.platform))
    async with httpx.AsyncClient(transport=transport, base_url="http://localhost:8400") as client:
        body = {"video_id": str(video_id), "t_start": 0, "t_end": 1000}
        assert (await client.post("/clips", json=body)).status_code == 401
        assert (await client.post("/clips", json=body, headers=signed_in(STRANGER))).status_code == 404
        clip = (await client.post("/clips", json=body, headers=signed_in(OWNER))).json()
        paths = [f"/clips/{clip['clip_id']}"]
        paths += [f"/videos/{video_id}/{name}" for name in ("frames", "frames.zip", "clips", "download")]
        for path in paths:
            assert (await client.get(path)).status_code == 401
            assert (await client.get(path, headers=signed_in(STRANGER))).status_code == 404, path
            assert (await client.get(path, headers=signed_in(OWNER))).status_code == 200, path


@pytest.mark.req(137)
async def test_people_cannot_write_clips_themselves(use):
    import asyncpg

    video_id = await use.add(None, owner=OWNER)
    with pytest.raises(asyncpg.InsufficientPrivilegeError):
        async with use.platform.database.as_caller({"sub": str(OWNER)}) as tx:
            await tx.execute(
                "INSERT INTO clips (id, video_id, t_start, t_end, padding_ms) VALUES ('x', $1, 0, 1, 0)", video_id
            )
