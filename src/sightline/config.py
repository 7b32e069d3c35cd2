"""Settings: one section per folder, read once at start from the environment, typed; secrets are never printed.

`SIGHTLINE_<SECTION>_<FIELD>` in the environment wins over the same name in `.env`, which wins over the names that the
contract documents use (`DATABASE_URL`, `S3_BUCKET` …). An unknown name is refused, so that a typing error does not
silently leave a default in place.
"""

import difflib
import ipaddress
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

from dotenv import dotenv_values
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, SecretStr, ValidationError

from sightline.access import AuditSettings
from sightline.bus import BusSettings
from sightline.cameras import CamerasSettings, FtpSettings
from sightline.cameras.recording import RecordingSettings
from sightline.comma_separated import CommaSeparated
from sightline.db import DatabaseSettings
from sightline.errors import ConfigurationError
from sightline.jobs import JobsSettings
from sightline.live import LiveSettings
from sightline.media import MediaSettings
from sightline.messages import MessagesSettings
from sightline.notifications import NotificationsSettings, PushSettings
from sightline.objects import ObjectsSettings
from sightline.observability import ObservabilitySettings
from sightline.personal_data import PeopleSettings
from sightline.retention import RetentionSettings
from sightline.searches import SearchesSettings
from sightline.security import HomeAssistantSettings, SecuritySettings
from sightline.shares import SharesSettings
from sightline.speech import SpeechSettings
from sightline.techniques import TechniquesSettings
from sightline.text import OpenSearchSettings, TextSettings
from sightline.text.meaning import MeaningSettings
from sightline.uploads import UploadsSettings
from sightline.vision import VisionSettings

PREFIX = "SIGHTLINE_"
_CLIENT_NAMES = frozenset({"SIGHTLINE_TOKEN"})  # read by the commands that call a running platform
MIN_JWT_SECRET_BYTES = 32  # required for HS256 (RFC 7518, 3.2)
DOCUMENT_NAMES: Mapping[str, tuple[str, str]] = {
    "DATABASE_URL": ("database", "url"),
    "S3_ENDPOINT": ("objects", "s3_endpoint"),
    "S3_BUCKET": ("objects", "bucket"),
    "S3_ACCESS_KEY_ID": ("objects", "s3_access_key_id"),
    "S3_SECRET_ACCESS_KEY": ("objects", "s3_secret_access_key"),
    "SUPABASE_URL": ("auth", "supabase_url"),
    "SUPABASE_SERVICE_ROLE_KEY": ("auth", "supabase_service_role_key"),
}
# Old names, accepted with a warning until the release after 0.1.
RENAMED_SETTINGS: Mapping[str, str] = {
    "SIGHTLINE_BUS_KEEPER": "SIGHTLINE_BUS_BACKEND",
    "SIGHTLINE_MESSAGES_KEEPER": "SIGHTLINE_MESSAGES_BACKEND",
    "SIGHTLINE_OBJECTS_ENDPOINT_PORT": "SIGHTLINE_API_AWS_PORT",
    "SIGHTLINE_OBJECTS_KEEPER": "SIGHTLINE_OBJECTS_BACKEND",
    "SIGHTLINE_SECURITY_BATCH_MOST": "SIGHTLINE_SECURITY_BATCH_MAX",
    "SIGHTLINE_SECURITY_MODEL_REACH": "SIGHTLINE_SECURITY_MODEL_MAX_DIFFERENCE",
}


def _networks(values: tuple[str, ...]) -> tuple[str, ...]:
    for value in values:
        ipaddress.ip_network(value)  # its ValueError names the value
    return values


