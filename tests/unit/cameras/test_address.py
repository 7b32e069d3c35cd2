"""Addresses of cameras: what is taken off, what is hidden, what is refused."""

import pytest

from sightline.cameras import read_address
from sightline.cameras.address import hide_secrets, with_credentials
from sightline.cameras.sources.reach import is_within
from sightline.errors import InvalidInput


@pytest.mark.req(560)
@pytest.mark.parametrize(
    ("typed", "shown", "user", "password"),
    [
        ("rtsp://192.168.1.20/stream1", "rtsp://192.168.1.20/stream1", None, None),
        ("rtsp://admin:p%40ss%2Fw@cam.local:8554/s", "rtsp://cam.local:8554/s", "admin", "p@ss/w"),
        ("rtsps://viewer@[fd00::1]:322/x", "rtsps://[fd00::1]:322/x", "viewer", None),
        (" http://u:p@cam/video?q=1#top ", "http://cam/video?q=1", "u", "p"),
    ],
)
def test_credentials_are_taken_off_the_address(typed, shown, user, password):
    found = read_address(typed, "stream")
    assert (found.shown, found.username, found.password) == (shown, user, password)
    assert found.address == shown
    assert "p%40ss" not in repr(found)


@pytest.mark.req(560)
@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("http://cam/cgi?cmd=Snap&user=admin&password=s3cret", "http://cam/cgi?cmd=Snap&user=admin&password=***"),
        ("http://cam/snap?usr=a&pwd=s3cret&x=1", "http://cam/snap?usr=a&pwd=***&x=1"),
        ("http://cam/snap?access_token=abc", "http://cam/snap?access_token=***"),
        (
            "rtsp://cam/user=admin_password=s3_cret_channel=1_stream=0.sdp",
            "rtsp://cam/user=admin_password=***_channel=1_stream=0.sdp",
        ),
        ("http://cam/bypass=1&passage=2", "http://cam/bypass=1&passage=2"),
    ],
)
def test_secrets_in_path_and_query_are_hidden(address, shown):
    assert hide_secrets(address) == shown
    assert read_address(address, "stream").address == address


@pytest.mark.parametrize(
    "typed",
    [
        "",
        "cam.local",
        "file:///etc/passwd",
        "gopher://cam/",
        "rtsp://cam:99999/",
        "rtsp://a b/",
        "rtsp://cam:0/",
    ],
)
def test_what_is_no_camera_address_is_refused_without_repeating_it(typed):
    with pytest.raises(InvalidInput) as refused:
        read_address(typed, "stream")
    assert not typed.strip() or typed.strip() not in refused.value.message


def test_a_snapshot_needs_http():
    with pytest.raises(InvalidInput, match="http://"):
        read_address("rtsp://cam/x", "snapshot")


def test_credentials_are_put_back_encoded():
    from urllib.parse import urlsplit

    assert with_credentials(urlsplit("rtsp://cam/x"), "a b", "p@:/#") == "rtsp://a%20b:p%40%3A%2F%23@cam/x"


@pytest.mark.req(562)
@pytest.mark.parametrize(
    ("ip", "reaches"),
    [
        ("8.8.8.8", ("public", "lan", "any")),
        ("192.168.1.20", ("lan", "any")),
        ("10.0.0.9", ("lan", "any")),
        ("fd12::9", ("lan", "any")),
        ("127.0.0.1", ("any",)),
        ("::ffff:127.0.0.1", ("any",)),
        ("169.254.169.254", ("any",)),
        ("fd00:ec2::254", ("any",)),
        ("100.100.100.200", ("any",)),
        ("0.0.0.0", ("any",)),
        ("::1", ("any",)),
        ("fe80::1%eth0", ("any",)),
    ],
)
def test_which_networks_are_within_reach(ip, reaches):
    assert tuple(reach for reach in ("public", "lan", "any") if is_within(ip, reach)) == reaches
