"""Entries of the audit log without a person, whose hashes the chain goes on protecting (ADR 0107). Pure."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from sightline.access.audit.entry import PSEUDONYMIZED, AuditEntry, AuditEvent

ERASED_PERSON = "erased person"


@dataclass(frozen=True, slots=True)
class Pseudonym:
    """Who is taken out of the log, and the id that stands for them from then on: it links their entries and leads nowhere else."""

    person: UUID
    names: Collection[str]
    id: UUID


def without_person(entry: AuditEntry, pseudonym: Pseudonym) -> AuditEntry:
    """What was done, when and how stays; who it was, and from which address, goes."""
    event = entry.event
    is_actor = event.actor_id == pseudonym.person or event.actor in pseudonym.names
    details = {
        name: value.replace(str(pseudonym.person), str(pseudonym.id)) if isinstance(value, str) else value
        for name, value in event.details.items()
        if not (is_actor and name == "address")
    }
    changed = replace(
        event,
        actor_id=pseudonym.id if is_actor else event.actor_id,
        actor=ERASED_PERSON if is_actor else event.actor,
        target=None if event.target is None else event.target.replace(str(pseudonym.person), str(pseudonym.id)),
        details=details,
    )
    pseudonymized = replace(entry, event=changed)
    return replace(pseudonymized, replaced_hash=pseudonymized.expected_hash())


def listing(entries: Sequence[AuditEntry]) -> AuditEvent:
    """What makes the new content part of the chain: the hash of each entry, by its number."""
    hashes = {str(entry.number): (entry.replaced_hash or b"").hex() for entry in entries}
    return AuditEvent(PSEUDONYMIZED, via="platform", details=hashes)
