"""Addresses of people: pending until proven, and how often a proof may be asked for. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal
from uuid import UUID

from sightline.errors import PermanentFailure, Throttled
from sightline.notifications.mail.address import check_address

AddressChannel = Literal["email", "ntfy", "webhook"]
AddressState = Literal["pending", "confirmed", "not_needed"]
Proof = Literal["link", "code", "challenge", "operator", "identity provider", "stored before"]

LINK_VALID = timedelta(days=2)
CODE_VALID = timedelta(minutes=30)
MAX_CODE_TRIES = 5
SECRET_OVERLAP = timedelta(days=7)

# Limits count challenges of everybody to one address, so that many accounts cannot fill one mailbox.
MIN_PAUSE = timedelta(minutes=1)
MAX_PER_ADDRESS = ((timedelta(hours=1), 3), (timedelta(days=1), 6))
MAX_PER_OWNER = ((timedelta(hours=1), 10), (timedelta(days=1), 30))

# A webhook whose owner has made no secret yet: signed under a key of its own all the same, which is shown to nobody.
NO_SECRET_YET: tuple[bytes, ...] = (b"",)


class TooManyChallenges(Throttled):
    """The address, or the owner, had too many challenges lately."""


@dataclass(frozen=True, slots=True)
class OwnAddress:
    """An address as it is stored."""

    owner_id: UUID
    channel: AddressChannel
    address: str
    confirmed_at: datetime | None
    confirmed_by: Proof | None
    confirmed_until: datetime | None
    challenge: bytes | None
    challenge_expires_at: datetime | None
    challenge_tries: int
    secret_salt: bytes | None
    previous_salt: bytes | None
    previous_until: datetime | None
    created_at: datetime

    def is_confirmed(self, now: datetime) -> bool:
        return self.confirmed_at is not None and (self.confirmed_until is None or now < self.confirmed_until)

    def salts(self, now: datetime) -> tuple[bytes, ...]:
        """What the receiver's secrets are made of: the current one first, the one before while it is valid."""
        if self.secret_salt is None:
            return ()
        if self.previous_salt is None or self.previous_until is None or now >= self.previous_until:
            return (self.secret_salt,)
        return (self.secret_salt, self.previous_salt)


@dataclass(frozen=True, slots=True)
class SentChallenge:
    """A challenge of the last day that counts for an address, for an owner, or for both."""

    age: timedelta
    is_own: bool
    is_here: bool


def check_limits(sent: Sequence[SentChallenge]) -> None:
    """Raises `TooManyChallenges` with the time to wait."""
    here = sorted(one.age for one in sent if one.is_here)
    own = sorted(one.age for one in sent if one.is_own)
    waits = [MIN_PAUSE - here[0]] if here else []
    for ages, limits in ((here, MAX_PER_ADDRESS), (own, MAX_PER_OWNER)):
        for period, count in limits:
            if len(ages) >= count and ages[count - 1] < period:
                waits.append(period - ages[count - 1])
    wait = max(waits, default=timedelta())
    if wait > timedelta():
        raise TooManyChallenges(
            f"a confirmation was sent a short time ago; try again in {int(wait.total_seconds()) + 1} s",
            retry_after=wait,
        )


def canonical(channel: AddressChannel, address: str) -> str:
    """The form in which addresses are stored and compared; an invalid email address stays as it is and is never confirmed."""
    if channel != "email":
        return address
    try:
        return check_address(address)
    except PermanentFailure:
        return address
