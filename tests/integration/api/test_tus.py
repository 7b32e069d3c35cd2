"""Uploads by tus: the protocol, on the same store and the same videos as other uploads."""

import asyncio
import base64
import hashlib
from contextlib import suppress
from uuid import UUID

import httpx
import pytest
from pydantic import SecretStr

from sightline.api import create_app
from sightline.config import ApiSettings
from sightline.errors import BackendUnavailable
from sightline.objects import ObjectsSettings, original_key
from sightline.objects.s3.clients import open_clients
from sightline.uploads import UploadsSettings
from sightline.uploads.tus import upload as tus_module
from support.emulators import shared
from support.tus import OFFSET_TYPE, RESUMABLE, Tus, metadata
from support.uploading import abandoned, grow_old, make_parts_small
from support.waiting import soon, until

CONTENT = bytes(range(65, 65 + 25))
PART = 10
ANN, BEN, EVE, TEAM = (UUID(int=number) for number in (11, 12, 13, 77))


@pytest.fixture(autouse=True)
def _small_parts(monkeypatch):
    monkeypatch.setattr(tus_module, "PART_BYTES", PART)
    monkeypatch.setattr(tus_module, "UNKNOWN_LENGTH_PART_BYTES", PART)


async def s3_settings() -> ObjectsSettings:
    settings = ObjectsSettings(
        backend="s3",
        bucket="tus-videos",
        s3_endpoint=shared("ministack").endpoint,
        s3_access_key_id="test",
        s3_secret_access_key=SecretStr("test"),
    )
    async with open_clients(settings) as clients:
        with suppress(clients.calls.exceptions.BucketAlreadyOwnedByYou):
            await clients.calls.create_bucket(Bucket=settings.bucket)
    return settings


@pytest.fixture(params=["disk", "s3"])
async def platform(request, platform_with, monkeypatch):
    if request.param == "s3":
        return await platform_with(objects=await s3_settings())
    made = await platform_with()
    make_parts_small(monkeypatch, made)
    return made


@pytest.fixture
def app(platform):
    return create_app(platform)


async def stored(platform, upload: Tus) -> bytes:
    return await platform.objects.get(original_key(UUID(upload.id)))


async def leftovers(platform, *uploads: Tus) -> list[str]:
    return [found.key for upload in uploads async for found in platform.objects.find(f"tus/{upload.id}/")]


async def leftovers_of_parts(platform, upload: Tus) -> list[int]:
    store_id = (await platform.tus.need(UUID(upload.id))).store_upload_id
    return [part.number for part in await platform.objects.list_parts(original_key(UUID(upload.id)), store_id)]


async def status(client, upload: Tus) -> str:
    return (await client.get(f"/videos/{upload.id}")).json()["status"]


@pytest.mark.req(434, 435)
@pytest.mark.parametrize("sizes", [(25,), (3, 4, 3, 10, 5), (1, 19, 5), (12, 12, 1), (9, 2, 14)])
async def test_bytes_in_requests_of_any_size_become_the_video(client, platform, sizes):
    upload = await Tus.create(client, len(CONTENT))
    sent = 0
    for size in sizes:
        assert await upload.offset() == sent
        answer = await upload.patch(sent, CONTENT[sent : sent + size])
        sent += size
        assert (answer.status_code, answer.headers["upload-offset"]) == (204, str(sent))
        assert answer.headers["tus-resumable"] == "1.0.0"
    assert await stored(platform, upload) == CONTENT
    assert await status(client, upload) == "UPLOADED"
    assert await upload.offset() == 25
    assert await leftovers(platform, upload) == []


@pytest.mark.req(434)
async def test_an_upload_by_tus_is_among_the_unfinished_ones_and_in_progress(client, platform):
    upload = await Tus.create(client, len(CONTENT), name="lecture.mov")
    await upload.patch(0, CONTENT[:23])
    (listed,) = (await client.get("/uploads")).json()["uploads"]
    assert (listed["videoId"], listed["name"]) == (upload.id, "lecture.mov")
    progress = (await client.get(f"/videos/{upload.id}/progress")).json()
    assert (progress["status"], progress["uploadedParts"], progress["totalParts"]) == ("UPLOADING", 2, 3)
    await upload.patch(23, CONTENT[23:])
    assert (await client.get("/uploads")).json() == {"uploads": []}


