"""The caller's addresses: what is confirmed, sending a challenge again, and the secret of the webhook."""

from typing import Annotated

from fastapi import APIRouter, Path
from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from sightline.api.dependencies import CurrentCaller, CurrentPlatform
from sightline.bootstrap import Platform, public_url
from sightline.contracts import Caller
from sightline.db import Transaction
from sightline.errors import NotFound
from sightline.http import HttpClient
from sightline.messages import AddressChallenges, Preferences, PreferredLanguage, preferences_of
from sightline.notification_parts import read_webhook_secret
from sightline.notifications import (
    NO_SECRET_YET,
    AddressBook,
    AddressChannel,
    AddressState,
    OwnAddress,
    as_secret,
    check_webhook,
    installation_keys,
)
from sightline.timing import iso_utc

router = APIRouter(prefix="/api/notification-addresses", tags=["messages"])

ChannelPath = Annotated[AddressChannel, Path(description="Which of the caller's addresses.", examples=["email"])]
EXAMPLE_TIME = "2026-01-17T10:00:00.000Z"


class AddressAnswer(BaseModel):
    channel: AddressChannel = Field(examples=["email"])
    address: str = Field(examples=["ana@example.com"])
    state: AddressState = Field(
        examples=["pending"],
        description="Only confirmed addresses get notifications; not_needed: nothing leaves the machine, or there is no sign-in.",
    )
    confirmed_by: str | None = Field(examples=["link"], description="What proved it.")
    confirmed_until: str | None = Field(
        examples=[EXAMPLE_TIME], description="Stored before addresses had to be confirmed: confirm it until then."
    )
    has_secret: bool = Field(
        examples=[False], description="Webhooks: whether calls are signed with a secret of its own."
    )

    @classmethod
    def of(cls, book: AddressBook, channel: AddressChannel, address: str, found: OwnAddress | None) -> "AddressAnswer":
        until = None if found is None else found.confirmed_until
        return cls(
            channel=channel,
            address=address,
            state=book.state_of(channel, found),
            confirmed_by=None if found is None else found.confirmed_by,
            confirmed_until=None if until is None else iso_utc(until),
            has_secret=found is not None and found.secret_salt is not None,
        )


class AddressesAnswer(BaseModel):
    addresses: list[AddressAnswer]


class CodeBody(BaseModel):
    model_config = ConfigDict(extra="forbid")

    code: Annotated[str, StringConstraints(strip_whitespace=True, pattern=r"^[0-9]{8}$")] = Field(examples=["01234567"])


class SecretAnswer(BaseModel):
    secret: str = Field(examples=["whsec_bm90IGEgc2VjcmV0IGJ1dCBhbiBleGFtcGxlIQ=="], description="Shown this once.")
    previous_until: str | None = Field(
        examples=[EXAMPLE_TIME], description="Until then, calls are signed with the secret before as well."
    )


@router.get("")
async def list_addresses(platform: CurrentPlatform, caller: CurrentCaller) -> AddressesAnswer:
    """The addresses of the caller's preferences, and whether each is confirmed."""
    async with platform.database.transaction() as tx:
        return await _answer(platform, tx, caller)


@router.post("/{channel}/challenge", status_code=202)
async def send_challenge(platform: CurrentPlatform, caller: CurrentCaller, channel: ChannelPath) -> AddressesAnswer:
    """Send the confirmation again: a link by email, a code by ntfy. A webhook is called and has to return the challenge."""
    async with platform.database.transaction() as tx:
        address = await _own_address(tx, caller, channel)
        if channel == "webhook":
            found = await platform.addresses.begin_challenge(tx, caller.user_id, channel, address)
        else:
            await challenges(platform).send(tx, caller.user_id, channel, address)
    if channel == "webhook":
        push = platform.settings.push
        http = HttpClient("webhook")
        try:
            keys = installation_keys(push, read_webhook_secret(platform.settings))
            await check_webhook(http, push, keys, address, found.salts(platform.addresses.now()) or NO_SECRET_YET)
        finally:
            http.close()
        await platform.addresses.confirm(caller.user_id, channel, address, by="challenge")
    async with platform.database.transaction() as tx:
        return await _answer(platform, tx, caller)


@router.post("/ntfy/code")
async def confirm_topic(platform: CurrentPlatform, caller: CurrentCaller, body: CodeBody) -> AddressesAnswer:
    """Confirm the ntfy topic with the code that was sent to it."""
    async with platform.database.transaction() as tx:
        topic = await _own_address(tx, caller, "ntfy")
    await platform.addresses.confirm_code(caller.user_id, topic, body.code)
    async with platform.database.transaction() as tx:
        return await _answer(platform, tx, caller)


@router.post("/webhook/secret")
async def make_secret(platform: CurrentPlatform, caller: CurrentCaller) -> SecretAnswer:
    """Make a new secret for the caller's webhook. It is shown this once; the one before is valid for a week more."""
    async with platform.database.transaction() as tx:
        url = await _own_address(tx, caller, "webhook")
    made = await platform.addresses.new_salt(caller.user_id, url)
    keys = installation_keys(platform.settings.push, read_webhook_secret(platform.settings))
    return SecretAnswer(
        secret=as_secret(keys.receiver_keys(url, made.salts(platform.addresses.now()))[0]),
        previous_until=None if made.previous_until is None else iso_utc(made.previous_until),
    )


def challenges(platform: Platform) -> AddressChallenges:
    return AddressChallenges(
        platform.open_messages.messages,
        platform.addresses,
        page_url=public_url(platform.settings),
        languages=PreferredLanguage(platform.settings.notifications.language),
    )


def chosen_addresses(preferences: Preferences) -> dict[AddressChannel, str | None]:
    return {"email": preferences.email, "ntfy": preferences.ntfy_topic, "webhook": preferences.webhook_url}


async def _own_address(tx: Transaction, caller: Caller, channel: AddressChannel) -> str:
    address = chosen_addresses(await preferences_of(tx, caller.user_id))[channel]
    if address is None:
        raise NotFound(f"you have no address for {channel}; save one in your notification preferences first")
    return address


async def _answer(platform: Platform, tx: Transaction, caller: Caller) -> AddressesAnswer:
    chosen = chosen_addresses(await preferences_of(tx, caller.user_id))
    known = await platform.addresses.of_owner(tx, caller.user_id)
    return AddressesAnswer(
        addresses=[
            AddressAnswer.of(platform.addresses, channel, address, known.get((channel, address)))
            for channel, address in chosen.items()
            if address is not None
        ]
    )
