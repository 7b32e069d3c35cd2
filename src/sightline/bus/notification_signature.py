"""Signatures of notifications, as SNS makes them: RSA over named fields, checked with a certificate of the endpoint. Pure."""

import base64
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Literal

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import padding, rsa
from cryptography.x509.oid import NameOID

from sightline.errors import ConfigurationError
from sightline.timing import utc_now

SignatureVersion = Literal["1", "2"]
_KEY_BITS = 2048
_VALID = timedelta(days=3650)
_NOTIFICATION_FIELDS = ("Message", "MessageId", "Subject", "Timestamp", "TopicArn", "Type")
_CONFIRMATION_FIELDS = ("Message", "MessageId", "SubscribeURL", "Timestamp", "Token", "TopicArn", "Type")


@dataclass(frozen=True, slots=True)
class SigningIdentity:
    """The private key of this installation and its certificate, which is signed by itself."""

    key: rsa.RSAPrivateKey
    certificate: bytes

    @property
    def file_name(self) -> str:
        """The name under which the endpoint serves the certificate; another key has another name."""
        return f"SimpleNotificationService-{hashlib.sha256(self.certificate).hexdigest()[:32]}.pem"


def string_to_sign(notification: Mapping[str, str | None]) -> bytes:
    fields = _NOTIFICATION_FIELDS if notification["Type"] == "Notification" else _CONFIRMATION_FIELDS
    return "".join(f"{name}\n{notification[name]}\n" for name in fields if notification.get(name) is not None).encode()


def signature(identity: SigningIdentity, notification: Mapping[str, str | None], version: SignatureVersion) -> str:
    algorithm = hashes.SHA1() if version == "1" else hashes.SHA256()  # noqa: S303 - version 1 is defined so
    return base64.b64encode(identity.key.sign(string_to_sign(notification), padding.PKCS1v15(), algorithm)).decode()


def read_identity(content: bytes, password: bytes) -> SigningIdentity:
    """The identity in the form in which it is stored: the key encrypted, then the certificate."""
    try:
        key = serialization.load_pem_private_key(content, password)
        certificate = x509.load_pem_x509_certificate(content).public_bytes(serialization.Encoding.PEM)
    except (ValueError, TypeError) as error:
        raise ConfigurationError(
            "the key that signs notifications was stored under another secret; set SIGHTLINE_AUTH_ACCESS_KEY_SECRET to that "
            "secret, or delete the row of sightline.bus_signing_identity to make a new key"
        ) from error
    if not isinstance(key, rsa.RSAPrivateKey):
        raise ConfigurationError("the key that signs notifications is not an RSA key")
    return SigningIdentity(key, certificate)


def new_identity(password: bytes) -> bytes:
    """A new key with its certificate, as it is stored."""
    key = rsa.generate_private_key(public_exponent=65537, key_size=_KEY_BITS)
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Sightline notifications")])
    now = utc_now()
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + _VALID)
        .sign(key, hashes.SHA256())
    )
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.BestAvailableEncryption(password)
    )
    return private + certificate.public_bytes(serialization.Encoding.PEM)
