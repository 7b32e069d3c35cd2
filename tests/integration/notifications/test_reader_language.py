"""Emails in the language of their reader: English unless the settings or the person say otherwise."""

from datetime import timedelta
from uuid import UUID

import asyncpg
import pytest

from sightline.db import migrate
from sightline.db.migrate import read_migrations
from sightline.errors import Conflict
from sightline.messages import Preferences, put_preferences
from sightline.notifications import NotificationsSettings, resend
from sightline.notifications.mail import store
from sightline.notifications.mail.rules import mail_for
from support.mailing import OWNER, body, event
from support.waiting import until

ANN, BEN, EVA, UWE = (UUID(int=number) for number in (31, 32, 33, 34))
EMPTY = "the file is empty"


@pytest.mark.req(287, 447)
def test_the_default_language_is_english():
    assert NotificationsSettings().language == "en"


@pytest.mark.req(286, 287, 447, 448, 1110)
async def test_each_reader_gets_frame_and_reason_in_their_own_language(mailing, server):
    async with mailing.database.transaction() as tx:
        await put_preferences(tx, ANN, Preferences(language="pt"))
        await put_preferences(tx, BEN, Preferences(language="en"))
        await put_preferences(tx, EVA, Preferences(language="es"))
        await put_preferences(tx, UWE, Preferences(language="de"))
    for number, owner in enumerate((ANN, BEN, OWNER, None, EVA, UWE), start=1):
        await mailing.put(
            event("FAILED", video_id=UUID(int=number), user_id=owner, user_email=f"r{number}@x.org", error_reason=EMPTY)
        )
    async with mailing.working(mailing.smtp_worker(server, language="en")):
        await until(lambda: mailing.are(*["sent"] * 6))
    arrived = {one["To"]: one for one in server.received}
    assert (arrived["r1@x.org"]["Subject"], arrived["r1@x.org"]["Content-Language"]) == ("Falha: aula.mp4", "pt")
    assert "Motivo: o arquivo está vazio\n" in body(arrived["r1@x.org"], "plain")
    assert "o arquivo está vazio" in body(arrived["r1@x.org"], "html")
    for number in (2, 3, 4):
        one = arrived[f"r{number}@x.org"]
        assert (one["Subject"], one["Content-Language"]) == ("Failed: aula.mp4", "en")
        assert f"Reason: {EMPTY}\n" in body(one, "plain")
    for number, language, subject, reason in (
        (5, "es", "Fallido: aula.mp4", "Motivo: el archivo está vacío\n"),
        (6, "de", "Fehlgeschlagen: aula.mp4", "Grund: die Datei ist leer\n"),
    ):
        one = arrived[f"r{number}@x.org"]
        assert (one["Subject"], one["Content-Language"]) == (subject, language)
        assert reason in body(one, "plain")


@pytest.mark.req(449)
async def test_a_kept_mail_is_sent_once_a_mail_server_is_set(mailing, server, log_lines):
    await mailing.put(event("COMPLETED"))
    async with mailing.working(mailing.worker()):
        await until(lambda: mailing.are("kept"))
    events = [line["event"] for line in log_lines()]
    assert ("mail.kept" in events, "mail.sent" in events) == (True, False)
    (kept,) = await mailing.mails()
    async with mailing.database.transaction() as tx:
        with pytest.raises(Conflict, match="kept here: no mail server is set"):
            await resend(tx, mailing.bus, kept.id, has_mail_server=False)
    async with mailing.database.transaction() as tx:
        await resend(tx, mailing.bus, kept.id, has_mail_server=True)
    async with mailing.working(mailing.smtp_worker(server)):
        await until(lambda: mailing.are("sent"))
    assert len(server.received) == 1


@pytest.mark.req(449)
async def test_no_kept_mail_can_be_given_a_time_of_sending(mailing):
    new = mail_for(event("COMPLETED"), "en")
    assert new is not None
    async with mailing.database.transaction() as tx:
        await store.record(tx, new)
        held = await store.claim(tx, new.id, channel="sink", lease=timedelta(hours=1))
        assert held is not None
        assert await store.mark_kept(tx, held)
    for change in ("sent_at = now()", "status = 'sent', sent_at = now()"):
        with pytest.raises(asyncpg.CheckViolationError):
            async with mailing.database.transaction() as tx:
                await tx.execute(f"UPDATE mails SET {change}")


@pytest.mark.req(449)
async def test_mails_that_an_earlier_version_called_sent_without_a_mail_server_are_kept_after_the_upgrade(
    empty_database,
):
    await migrate(empty_database.admin_url, [one for one in read_migrations() if one.name < "0031"])
    admin = await asyncpg.connect(empty_database.admin_url)
    try:
        for channel in ("sink", "smtp"):
            await admin.execute(
                "INSERT INTO mails (id, video_id, template, move, language, recipient, subject, body_text, body_html, variables,"
                " status, channel, provider_id, sent_at) VALUES (gen_random_uuid(), gen_random_uuid(), 'VideoConcluido', 6, 'pt',"
                " 'a@example.com', 's', 't', 'h', '{}', 'sent', $1, 'x', now())",
                channel,
            )
        await migrate(empty_database.admin_url)
        rows = await admin.fetch("SELECT channel, status::text, sent_at IS NULL AS unsent, provider_id FROM mails")
    finally:
        await admin.close()
    assert sorted(tuple(row) for row in rows) == [("sink", "kept", True, None), ("smtp", "sent", False, "x")]