@pytest.mark.req(436)
async def test_capabilities_and_versions(client):
    options = await client.options("/files/")
    assert (options.status_code, options.headers["tus-version"]) == (204, "1.0.0")
    assert set(options.headers["tus-extension"].split(",")) == {
        *("creation", "creation-with-upload", "creation-defer-length"),
        *("termination", "checksum", "expiration", "concatenation"),
    }
    assert options.headers["tus-checksum-algorithm"] == "md5,sha1,sha256"
    assert int(options.headers["tus-max-size"]) > 10**11
    refused = await client.post("/files/", headers={"Tus-Resumable": "0.2.2", "Upload-Length": "1"})
    assert (refused.status_code, refused.headers["tus-version"]) == (412, "1.0.0")


@pytest.mark.req(436)
@pytest.mark.parametrize(
    ("headers", "code"),
    [
        ({}, 400),
        ({"Upload-Length": "25", "Upload-Defer-Length": "1"}, 400),
        ({"Upload-Length": "-1"}, 400),
        ({"Upload-Length": "0"}, 400),
        ({"Upload-Length": "9" * 30}, 400),
        ({"Upload-Length": "9" * 17}, 413),
        ({"Upload-Length": "25", "Upload-Metadata": "filename ***"}, 400),
        ({"Upload-Length": "25", "Upload-Metadata": "filename"}, 400),
        ({"Upload-Length": "25", **metadata(filename="notes.txt")}, 400),
        ({"Upload-Length": "25", **metadata(filename="a.mp4", teamId=str(TEAM))}, 403),
        ({"Upload-Concat": "final;"}, 400),
        ({"Upload-Concat": "final;/files/nothing"}, 400),
        ({"Upload-Concat": f"final;/files/{TEAM}"}, 404),
    ],
)
async def test_creations_that_make_no_sense_are_refused(client, headers, code):
    named = {**RESUMABLE, **metadata(filename="talk.mp4"), **headers}
    answer = await client.post("/files/", headers=named)
    assert answer.status_code == code, answer.text
    assert (await client.get("/uploads")).json() == {"uploads": []}


@pytest.mark.req(436)
async def test_a_wrong_offset_type_or_length_changes_nothing(client):
    upload = await Tus.create(client, 25)
    await upload.patch(0, CONTENT[:4])
    for offset, content, headers, code in (
        (3, CONTENT[3:], {}, 409),
        (5, CONTENT[5:], {}, 409),
        (4, CONTENT[4:] + b"more", {}, 413),
        (4, CONTENT[4:], {"Content_Type": "application/octet-stream"}, 415),
        (4, CONTENT[4:], {"Upload_Offset": "four"}, 400),
        (4, CONTENT[4:], {"Upload_Length": "30"}, 409),
        (4, CONTENT[4:], {"Upload_Checksum": "crc32 AAAA"}, 400),
    ):
        answer = await upload.patch(offset, content, **headers)
        assert answer.status_code == code, (offset, headers, answer.text)
        assert await upload.offset() == 4
    assert (await Tus(client, f"/files/{TEAM}").head()).status_code == 404
    assert (await Tus(client, "/files/nothing").head()).status_code == 404


@pytest.mark.req(437)
@pytest.mark.parametrize("algorithm", ["md5", "sha1", "sha256"])
async def test_bytes_that_differ_from_their_checksum_do_not_count(client, platform, algorithm):
    def checksum(content: bytes) -> str:
        return f"{algorithm} {base64.b64encode(hashlib.new(algorithm, content).digest()).decode()}"

    upload = await Tus.create(client, 25)
    await upload.patch(0, CONTENT[:4])
    answer = await upload.patch(4, b"other bytes than these"[:21], Upload_Checksum=checksum(CONTENT[4:]))
    assert answer.status_code == 460
    assert await upload.offset() == 4
    assert await leftovers_of_parts(platform, upload) == []  # whoever completes an upload uses all parts there are
    assert (await upload.patch(4, CONTENT[4:16], Upload_Checksum=checksum(CONTENT[4:16]))).status_code == 204
    assert (await upload.patch(16, CONTENT[16:], Upload_Checksum=checksum(CONTENT[16:]))).status_code == 204
    assert await stored(platform, upload) == CONTENT


