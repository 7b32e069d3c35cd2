"""Sealing of secrets that are stored: encrypted under a secret of the installation."""

import base64
import hashlib
import json
from collections.abc import Mapping
from typing import Any

from cryptography.fernet import Fernet, InvalidToken

from sightline.errors import PermanentFailure

_PURPOSE = b"sightline connections"


class Sealing:
    def __init__(self, secret: bytes) -> None:
        self._fernet = Fernet(base64.urlsafe_b64encode(hashlib.sha256(_PURPOSE + secret).digest()))

    def seal(self, content: Mapping[str, Any]) -> bytes:
        return self._fernet.encrypt(json.dumps(dict(content)).encode())

    def unseal(self, sealed: bytes) -> dict[str, Any]:
        try:
            found: dict[str, Any] = json.loads(self._fernet.decrypt(sealed))
        except InvalidToken as error:
            raise PermanentFailure(
                "The secrets of this connection were sealed under another secret of the installation. Update the connection."
            ) from error
        return found
