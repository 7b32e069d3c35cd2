"""Encryption of a push message for one browser: aes128gcm (RFC 8188) under keys of RFC 8291. Pure but for its random numbers."""

import os
from collections.abc import Callable

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

RECORD_SIZE = 4096
MAX_CONTENT_BYTES = 3993
"""Push services need not accept more than 4096 bytes (RFC 8030, 7.2), header and tag included."""
CURVE = ec.SECP256R1()


def public_bytes(key: ec.EllipticCurvePublicKey) -> bytes:
    return key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def encrypt(
    content: bytes,
    *,
    receiver: bytes,
    auth_secret: bytes,
    new_key: Callable[[], ec.EllipticCurvePrivateKey] = lambda: ec.generate_private_key(CURVE),
    new_salt: Callable[[], bytes] = lambda: os.urandom(16),
) -> bytes:
    """The body of the request. `receiver` is the browser's public key as an uncompressed point."""
    if len(content) > MAX_CONTENT_BYTES:
        raise ValueError(f"a push message has at most {MAX_CONTENT_BYTES} bytes")
    own, salt = new_key(), new_salt()
    own_public = public_bytes(own.public_key())
    shared = own.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(CURVE, receiver))
    key_material = _derive(auth_secret, shared, b"WebPush: info\0" + receiver + own_public, 32)
    content_key = _derive(salt, key_material, b"Content-Encoding: aes128gcm\0", 16)
    nonce = _derive(salt, key_material, b"Content-Encoding: nonce\0", 12)
    header = salt + RECORD_SIZE.to_bytes(4, "big") + bytes([len(own_public)]) + own_public
    # One record, which is the last: its delimiter is 2 (RFC 8188, 2).
    return header + AESGCM(content_key).encrypt(nonce, content + b"\2", None)


def _derive(salt: bytes, key: bytes, info: bytes, length: int) -> bytes:
    return HKDF(SHA256(), length, salt, info).derive(key)
