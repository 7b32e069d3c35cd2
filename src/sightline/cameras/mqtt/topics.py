"""Addresses of MQTT cameras: which topics are listened to, and what their messages mean. Pure.

`mqtt://broker/frigate/events?camera=yard` is a camera of Frigate, any other topic the state of a sensor.
"""

import re
from dataclasses import dataclass
from urllib.parse import parse_qs, unquote, urlsplit

from sightline.errors import InvalidInput

DEFAULT_SIZE = (1280, 720)
"""Of the pictures in which Frigate detects, unless it is configured otherwise."""
DEFAULT_LABEL = "motion"
_LABEL = re.compile(r"[a-z0-9][a-z0-9_ -]{0,49}")
_KNOWN = {"frigate": {"camera", "width", "height"}, "sensor": {"label", "field", "picture"}}


@dataclass(frozen=True, slots=True)
class FrigateTopics:
    prefix: str
    camera: str
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class SensorTopic:
    topic: str
    label: str
    field: str | None
    """Of a JSON message; unset: the first of those that sensors use."""
    picture_topic: str | None


MqttTopics = FrigateTopics | SensorTopic


def read_topics(address: str) -> MqttTopics:
    """Errors say what is wrong, without the address."""
    parts = urlsplit(address)
    topic = _topic(unquote(parts.path.removeprefix("/")))
    given = {name: values[-1] for name, values in parse_qs(parts.query).items()}
    prefix, _, last = topic.rpartition("/")
    is_frigate = "camera" in given or (prefix == "frigate" and last == "events")
    unknown = set(given) - _KNOWN["frigate" if is_frigate else "sensor"]
    if unknown:
        raise InvalidInput(f"The address has an unknown parameter: {', '.join(sorted(unknown))[:100]}.")
    if is_frigate:
        if last != "events" or not prefix or not given.get("camera"):
            raise InvalidInput(
                "A camera of Frigate needs its events and its name. Example: mqtt://192.168.1.5/frigate/events?camera=yard"
            )
        width, height = (
            _side(given.get(name), usual) for name, usual in zip(("width", "height"), DEFAULT_SIZE, strict=True)
        )
        return FrigateTopics(prefix, _topic(given["camera"]), width, height)
    picture = given.get("picture")
    return SensorTopic(
        topic,
        read_label(given.get("label", DEFAULT_LABEL)),
        given.get("field") or None,
        None if picture is None else _topic(picture),
    )


def read_label(text: str) -> str:
    label = text.strip().lower()
    if not _LABEL.fullmatch(label):
        raise InvalidInput("A label has up to 50 letters, digits, spaces, hyphens and underscores, such as person.")
    return label


def _topic(text: str) -> str:
    if not text or len(text) > 500 or not text.isprintable() or set(text) & {"+", "#"}:
        raise InvalidInput("The address needs a topic without wildcards. Example: mqtt://192.168.1.5/zigbee2mqtt/porch")
    return text


def _side(text: str | None, usual: int) -> int:
    if text is None:
        return usual
    if not text.isascii() or not text.isdigit() or not 16 <= int(text) <= 16384:
        raise InvalidInput("width and height are those of the pictures in which Frigate detects, such as 1280 and 720.")
    return int(text)
