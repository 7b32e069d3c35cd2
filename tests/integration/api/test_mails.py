"""Mails over HTTP: people see their own, operators all of them and send failed ones again."""

import json
from datetime import timedelta
from typing import Any
from uuid import UUID

import httpx
import pytest

from sightline.bootstrap import Platform
from sightline.bus import NOTIFICATION_QUEUE
from sightline.contracts import LOCAL_OWNER_ID
from sightline.notifications.mail import store
from sightline.notifications.mail.rules import mail_for
from support.asking import is_error
from support.mailing import LINK, VIDEO, event

ANN, BEN, CID = (UUID(int=number) for number in (21, 22, 23))
NOBODY = UUID(int=99)


@pytest.fixture
def add(platform: Platform):
    """Writes a mail down, and has an attempt to send it end in the given way."""

    async def write(status: str = "COMPLETED", *, outcome: str = "queued", **changes: Any) -> UUID:
        mail = mail_for(event(status, **changes), "pt")
        assert mail is not None
        async with platform.database.transaction() as tx:
            await store.record(tx, mail)
        if outcome in ("sent", "failed"):
            async with platform.database.transaction() as tx:
                held = await store.claim(tx, mail.id, channel="smtp", lease=timedelta(hours=1))
                assert held is not None
                if outcome == "sent":
                    await store.mark_sent(tx, held, "<1@example.com>")
                else:
                    await store.release(tx, held, error="550 no such user", is_final=True)
        return mail.id

    return write


def _ids(answer: httpx.Response) -> list[UUID]:
    assert answer.status_code == 200, answer.text
    return [UUID(mail["mail_id"]) for mail in answer.json()["mails"]]


@pytest.mark.req(285)
async def test_a_mail_is_shown_with_text_and_html(client, add):
    mail_id = await add(outcome="sent")
    whole = (await client.get(f"/api/mails/{mail_id}")).json()
    assert LINK in whole["text"]
    assert whole["html"].startswith("<!DOCTYPE html>")
    for name in ("created_at", "sent_at"):
        assert whole[name].endswith("Z")
    summary = {
        name: value for name, value in whole.items() if name not in ("text", "html", "provider_id", "can_resend")
    }
    assert (await client.get("/api/mails")).json() == {"mails": [summary], "next_cursor": None, "next": None}
    for name in ("created_at", "sent_at"):
        summary.pop(name)
    assert summary == {
        "mail_id": str(mail_id),
        "video_id": str(VIDEO),
        "template": "VideoConcluido",
        "language": "pt",
        "recipient": "ana@example.com",
        "subject": "Concluído: aula.mp4",
        "status": "sent",
        "channel": "smtp",
        "attempts": 1,
        "last_error": None,
    }
    assert whole["provider_id"] == "<1@example.com>"


@pytest.mark.req(136)
async def test_people_see_their_own_and_operators_all(client_with, auth_on, signed_in, add):
    client = await client_with(auth=auth_on)
    anns, bens, nobodys = [
        await add(video_id=UUID(int=number), user_id=owner) for number, owner in ((1, ANN), (2, BEN), (3, None))
    ]
    assert _ids(await client.get("/api/mails", headers=signed_in(ANN))) == [anns]
    assert _ids(await client.get("/api/mails", headers=signed_in(CID))) == []
    operator = signed_in(CID, sightline_role="operator")
    assert _ids(await client.get("/api/mails", headers=operator)) == [nobodys, bens, anns]
    statuses = [(await client.get(f"/api/mails/{one}", headers=signed_in(ANN))).status_code for one in (anns, bens)]
    assert statuses == [200, 404]
    is_error(await client.get("/api/mails"), 401, "UNAUTHORIZED")


async def test_without_authentication_the_owner_is_operator(client, add):
    ids = [await add(video_id=UUID(int=number), user_id=owner) for number, owner in ((1, LOCAL_OWNER_ID), (2, ANN))]
    assert _ids(await client.get("/api/mails")) == ids[::-1]


async def test_mails_are_found_by_state_kind_and_video(client, add):
    sent, failed = await add(outcome="sent"), await add("FAILED", outcome="failed", video_id=UUID(int=2))
    skipped = await add("PRINTING", video_id=UUID(int=3), user_email=None)
    for params, meant in (
        ({"status": "failed"}, [failed]),
        ({"status": "skipped"}, [skipped]),
        ({"template": "VideoConcluido"}, [sent]),
        ({"video_id": str(UUID(int=3))}, [skipped]),
        ({"status": "sent", "template": "VideoFalhou"}, []),
        ({}, [skipped, failed, sent]),
    ):
        assert _ids(await client.get("/api/mails", params=params)) == meant, params


async def test_pages_continue_behind_the_last_mail(client, add):
    ids = [await add(video_id=UUID(int=number)) for number in range(1, 6)]
    seen: list[UUID] = []
    params: dict[str, Any] = {"limit": 2}
    for _ in range(3):
        page = await client.get("/api/mails", params=params)
        seen += _ids(page)
        params["cursor"] = page.json()["next_cursor"]
    assert (seen, params["cursor"]) == (ids[::-1], None)


async def test_a_query_that_makes_no_sense_is_refused(client):
    for query in ("limit=0", "limit=501", "cursor=x", "template=x%00", "status=dead", "video_id=x", "typ=x"):
        answer = await client.get(f"/api/mails?{query}")
        assert answer.status_code == 400, query
        is_error(answer, 400, "VALIDATION_ERROR")


async def test_an_unknown_mail_is_not_found(client):
    for mail_id, code in ((str(NOBODY), "MAIL_NOT_FOUND"), ("abc123", "MAIL_NOT_FOUND"), ("%00", "NOT_FOUND")):
        is_error(await client.get(f"/api/mails/{mail_id}"), 404, code)
        is_error(await client.post(f"/api/mails/{mail_id}/resend"), 404, code)


@pytest.mark.req(288)
async def test_a_failed_mail_is_sent_again_and_one_that_was_sent_is_not(client, platform, add, log_lines):
    failed, sent = await add(outcome="failed"), await add(outcome="sent", video_id=UUID(int=2))
    answer = (await client.post(f"/api/mails/{failed}/resend")).json()
    assert (answer["status"], answer["last_error"]) == ("queued", "550 no such user")
    (received,) = await platform.bus.receive(NOTIFICATION_QUEUE, wait_s=0)
    assert json.loads(received.body) == {"mailId": str(failed)}
    error = is_error(await client.post(f"/api/mails/{sent}/resend"), 409, "CONFLICT")
    assert error["details"] == {"status": "sent"}
    (line,) = [line for line in log_lines() if line["event"] == "mails.resent"]
    assert (line["mail_id"], line["by"]) == (str(failed), f"operator {LOCAL_OWNER_ID}")


@pytest.mark.req(137)
async def test_sending_again_is_for_operators(client_with, auth_on, signed_in, add):
    client = await client_with(auth=auth_on)
    own = await add(outcome="failed", user_id=ANN)
    is_error(await client.post(f"/api/mails/{own}/resend"), 401, "UNAUTHORIZED")
    is_error(await client.post(f"/api/mails/{own}/resend", headers=signed_in(ANN)), 403, "FORBIDDEN")
