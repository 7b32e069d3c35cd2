"""Where webhooks may lead."""

import pytest

from sightline.errors import InvalidInput
from sightline.http import is_public
from sightline.notifications.push.webhook_address import AddressRefused, PrivateAddress, check_webhook_url, pin


@pytest.mark.parametrize(
    "ip",
    [
        *("127.0.0.1", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254", "0.0.0.0", "100.64.0.1"),
        *("224.0.0.1", "255.255.255.255", "198.18.0.1", "192.0.0.8"),
        *("::1", "::", "fe80::1", "fe80::1%eth0", "fc00::1", "ff02::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1"),
        *("64:ff9b::7f00:1", "2002:7f00:1::", "2001:db8::1"),
    ],
)
def test_addresses_that_are_not_open_to_everybody_are_closed(ip):
    assert not is_public(ip)


@pytest.mark.parametrize("ip", ["93.184.216.34", "2606:2800:220:1:248:1893:25c8:1946", "::ffff:93.184.216.34"])
def test_addresses_of_the_public_internet_are_open(ip):
    assert is_public(ip)


@pytest.mark.parametrize(
    "url",
    [
        "ftp://a.example/",
        "file:///etc/passwd",
        "https://",
        "//a",
        "https://user:pw@a.example/",
        "https://a b/",
        "https://a:99999/",
    ],
)
def test_what_is_no_address_of_a_webhook_is_refused(url):
    with pytest.raises(InvalidInput):
        check_webhook_url(url)


async def test_a_name_is_resolved_once_and_the_address_pinned():
    asked = []

    async def resolve(host: str, port: int) -> list[str]:
        asked.append((host, port))
        return ["93.184.216.34"]

    place = await pin("https://hooks.example.com:8443/x?y=1#z", allow_private=False, resolve=resolve)
    assert (place.url, place.ip) == ("https://hooks.example.com:8443/x?y=1", "93.184.216.34")
    assert asked == [("hooks.example.com", 8443)]


async def test_one_closed_address_among_open_ones_refuses_the_whole():
    async def resolve(host: str, port: int) -> list[str]:
        return ["93.184.216.34", "169.254.169.254"]

    with pytest.raises(AddressRefused):
        await pin("https://tricky.example/", allow_private=False, resolve=resolve)
    assert (await pin("https://tricky.example/", allow_private=True, resolve=resolve)).ip == "93.184.216.34"


@pytest.mark.parametrize(
    "url", ["http://127.1/", "http://0x7f000001/", "http://2130706433/", "http://localhost/", "http://[::1]/"]
)
async def test_other_ways_of_writing_this_machine_are_seen_through(url):
    with pytest.raises((AddressRefused, PrivateAddress)):
        await pin(url, allow_private=False)


async def test_a_private_address_written_as_such_is_not_tried_again():
    with pytest.raises(PrivateAddress, match="not a public address") as refused:
        await pin("https://10.0.0.1/x", allow_private=False)
    assert not refused.value.is_retryable