@pytest.mark.req(436)
async def test_bytes_may_come_with_the_creation_and_the_length_later(client, platform):
    response = await Tus.post(client, 25, body=CONTENT[:12])
    assert (response.status_code, response.headers["upload-offset"]) == (201, "12")
    whole = await Tus.create(client, 25, body=CONTENT)
    assert await stored(platform, whole) == CONTENT
    upload = await Tus.create(client, None, Upload_Defer_Length="1")
    assert (await upload.patch(0, CONTENT[:12])).status_code == 204
    head = await upload.head()
    assert (head.headers["upload-defer-length"], "upload-length" in head.headers) == ("1", False)
    assert (await upload.patch(12, CONTENT[12:23])).status_code == 204
    assert (await upload.patch(23, b"", Upload_Length="9")).status_code == 413
    assert (await upload.patch(23, CONTENT[23:], Upload_Length="25")).status_code == 204
    assert await stored(platform, upload) == CONTENT
    known_late = await Tus.create(client, None, Upload_Defer_Length="1")
    await known_late.patch(0, CONTENT)
    assert (await known_late.patch(25, b"", Upload_Length="25")).status_code == 204
    assert await stored(platform, known_late) == CONTENT
    assert (await known_late.head()).headers["upload-length"] == "25"


@pytest.mark.req(438)
async def test_a_terminated_or_expired_upload_is_gone(client, platform):
    upload = await Tus.create(client, 25)
    answer = await upload.patch(0, CONTENT[:14])
    assert "GMT" in answer.headers["upload-expires"]
    assert (await upload.delete()).status_code == 204
    assert (await upload.head()).status_code == 410
    assert (await upload.patch(14, CONTENT[14:])).status_code == 410
    assert (await upload.delete()).status_code == 410
    assert await leftovers(platform, upload) == []
    expired = await Tus.create(client, 25)
    await expired.patch(0, CONTENT[:4])
    partial = await Tus.create(client, 25, Upload_Concat="partial")
    await partial.patch(0, CONTENT[:4])
    await grow_old(platform)
    async with platform.database.transaction() as tx:
        await tx.execute("UPDATE tus_uploads SET touched_at = touched_at - interval '25 hours'")
    await abandoned(platform).sweep()
    await platform.tus.sweep()
    assert (await expired.head()).status_code == 410
    assert (await partial.head()).status_code == 404
    assert await leftovers(platform, expired, partial) == []
    done = await Tus.create(client, 25, body=CONTENT)
    assert (await done.delete()).status_code == 409
    assert await stored(platform, done) == CONTENT


@pytest.mark.req(439)
async def test_partial_uploads_become_one_video(client, platform):
    first = await Tus.create(client, 13, Upload_Concat="partial")
    second = await Tus.create(client, 12, Upload_Concat="partial")
    assert (await client.get("/uploads")).json() == {"uploads": []}
    await first.patch(0, CONTENT[:13])
    await second.patch(0, CONTENT[13:18])
    final = f"final;{first.url} http://elsewhere{second.url}"
    early = await Tus.post(client, None, Upload_Concat=final)
    assert early.status_code == 409
    assert (await second.head()).headers["upload-concat"] == "partial"
    await second.patch(5, CONTENT[18:])
    made = await Tus.create(client, None, Upload_Concat=final)
    again = await Tus.create(client, None, Upload_Concat=final)
    assert made.url == again.url
    assert await stored(platform, made) == CONTENT
    assert await status(client, made) == "UPLOADED"
    head = await made.head()
    assert (head.headers["upload-length"], head.headers["upload-offset"]) == ("25", "25")
    assert head.headers["upload-concat"].startswith("final;")
    assert (await made.patch(25, b"x")).status_code == 403
    assert (await first.head()).status_code == 404
    assert await leftovers(platform, first, second, made) == []


@pytest.mark.req(435)
async def test_a_completion_that_failed_is_made_up_for(client, platform, monkeypatch):
    async def fails(*_):
        raise BackendUnavailable("objects", "it is gone")

    for retry in ("head", "sweep"):
        upload = await Tus.create(client, 25)
        with monkeypatch.context() as patched:
            patched.setattr(platform.objects, "complete_upload", fails)
            assert (await upload.patch(0, CONTENT)).status_code == 503
        assert await status(client, upload) == "UPLOADING"
        if retry == "head":
            assert await upload.offset() == 25
        else:
            await platform.tus.sweep(quiet_s=0)
        assert await status(client, upload) == "UPLOADED"
        assert await stored(platform, upload) == CONTENT


@pytest.mark.req(438)
async def test_a_request_that_comes_later_takes_the_upload_over(client, platform):
    upload = await Tus.create(client, 25)
    sent, never = asyncio.Event(), asyncio.Event()

    async def stuck():
        yield CONTENT[:14]
        sent.set()
        await never.wait()
        yield b"x"

    hanging = asyncio.create_task(upload.patch(0, stuck()))
    await soon(sent.wait())
    assert await upload.offset() == 14  # what the first request received is kept
    assert (await soon(hanging)).status_code == 423
    both = await asyncio.gather(upload.patch(14, CONTENT[14:]), upload.patch(14, CONTENT[14:]))
    assert sorted(answer.status_code for answer in both) in ([204, 409], [204, 423])
    assert await stored(platform, upload) == CONTENT


