"""Addresses that are taken, and those that are refused before any server sees them."""

import pytest

from sightline.notifications.mail.address import RecipientRejected, check_address, parse_sender


@pytest.mark.parametrize(
    ("given", "taken"),
    [
        ("ana@example.com", "ana@example.com"),
        (" ana@example.com ", "ana@example.com"),
        ("Ana.Maria+video@Sub.Example.COM", "Ana.Maria+video@sub.example.com"),
        ("owner@localhost", "owner@localhost"),
        ("o'neil@example.com", "o'neil@example.com"),
        ("ana@straße.example", "ana@xn--strae-oqa.example"),
        ("ana@例え.jp", "ana@xn--r8jz45g.jp"),
        ("joão@example.com", "joão@example.com"),
    ],
)
def test_an_address_is_taken_with_its_domain_in_ascii(given: str, taken: str):
    assert check_address(given) == taken


@pytest.mark.parametrize(
    "given",
    [
        "",
        "ana",
        "@example.com",
        "ana@",
        "ananoticeexample.com",
        "ana@example.com\r\nBcc: all@example.com",
        "ana@example.com, ben@example.com",
        "Ana <ana@example.com>",
        '"ana ben"@example.com',
        "ana@[127.0.0.1]",
        "ana@exa mple.com",
        "ana@-example.com",
        "ana@example..com",
        "ana.@example.com",
        "ana@example.com> SIZE=1",
        "ana\u202e@example.com",
        "ana@ex\0ample.com",
        "ana@\u202e.com",
        f"{'a' * 65}@example.com",
        f"ana@{'a' * 64}.example".replace("a" * 64, "a." * 130 + "a"),
    ],
)
def test_what_is_no_address_is_refused(given: str):
    with pytest.raises(RecipientRejected, match="is not an e-mail address"):
        check_address(given)


def test_a_sender_may_have_a_name():
    sender = parse_sender("Vídeos da Ana <videos@example.com>")
    assert (sender.display_name, sender.addr_spec) == ("Vídeos da Ana", "videos@example.com")
    assert parse_sender("videos@example.com").addr_spec == "videos@example.com"
    for wrong in ("", "Ana", "Ana\nBcc: x <videos@example.com>", "Ana <videos>"):
        with pytest.raises(RecipientRejected):
            parse_sender(wrong)
