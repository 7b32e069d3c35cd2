"""Settings of what is published for Home Assistant. Apart from the publisher, since settings are read by every command."""

from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, SecretStr, field_validator

DEFAULT_PORTS = {"mqtt": 1883, "mqtts": 8883}
_TOPIC = r"^[A-Za-z0-9_-]+(/[A-Za-z0-9_-]+)*$"


class HomeAssistantSettings(BaseModel):
    model_config = ConfigDict(extra="forbid")

    broker: str | None = Field(
        None,
        description="MQTT broker to publish occupancy and events of all cameras to: mqtt://host:1883, or mqtts:// for TLS. "
        "Unset: nothing is published.",
    )
    username: str | None = Field(None, description="User at the broker.")
    password: SecretStr | None = Field(None, description="Password at the broker.")
    prefix: str = Field(
        "sightline",
        pattern=_TOPIC,
        max_length=100,
        description="First part of all topics. Installations that share a broker need different ones.",
    )
    discovery_prefix: str = Field(
        "homeassistant", pattern=_TOPIC, max_length=100, description="Where Home Assistant looks for new devices."
    )
    off_after_s: float = Field(
        30.0, gt=0, le=3600, description="Occupancy ends when an object was not reported for this long."
    )

    @field_validator("broker")
    @classmethod
    def _is_a_broker(cls, value: str | None) -> str | None:
        if value is None:
            return None
        parts = urlsplit(value)
        if parts.scheme not in DEFAULT_PORTS or not parts.hostname or parts.port == 0 or parts.path not in ("", "/"):
            raise ValueError("must be mqtt://host:port or mqtts://host:port")
        if parts.username is not None or parts.password is not None:
            raise ValueError("must not hold a user or password; they have settings of their own")
        return value

    def address(self) -> tuple[str, int, bool]:
        """Host, port, and whether it is encrypted."""
        parts = urlsplit(self.broker or "")
        return parts.hostname or "", parts.port or DEFAULT_PORTS[parts.scheme], parts.scheme == "mqtts"
