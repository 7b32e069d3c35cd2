"""Owner ids: the UUID that a person or a team of an identity provider has in every table (ADR 0037)."""

import re
import unicodedata
import uuid
from dataclasses import dataclass
from typing import Protocol

# Subjects that are not UUIDs become one, always the same, because owner_id is a UUID in every table.
_ID_SPACE = uuid.UUID("6f1c6f7e-6d0f-5a53-9d1b-3f6e8f2a4c10")
# Only ASCII digits: `uuid.UUID` also takes those of other scripts, underscores and hyphens anywhere, and so one person's id in
# many disguises.
_UUID = re.compile(
    r"(?:urn:uuid:)?(\{)?[0-9a-f]{8}(?:-(?:[0-9a-f]{4}-){3}|[0-9a-f]{12})[0-9a-f]{12}(?(1)\})",
    re.ASCII | re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Identity:
    """The caller in the words of the token's issuer; the issuer is empty if the token names none."""

    issuer: str
    subject: str
    teams: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Ids:
    person: uuid.UUID
    teams: tuple[uuid.UUID, ...] = ()


class OwnerIds(Protocol):
    async def of(self, identity: Identity) -> Ids:
        """The ids of the person and of the person's teams; two issuers never share one."""


def derived_ids(identity: Identity) -> Ids:
    """Ids by the rule alone, which suffices for one issuer."""
    return Ids(
        derived_id(identity.issuer, canonical(identity.subject)),
        tuple(derived_id(identity.issuer, canonical(team)) for team in identity.teams),
    )


def is_text(value: object) -> bool:
    """Whether a claim can name anyone: text that is not empty and that PostgreSQL can store."""
    if not isinstance(value, str) or not value or "\0" in value:
        return False
    return not any("\ud800" <= char <= "\udfff" for char in value)


def canonical(subject: str) -> str:
    """One form for all spellings of a subject: UUIDs in lower case with hyphens, other text in NFC."""
    if is_uuid(subject):
        return str(uuid.UUID(subject))
    return unicodedata.normalize("NFC", subject)


def is_uuid(subject: str) -> bool:
    return _UUID.fullmatch(subject) is not None


def derived_id(issuer: str, subject: str) -> uuid.UUID:
    """The id that a subject has unless another issuer's subject has it already: a UUID is its own."""
    return uuid.UUID(subject) if is_uuid(subject) else issued_id(issuer, subject)


def issued_id(issuer: str, subject: str) -> uuid.UUID:
    """The id of a subject that no subject of another issuer can have."""
    return uuid.uuid5(_ID_SPACE, f"{issuer}|{subject}")
