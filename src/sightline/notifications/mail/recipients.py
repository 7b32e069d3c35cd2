"""The check of an email's recipient, as the mail sender needs it."""

from typing import Literal, Protocol
from uuid import UUID

from sightline.db import Transaction


class RecipientCheck(Protocol):
    async def is_allowed(self, tx: Transaction, owner_id: UUID | None, channel: Literal["email"], address: str) -> bool:
        """Whether emails of this owner may go to the address."""