class ApiSettings(BaseModel):
    model_config = ConfigDict(extra="forbid")

    host: str = Field("127.0.0.1", description="Address to listen on. Anything but loopback needs authentication.")
    port: int = Field(8400, ge=0, le=65535, description="Port to listen on; 0 takes a free one.")
    aws_port: int | None = Field(
        None,
        ge=0,
        le=65535,
        description="Port for AWS SDKs alone, such as 8401; 0 takes a free one: SQS, SNS, EventBridge, Scheduler and STS of the "
        "embedded bus, and S3 without a path if objects are on disk. Unset: only the API's port serves them.",
    )
    cors_origins: CommaSeparated = Field((), description="Web origins, comma-separated, whose pages may call the API.")
    max_body_bytes: int = Field(
        1024 * 1024, ge=1024, description="Largest request body, except for paths that accept files."
    )
    public_url: str | None = Field(
        None, description="Where clients reach the API and the page. Unset: http:// with its host and port."
    )
    rate_limit_per_minute: int = Field(
        6000, ge=0, description="Requests per minute and caller, in bursts of a tenth; 0 is no limit."
    )
    max_connections: int = Field(
        8192,
        ge=0,
        description="Open connections in total, at most what the limit of open files allows; 0 is no other limit.",
    )
    max_connections_per_address: int = Field(
        512, ge=0, description="Open connections per client address (IPv6: per /64 network); 0 is no limit."
    )
    trusted_proxies: Annotated[CommaSeparated, AfterValidator(_networks)] = Field(
        (),
        description="Addresses or networks of reverse proxies, comma-separated. Their X-Forwarded-For names the client, whose "
        "requests count instead of the proxy's connections.",
    )
    max_header_bytes: int = Field(
        32 * 1024, ge=4096, description="Largest request line and headers together; more is refused with 431."
    )
    max_header_fields: int = Field(100, ge=16, description="Header fields of a request; more are refused with 431.")
    header_timeout_s: float = Field(
        10.0, gt=0, description="Time for the headers of a request to arrive; then 408. A silent connection is closed."
    )
    keep_alive_s: int = Field(5, ge=1, description="How long an idle connection stays open between requests.")
    body_timeout_s: float = Field(
        30.0, gt=0, description="Each period of this length in a request's body must bring bytes; otherwise 408."
    )
    min_body_bytes_per_s: int = Field(
        256, ge=0, description="Lowest speed of a request's body, over each such period; 0 is any speed but silence."
    )
    send_timeout_s: float = Field(
        120.0, gt=0, description="A client that reads nothing of its response for this long is disconnected."
    )


class AuthSettings(BaseModel):
    model_config = ConfigDict(extra="forbid")

    jwt_secret: SecretStr | None = Field(None, description="Secret of bearer tokens signed with HS256.")
    jwks_url: str | None = Field(
        None, description="Address of the keys of bearer tokens signed with RS256, ES256 or EdDSA."
    )
    audience: str | None = Field(None, description="Audience that a token must name.")
    issuer: str | None = Field(None, description="Issuer that a token must name.")
    team_claim: str = Field("team_ids", description="Claim with the caller's teams; dots lead into objects.")
    role_claim: str = Field("sightline_role", description="Claim that holds the caller's role; dots lead into objects.")
    email_verified_claim: str = Field(
        "email_verified",
        description="Claim that says whether the caller's email address is verified. Never one that users can edit.",
    )
    operator_role: str = Field(
        "operator", description="Role that may retry jobs, redrive dead letters and change settings."
    )
    membership_days: int = Field(
        7,
        ge=1,
        le=3650,
        description="Days for which a person's teams count after their last sign-in, for alert rules that watch a team.",
    )
    supabase_url: str | None = Field(None, description="Supabase project: its keys, issuer and audience are used.")
    supabase_service_role_key: SecretStr | None = Field(
        None, description="Supabase's service role key; a caller with it as bearer token is an operator."
    )

    access_key_secret: SecretStr | None = Field(
        None,
        description="Secret from which secret access keys of the AWS endpoint are derived; unset: one in the state directory. "
        "All processes of an installation need the same.",
    )
    session_max_h: float = Field(
        24.0, gt=0, le=24 * 30, description="Hours after which the page signs in again, if its token lasts longer."
    )
    oidc_issuer: str | None = Field(
        None,
        description="OpenID Connect issuer whose people sign in on the page, such as https://login.example.com/realms/main.",
    )
    oidc_client_id: str | None = Field(None, description="Client id of Sightline at that issuer.")
    oidc_client_secret: SecretStr | None = Field(
        None, description="Client secret at that issuer; unset for a public client, which PKCE alone protects."
    )
    oidc_name: str | None = Field(
        None, max_length=60, description="What the page's button calls the issuer. Unset: the host of the issuer."
    )
    oidc_scopes: CommaSeparated = Field(
        ("openid", "email", "profile"),
        description="Scopes to request, comma-separated; `openid` is always one of them.",
    )
    oidc_allow_private: bool = Field(
        False,
        description="Whether the issuer may have an address of a private network or of this machine, and plain http.",
    )

    @property
    def is_configured(self) -> bool:
        return any((self.jwt_secret, self.jwks_url, self.supabase_url, self.oidc_issuer))

    @property
    def accepts_tokens(self) -> bool:
        """Whether a bearer token can be valid: an OIDC issuer signs people in on the page, and that alone."""
        return any((self.jwt_secret, self.jwks_url, self.supabase_url))

    def complaint(self) -> str | None:
        """What is wrong with the settings of the OpenID Connect issuer together."""
        if bool(self.oidc_issuer) != bool(self.oidc_client_id):
            return "SIGHTLINE_AUTH_OIDC_ISSUER and SIGHTLINE_AUTH_OIDC_CLIENT_ID are needed together, or neither"
        allowed = ("https://", "http://") if self.oidc_allow_private else ("https://",)
        if self.oidc_issuer and not self.oidc_issuer.startswith(allowed):
            return (
                "SIGHTLINE_AUTH_OIDC_ISSUER must begin with https://; plain http needs SIGHTLINE_AUTH_OIDC_ALLOW_PRIVATE=true, "
                "for an issuer on the same machine or network"
            )
        return None


