"""Share links: what they show, to whom, and that nothing else can be reached by them."""

import re
from typing import Any
from uuid import UUID, uuid4

import httpx
import pytest

from sightline.shares import SharesSettings
from support.asking import is_error
from support.shared_videos import add_clip, add_shareable

ANN, BEN, TEAM = (UUID(int=number) for number in (11, 12, 77))


@pytest.fixture
async def platform(platform_with, auth_on):
    return await platform_with(auth=auth_on, shares=SharesSettings(unknown_per_minute=200))


@pytest.fixture
def client_of(app, signed_in):
    def client(person, **claims):
        return httpx.AsyncClient(
            transport=httpx.ASGITransport(app), base_url="http://localhost:8400", headers=signed_in(person, **claims)
        )

    return client


@pytest.fixture
async def stranger(app):
    """Somebody who has the link and nothing else."""
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://localhost:8400") as client:
        yield client


@pytest.fixture
async def video_id(platform):
    return await add_shareable(platform, ANN)


async def share(client, video_id, **body) -> dict[str, Any]:
    answer = await client.post("/api/shares", json={"video_id": str(video_id)} | body)
    assert answer.status_code == 201, answer.text
    found: dict[str, Any] = answer.json()
    return found


def path_of(shared) -> str:
    return httpx.URL(shared["url"]).path


async def ends(stranger, path, *, is_clip=False) -> None:
    """The link shows nothing any more, by whichever of its addresses."""
    page = await stranger.get(path)
    assert page.status_code == 404
    assert "<video" not in page.text
    rest = ["clip.mp4"] if is_clip else ["index.m3u8", "segments/segment_00001.ts", "poster.jpg"]
    for name in (*rest, "captions.vtt"):
        is_error(await stranger.get(f"{path}/{name}"), 404, "SHARE_NOT_FOUND")


@pytest.mark.req(764)
async def test_a_link_shows_a_whole_video_to_who_holds_it_and_is_counted(client_of, stranger, video_id):
    async with client_of(ANN) as ann:
        shared = await share(ann, video_id, title="The talk")
        path = path_of(shared)
        page = await stranger.get(path)
        assert page.status_code == 200
        assert "<title>The talk</title>" in page.text
        playlist = await stranger.get(f"{path}/index.m3u8")
        names = [line for line in playlist.text.splitlines() if line and not line.startswith("#")]
        assert names == [f"segments/segment_{number:05}.ts" for number in range(5)]
        assert (await stranger.get(f"{path}/{names[3]}")).content == b"bytes of 3"
        assert (await stranger.get(f"{path}/poster.jpg")).content == b"poster"
        assert "second a" in (await stranger.get(f"{path}/captions.vtt")).text
        (listed,) = (await ann.get("/api/shares", params={"video_id": str(video_id)})).json()["shares"]
        assert (listed["views"], listed["url"], listed["what"]) == (1, shared["url"], "video")
        assert listed["last_viewed_at"] is not None


@pytest.mark.req(764, 1110)
async def test_the_page_of_a_link_is_in_the_language_of_the_browser(client_of, stranger, video_id):
    async with client_of(ANN) as ann:
        path = path_of(await share(ann, video_id))
    for language, script, ended in (
        ("pt-BR", "O player precisa de JavaScript.", "Este link não funciona"),
        ("es-AR", "El reproductor necesita JavaScript.", "Este enlace no funciona"),
        ("de-CH", "Der Player braucht JavaScript.", "Dieser Link funktioniert nicht"),
        ("en-GB", "The player needs JavaScript.", "This link doesn't work"),
    ):
        headers = {"accept-language": language}
        page = (await stranger.get(path, headers=headers)).text
        assert f'lang="{language[:2]}"' in page
        assert script in page
        assert ended in (await stranger.get(f"{path}x", headers=headers)).text


