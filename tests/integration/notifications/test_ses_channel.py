"""SES over HTTP: its templates made once and kept up to date, mails filled in by it, and its refusals."""

import json
from collections.abc import AsyncIterator
from itertools import product
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest
from pydantic import SecretStr

from sightline.errors import BackendUnavailable, PermanentFailure, Throttled
from sightline.notifications.mail.address import RecipientRejected
from sightline.notifications.mail.channel import open_mail_channel
from sightline.notifications.mail.rendering import LANGUAGES
from sightline.notifications.mail.ses_channel import TRIES, SesChannel
from sightline.notifications.mail.ses_client import open_ses
from sightline.notifications.mail.ses_templates import put_templates, ses_templates
from sightline.notifications.settings import NotificationsSettings
from sightline.timing import Backoff
from support import emulators
from support.gate import Gate
from support.mailing import LINK, event, mail
from support.waiting import until


class Ses:
    """SES as the emulator keeps it, behind a gate."""

    def __init__(self, endpoint: str, gate: Gate) -> None:
        self.endpoint = endpoint
        self.gate = gate

    @property
    def settings(self) -> NotificationsSettings:
        return NotificationsSettings(channel="ses", **self.options)

    @property
    def options(self) -> dict[str, Any]:
        return {
            "from_address": "Vídeos <videos@example.com>",
            "ses_endpoint": self.gate.endpoint,
            "ses_access_key_id": "test",
            "ses_secret_access_key": SecretStr("test"),
        }

    async def put_templates(self) -> dict[str, str]:
        async with open_ses(self.settings) as client:
            return dict(await put_templates(client))

    async def sent(self, address: str) -> list[dict[str, Any]]:
        async with httpx.AsyncClient(timeout=None) as client:
            answer = await client.get(f"{self.endpoint}/_ministack/ses/messages")
        accounts: dict[str, list[dict[str, Any]]] = answer.json()["messages"]
        return [one for found in accounts.values() for one in found if address in one["To"]]


@pytest.fixture
async def ses() -> AsyncIterator[Ses]:
    emulator = emulators.shared("ministack")
    gate = Gate(urlsplit(emulator.endpoint).port or 0)
    await gate.open()
    found = Ses(emulator.endpoint, gate)
    async with open_ses(found.settings) as client:
        # A page at a time: the first page may be fewer than there are.
        while listed := (await client.list_email_templates())["TemplatesMetadata"]:
            for one in listed:
                await client.delete_email_template(TemplateName=one["TemplateName"])
        if not (await client.list_email_identities())["EmailIdentities"]:
            await client.create_email_identity(EmailIdentity="example.com")
    yield found
    await gate.close()


@pytest.mark.req(289)
async def test_templates_are_made_once_and_mended_when_they_differ(ses):
    names = [one.name for one in ses_templates()]
    assert await ses.put_templates() == dict.fromkeys(names, "created")
    assert await ses.put_templates() == dict.fromkeys(names, "unchanged")
    async with open_ses(ses.settings) as client:
        other = {"Subject": "other", "Text": "other", "Html": "other"}
        await client.update_email_template(TemplateName="VideoFalhou", TemplateContent=other)
        assert await ses.put_templates() == dict.fromkeys(names, "unchanged") | {"VideoFalhou": "updated"}
        found = await client.get_email_template(TemplateName="VideoFalhou")
    assert found["TemplateContent"]["Subject"] == "Falha: {{videoName}}"


@pytest.mark.req(289)
async def test_ses_writes_the_same_mails_as_we_do(ses):
    await ses.put_templates()
    async with open_mail_channel(ses.settings) as channel:
        for status, language in product(("PRINTING", "COMPLETED", "FAILED"), LANGUAGES):
            one = mail(status, language=language, video_name="João & Ana 👩\u200d🏫.mp4", error_reason="a & b")
            address = f"{status}-{language}@example.com"
            provider_id = await channel.send(one, address)
            (sent,) = await ses.sent(address)
            assert sent["MessageId"] == provider_id
            assert sent["Source"] == "=?utf-8?q?V=C3=ADdeos?= <videos@example.com>"
            assert (sent["Subject"], sent["BodyText"]) == (one.subject, one.text)
            # The one difference: SES does not escape, and an ampersand needs it least.
            assert sent["BodyHtml"] == one.html.replace("&amp;", "&")


async def test_an_address_beyond_ascii_never_reaches_ses(ses):
    async with open_mail_channel(ses.settings) as channel:
        before = len(ses.gate.seen)
        with pytest.raises(RecipientRejected, match="ASCII"):
            await channel.send(mail(), "joão@example.com")
        assert len(ses.gate.seen) == before


async def test_a_sender_that_ses_does_not_know_is_refused_for_good(ses):
    await ses.put_templates()
    async with open_mail_channel(ses.settings.model_copy(update={"from_address": "v@other.example"})) as channel:
        with pytest.raises(PermanentFailure, match="not verified"):
            await channel.send(mail(), "ana@example.com")


