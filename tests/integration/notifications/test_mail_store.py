"""The record of mails: guarded moves, who sees what, and how long it is kept."""

from datetime import timedelta
from uuid import UUID

import asyncpg
import pytest

from sightline.contracts import Caller
from sightline.notifications import MailRetention, list_mails
from sightline.notifications.mail import store
from sightline.notifications.mail.mail import NewMail
from sightline.notifications.mail.rules import mail_for
from support.mailing import OWNER, event

LEASE = timedelta(seconds=60)
BEN, TEAM = UUID(int=12), UUID(int=77)


def _new(status: str = "COMPLETED", **changes) -> NewMail:
    found = mail_for(event(status, **changes), "pt")
    assert found is not None
    return found


async def _record(database, *mails: NewMail) -> None:
    async with database.transaction() as tx:
        for one in mails:
            assert await store.record(tx, one)


async def _set(database, status: str, **columns: str) -> None:
    """As somebody would by hand."""
    changes = "".join(f", {name} = {value}" for name, value in columns.items())
    async with database.transaction() as tx:
        await tx.execute(f"UPDATE mails SET status = '{status}'{changes}")


@pytest.mark.req(288)
async def test_a_move_has_its_mail_once_whatever_it_says(database):
    await _record(database, _new())
    async with database.transaction() as tx:
        assert not await store.record(tx, _new())
        assert not await store.record(tx, _new(video_name="renamed", user_email="ben@example.com"))
        (kept,) = await list_mails(tx)
    assert (kept.recipient, kept.subject) == ("ana@example.com", "Concluído: aula.mp4")


async def test_a_mail_is_in_one_hand_at_a_time(database):
    new = _new()
    await _record(database, new)
    async with database.transaction() as tx:
        held = await store.claim(tx, new.id, channel="smtp", lease=LEASE)
        assert held is not None
        assert (held.status, held.attempts, held.channel) == ("sending", 1, "smtp")
        assert await store.claim(tx, new.id, channel="smtp", lease=LEASE) is None
        standing = await store.state_of(tx, new.id)
        assert (standing.status, standing.lease_left) == ("sending", LEASE)
    await _set(database, "sending", lease_until="now() - interval '1 s'")
    async with database.transaction() as tx:
        successor = await store.claim(tx, new.id, channel="ses", lease=LEASE)
        assert successor is not None
        assert not await store.mark_sent(tx, held, "late")
        assert not await store.release(tx, held, error="late", is_final=True)
        assert await store.mark_sent(tx, successor, "in time")
        (kept,) = await list_mails(tx)
    assert (kept.status, kept.provider_id, kept.attempts) == ("sent", "in time", 2)


@pytest.mark.req(288)
async def test_a_mail_that_was_sent_stays_sent(database):
    new = _new()
    await _record(database, new)
    async with database.transaction() as tx:
        held = await store.claim(tx, new.id, channel="smtp", lease=LEASE)
        assert held is not None
        await store.mark_sent(tx, held, "x")
        assert await store.claim(tx, new.id, channel="smtp", lease=LEASE) is None
        assert not await store.requeue(tx, new.id)
    for status in ("queued", "sending", "failed", "sent"):
        with pytest.raises(asyncpg.CheckViolationError, match="cannot go from sent"):
            await _set(database, status, sent_at="NULL")


async def test_a_mail_that_waits_is_not_sent_without_being_taken_in_hand(database):
    await _record(database, _new())
    for status in ("sent", "failed", "skipped"):
        with pytest.raises(asyncpg.CheckViolationError, match="cannot go from queued"):
            await _set(database, status)


async def test_a_skipped_mail_is_never_sent(database):
    new = _new(user_email=None)
    await _record(database, new)
    async with database.transaction() as tx:
        assert await store.claim(tx, new.id, channel="smtp", lease=LEASE) is None
        assert (await store.state_of(tx, new.id)).status == "skipped"
    with pytest.raises(asyncpg.CheckViolationError):
        await _set(database, "queued")


@pytest.mark.req(136)
async def test_people_see_their_own_mails_and_not_their_teams(database):
    await _record(database, _new(), _new(video_id=UUID(int=5), user_id=BEN), _new(video_id=UUID(int=6), user_id=None))
    for who, expected in ((OWNER, [OWNER]), (BEN, [BEN]), (UUID(int=13), [])):
        async with database.as_caller(Caller(who, team_ids=(TEAM,)).claims()) as tx:
            assert [one.owner_id for one in await list_mails(tx)] == expected
    async with database.transaction() as tx:
        assert len(await list_mails(tx)) == 3


@pytest.mark.req(136)
@pytest.mark.parametrize("statement", ["UPDATE mails SET subject = 'x'", "DELETE FROM mails"])
async def test_people_change_nothing(database, statement: str):
    await _record(database, _new())
    with pytest.raises(asyncpg.InsufficientPrivilegeError):
        async with database.as_caller(Caller(OWNER).claims()) as tx:
            await tx.execute(statement)


async def test_old_mails_are_removed_in_batches_unless_they_are_in_hand(database, fresh_database):
    await _record(database, *(_new(video_id=UUID(int=number)) for number in range(1, 8)))
    held = _new(video_id=UUID(int=7))
    async with database.transaction() as tx:
        await store.claim(tx, held.id, channel="smtp", lease=LEASE)
    admin = await asyncpg.connect(fresh_database.admin_url)
    await admin.execute("ALTER TABLE mails DISABLE TRIGGER guard_moves")
    await admin.execute("UPDATE mails SET created_at = now() - interval '91 days' WHERE video_id <> $1", UUID(int=1))
    await admin.close()
    retention = MailRetention(database, keep=timedelta(days=90))
    assert await retention.sweep(batch=2) == 5
    async with database.transaction() as tx:
        assert {one.video_id for one in await list_mails(tx)} == {UUID(int=1), UUID(int=7)}
    assert await retention.sweep(batch=2) == 0