@pytest.mark.req(765)
async def test_a_moment_shows_its_segments_and_texts_and_no_others(client_of, stranger, video_id):
    async with client_of(ANN) as ann:
        shared = await share(ann, video_id, start_ms=7000, end_ms=14_000)
    path = path_of(shared)
    playlist = (await stranger.get(f"{path}/index.m3u8")).text
    assert re.findall(r"segment_(\d+)", playlist) == ["00001", "00002"]
    page = (await stranger.get(path)).text
    assert 'data-start="1.000" data-end="8.000"' in page
    captions = (await stranger.get(f"{path}/captions.vtt")).text
    assert re.findall(r"second (\w)", captions) == list("hijklmn")
    assert "00:00:01.000 --> 00:00:02.000\nsecond h" in captions  # in the time of the player
    for outside in (
        "segment_00000.ts",
        "segment_00003.ts",
        "index.m3u8",
        "../segment_00001.ts",
        "%2e%2e%2fx",
        "segment_1.ts",
    ):
        answer = await stranger.get(f"{path}/segments/{outside}")
        assert answer.status_code == 404, outside
        assert b"bytes of" not in answer.content
    is_error(await stranger.get(f"{path}/poster.jpg"), 404, "SHARE_NOT_FOUND")
    is_error(await stranger.get(f"{path}/clip.mp4"), 404, "SHARE_NOT_FOUND")


@pytest.mark.req(765)
async def test_a_clip_is_sent_whole_or_in_ranges_and_opens_no_stream(client_of, stranger, platform, video_id):
    clip_id = await add_clip(platform, video_id, b"0123456789")
    async with client_of(ANN) as ann:
        shared = await share(ann, video_id, clip_id=clip_id)
    assert (shared["what"], shared["title"]) == ("clip", "The end")
    path = path_of(shared)
    assert (await stranger.get(f"{path}/clip.mp4")).content == b"0123456789"
    part = await stranger.get(f"{path}/clip.mp4", headers={"range": "bytes=2-4"})
    assert (part.status_code, part.content, part.headers["content-range"]) == (206, b"234", "bytes 2-4/10")
    last = await stranger.get(f"{path}/clip.mp4", headers={"range": "bytes=-3"})
    assert last.content == b"789"
    assert (await stranger.get(f"{path}/clip.mp4", headers={"range": "bytes=99-"})).status_code == 422
    captions = (await stranger.get(f"{path}/captions.vtt")).text
    assert re.findall(r"second (\w)", captions) == list("cde")
    for other in ("index.m3u8", "segments/segment_00000.ts", "poster.jpg"):
        is_error(await stranger.get(f"{path}/{other}"), 404, "SHARE_NOT_FOUND")


@pytest.mark.req(766)
async def test_a_revoked_link_ends_at_once_for_everything_it_showed(client_of, stranger, video_id):
    async with client_of(ANN) as ann:
        shared, other = await share(ann, video_id), await share(ann, video_id)
        path = path_of(shared)
        assert (await stranger.get(f"{path}/segments/segment_00001.ts")).status_code == 200
        answer = await ann.delete(f"/api/shares/{shared['share_id']}")
        assert (answer.status_code, answer.json()["is_active"], answer.json()["url"]) == (200, False, None)
        await ends(stranger, path)
        assert (await stranger.get(path_of(other))).status_code == 200
        listed = (await ann.get("/api/shares")).json()["shares"]
        assert [one["share_id"] for one in listed] == [other["share_id"]]
        with_ended = (await ann.get("/api/shares", params={"with_ended": True})).json()["shares"]
        assert {one["share_id"]: one["url"] for one in with_ended}[shared["share_id"]] is None


@pytest.mark.req(766)
async def test_a_link_ends_with_its_time_its_clip_and_its_video(client_of, stranger, platform, video_id):
    clip_id = await add_clip(platform, video_id, b"clip")
    async with client_of(ANN) as ann:
        expiring, of_clip, of_video = [
            await share(ann, video_id, **body) for body in ({"expires_in_hours": 1}, {"clip_id": clip_id}, {})
        ]
        async with platform.database.transaction() as tx:
            await tx.execute("UPDATE shares SET expires_at = now() WHERE id = $1", UUID(expiring["share_id"]))
        await ends(stranger, path_of(expiring))
        async with platform.database.transaction() as tx:
            await tx.execute("UPDATE clips SET status = 'expired', s3_path = NULL WHERE id = $1", clip_id)
        assert (await stranger.get(path_of(of_clip))).status_code == 404
        is_error(await stranger.get(f"{path_of(of_clip)}/clip.mp4"), 404, "SHARE_NOT_FOUND")
        assert (await ann.delete(f"/videos/{video_id}")).status_code == 204
        await ends(stranger, path_of(of_video))
        assert (await ann.get("/api/shares", params={"with_ended": True})).json()["shares"] == []