class Settings(BaseModel):
    """All settings of a process."""

    model_config = ConfigDict(extra="forbid")

    state_dir: Path = Field(Path(".sightline"), description="Directory for everything that a single machine stores.")
    api: ApiSettings = Field(default_factory=ApiSettings)
    auth: AuthSettings = Field(default_factory=AuthSettings)
    audit: AuditSettings = Field(default_factory=AuditSettings)
    database: DatabaseSettings = Field(default_factory=DatabaseSettings)
    bus: BusSettings = Field(default_factory=BusSettings)
    cameras: CamerasSettings = Field(default_factory=CamerasSettings)
    ftp: FtpSettings = Field(default_factory=FtpSettings)
    jobs: JobsSettings = Field(default_factory=JobsSettings)
    live: LiveSettings = Field(default_factory=LiveSettings)
    media: MediaSettings = Field(default_factory=MediaSettings)
    messages: MessagesSettings = Field(default_factory=MessagesSettings)
    notifications: NotificationsSettings = Field(default_factory=NotificationsSettings)
    push: PushSettings = Field(default_factory=PushSettings)
    objects: ObjectsSettings = Field(default_factory=ObjectsSettings)
    observability: ObservabilitySettings = Field(default_factory=ObservabilitySettings)
    people: PeopleSettings = Field(default_factory=PeopleSettings)
    home_assistant: HomeAssistantSettings = Field(default_factory=HomeAssistantSettings)
    recording: RecordingSettings = Field(default_factory=RecordingSettings)
    retention: RetentionSettings = Field(default_factory=RetentionSettings)
    searches: SearchesSettings = Field(default_factory=SearchesSettings)
    security: SecuritySettings = Field(default_factory=SecuritySettings)
    techniques: TechniquesSettings = Field(default_factory=TechniquesSettings)
    text: TextSettings = Field(default_factory=TextSettings)
    opensearch: OpenSearchSettings = Field(default_factory=OpenSearchSettings)
    uploads: UploadsSettings = Field(default_factory=UploadsSettings)
    vision: VisionSettings = Field(default_factory=VisionSettings)
    speech: SpeechSettings = Field(default_factory=SpeechSettings)
    shares: SharesSettings = Field(default_factory=SharesSettings)
    meaning: MeaningSettings = Field(default_factory=MeaningSettings)


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting with its value and where the value came from."""

    section: str | None
    field: str
    value: Any
    source: str
    description: str

    @property
    def name(self) -> str:
        return PREFIX + (f"{self.section}_{self.field}" if self.section else self.field).upper()


@dataclass(frozen=True, slots=True)
class LoadedSettings:
    settings: Settings
    sources: Mapping[tuple[str | None, str], str]
    renamed: Mapping[str, str] = field(default_factory=dict)
    """Old names that were found, with the names to use instead."""

    def explain(self) -> list[Setting]:
        """Every setting with its source; secrets are masked."""
        found = []
        for section, name, description in known_fields():
            values: Any = getattr(self.settings, section) if section else self.settings
            source = self.sources.get((section, name), "default")
            found.append(Setting(section, name, getattr(values, name), source, description))
        return found


def known_fields() -> list[tuple[str | None, str, str]]:
    """(section, field, description) of every setting."""
    found: list[tuple[str | None, str, str]] = []
    for name, info in Settings.model_fields.items():
        if isinstance(info.annotation, type) and issubclass(info.annotation, BaseModel):
            found += [(name, leaf, sub.description or "") for leaf, sub in info.annotation.model_fields.items()]
        else:
            found.append((None, name, info.description or ""))
    return found


def load_settings(
    environment: Mapping[str, str] | None = None,
    *,
    env_file: Path | None = Path(".env"),
    overrides: Mapping[tuple[str | None, str], Any] | None = None,
) -> LoadedSettings:
    """Reads and checks all settings. `overrides` are the options of the command line, and win."""
    names = {_name(section, field): (section, field) for section, field, _ in known_fields()}
    values: dict[tuple[str | None, str], Any] = {}
    sources: dict[tuple[str | None, str], str] = {}
    actual = dict(os.environ if environment is None else environment)
    from_file = {name: value for name, value in _read_env_file(env_file).items() if value is not None}
    for found, where in ((from_file, f"{env_file}"), (actual, "environment")):
        _refuse_unknown(found, names, where)
    renamed = {old: new for old, new in RENAMED_SETTINGS.items() if old in from_file or old in actual}
    old_names = {old: names[new] for old, new in renamed.items()}
    for found, where in ((from_file, f"{env_file}: "), (actual, "")):
        values |= {key: found[name] for name, key in DOCUMENT_NAMES.items() if found.get(name)}
        sources |= {key: where + name for name, key in DOCUMENT_NAMES.items() if found.get(name)}
    for found, where in ((from_file, f"{env_file}: "), (actual, "")):
        for known in (old_names, names):  # of two names in one place, the new one wins
            values |= {key: found[name] for name, key in known.items() if name in found}
            sources |= {key: where + name for name, key in known.items() if name in found}
    for key, value in (overrides or {}).items():
        if value is not None:
            values[key], sources[key] = value, "command line"
    nested: dict[str, Any] = {}
    for (section, name), value in values.items():
        (nested.setdefault(section, {}) if section else nested)[name] = value
    try:
        settings = Settings(**nested)
    except ValidationError as error:
        raise ConfigurationError(_explain(error, sources)) from error
    check_together(settings)
    return LoadedSettings(settings, sources, renamed)


def is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def check_together(settings: Settings) -> None:
    """Checks that concern more than one field."""
    if not is_loopback(settings.api.host) and not settings.auth.is_configured:
        raise ConfigurationError(
            f"refusing to listen on {settings.api.host} without authentication: everyone who reaches it would be the "
            "owner. Set SIGHTLINE_AUTH_JWT_SECRET, SIGHTLINE_AUTH_JWKS_URL or SIGHTLINE_AUTH_OIDC_ISSUER, or listen on 127.0.0.1"
        )
    secret = settings.auth.jwt_secret
    if secret is not None and len(secret.get_secret_value().encode()) < MIN_JWT_SECRET_BYTES:
        raise ConfigurationError(
            f"SIGHTLINE_AUTH_JWT_SECRET needs {MIN_JWT_SECRET_BYTES} bytes or more; shorter ones can be guessed"
        )
    if settings.auth.jwks_url and not settings.auth.audience:
        raise ConfigurationError(
            "SIGHTLINE_AUTH_JWKS_URL needs SIGHTLINE_AUTH_AUDIENCE: its keys may sign tokens meant for other services"
        )
    if (complaint := settings.auth.complaint()) is not None:
        raise ConfigurationError(complaint)
    if bool(settings.objects.s3_access_key_id) != bool(settings.objects.s3_secret_access_key):
        raise ConfigurationError("an S3 key id and its secret are needed together, or neither")
    if bool(settings.objects.signing_key_id) != bool(settings.objects.signing_secret):
        raise ConfigurationError("a signing key id and its secret are needed together, or neither")
    if (complaint := settings.notifications.complaint()) is not None:
        raise ConfigurationError(complaint)


def _name(section: str | None, field: str) -> str:
    return Setting(section, field, None, "", "").name


def _read_env_file(path: Path | None) -> Mapping[str, str | None]:
    return dotenv_values(path) if path is not None and path.is_file() else {}


def _refuse_unknown(found: Mapping[str, str], names: Mapping[str, Any], where: str) -> None:
    unknown = sorted(
        name
        for name in found
        if name.startswith(PREFIX) and name not in names and name not in RENAMED_SETTINGS and name not in _CLIENT_NAMES
    )
    if not unknown:
        return
    hints = []
    for name in unknown:
        close = difflib.get_close_matches(name, names, n=1)
        hints.append(f"{name} (did you mean {close[0]}?)" if close else name)
    raise ConfigurationError(f"unknown setting in {where}: {', '.join(hints)}")


def _explain(error: ValidationError, sources: Mapping[tuple[str | None, str], str]) -> str:
    """Which setting is wrong and why, without the value: it may be a secret."""
    lines = []
    for problem in error.errors(include_input=False, include_url=False):
        path = [str(part) for part in problem["loc"]]
        section, field = (path[0], path[1]) if len(path) > 1 else (None, path[0])
        source = sources.get((section, field), "default")
        lines.append(f"{_name(section, field)} (from {source}): {problem['msg']}")
    return "; ".join(lines)
