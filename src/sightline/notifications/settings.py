"""Settings of emails."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, SecretStr, field_validator

from sightline.notifications.mail.address import RecipientRejected, parse_sender
from sightline.notifications.mail.mail import Language

# A message lives 14 days in its queue and 14 more among the dead letters. The record of its email must outlive it, because the
# record keeps a late redelivery from being sent.
MIN_RETENTION_DAYS = 30


class NotificationsSettings(BaseModel):
    model_config = ConfigDict(extra="forbid")

    channel: Literal["sink", "smtp", "ses", "log"] = Field(
        "sink",
        description="How emails are sent: sink sends none and keeps them for people to look at; log writes them to the log.",
    )
    language: Language = Field(
        "en", description="Language of emails and notifications for people who have not chosen one: en, pt, es or de."
    )
    from_address: str = Field(
        "Sightline <sightline@localhost>", description="Sender of the emails; smtp and ses need one of yours."
    )
    confirm_addresses: bool = Field(
        True,
        description="With sign-in, emails and pushes go to confirmed addresses only; false trusts whatever users enter.",
    )
    retention_days: int = Field(
        90, ge=MIN_RETENTION_DAYS, description="Days for which emails are kept to look at, and to send none twice."
    )
    concurrency: int = Field(4, ge=1, le=100, description="Emails that one process sends at the same time.")
    send_timeout_s: float = Field(60.0, gt=0, le=600, description="Time to send one email, including the connection.")
    retry_after_s: float = Field(
        300.0, ge=0, le=3600, description="Wait after the first failure; it doubles. Greylisting asks for five minutes."
    )
    smtp_host: str | None = Field(None, description="Mail server.")
    smtp_port: int | None = Field(
        None, ge=1, le=65535, description="Its port. Unset: 587 for starttls, 465 for tls, 25 for none."
    )
    smtp_tls: Literal["starttls", "tls", "none"] = Field(
        "starttls", description="starttls and tls insist on encryption and on a valid certificate; none has neither."
    )
    smtp_ca_file: str | None = Field(None, description="Certificates to trust instead of the system's.")
    smtp_user: str | None = Field(None, description="Name to log in with; needs encryption.")
    smtp_password: SecretStr | None = Field(None, description="Password to log in with.")
    ses_region: str = Field("us-east-1", description="AWS region of SES.")
    ses_endpoint: str | None = Field(None, description="Address of an AWS emulator. Unset: AWS itself.")
    ses_access_key_id: str | None = Field(None, description="Key id. Unset: the usual AWS chain of credentials.")
    ses_secret_access_key: SecretStr | None = Field(None, description="Secret of the key id.")
    ses_configuration_set: str | None = Field(None, description="SES configuration set, for bounces and the like.")

    @field_validator("from_address")
    @classmethod
    def _is_an_address(cls, text: str) -> str:
        try:
            parse_sender(text)
        except RecipientRejected as error:
            raise ValueError(error.message) from None
        return text

    @property
    def has_mail_server(self) -> bool:
        """Whether emails leave the platform."""
        return self.channel != "sink"

    def complaint(self) -> str | None:
        """What is missing or contradictory, or None; names the settings."""
        if self.channel in ("smtp", "ses") and "from_address" not in self.model_fields_set:
            return f"SIGHTLINE_NOTIFICATIONS_CHANNEL={self.channel} needs SIGHTLINE_NOTIFICATIONS_FROM_ADDRESS"
        if self.channel == "smtp" and not self.smtp_host:
            return "SIGHTLINE_NOTIFICATIONS_CHANNEL=smtp needs SIGHTLINE_NOTIFICATIONS_SMTP_HOST"
        if bool(self.smtp_user) != bool(self.smtp_password):
            return "an SMTP user and its password are needed together, or neither"
        if self.smtp_user and self.smtp_tls == "none":
            return "refusing to send the SMTP password unencrypted; set SIGHTLINE_NOTIFICATIONS_SMTP_TLS to starttls or tls"
        if bool(self.ses_access_key_id) != bool(self.ses_secret_access_key):
            return "an SES key id and its secret are needed together, or neither"
        return None
