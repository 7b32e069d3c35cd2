"""What the mail sender has to know about a recipient: whether emails may go there, and in which language."""

from typing import Literal, Protocol
from uuid import UUID

from sightline.db import Transaction
from sightline.notifications.mail.mail import Language


class RecipientCheck(Protocol):
    async def is_allowed(self, tx: Transaction, owner_id: UUID | None, channel: Literal["email"], address: str) -> bool:
        """Whether emails of this owner may go to the address."""


class ReaderLanguage(Protocol):
    async def of(self, tx: Transaction, owner_id: UUID | None) -> Language:
        """The language that this person chose; the default of the settings otherwise."""


class FixedLanguage:
    """The language of the settings for everybody, where no preferences are kept."""

    def __init__(self, language: Language) -> None:
        self._language = language

    async def of(self, _tx: Transaction, _owner_id: UUID | None) -> Language:
        return self._language
