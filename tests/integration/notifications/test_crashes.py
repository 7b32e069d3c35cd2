"""Stopped and killed half-way: no mail is lost, and one that is marked as sent is not sent again."""

import asyncio
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from sightline.bus import NOTIFICATION_QUEUE, Delivery
from sightline.notifications.mail.mail import Mail
from sightline.notifications.mail.recipients import FixedLanguage
from sightline.notifications.mail.sender import MailSender
from support import mail_process
from support.mailing import MailServer, event
from support.waiting import soon, until

IN_PORTUGUESE = FixedLanguage("pt")


@asynccontextmanager
async def _process(url: str, server: MailServer) -> AsyncIterator[asyncio.subprocess.Process]:
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, mail_process.__file__, url, str(server.port)),
        cwd=Path(mail_process.__file__).parent,
        stderr=asyncio.subprocess.DEVNULL,
    )
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


@pytest.mark.req(288, 302)
async def test_a_worker_that_is_stopped_while_sending_lets_go_and_the_next_one_sends(mailing, server):
    hanging, may_go_on = asyncio.Event(), asyncio.Event()

    async def hang(*_arguments) -> str:
        hanging.set()
        await may_go_on.wait()
        return "451 too late"

    taking, server.handle_MAIL = server.handle_MAIL, hang
    await mailing.put(event("COMPLETED"))
    async with mailing.working(mailing.smtp_worker(server)):
        await soon(hanging.wait())
        assert await mailing.statuses() == ["sending"]
    (kept,) = await mailing.mails()
    assert (kept.status, kept.last_error) == ("queued", "interrupted")
    may_go_on.set()
    server.handle_MAIL = taking
    async with mailing.working(mailing.smtp_worker(server)):
        await until(lambda: mailing.are("sent"))
    assert len(server.received) == 1


@pytest.mark.req(288, 302, 303)
async def test_a_worker_killed_before_the_server_took_the_mail_is_replaced_by_another(mailing, server):
    hanging = asyncio.Event()
    taking = server.handle_RCPT

    async def hang(*_arguments) -> str:
        hanging.set()
        await asyncio.Event().wait()
        return ""

    server.handle_RCPT = hang
    await mailing.put(event("COMPLETED"))
    async with _process(mailing.url, server) as process:
        await soon(hanging.wait())
        process.kill()
    server.handle_RCPT = taking
    assert (await mailing.statuses(), server.received) == (["sending"], [])
    await mailing.let_time_pass()
    async with mailing.working(mailing.smtp_worker(server)):
        await until(lambda: mailing.are("sent"))
    (kept,) = await mailing.mails()
    assert (kept.attempts, len(server.received)) == (2, 1)


@pytest.mark.req(288)
async def test_a_worker_killed_after_the_server_took_the_mail_repeats_it_under_the_same_id(mailing, server):
    """The one window in which a mail can go out twice; the receiving side can tell."""
    server.may_answer.clear()
    await mailing.put(event("COMPLETED"))
    async with _process(mailing.url, server) as process:
        await until(lambda: len(server.received) == 1)
        process.kill()
    server.may_answer.set()
    await mailing.let_time_pass()
    async with mailing.working(mailing.smtp_worker(server)):
        await until(lambda: mailing.are("sent"))
    first, second = server.received
    assert first["Message-ID"] == second["Message-ID"]
    assert first.as_bytes() == second.as_bytes()


@pytest.mark.req(288)
async def test_an_answer_that_gets_lost_repeats_the_mail_under_the_same_id(mailing, server):
    server.drops_after_taking = True
    await mailing.put(event("COMPLETED"))
    async with mailing.working(mailing.smtp_worker(server, retry_after_s=3600)):
        await until(mailing.is_put_off)
        server.drops_after_taking = False
        await mailing.let_time_pass()
        await until(lambda: mailing.are("sent"))
    assert len(server.received) == 2
    assert len({one["Message-ID"] for one in server.received}) == 1


@pytest.mark.req(288, 302)
async def test_a_mail_that_is_marked_as_sent_but_not_acknowledged_is_not_sent_again(mailing):
    channel = _Counting()
    sender = MailSender(
        database=mailing.database, channel=channel, languages=IN_PORTUGUESE, send_timeout_s=600, max_receives=3
    )
    await mailing.put(event("COMPLETED"))
    for _ in range(2):  # received, done, and the acknowledgement lost
        (received,) = await mailing.bus.receive(NOTIFICATION_QUEUE, wait_s=20)
        await sender.handle(Delivery(received, mailing.bus, mailing.database))
        await mailing.let_time_pass()
    assert (channel.sent, await mailing.statuses()) == (1, ["sent"])


@pytest.mark.req(288)
async def test_a_stop_in_the_moment_of_marking_still_marks(mailing):
    channel = _Counting()
    sender = MailSender(
        database=mailing.database, channel=channel, languages=IN_PORTUGUESE, send_timeout_s=600, max_receives=3
    )
    await mailing.put(event("COMPLETED"))
    (received,) = await mailing.bus.receive(NOTIFICATION_QUEUE, wait_s=20)
    task = asyncio.create_task(sender.handle(Delivery(received, mailing.bus, mailing.database)))
    channel.on_sent = lambda: asyncio.get_running_loop().call_soon(task.cancel)
    with pytest.raises(asyncio.CancelledError):
        await task
    assert await mailing.statuses() == ["sent"]


@pytest.mark.req(288)
async def test_a_sender_that_was_given_up_and_lives_marks_nothing(mailing):
    """Another has the mail by then, and its outcome counts."""
    first, second = _Counting(), _Counting()
    first.may_end.clear()
    await mailing.put(event("COMPLETED"))

    async def handle(channel: "_Counting") -> None:
        (received,) = await mailing.bus.receive(NOTIFICATION_QUEUE, wait_s=20)
        sender = MailSender(
            database=mailing.database,
            channel=channel,
            languages=IN_PORTUGUESE,
            send_timeout_s=600,
            max_receives=3,
        )
        await sender.handle(Delivery(received, mailing.bus, mailing.database))

    slow = asyncio.create_task(handle(first))
    await until(lambda: first.sent == 1)
    await mailing.let_time_pass()
    await handle(second)
    first.may_end.set()
    await slow
    (kept,) = await mailing.mails()
    assert (kept.status, kept.attempts, kept.provider_id) == ("sent", 2, f"{id(second)}")


class _Counting:
    """A channel that counts, and can be held up after it has sent."""

    name = "counting"
    is_sink = False

    def __init__(self) -> None:
        self.sent = 0
        self.may_end = asyncio.Event()
        self.may_end.set()
        self.on_sent: Callable[[], object] = lambda: None

    async def send(self, mail: Mail, address: str) -> str:
        self.sent += 1
        await self.may_end.wait()
        self.on_sent()
        return f"{id(self)}"
