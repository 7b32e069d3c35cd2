"""The audit log: entries, their chain of hashes, and the one writer."""

from sightline.access.audit.audit_store import entries_after, find_entries
from sightline.access.audit.entry import AuditEntry, AuditEvent, ChainCheck, Outcome, storable
from sightline.access.audit.log import AuditLog, AuditUpkeep
from sightline.access.audit.pseudonyms import ERASED_PERSON, Pseudonym
from sightline.access.audit.settings import AuditSettings

__all__ = [
    "ERASED_PERSON",
    "AuditEntry",
    "AuditEvent",
    "AuditLog",
    "AuditSettings",
    "AuditUpkeep",
    "ChainCheck",
    "Outcome",
    "Pseudonym",
    "entries_after",
    "find_entries",
    "storable",
]
