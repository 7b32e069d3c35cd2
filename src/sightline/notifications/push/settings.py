"""Settings of notification channels."""

import re
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, SecretStr, field_validator

NTFY_TOPIC = re.compile(r"[-_A-Za-z0-9]{1,64}")


class PushSettings(BaseModel):
    model_config = ConfigDict(extra="forbid")

    ntfy_server: str = Field("https://ntfy.sh", description="The ntfy server.")
    ntfy_topic: str | None = Field(
        None, description="Topic for notifications without one of their own. Unset: those go to the log."
    )
    ntfy_token: SecretStr | None = Field(None, description="Access token of ntfy, sent as a bearer token.")
    ntfy_per_minute: int = Field(60, ge=0, description="Notifications to ntfy in a minute; 0 is no limit.")
    webhook_url: str | None = Field(None, description="Webhook for notifications without one of their own.")
    webhook_secret: SecretStr | None = Field(
        None,
        description="Secret that webhook calls are signed with. Unset: one is made and kept in the state directory.",
    )
    webhook_previous_secret: SecretStr | None = Field(
        None,
        description="The webhook secret before a change: calls are signed with both until every receiver knows the new one.",
    )
    webhook_legacy_signature: Literal["installation", "all", "none"] = Field(
        "installation",
        description="Sends X-Sightline-Signature too, under the one shared secret: to the webhook of settings and targets"
        " of operators, or to webhooks of users as well. Removed in the next release.",
    )
    vapid_secret: SecretStr | None = Field(
        None,
        min_length=32,
        description="Secret that the key for Web Push is made of. Unset: one is made and kept in the state directory."
        " Another secret ends the subscriptions of all browsers.",
    )
    webhook_allow_private: bool = Field(
        False,
        description="Allows webhooks and push services at private, loopback and link-local addresses. Dangerous if untrusted"
        " people can sign up.",
    )
    webhook_per_minute: int = Field(600, ge=0, description="Webhook calls to one host in a minute; 0 is no limit.")
    email_per_minute: int = Field(60, ge=0, description="Emails of the message flow in a minute; 0 is no limit.")
    send_timeout_s: float = Field(10.0, gt=0, le=120, description="Time for one attempt to send a notification.")
    tries: int = Field(3, ge=1, le=5, description="Attempts to send a notification before its message fails.")
    retry_first_s: float = Field(1.0, ge=0, le=60, description="Wait after the first try; it doubles.")
    breaker_failures: int = Field(
        5, ge=1, description="Failures in a minute that open a destination's circuit breaker."
    )
    breaker_open_s: float = Field(
        30.0, gt=0, description="Time for which an open circuit breaker refuses every attempt."
    )

    @field_validator("ntfy_topic")
    @classmethod
    def _is_a_topic(cls, text: str | None) -> str | None:
        if text is not None and not NTFY_TOPIC.fullmatch(text):
            raise ValueError("an ntfy topic has 1 to 64 letters, digits, - and _")
        return text

    @field_validator("ntfy_server", "webhook_url")
    @classmethod
    def _is_web(cls, text: str | None) -> str | None:
        if text is not None and not text.startswith(("http://", "https://")):
            raise ValueError("the address must begin with http:// or https://")
        return text