@pytest.mark.req(767)
async def test_only_the_owner_and_operators_share_list_and_revoke(client_of, platform, video_id):
    async with client_of(ANN) as ann, client_of(BEN) as ben, client_of(uuid4(), sightline_role="operator") as operator:
        shared = await share(ann, video_id)
        is_error(await ben.post("/api/shares", json={"video_id": str(video_id)}), 404, "VIDEO_NOT_FOUND")
        assert (await ben.get("/api/shares", params={"video_id": str(video_id)})).json()["shares"] == []
        is_error(await ben.delete(f"/api/shares/{shared['share_id']}"), 404, "SHARE_NOT_FOUND")
        is_error(await ben.get("/api/shares", params={"of_everyone": True}), 403, "FORBIDDEN")
        everyone = (await operator.get("/api/shares", params={"of_everyone": True})).json()["shares"]
        assert [one["share_id"] for one in everyone] == [shared["share_id"]]
        own = await add_shareable(platform, BEN)
        foreign_clip = await add_clip(platform, own, b"clip")
        body = {"video_id": str(video_id), "clip_id": foreign_clip}
        is_error(await ann.post("/api/shares", json=body), 404, "CLIP_NOT_FOUND")
        assert (await operator.delete(f"/api/shares/{shared['share_id']}")).status_code == 200


@pytest.mark.req(767)
async def test_members_of_the_team_see_the_video_but_cannot_share_it(client_of, platform):
    team_video = await add_shareable(platform, ANN)
    async with platform.database.transaction() as tx:
        await tx.execute("UPDATE videos SET team_id = $2 WHERE id = $1", team_video, TEAM)
    async with client_of(BEN, team_ids=[str(TEAM)]) as ben:
        assert (await ben.get(f"/videos/{team_video}")).status_code == 200
        is_error(await ben.post("/api/shares", json={"video_id": str(team_video)}), 403, "FORBIDDEN")


@pytest.mark.req(768)
async def test_neither_hash_nor_token_of_a_link_can_be_read_by_peoples_role(client_of, platform, video_id):
    async with client_of(ANN) as ann:
        shared = await share(ann, video_id)
    token = path_of(shared).removeprefix("/s/")
    async with platform.database.transaction() as tx:
        (row,) = await tx.fetch("SELECT token_hash, sealed_token FROM shares")
    assert token.encode() not in row["sealed_token"]
    for column in ("token_hash", "sealed_token", "*"):
        with pytest.raises(Exception, match="permission denied"):
            async with platform.database.as_caller({"sub": str(ANN)}) as tx:
                await tx.fetch(f"SELECT {column} FROM shares")
    async with platform.database.as_caller({"sub": str(BEN)}) as tx:
        assert await tx.fetch("SELECT id FROM shares") == []


@pytest.mark.req(768)
async def test_a_changed_token_leads_nowhere_and_guessing_is_slowed_down(still_limits, client_of, stranger, video_id):
    async with client_of(ANN) as ann:
        token = path_of(await share(ann, video_id)).removeprefix("/s/")
    assert len(token) == 43
    wrong = [token[:-1] + ("A" if token[-1] != "A" else "B"), token.swapcase(), token[:-1], f"{token}A", "x" * 43]
    answers = [await stranger.get(f"/s/{text}/index.m3u8") for text in wrong]
    assert {(answer.status_code, answer.text) for answer in answers} == {(404, answers[0].text)}
    statuses = [(await stranger.get(f"/s/{'y' * 43}")).status_code for _ in range(20)]
    assert statuses[-1] == 429
    assert (await stranger.get(f"/s/{token}")).status_code == 200


@pytest.mark.req(768)
async def test_logs_and_the_audit_log_name_the_link_but_not_its_token(
    client_of, stranger, platform, video_id, log_lines
):
    async with client_of(ANN) as ann:
        shared = await share(ann, video_id)
        token = path_of(shared).removeprefix("/s/")
        await stranger.get(f"/s/{token}/index.m3u8")
        await stranger.get(f"/s/{token}")
        await ann.delete(f"/api/shares/{shared['share_id']}")
    async with platform.database.transaction() as tx:
        entries = [dict(row) for row in await tx.fetch("SELECT * FROM audit_log WHERE action LIKE 'share%'")]
    assert {entry["action"] for entry in entries} == {"share.created", "share.revoked"}
    assert all(shared["share_id"] in str(entry) for entry in entries)
    assert token not in str(entries)
    lines = log_lines()
    assert any(line["event"] == "share.viewed" for line in lines)
    assert "/s/…/index.m3u8" in {line.get("path") for line in lines}
    assert token not in str([line for line in lines if line.get("logger", "").startswith("sightline")])


