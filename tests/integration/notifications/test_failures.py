"""Mails that do not get through: tried again, given up with the reason kept, and sent after all once somebody mended it."""

import asyncio

import pytest

from sightline.errors import Conflict, NotFound
from sightline.notifications import resend
from support.mailing import event
from support.waiting import until


@pytest.mark.req(288)
async def test_a_mail_server_that_is_down_is_tried_again(mailing, server):
    await server.close()
    await mailing.put(event("COMPLETED"))
    async with mailing.working(mailing.smtp_worker(server, retry_after_s=3600)):
        await until(mailing.is_put_off)
        (kept,) = await mailing.mails()
        assert kept.status == "queued"
        assert "BackendUnavailable: the mail server 127.0.0.1" in str(kept.last_error)
        await server.open()
        await mailing.let_time_pass()
        await until(lambda: mailing.are("sent"))
    (kept,) = await mailing.mails()
    assert (kept.attempts > 1, kept.last_error, len(server.received)) == (True, None, 1)
    assert mailing.counted("retry") == kept.attempts - 1


@pytest.mark.req(288)
async def test_what_keeps_failing_is_given_up_with_the_reason_and_sent_when_it_is_redriven(mailing, server):
    server.answers["RCPT"] = "451 4.7.1 try later"
    await mailing.put(event("FAILED"))
    async with mailing.working(mailing.smtp_worker(server)):
        await until(lambda: _is_dead(mailing))
        (kept,) = await mailing.mails()
        assert (kept.status, kept.attempts) == ("failed", 3)
        assert "451 4.7.1 try later" in str(kept.last_error)
        assert "451 4.7.1 try later" in str((await mailing.dead())[0])
        server.answers.clear()
        await mailing.redrive()
        await until(lambda: mailing.are("sent"))
    (kept,) = await mailing.mails()
    assert (kept.attempts, kept.last_error, len(server.received)) == (4, None, 1)
    assert await mailing.dead() == []
    outcomes = {one: mailing.counted(one, template="VideoFalhou") for one in ("retry", "failed", "sent")}
    assert outcomes == {"retry": 2, "failed": 1, "sent": 1}


@pytest.mark.req(288)
@pytest.mark.parametrize(
    ("command", "answer"), [("RCPT", "550 5.1.1 no such user"), ("DATA", "554 5.7.1 this is spam")]
)
async def test_a_final_no_is_given_up_at_once(mailing, server, command: str, answer: str):
    server.answers[command] = answer
    await mailing.put(event("COMPLETED"))
    async with mailing.working(mailing.smtp_worker(server)):
        await until(lambda: _is_dead(mailing))
    (kept,) = await mailing.mails()
    assert (kept.status, kept.attempts) == ("failed", 1)
    assert answer in str(kept.last_error)
    assert "RecipientRejected" in str((await mailing.dead())[0])


async def test_what_is_no_address_never_reaches_a_server(mailing, server):
    await mailing.put(event("COMPLETED", user_email="ana@example.com\r\nBcc: all@example.com"))
    async with mailing.working(mailing.smtp_worker(server)):
        await until(lambda: _is_dead(mailing))
    (kept,) = await mailing.mails()
    assert (kept.status, server.connections) == ("failed", 0)
    assert "is not an e-mail address" in str(kept.last_error)


async def test_an_event_that_cannot_be_a_mail_is_a_dead_letter(mailing, server):
    await mailing.put(event("COMPLETED", download_url="javascript:alert(1)"))
    async with mailing.working(mailing.smtp_worker(server)):
        await until(lambda: _is_dead(mailing))
    assert "downloadUrl" in str((await mailing.dead())[0])
    assert await mailing.mails() == []


async def test_a_server_that_hangs_is_given_up_in_time(mailing, server):
    server.may_answer.clear()
    await mailing.put(event("COMPLETED"))
    async with mailing.working(mailing.smtp_worker(server, send_timeout_s=0.2, retry_after_s=3600)):
        await until(mailing.is_put_off)
    (kept,) = await mailing.mails()
    assert "BackendUnavailable" in str(kept.last_error)
    assert kept.status == "queued"


@pytest.mark.req(288)
async def test_a_failed_mail_can_be_resent_and_its_dead_letter_then_sends_nothing(mailing, server):
    server.answers["RCPT"] = "550 no such user"
    await mailing.put(event("COMPLETED"))
    async with mailing.working(mailing.smtp_worker(server)):
        await until(lambda: _is_dead(mailing))
        (kept,) = await mailing.mails()
        server.answers.clear()
        async with mailing.database.transaction() as tx:
            assert (await resend(tx, mailing.bus, kept.id, has_mail_server=True)).status == "queued"
        await until(lambda: mailing.are("sent"))
        await mailing.redrive()
        await until(lambda: mailing.are("sent"))
        async with mailing.database.transaction() as tx:
            with pytest.raises(Conflict, match="is sent; only failed, kept and waiting emails can be resent"):
                await resend(tx, mailing.bus, kept.id, has_mail_server=True)
    assert len(server.received) == 1
    assert await mailing.dead() == []


async def test_a_mail_that_waits_for_its_next_try_can_be_tried_at_once(mailing, server):
    server.answers["RCPT"] = "451 later"
    await mailing.put(event("COMPLETED"))
    async with mailing.working(mailing.smtp_worker(server, retry_after_s=3600)):
        await until(mailing.is_put_off)
        (kept,) = await mailing.mails()
        assert kept.status == "queued"
        server.answers.clear()
        async with mailing.database.transaction() as tx:
            await resend(tx, mailing.bus, kept.id, has_mail_server=True)
        await until(lambda: _is_sent(mailing))
    await mailing.let_time_pass()
    async with mailing.working(mailing.smtp_worker(server)):
        await until(lambda: mailing.are("sent"))
    assert len(server.received) == 1


async def test_a_mail_that_never_was_cannot_be_resent(mailing):
    async with mailing.database.transaction() as tx:
        with pytest.raises(NotFound, match="no mail"):
            await resend(tx, mailing.bus, event().video_id, has_mail_server=True)


async def test_a_resend_that_is_rolled_back_did_not_happen(mailing, server):
    server.answers["RCPT"] = "550 no such user"
    await mailing.put(event("COMPLETED"))
    async with mailing.working(mailing.smtp_worker(server)):
        await until(lambda: _is_dead(mailing))
    (kept,) = await mailing.mails()
    with pytest.raises(asyncio.InvalidStateError):
        async with mailing.database.transaction() as tx:
            await resend(tx, mailing.bus, kept.id, has_mail_server=True)
            raise asyncio.InvalidStateError
    assert (await mailing.statuses(), await mailing.waiting()) == (["failed"], 0)


async def _is_dead(mailing) -> bool:
    return len(await mailing.dead()) == 1 and await mailing.waiting() == 0


async def _is_sent(mailing) -> bool:
    return await mailing.statuses() == ["sent"]
