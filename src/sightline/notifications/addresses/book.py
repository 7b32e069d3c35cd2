"""The address book: which addresses of people are proven, and the proofs themselves.

Notifications of a person go to proven addresses only. Operators may send anywhere, and what stays on the machine needs no proof.
"""

import hmac
import secrets
import time
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

import structlog

from sightline.db import Database, Grouped, Transaction
from sightline.errors import Conflict, InvalidInput, NotFound
from sightline.notifications.addresses import store
from sightline.notifications.addresses.address import (
    CODE_VALID,
    LINK_VALID,
    MAX_CODE_TRIES,
    SECRET_OVERLAP,
    AddressChannel,
    AddressState,
    OwnAddress,
    Proof,
    canonical,
    check_limits,
)
from sightline.notifications.addresses.tokens import ChallengeKey, LinkContent, new_code
from sightline.timing import Clock, utc_now

NUMBER_BYTES = 16
SALT_BYTES = 16
REMEMBERED_S = 3600.0
MAX_REMEMBERED = 10_000

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Recipient:
    """What is known of an address that a notification goes to."""

    is_allowed: bool
    salts: tuple[bytes, ...] = ()
    """Of a webhook: what its secrets are made of."""


class AddressBook:
    def __init__(
        self,
        database: Database,
        *,
        installation_key: bytes,
        required: frozenset[AddressChannel],
        trusted_emails: frozenset[str] = frozenset(),
        clock: Clock = utc_now,
    ) -> None:
        """`required` are the channels whose addresses have to be proven; `trusted_emails` are named by settings."""
        self._database = database
        self._key = ChallengeKey(installation_key)
        self._required = required
        self._trusted_emails = frozenset(canonical("email", one) for one in trusted_emails)
        self._clock = clock
        self._reads = Grouped(self._read)
        self._remembered: OrderedDict[tuple[UUID, str], float] = OrderedDict()

    # What may be sent where --------------------------------------------------------------------------------------

    def require(self, channels: frozenset[AddressChannel]) -> None:
        """The channels whose addresses have to be proven from now on."""
        self._required = channels

    def requires_proof(self, channel: str) -> bool:
        return channel in self._required

    async def recipient(self, owner_id: UUID | None, channel: AddressChannel, address: str) -> Recipient:
        """Reads at the same moment share one transaction."""
        return await self._reads.call((owner_id, channel, address))

    async def _read(self, requests: Sequence[tuple[UUID | None, AddressChannel, str]]) -> list[Recipient]:
        async with self._database.transaction() as tx:
            return [await self.recipient_in(tx, *request) for request in requests]

    async def is_allowed(self, tx: Transaction, owner_id: UUID | None, channel: AddressChannel, address: str) -> bool:
        return (await self.recipient_in(tx, owner_id, channel, address)).is_allowed

    async def recipient_in(
        self, tx: Transaction, owner_id: UUID | None, channel: AddressChannel, address: str
    ) -> Recipient:
        if owner_id is None:
            return Recipient(is_allowed=True)  # no person asked for it: it comes from the platform or its operators
        address, now = canonical(channel, address), self._clock()
        if channel == "email" and (channel not in self._required or address in self._trusted_emails):
            return Recipient(is_allowed=True)
        found = await store.get(tx, owner_id, channel, address)
        is_confirmed = found is not None and found.is_confirmed(now)
        salts = () if found is None else found.salts(now)
        return Recipient(is_confirmed or channel not in self._required, salts)

    # What people see of their addresses ---------------------------------------------------------------------------

    def state_of(self, channel: AddressChannel, found: OwnAddress | None) -> AddressState:
        if channel not in self._required:
            return "not_needed"
        return "confirmed" if found is not None and found.is_confirmed(self._clock()) else "pending"

    async def of_owner(self, tx: Transaction, owner_id: UUID) -> Mapping[tuple[AddressChannel, str], OwnAddress]:
        return {(one.channel, one.address): one for one in await store.of_owner(tx, owner_id)}

    async def replace(
        self, tx: Transaction, owner_id: UUID, chosen: Mapping[AddressChannel, str | None], *, by_operator: bool
    ) -> list[AddressChannel]:
        """Follows the preferences. Returns the channels whose address is new and pending."""
        pending: list[AddressChannel] = []
        for channel, given in chosen.items():
            address = None if given is None else canonical(channel, given)
            await store.forget_others(tx, owner_id, channel, address)
            if address is None:
                continue
            known = await store.get(tx, owner_id, channel, address)
            await store.add(tx, owner_id, channel, address)
            if by_operator:
                await store.confirm(tx, owner_id, channel, address, by="operator")
            elif known is None and channel in self._required:
                pending.append(channel)
        return pending

    async def remember_email(self, owner_id: UUID, email: str, *, by: Proof) -> None:
        """The identity provider has verified the address, or it is an operator's. Written once per process and hour."""
        address, now = canonical("email", email), time.monotonic()
        key = (owner_id, address)
        if "email" not in self._required or now - self._remembered.get(key, float("-inf")) < REMEMBERED_S:
            return
        async with self._database.transaction() as tx:
            await store.confirm(tx, owner_id, "email", address, by=by)
        self._remembered[key] = now
        if len(self._remembered) > MAX_REMEMBERED:
            self._remembered.popitem(last=False)

    # Proofs ------------------------------------------------------------------------------------------------------

    async def begin_challenge(
        self, tx: Transaction, owner_id: UUID, channel: AddressChannel, address: str
    ) -> OwnAddress:
        """The pending address. Counts the challenge, and raises `TooManyChallenges` if it is one too many."""
        address = canonical(channel, address)
        found = await store.get(tx, owner_id, channel, address)
        if found is None:
            raise NotFound(f"{address} is not one of your addresses; save it in your notification preferences first")
        if found.is_confirmed(self._clock()) and found.confirmed_until is None:
            raise Conflict(f"{address} is confirmed already")
        check_limits(await store.recent_challenges(tx, owner_id, channel, address))
        await store.record_challenge(tx, owner_id, channel, address)
        return found

    async def link_token(self, tx: Transaction, found: OwnAddress) -> str:
        """A link sent again has the same number, so that the one before works too until it ends."""
        number = found.challenge or secrets.token_bytes(NUMBER_BYTES)
        await store.set_challenge(tx, found.owner_id, "email", found.address, number, valid=LINK_VALID)
        return self._key.sign(LinkContent(found.owner_id, found.address, number, self._clock() + LINK_VALID))

    async def topic_code(self, tx: Transaction, found: OwnAddress) -> str:
        code = new_code()
        hashed = self._key.code_hash(found.owner_id, found.address, code)
        await store.set_challenge(tx, found.owner_id, "ntfy", found.address, hashed, valid=CODE_VALID)
        return code

    def read_link(self, token: str) -> LinkContent:
        return self._key.read(token, now=self._clock())

    async def confirm_link(self, token: str) -> str:
        """The confirmed address. Raises `InvalidInput` if the link is not valid (any more)."""
        content = self.read_link(token)
        async with self._database.transaction() as tx:
            found = await store.get(tx, content.owner_id, "email", content.address)
            if (
                found is not None
                and found.challenge is not None
                and hmac.compare_digest(found.challenge, content.number)
            ):
                await store.confirm(tx, content.owner_id, "email", content.address, by="link")
            elif found is None or not found.is_confirmed(self._clock()):
                raise InvalidInput("This link is no longer valid; ask for a new one in the notification preferences")
        log.info("address.confirmed", channel="email", owner_id=str(content.owner_id), by="link")
        return content.address

    async def confirm_code(self, owner_id: UUID, topic: str, code: str) -> None:
        async with self._database.transaction() as tx:
            found = await store.count_try(tx, owner_id, "ntfy", topic, max_tries=MAX_CODE_TRIES)
        hashed = self._key.code_hash(owner_id, topic, code)
        if found is None or found.challenge is None or not hmac.compare_digest(found.challenge, hashed):
            raise InvalidInput("The code is wrong, has expired or was tried too often; check it or send a new one")
        await self.confirm(owner_id, "ntfy", topic, by="code")

    async def confirm(self, owner_id: UUID, channel: AddressChannel, address: str, *, by: Proof) -> None:
        async with self._database.transaction() as tx:
            await store.confirm(tx, owner_id, channel, canonical(channel, address), by=by)
        log.info("address.confirmed", channel=channel, owner_id=str(owner_id), by=by)

    async def new_salt(self, owner_id: UUID, url: str) -> OwnAddress:
        """For a new secret of a webhook. The one before is valid for a while longer."""
        async with self._database.transaction() as tx:
            found = await store.set_salt(tx, owner_id, url, secrets.token_bytes(SALT_BYTES), overlap=SECRET_OVERLAP)
        if found is None:
            raise NotFound("you have no webhook; save one in your notification preferences first")
        log.info("webhook.secret_made", owner_id=str(owner_id), is_rotation=found.previous_salt is not None)
        return found

    def now(self) -> datetime:
        return self._clock()