@pytest.mark.req(769)
async def test_the_page_is_closed_to_search_engines_frames_and_foreign_scripts(client_of, stranger, video_id):
    async with client_of(ANN) as ann:
        plain = await stranger.get(path_of(await share(ann, video_id)))
        embedded = await share(ann, video_id, embed_origins=["https://intranet.example:8443"])
        anywhere = await share(ann, video_id, embed_origins=["*"])
    policy = plain.headers["content-security-policy"]
    assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self'; ")
    assert "unsafe" not in policy
    assert policy.endswith("frame-ancestors 'none'")
    assert plain.headers["x-robots-tag"] == "noindex, nofollow"
    assert plain.headers["referrer-policy"] == "no-referrer"
    assert plain.headers["cache-control"] == "private, no-store"
    assert "set-cookie" not in plain.headers
    for shared, ancestors in ((embedded, "https://intranet.example:8443"), (anywhere, "*")):
        headers = {"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "iframe"}
        framed = await stranger.get(path_of(shared), headers=headers)
        assert framed.status_code == 200
        assert framed.headers["content-security-policy"].endswith(f"frame-ancestors {ancestors}")
        assert shared["url"] in shared["embed_html"]
    assert str(ANN) not in plain.text
    assert str(video_id) not in plain.text
    assert "lecture.mp4" not in plain.text


@pytest.mark.req(769)
@pytest.mark.parametrize(
    "body",
    [
        {"title": "a\r\nset-cookie: x"},
        {"title": "\u202egpj.exe"},
        {"embed_origins": ["https://a.example; script-src *"]},
        {"embed_origins": ["https://a.example/path"]},
        {"embed_origins": ["https://a.example\r\nx: y"]},
        {"embed_origins": ["javascript:alert(1)"]},
        {"start_ms": 5},
        {"start_ms": 5, "end_ms": 5},
        {"start_ms": 99_000, "end_ms": 100_000},
        {"clip_id": "x", "start_ms": 0, "end_ms": 5},
        {"exact": True},
        {"expires_in_hours": 0},
        {"expires_in_hours": 24 * 366},
    ],
)
async def test_what_would_change_a_header_or_shows_nothing_is_refused(client_of, video_id, body):
    async with client_of(ANN) as ann:
        answer = await ann.post("/api/shares", json={"video_id": str(video_id)} | body)
    assert answer.status_code in (400, 422), answer.text


@pytest.mark.req(769)
async def test_a_title_stays_text_in_the_page(client_of, stranger, video_id):
    hostile = '"><script>alert(1)</script><img src=x onerror=alert(1)>{{content}}'
    async with client_of(ANN) as ann:
        page = (await stranger.get(path_of(await share(ann, video_id, title=hostile)))).text
    assert "<script>alert" not in page
    assert "<img" not in page
    assert page.count("<video") == 1


@pytest.mark.req(767)
async def test_links_without_text_show_none(client_of, stranger, video_id):
    async with client_of(ANN) as ann:
        path = path_of(await share(ann, video_id, with_text=False))
    assert "<track" not in (await stranger.get(path)).text
    is_error(await stranger.get(f"{path}/captions.vtt"), 404, "SHARE_NOT_FOUND")


@pytest.mark.req(767)
async def test_an_exact_moment_waits_for_its_clip(client_of, stranger, platform, video_id):
    async with client_of(ANN) as ann:
        shared = await share(ann, video_id, start_ms=2000, end_ms=3000, exact=True)
    page = await stranger.get(path_of(shared))
    assert (page.status_code, page.headers["refresh"]) == (200, "3")
    assert shared["what"] == "clip"
    async with platform.database.transaction() as tx:
        (row,) = await tx.fetch("SELECT payload FROM jobs WHERE job_type = 'clip_generate'")
    assert (row["payload"]["t_start"], row["payload"]["padding_ms"]) == (2000, 0)


@pytest.mark.req(767)
async def test_where_sharing_is_turned_off_nothing_is_shared_or_shown(client_with, platform_with, auth_on, signed_in):
    off = await platform_with(auth=auth_on, shares=SharesSettings(enabled=False))
    client = await client_with(auth=auth_on, shares=SharesSettings(enabled=False))
    video_id = await add_shareable(off, ANN)
    answer = await client.post("/api/shares", json={"video_id": str(video_id)}, headers=signed_in(ANN))
    is_error(answer, 403, "FORBIDDEN")
    assert (await client.get(f"/s/{'x' * 43}")).status_code == 404
