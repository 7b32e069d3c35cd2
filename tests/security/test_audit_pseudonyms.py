"""The audit log without a person: the chain stays whole, and a change that nobody listed is still found."""

from uuid import UUID

import asyncpg
import pytest

from sightline.access import AuditEntry, AuditEvent, Pseudonym, entries_after

ANN, BEN, SOMEBODY = UUID(int=11), UUID(int=12), UUID(int=99)
PSEUDONYM = Pseudonym(ANN, {str(ANN), "ann@example.com"}, SOMEBODY)


@pytest.fixture
async def recorded(platform):
    """Ten entries, every second of them Ann's, and one of an operator about her."""
    for number in range(10):
        actor, email = (ANN, "ann@example.com") if number % 2 else (BEN, "ben@example.com")
        event = AuditEvent(
            "video.deleted", via="session", actor_id=actor, actor=email, details={"address": f"192.0.2.{number}"}
        )
        await platform.audit.record(event)
    about = AuditEvent("person.exported", via="token", actor_id=BEN, actor="ben@example.com", target=f"person {ANN}")
    await platform.audit.record(about)
    return platform


async def entries(platform) -> list[AuditEntry]:
    async with platform.database.transaction() as tx:
        return await entries_after(tx, 0, limit=1000)


@pytest.mark.req(1056)
async def test_a_person_is_taken_out_of_the_log_and_the_chain_stays_whole(recorded):
    before = await entries(recorded)
    head = (before[-1].number, before[-1].hash.hex())
    assert await recorded.audit.pseudonymize(PSEUDONYM) == 6
    after = await entries(recorded)
    text = str([entry.to_json() for entry in after])
    assert str(ANN) not in text
    assert "ann@example.com" not in text
    assert "192.0.2.1'" not in text, "where the person was"
    assert "192.0.2.2'" in text, "where others were"
    assert [entry.event.actor_id for entry in after[:4]] == [BEN, SOMEBODY, BEN, SOMEBODY]
    assert after[10].event.target == f"person {SOMEBODY}"
    assert [entry.hash for entry in after[:11]] == [entry.hash for entry in before]
    assert (await recorded.audit.verify(head=head)).problem is None
    assert await recorded.audit.pseudonymize(PSEUDONYM) == 0


@pytest.mark.req(1056)
async def test_two_people_who_are_in_one_entry_are_taken_out_one_after_the_other(recorded):
    await recorded.audit.pseudonymize(PSEUDONYM)
    await recorded.audit.pseudonymize(Pseudonym(BEN, {"ben@example.com"}, UUID(int=98)))
    assert (await recorded.audit.verify()).problem is None
    assert AuditEntry.from_json((await entries(recorded))[10].to_json()).is_pseudonymized


@pytest.mark.req(1056)
async def test_a_change_that_no_entry_lists_is_found(recorded, fresh_database):
    await recorded.audit.pseudonymize(PSEUDONYM)
    forged = (await entries(recorded))[0]
    admin = await asyncpg.connect(fresh_database.admin_url)
    await admin.execute(
        "SELECT sightline.pseudonymize_audit_log(ARRAY[1]::bigint[], ARRAY[$1]::uuid[], ARRAY['eve'], ARRAY[NULL]::text[],"
        " ARRAY['{}'::jsonb], ARRAY[$2]::bytea[])",
        ANN,
        forged.hash,
    )
    found = (await recorded.audit.verify()).problem
    assert found is not None
    assert "entry 1 was changed" in found
    changed = (await entries(recorded))[0]
    await admin.execute(
        "SELECT sightline.pseudonymize_audit_log(ARRAY[1]::bigint[], ARRAY[$1]::uuid[], ARRAY['eve'], ARRAY[NULL]::text[],"
        " ARRAY['{}'::jsonb], ARRAY[$2]::bytea[])",
        ANN,
        changed.expected_hash(),
    )
    assert (await recorded.audit.verify()).problem == "entry 1 was changed: no later entry lists its new content"
    await admin.close()


@pytest.mark.req(1056)
async def test_nothing_but_the_person_can_be_replaced_and_nobody_else_may_do_it(recorded, fresh_database):
    admin = await asyncpg.connect(fresh_database.admin_url)
    await admin.execute("SELECT set_config('sightline.audit_pseudonyms', 'on', false)")
    for change in ("action = 'nothing'", "at = now()", "hash = previous_hash", "outcome = 'failed'", "via = 'x'"):
        with pytest.raises(asyncpg.InsufficientPrivilegeError):
            await admin.execute(f"UPDATE audit_log SET {change}, replaced_hash = hash WHERE number = 1")
    await admin.execute("SET ROLE sightline_user")
    with pytest.raises(asyncpg.InsufficientPrivilegeError):
        await admin.execute("SELECT sightline.pseudonymize_audit_log(ARRAY[1]::bigint[], NULL, NULL, NULL, NULL, NULL)")
    await admin.close()
