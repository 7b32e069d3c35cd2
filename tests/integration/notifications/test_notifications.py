"""From an event on the bus to one mail: bus → topic → queue → worker → template → channel."""

from uuid import UUID

import pytest

from support.mailing import LINK, OWNER, VIDEO, body, event
from support.waiting import until


@pytest.mark.req(284, 285, 287, 288, 304)
async def test_a_video_on_its_way_gives_two_mails_that_are_kept_without_any_mail_server(mailing):
    statuses = ("PROCESSING", "SPLITTING", "PRINTING", "COMPLETED")
    await mailing.put(*(event(status, move=4 + number) for number, status in enumerate(statuses)))
    async with mailing.working(mailing.worker()):
        await until(lambda: mailing.are("kept", "kept"))
    almost, done = sorted(await mailing.mails(), key=lambda one: one.move)
    assert (almost.template, almost.subject) == ("VideoQuaseFinalizado", "Quase lá: aula.mp4")
    assert (done.template, done.subject) == ("VideoConcluido", "Concluído: aula.mp4")
    assert LINK in done.text
    for one in (almost, done):
        assert (one.video_id, one.owner_id, one.recipient) == (VIDEO, OWNER, "ana@example.com")
        assert (one.channel, one.attempts, one.last_error, one.language) == ("sink", 1, None, "pt")
        assert (one.sent_at, one.provider_id) == (None, None)
    assert (mailing.counted("kept", channel="sink"), mailing.counted("sent", channel="sink")) == (1, 0)


@pytest.mark.req(285, 294, 297)
async def test_the_mail_of_a_finished_video_arrives_with_its_link(mailing, server):
    await mailing.put(event("COMPLETED"))
    async with mailing.working(mailing.smtp_worker(server)):
        await until(lambda: mailing.are("sent"))
    (arrived,) = server.received
    (kept,) = await mailing.mails()
    assert (server.recipients, arrived["To"]) == (["ana@example.com"], "ana@example.com")
    assert arrived["Subject"] == "Concluído: aula.mp4"
    assert LINK in body(arrived, "plain")
    assert f'href="{LINK}"' in body(arrived, "html")
    assert arrived["Message-ID"] == kept.provider_id == f"<{kept.id}@example.com>"
    assert (body(arrived, "plain"), body(arrived, "html")) == (kept.text, kept.html)


@pytest.mark.req(286, 287, 300)
async def test_the_mail_of_a_failed_video_tells_the_reason_in_english_if_asked(mailing, server):
    reason = "ocr is out of retries: no text model"
    await mailing.put(event("FAILED", error_reason=reason))
    async with mailing.working(mailing.smtp_worker(server, language="en")):
        await until(lambda: mailing.are("sent"))
    (arrived,) = server.received
    assert (arrived["Subject"], arrived["Content-Language"]) == ("Failed: aula.mp4", "en")
    assert f"Reason: {reason}" in body(arrived, "plain")


@pytest.mark.req(284, 285, 286, 288)
async def test_an_event_that_is_told_twice_is_mailed_once(mailing, server):
    events = [event(status) for status in ("PRINTING", "COMPLETED", "FAILED")]
    async with mailing.working(mailing.smtp_worker(server)):
        for _ in range(3):
            await mailing.put(*events)
            await until(lambda: mailing.are("sent", "sent", "sent"))
    assert len(server.received) == 3
    assert await mailing.dead() == []
    assert (mailing.counted("sent"), mailing.counted("repeated")) == (1, 2)


@pytest.mark.req(288)
async def test_a_repetition_that_meets_the_sending_waits_for_its_end(mailing, server):
    server.may_answer.clear()
    async with mailing.working(mailing.smtp_worker(server), mailing.smtp_worker(server)):
        await mailing.put(event("COMPLETED"))
        await until(lambda: len(server.received) == 1)
        await mailing.put(event("COMPLETED"))
        await until(mailing.is_put_off)
        server.may_answer.set()
        await until(lambda: _is_sent(mailing))
    await mailing.let_time_pass()
    async with mailing.working(mailing.smtp_worker(server)):
        await until(lambda: mailing.are("sent"))
    assert (len(server.received), await mailing.dead()) == (1, [])


