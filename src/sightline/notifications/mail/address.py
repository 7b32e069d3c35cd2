"""Email addresses from untrusted input: accepted if they are safe in a header and an SMTP command. Pure."""

import re
from email.headerregistry import Address
from email.utils import parseaddr

import idna

from sightline.errors import PermanentFailure

MAX_ADDRESS_LENGTH = 254
MAX_LOCAL_PART_LENGTH = 64
# A dot-atom, ASCII or beyond. Quoted local parts and address literals are valid, but in practice only used in attacks.
_LOCAL_PART = re.compile(r"[\w!#$%&'*+/=?^`{|}~-]+(\.[\w!#$%&'*+/=?^`{|}~-]+)*")
_DOMAIN = re.compile(r"[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*")


class RecipientRejected(PermanentFailure):
    """The address is invalid, or its mail server rejects this email."""


def check_address(text: str) -> str:
    """The address with its domain in ASCII; raises `RecipientRejected` if it is invalid."""
    local, at, domain = text.strip().rpartition("@")
    if not at or not _LOCAL_PART.fullmatch(local) or len(local.encode()) > MAX_LOCAL_PART_LENGTH:
        raise _no_address(text)
    try:
        ascii_domain = domain.lower() if domain.isascii() else idna.encode(domain, uts46=True).decode()
    except idna.IDNAError as error:
        raise _no_address(text) from error
    address = f"{local}@{ascii_domain}"
    if not _DOMAIN.fullmatch(ascii_domain) or len(address.encode()) > MAX_ADDRESS_LENGTH:
        raise _no_address(text)
    return address


def parse_sender(text: str) -> Address:
    """`Name <address>` or the address alone."""
    name, address = parseaddr(text)
    if not text.isprintable():
        raise _no_address(text)
    local_part, _, domain = check_address(address or text).rpartition("@")
    return Address(name, username=local_part, domain=domain)


def _no_address(text: str) -> RecipientRejected:
    return RecipientRejected(f"{text[:MAX_ADDRESS_LENGTH]!r} is not an e-mail address")