@pytest.mark.req(438)
async def test_another_process_that_continues_an_upload_ends_the_turn_of_the_first(client, platform):
    upload = await Tus.create(client, 25)
    other = Tus(client, upload.url)
    platform.tus._turns.take = _no_turns(
        platform.tus._turns.take
    )  # as in two processes, which do not know of each other
    sent, go_on = asyncio.Event(), asyncio.Event()

    async def slow():
        yield CONTENT[:10]
        sent.set()
        await go_on.wait()
        yield b"y" * 10
        yield b"z" * 5

    hanging = asyncio.create_task(upload.patch(0, slow()))
    await soon(sent.wait())

    async def stands_at_ten() -> bool:
        return (await platform.tus.need(UUID(upload.id))).received == 10

    await until(stands_at_ten)
    assert (await other.patch(10, CONTENT[10:14])).status_code == 204
    go_on.set()
    assert (await soon(hanging)).status_code == 423
    assert (await other.patch(14, CONTENT[14:])).status_code == 204
    assert await stored(platform, upload) == CONTENT


def _no_turns(take):
    from uuid import uuid4

    return lambda _: take(uuid4())


@pytest.mark.req(440)
async def test_only_the_owner_writes(platform_with, auth_on, monkeypatch, signed_in):
    platform = await platform_with(auth=auth_on)
    make_parts_small(monkeypatch, platform)
    app = create_app(platform)

    def client(person, **claims):
        headers = signed_in(person, **claims) if person else {}
        return httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://localhost:8400", headers=headers)

    team = [str(TEAM)]
    async with (
        client(ANN, team_ids=team) as ann,
        client(BEN, team_ids=team) as ben,
        client(EVE) as eve,
        client(None) as no,
    ):
        named = metadata(filename="a.mp4", teamId=str(TEAM))
        upload = await Tus.create(ann, 25, Upload_Metadata=named["Upload-Metadata"])
        partial = await Tus.create(ann, 25, Upload_Concat="partial")
        for one, codes in ((upload, {ben: 403, eve: 404, no: 401}), (partial, {ben: 404, eve: 404, no: 401})):
            for other, code in codes.items():
                theirs = Tus(other, one.url)
                answers = [await theirs.head(), await theirs.patch(0, CONTENT), await theirs.delete()]
                assert [answer.status_code for answer in answers] == [code] * 3
        await partial.patch(0, CONTENT)
        stolen = await Tus.post(eve, None, Upload_Concat=f"final;{partial.url}")
        assert stolen.status_code == 404
        assert (await Tus.post(no, 25)).status_code == 401
        assert await upload.offset() == 0


@pytest.mark.req(440)
async def test_pages_of_allowed_origins_may_upload_and_quotas_hold(client_with, monkeypatch):
    origin = {"origin": "https://app.example"}
    client = await client_with(
        api=ApiSettings(cors_origins=("https://app.example",)), uploads=UploadsSettings(quota_bytes=30)
    )
    asked = {
        "access-control-request-method": "PATCH",
        "access-control-request-headers": "tus-resumable,upload-offset,content-type,authorization",
    }
    preflight = await client.options("/files/x", headers=origin | asked)
    assert (preflight.status_code, preflight.headers["access-control-allow-origin"]) == (200, "https://app.example")
    created = await client.post(
        "/files/", headers={**RESUMABLE, **origin, **metadata(filename="a.mp4"), "Upload-Length": "25"}
    )
    exposed = created.headers["access-control-expose-headers"]
    assert {"location", "upload-offset", "tus-resumable"} <= set(exposed.split(", "))
    assert (await Tus.post(client, 25)).status_code == 403
    assert (await Tus.post(client, 5, Upload_Concat="partial")).status_code == 201
    assert (await Tus.post(client, 5, Upload_Concat="partial")).status_code == 403


async def test_other_methods_are_named_in_a_header_where_clients_cannot_send_them(client, platform):
    upload = await Tus.create(client, 25)
    headers = {**RESUMABLE, **OFFSET_TYPE, "Upload-Offset": "0", "X-HTTP-Method-Override": "PATCH"}
    assert (await client.post(upload.url, headers=headers, content=CONTENT)).status_code == 204
    assert await stored(platform, upload) == CONTENT
    assert (await client.post(upload.url, headers=RESUMABLE)).status_code == 405
