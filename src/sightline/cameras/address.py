"""Addresses of cameras: which are valid, and how their credentials are kept out of what people and logs see. Pure."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import SplitResult, quote, unquote, urlsplit

from sightline.cameras.source import SourceKind
from sightline.errors import InvalidInput

MAX_ADDRESS_LENGTH = 2048
MAX_CREDENTIAL_LENGTH = 256
HIDDEN = "***"

SCHEMES: Mapping[SourceKind, tuple[str, ...]] = {
    "stream": ("rtsp", "rtsps", "rtmp", "rtmps", "http", "https"),
    "mjpeg": ("http", "https"),
    "snapshot": ("http", "https"),
    "mqtt": ("mqtt", "mqtts"),
}
"""Kinds whose address is that of a server, with the schemes that it may begin with."""
DEFAULT_PORTS: Mapping[str, int] = {
    "rtsp": 554, "rtsps": 322, "rtmp": 1935, "rtmps": 443, "http": 80, "https": 443,
    "mqtt": 1883, "mqtts": 8883,
}  # fmt: skip
ENCRYPTED_SCHEMES = frozenset({"rtsps", "rtmps", "https", "mqtts"})

# Cameras also take passwords in the query, and some in the path: `/user=admin_password=secret_channel=1_stream=0.sdp`.
_HIDDEN_NAMES = (
    r"(?:[\w-]*(?:pass(?:word|wd|phrase)?|pwd|secret|token|api[_-]?key|credentials?|auth|signature)|pw|psw|key|sig|sid)"
)
_SECRET_IN_QUERY = re.compile(rf"(?i)(?<![\w-])({_HIDDEN_NAMES}=)([^&;]+)")
_SECRET_IN_PATH = re.compile(
    r"(?i)(?<![a-z])((?:pass(?:word|wd)?|pwd|token|secret)=)((?:(?!_(?:channel|stream)=)[^&;/])+)"
)


@dataclass(frozen=True, slots=True, repr=False)
class CameraAddress:
    """An address as it was typed, taken apart."""

    address: str
    """Without user and password, but with secrets that its query may hold: never shown."""
    shown: str
    """Without any secret."""
    username: str | None
    password: str | None

    def __repr__(self) -> str:
        return f"CameraAddress({self.shown!r})"


def read_address(text: str, kind: SourceKind) -> CameraAddress:
    """Takes the credentials off an address that a person typed. Errors never repeat the address, which may hold a password."""
    schemes = SCHEMES[kind]
    text = text.strip()
    if len(text) > MAX_ADDRESS_LENGTH:
        raise InvalidInput(f"The camera's address is longer than {MAX_ADDRESS_LENGTH} characters.")
    if any(char.isspace() or not char.isprintable() for char in text):
        raise InvalidInput(
            "The camera's address contains a space or a control character. Write it as %20, or remove it."
        )
    try:
        parts = urlsplit(text)
        port, host = parts.port, parts.hostname
    except ValueError:
        raise InvalidInput(
            "The camera's address is not a valid URL. Example: rtsp://192.168.1.20:554/stream1"
        ) from None
    if parts.scheme not in schemes or not host:
        allowed = ", ".join(f"{scheme}://" for scheme in schemes)
        raise InvalidInput(f"The camera's address must begin with one of {allowed} and name a host.")
    if port == 0:
        raise InvalidInput("The camera's address names port 0, which no camera has.")
    bare = parts._replace(netloc=_host_and_port(parts), fragment="").geturl()
    return CameraAddress(
        address=bare,
        shown=hide_secrets(bare),
        username=_credential(parts.username),
        password=_credential(parts.password),
    )


def hide_secrets(address: str) -> str:
    """The address with the values of parameters that look like secrets replaced, also in its path."""
    parts = urlsplit(address)
    path = _SECRET_IN_PATH.sub(rf"\1{HIDDEN}", parts.path)
    query = _SECRET_IN_QUERY.sub(rf"\1{HIDDEN}", parts.query)
    return parts._replace(path=path, query=query).geturl()


def port_of(parts: SplitResult) -> int:
    return parts.port or DEFAULT_PORTS[parts.scheme]


def with_credentials(parts: SplitResult, username: str | None, password: str | None) -> str:
    """The URL as libraries take it, with its credentials. Only ever inside the process that connects."""
    if username is None:
        return parts.geturl()
    user = quote(username, safe="") + ("" if password is None else f":{quote(password, safe='')}")
    return parts._replace(netloc=f"{user}@{parts.netloc}").geturl()


def host_and_port(host: str, port: int | None) -> str:
    shown = f"[{host}]" if ":" in host else host
    return shown if port is None else f"{shown}:{port}"


def _host_and_port(parts: SplitResult) -> str:
    return host_and_port(parts.hostname or "", parts.port)


def _credential(text: str | None) -> str | None:
    if text is None:
        return None
    plain = unquote(text)
    if len(plain) > MAX_CREDENTIAL_LENGTH or any(not char.isprintable() for char in plain):
        raise InvalidInput("The user name or password in the camera's address is too long or has control characters.")
    return plain or None
