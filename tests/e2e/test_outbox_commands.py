"""`sightline outbox` and `sightline aws mail-templates`, with the worker of a platform that runs."""

import asyncio
import json
from functools import partial
from pathlib import Path

import pytest

from sightline.bootstrap import Platform, open_platform
from sightline.bus import BusEvent
from sightline.config import Settings
from sightline.contracts.video_events import STATUS_CHANGED, VIDEO_SOURCE, VideoStatusChanged
from sightline.notifications import list_mails
from sightline.notifications.mail.rules import mail_for
from support.mailing import event
from support.platform_process import ask, up
from support.waiting import until

_run = partial(ask, COLUMNS="200")


async def _put(platform: Platform, *events: VideoStatusChanged) -> None:
    async with platform.database.transaction() as tx:
        await platform.bus.put_events(tx, *(BusEvent(VIDEO_SOURCE, STATUS_CHANGED, one.to_detail()) for one in events))


async def _are_kept(platform: Platform, number: int) -> bool:
    async with platform.database.transaction() as tx:
        return [mail.status for mail in await list_mails(tx)] == ["kept"] * number


@pytest.mark.req(284, 285, 288, 304)
async def test_a_platform_without_a_mail_server_keeps_its_mails_for_people_to_look_at(
    clean_environment, tmp_path: Path
):
    state = tmp_path / "state"
    where = ("--state-dir", str(state))
    done = event("COMPLETED", move=6)
    async with (
        up(state, SIGHTLINE_NOTIFICATIONS_LANGUAGE="pt"),
        open_platform(Settings(state_dir=state)) as platform,
    ):
        await _put(platform, event("PRINTING", move=5), done, done)
        await until(lambda: _are_kept(platform, 2))
        wanted = mail_for(done, "pt")
        assert wanted is not None
        listed, as_json, shown, as_html, again = await asyncio.gather(
            _run("outbox", *where),
            _run("outbox", "--template", "VideoConcluido", "--json", *where),
            _run("outbox", "show", str(wanted.id), *where),
            _run("outbox", "show", str(wanted.id), "--html", *where),
            _run("outbox", "resend", str(wanted.id), *where),
        )
    assert [one[0] for one in (listed, as_json, shown, as_html, again)] == [0, 0, 0, 0, 1]
    for part in (
        str(wanted.id),
        "ana@example.com",
        "Quase lá: aula.mp4",
        "Concluído: aula.mp4",
        "kept here: no mail server set",
    ):
        assert part in listed[1]
    (answer,) = json.loads(as_json[1])["mails"]
    assert (answer["mail_id"], answer["status"], answer["channel"]) == (str(wanted.id), "kept", "sink")
    assert wanted.text in shown[1]
    assert wanted.html in as_html[1]
    assert "sent" not in listed[1].replace("resent", "")
    expected = f"mail {wanted.id} is kept here: no mail server is set (SIGHTLINE_NOTIFICATIONS_CHANNEL)"
    assert again[2] == f"sightline: {expected}\n"


@pytest.mark.req(289)
async def test_the_templates_of_ses_are_printed_without_any_account(clean_environment):
    code, out, err = await _run("aws", "mail-templates", "--print")
    assert code == 0, err
    found = {one["TemplateName"]: one["TemplateContent"] for one in json.loads(out)}
    assert set(found["VideoConcluido"]) == {"Subject", "Text", "Html"}
    assert "{{downloadUrl}}" in found["VideoConcluido_en"]["Html"]


async def test_an_account_that_does_not_answer_is_reported_in_a_line(clean_environment):
    code, out, err = await _run(
        "aws",
        "mail-templates",
        SIGHTLINE_NOTIFICATIONS_SES_ENDPOINT="http://127.0.0.1:9",
        SIGHTLINE_NOTIFICATIONS_SES_ACCESS_KEY_ID="x",
        SIGHTLINE_NOTIFICATIONS_SES_SECRET_ACCESS_KEY="x",
    )
    assert (code, out) == (1, "")
    assert err.startswith("sightline: SES does not respond")
    assert err.count("\n") == 1
