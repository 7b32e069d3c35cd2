"""Parts of notifications that several sections of the settings shape: addresses to confirm, and the installation's secrets."""

from urllib.parse import urlsplit

from sightline.config import Settings, is_loopback
from sightline.db import Database
from sightline.notifications import (
    AddressBook,
    AddressChannel,
    VapidKey,
    installation_keys,
    vapid_key,
    webhook_secret,
)

CONTACT_OF_A_LOCAL_INSTALLATION = "mailto:sightline@localhost.invalid"


def channels_to_confirm(settings: Settings) -> frozenset[AddressChannel]:
    """Without sign-in everybody is the operator; what is kept in the sink or the log leaves the machine for nobody."""
    required: set[AddressChannel] = set()
    if settings.auth.is_configured and settings.notifications.confirm_addresses:
        required |= {"ntfy", "webhook"}
        if settings.notifications.channel in ("smtp", "ses"):
            required.add("email")
    return frozenset(required)


def open_address_book(settings: Settings, database: Database) -> AddressBook:
    dropped = settings.uploads.dropped_owner_email
    return AddressBook(
        database,
        installation_key=installation_keys(settings.push, read_webhook_secret(settings)).current,
        required=channels_to_confirm(settings),
        trusted_emails=frozenset() if dropped is None else frozenset({dropped}),
    )


def read_webhook_secret(settings: Settings) -> bytes:
    return webhook_secret(settings.push.webhook_secret, settings.state_dir.absolute())


def read_vapid_key(settings: Settings, public_url: str) -> VapidKey:
    """Push services want to know whom they can reach; a page that only this machine sees has nobody to name."""
    parts = urlsplit(public_url)
    is_public = parts.scheme == "https" and not is_loopback(parts.hostname or "")
    contact = public_url if is_public else CONTACT_OF_A_LOCAL_INSTALLATION
    return vapid_key(settings.push.vapid_secret, settings.state_dir.absolute(), contact=contact)
