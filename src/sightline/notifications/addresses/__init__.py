"""Addresses of people: what is proven, how it is proven, and how often a proof may be asked for."""

from sightline.notifications.addresses.address import (
    LINK_VALID,
    NO_SECRET_YET,
    AddressChannel,
    AddressState,
    OwnAddress,
    Proof,
    TooManyChallenges,
)
from sightline.notifications.addresses.book import AddressBook, Recipient

__all__ = [
    "LINK_VALID",
    "NO_SECRET_YET",
    "AddressBook",
    "AddressChannel",
    "AddressState",
    "OwnAddress",
    "Proof",
    "Recipient",
    "TooManyChallenges",
]
