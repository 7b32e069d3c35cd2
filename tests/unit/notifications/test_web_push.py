"""Web Push: the encryption of RFC 8291 by its own example, VAPID tokens, and what a browser is told."""

import base64
import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import ec

from sightline.errors import InvalidInput
from sightline.notifications import check_endpoint, decode_key, vapid_key
from sightline.notifications.push.channel import Notification
from sightline.notifications.web_push.channel import as_payload, topic_of
from sightline.notifications.web_push.encryption import CURVE, MAX_CONTENT_BYTES, encrypt

NOW = datetime(2026, 11, 18, 12, tzinfo=UTC)


def decoded(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


@pytest.mark.req(932)
def test_the_example_of_rfc_8291_is_encrypted_to_the_byte():
    """Section 5: the keys, the salt and the text are given, and so is the message."""
    sender = ec.derive_private_key(int.from_bytes(decoded("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw")), CURVE)
    message = encrypt(
        b"When I grow up, I want to be a watermelon",
        receiver=decoded("BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"),
        auth_secret=decoded("BTBZMqHH6r4Tts7J_aSIgg"),
        new_key=lambda: sender,
        new_salt=lambda: decoded("DGv6ra1nlYgDCS1FRnbzlw"),
    )
    assert message == decoded(
        "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPT"
        "pK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
    )


def test_a_message_that_push_services_would_refuse_is_not_made():
    key = ec.generate_private_key(CURVE)
    receiver = decoded("BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4")
    whole = encrypt(b"x" * MAX_CONTENT_BYTES, receiver=receiver, auth_secret=b"a" * 16, new_key=lambda: key)
    assert len(whole) == 4096
    with pytest.raises(ValueError, match="at most"):
        encrypt(b"x" * (MAX_CONTENT_BYTES + 1), receiver=receiver, auth_secret=b"a" * 16)


@pytest.mark.req(932)
def test_the_key_of_an_installation_stays_the_same_and_signs_for_one_push_service(tmp_path: Path):
    key = vapid_key(None, tmp_path, contact="mailto:ops@example.com")
    assert vapid_key(None, tmp_path, contact="").public == key.public
    assert vapid_key(None, tmp_path / "other", contact="").public != key.public
    assert len(decoded(key.public)) == 65
    token, public = key.header("https://push.example:8443/send/abc", NOW).removeprefix("vapid t=").split(", k=")
    assert public == key.public
    claims = jwt.decode(
        token,
        key.private.public_key(),
        ["ES256"],
        audience="https://push.example:8443",
        options={"verify_exp": False},
    )
    assert claims["sub"] == "mailto:ops@example.com"
    assert 0 < claims["exp"] - NOW.timestamp() <= 24 * 3600


def notification(**fields: Any) -> Notification:
    usual: dict[str, Any] = {
        "id": "m1",
        "kind": "alert",
        "target": None,
        "title": "Critical",
        "body": "Somebody",
        "created_at": NOW,
    }
    return Notification(**(usual | {"created_at": NOW} | fields))


def test_a_browser_gets_title_text_and_an_address_of_the_page():
    told = json.loads(as_payload(notification(click="https://cam.example/ui/events/7?x=1", priority="critical")))
    assert told == {
        "id": "m1",
        "title": "Critical",
        "body": "Somebody",
        "url": "/ui/events/7?x=1",
        "isCritical": True,
    }
    assert json.loads(as_payload(notification()))["url"] == "/"


def test_long_texts_and_addresses_fit_into_a_message():
    large = notification(title="é" * 4000, body="😀" * 4000, click="https://cam.example/" + "a" * 4000)
    assert len(as_payload(large)) <= MAX_CONTENT_BYTES


def test_a_repetition_replaces_the_first_message():
    assert topic_of("m1") == topic_of("m1") != topic_of("m2")
    assert len(topic_of("m1")) == 32


@pytest.mark.req(933)
@pytest.mark.parametrize(
    "endpoint", ["http://push.example/a", "ftp://push.example/a", "https://a:b@push.example/", "x"]
)
def test_endpoints_are_checked_like_webhooks_and_need_https(endpoint: str):
    with pytest.raises(InvalidInput):
        check_endpoint(endpoint, allow_private=False)
    assert check_endpoint("https://push.example/a", allow_private=False) == "https://push.example/a"


def test_keys_that_are_none_are_refused():
    assert len(decode_key("tBHItJI5svbpez7KI4CCXg", name="auth")) == 16
    for name, text in (("auth", "AAAA"), ("p256dh", "AAAA"), ("p256dh", "not base64 é")):
        with pytest.raises(InvalidInput, match=f"keys.{name}"):
            decode_key(text, name=name)
