"""Which addresses a person may have called, and what the calls tell about the network inside."""

import re
from collections.abc import AsyncIterator
from urllib.parse import urlsplit

import pytest

from sightline.db import Database
from sightline.errors import PlatformError
from sightline.http import is_public
from sightline.notifications.push.webhook_address import AddressRefused, Resolve, pin
from support.messaging import Messaging, open_messaging
from support.postgres import DatabaseAddresses
from support.waiting import until

INSIDE = "10.77.0.9"


@pytest.mark.req(348)
@pytest.mark.parametrize(
    "ip",
    [
        *("fec0::1", "feff:ffff::1", "::7f00:1", "::10.0.0.1", "::93.184.216.34"),
        *("::ffff:0:7f00:1", "::ffff:0:10.0.0.1", "5f00::1", "5f00:ffff::1", "3fff::1", "3fff:fff::1"),
        *("168.63.129.16", "::ffff:168.63.129.16", "192.88.99.1"),
    ],
)
def test_addresses_that_lead_inside_by_a_detour_are_refused(ip: str):
    assert not is_public(ip)


@pytest.mark.req(348)
@pytest.mark.parametrize("ip", ["168.63.129.17", "2606:2800:220:1::1", "2a00:1450:4001::1"])
def test_their_neighbours_stay_public(ip: str):
    assert is_public(ip)


def resolves_to(*addresses: str) -> Resolve:
    async def resolve(host: str, port: int) -> list[str]:
        return list(addresses)

    return resolve


@pytest.mark.req(349)
async def test_a_name_that_exists_inside_and_one_that_exists_nowhere_are_refused_alike():
    refusals: list[PlatformError] = []
    for resolve in (resolves_to(INSIDE), resolves_to()):
        with pytest.raises(AddressRefused) as refused:
            await pin("http://db.internal/", allow_private=False, resolve=resolve)
        refusals.append(refused.value)
    inside, nowhere = refusals
    assert (inside.public_message, inside.details, inside.is_retryable) == (
        nowhere.public_message,
        nowhere.details,
        nowhere.is_retryable,
    )
    assert INSIDE not in str(inside)


@pytest.fixture
async def messaging(fresh_database: DatabaseAddresses, database: Database) -> AsyncIterator[Messaging]:
    async with open_messaging(fresh_database, database) as opened:
        yield opened


async def failure_of(messaging: Messaging, target: str) -> str:
    """What the owner of a message reads after its webhook failed."""
    new = await messaging.create(channel="webhook", target=target)
    found: list[str] = []

    async def has_failed() -> bool:
        found[:] = [text] if (text := (await messaging.get(new.message_id)).error_message) else []
        return bool(found)

    async with messaging.working(messaging.worker(webhook_allow_private=True, tries=1, breaker_failures=100)):
        await until(has_failed)
    return found[0]


@pytest.mark.req(349)
async def test_a_failed_webhook_tells_its_owner_no_inside_address_and_no_error_of_the_inside(messaging, local_http):
    local_http.stop()  # the operating system's error names the address that refused the connection
    told = await failure_of(messaging, f"http://localhost:{urlsplit(local_http.url).port}/")
    assert not re.search(r"127\.|::1|Errno|Connect", told), told
    assert "does not respond" in told


@pytest.mark.req(349)
@pytest.mark.parametrize("status", [403, 500])
async def test_a_webhook_does_not_read_other_servers_for_the_person_who_named_it(messaging, local_http, status):
    local_http.status, local_http.answer = status, b"the key of the metadata service"
    told = await failure_of(messaging, local_http.url)
    assert str(status) in told
    assert "metadata" not in told