async def test_no_tag_comes_out_of_a_name(ses):
    await ses.put_templates()
    one = mail("FAILED", video_name="<img src=x onerror=alert(1)>", error_reason="</p><script>x</script>")
    async with open_mail_channel(ses.settings) as channel:
        await channel.send(one, "tags@example.com")
    (sent,) = await ses.sent("tags@example.com")
    assert "<img" not in sent["BodyHtml"]
    assert "<script" not in sent["BodyHtml"]
    assert "‹img src=x onerror=alert(1)›" in sent["BodyHtml"]


@pytest.mark.req(285, 288, 289)
async def test_an_event_leaves_by_ses_once(mailing, ses):
    await ses.put_templates()
    once = event("COMPLETED", user_email="once@example.com")
    async with mailing.working(mailing.worker(channel="ses", **ses.options)):
        for _ in range(2):
            await mailing.put(once)
            await until(lambda: mailing.are("sent"))
    (sent,) = await ses.sent("once@example.com")
    (kept,) = await mailing.mails()
    assert (kept.channel, kept.provider_id) == ("ses", sent["MessageId"])
    assert (sent["Subject"], LINK in sent["BodyText"]) == ("Concluído: aula.mp4", True)


async def test_a_missing_template_waits_for_whoever_makes_it(mailing, ses):
    await mailing.put(event("COMPLETED", user_email="missing@example.com"))
    async with mailing.working(mailing.worker(channel="ses", **ses.options, retry_after_s=3600)):
        await until(mailing.is_put_off)
        assert "sightline aws mail-templates" in str((await mailing.mails())[0].last_error)
        await ses.put_templates()
        await mailing.let_time_pass()
        await until(lambda: mailing.are("sent"))
    assert len(await ses.sent("missing@example.com")) == 1


@pytest.mark.parametrize(
    ("status", "code", "kind"),
    [
        (400, "MessageRejected", PermanentFailure),
        (400, "SendingPausedException", BackendUnavailable),
        (503, "ServiceUnavailable", BackendUnavailable),
    ],
)
async def test_what_ses_answers_is_understood_and_asked_once(ses, status: int, code: str, kind: type[Exception]):
    ses.gate.decide = lambda head, body: (status, json.dumps({"__type": code, "message": "why"}).encode())
    async with open_mail_channel(ses.settings) as channel:
        with pytest.raises(kind, match=f"why .{code}"):
            await channel.send(mail(), "ana@example.com")
    assert len([head for head in ses.gate.seen if "outbound-emails" in head]) == 1


@pytest.mark.parametrize("turned_away", [2, 100])
async def test_ses_is_asked_again_when_it_was_asked_too_fast(ses, turned_away: int):
    asked = 0

    def decide(_head: str, _body: bytes) -> tuple[int, bytes]:
        nonlocal asked
        asked += 1
        if asked <= turned_away:
            return 429, b'{"__type": "TooManyRequestsException", "message": "slower"}'
        return 200, b'{"MessageId": "x"}'

    async with open_ses(ses.settings) as client:
        ses.gate.decide = decide
        channel = SesChannel(client, ses.settings, backoff=Backoff(first_s=0.01, max_s=0.01))
        if turned_away < TRIES:
            assert await channel.send(mail(), "ana@example.com") == "x"
        else:
            with pytest.raises(Throttled, match="slower"):
                await channel.send(mail(), "ana@example.com")
    assert asked == min(turned_away + 1, TRIES)


async def test_a_lost_answer_is_not_repeated_behind_our_back(ses):
    ses.gate.decide = lambda head, body: "drop" if "outbound-emails" in head else "pass"
    async with open_mail_channel(ses.settings) as channel:
        with pytest.raises(BackendUnavailable, match="SES does not respond"):
            await channel.send(mail(), "ana@example.com")
    assert len([head for head in ses.gate.seen if "outbound-emails" in head]) == 1


async def test_nobody_answers(ses):
    await ses.gate.close()
    async with open_mail_channel(ses.settings) as channel:
        with pytest.raises(BackendUnavailable, match="SES does not respond"):
            await channel.send(mail(), "ana@example.com")


async def test_the_request_names_the_mail_and_the_configuration_set(ses):
    bodies: list[dict[str, Any]] = []

    def keep(_head: str, body: bytes) -> tuple[int, bytes]:
        bodies.append(json.loads(body))
        return 200, b'{"MessageId": "x"}'

    ses.gate.decide = keep
    one = mail("FAILED", language="en")
    async with open_mail_channel(ses.settings.model_copy(update={"ses_configuration_set": "bounces"})) as channel:
        assert await channel.send(one, "ana@example.com") == "x"
    (said,) = bodies
    assert said["ConfigurationSetName"] == "bounces"
    assert said["Content"]["Template"]["TemplateName"] == "VideoFalhou_en"
    headers = {header["Name"]: header["Value"] for header in said["Content"]["Template"]["Headers"]}
    assert headers == {"X-Sightline-Mail": str(one.id), "Auto-Submitted": "auto-generated"}