@pytest.mark.req(286)
async def test_a_failed_video_sends_one_mail_falha_with_its_reason(mailing, server):
    async with mailing.working(mailing.smtp_worker(server)):
        for _ in range(3):  # a queue may deliver an event more than once
            await mailing.put(event("FAILED", error_reason="o áudio não pôde ser lido"))
            await until(lambda: mailing.are("sent"))
    await mailing.let_time_pass()
    (arrived,) = server.received
    assert arrived["Subject"] == "Falha: aula.mp4"
    assert "Motivo: o áudio não pôde ser lido\n" in body(arrived, "plain")
    assert "o áudio não pôde ser lido" in body(arrived, "html")


@pytest.mark.req(286)
async def test_each_failure_of_a_video_has_its_mail(mailing, server):
    async with mailing.working(mailing.smtp_worker(server)):
        for _ in range(2):
            await mailing.put(event("FAILED", move=5), event("FAILED", move=7))
            await until(lambda: mailing.are("sent", "sent"))
    assert len(server.received) == 2


@pytest.mark.req(288)
async def test_many_workers_and_repetitions_send_each_mail_once(mailing, server):
    videos = [event("COMPLETED", video_id=UUID(int=number)) for number in range(1, 21)]
    for _ in range(3):
        await mailing.put(*videos)
    async with mailing.working(*(mailing.smtp_worker(server, concurrency=5) for _ in range(3))):
        await until(lambda: _all_sent(mailing, 20))
    await mailing.let_time_pass()  # what met a mail being sent comes back after its lease
    async with mailing.working(mailing.smtp_worker(server)):
        await until(lambda: mailing.are(*["sent"] * 20))
    ids = [arrived["Message-ID"] for arrived in server.received]
    assert len(ids) == len(set(ids)) == 20
    assert await mailing.dead() == []


async def test_a_video_without_an_address_is_skipped_for_good(mailing, server):
    await mailing.put(event("COMPLETED", user_email=None), event("COMPLETED", user_email=None))
    async with mailing.working(mailing.smtp_worker(server)):
        await until(lambda: mailing.are("skipped"))
    (kept,) = await mailing.mails()
    assert (kept.recipient, kept.attempts, kept.last_error) == (None, 0, "the video has no e-mail address")
    assert (server.connections, await mailing.dead()) == (0, [])
    assert mailing.counted("skipped") == 1


async def test_text_of_strangers_arrives_harmless(mailing, server):
    name = "<script>x</script>\r\nBcc: all@example.com {{email}}"
    await mailing.put(event("FAILED", video_name=name, error_reason="<b>\r\n.\r\nMAIL FROM:<x@y>"))
    async with mailing.working(mailing.smtp_worker(server)):
        await until(lambda: mailing.are("sent"))
    (arrived,) = server.received
    assert (server.recipients, arrived["Bcc"]) == (["ana@example.com"], None)
    assert arrived["Subject"] == "Falha: <script>x</script> Bcc: all@example.com {{email}}"
    assert "<script" not in body(arrived, "html")
    assert "Motivo: <b> . MAIL FROM:<x@y>" in body(arrived, "plain")


async def test_the_log_channel_writes_a_line(mailing, log_lines):
    await mailing.put(event("COMPLETED"))
    async with mailing.working(mailing.worker(channel="log")):
        await until(lambda: mailing.are("sent"))
    (line,) = [line for line in log_lines() if line["event"] == "mail.written"]
    assert (line["recipient"], line["subject"]) == ("ana@example.com", "Concluído: aula.mp4")
    (sent,) = [line for line in log_lines() if line["event"] == "mail.sent"]
    assert (sent["video_id"], sent["channel"], sent["attempt"]) == (str(VIDEO), "log", 1)
    assert "recipient" not in sent


async def _is_sent(mailing) -> bool:
    return await mailing.statuses() == ["sent"]


async def _all_sent(mailing, number: int) -> bool:
    return await mailing.statuses() == ["sent"] * number
