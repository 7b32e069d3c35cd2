"""Which settings can be changed in the page, and the form of their values, read from their types. Pure."""

from dataclasses import dataclass
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin

from pydantic import SecretStr
from pydantic.fields import FieldInfo

from sightline.config import Setting, Settings
from sightline.errors import NotFound

SettingKey = tuple[str, str]
"""(section, field)"""
SettingGroup = Literal["mail", "push", "retention", "reading"]
SettingKind = Literal["text", "number", "switch", "choice", "list", "secret"]


@dataclass(frozen=True, slots=True)
class ChangeableSetting:
    section: str
    field: str
    group: SettingGroup

    @property
    def key(self) -> SettingKey:
        return self.section, self.field

    @property
    def name(self) -> str:
        """The environment variable that pins it."""
        return Setting(self.section, self.field, None, "", "").name

    @property
    def info(self) -> FieldInfo:
        section = Settings.model_fields[self.section].annotation
        assert section is not None
        fields: dict[str, FieldInfo] = section.model_fields
        return fields[self.field]

    @property
    def kind(self) -> SettingKind:
        return _kind_of(_without_none(self.info.annotation))

    @property
    def choices(self) -> tuple[str, ...]:
        annotation = _without_none(self.info.annotation)
        return tuple(map(str, get_args(annotation))) if get_origin(annotation) is Literal else ()

    @property
    def is_optional(self) -> bool:
        return type(None) in get_args(self.info.annotation)

    @property
    def default(self) -> Any:
        return self.info.get_default()


def _settings(group: SettingGroup, section: str, *fields: str) -> tuple[ChangeableSetting, ...]:
    return tuple(ChangeableSetting(section, field, group) for field in fields)


CHANGEABLE: tuple[ChangeableSetting, ...] = (
    *_settings(
        "mail",
        "notifications",
        "channel",
        "from_address",
        "smtp_host",
        "smtp_port",
        "smtp_tls",
        "smtp_user",
        "smtp_password",
        "language",
    ),
    *_settings("push", "push", "ntfy_server", "ntfy_topic", "ntfy_token", "webhook_url"),
    *_settings(
        "retention",
        "retention",
        "videos_days",
        "originals_days",
        "frames_days",
        "recordings_days",
        "recordings_max_bytes",
        "notice_days",
    ),
    *_settings("reading", "text", "languages"),
    *_settings("reading", "speech", "transcribe"),
)


def changeable(name: str) -> ChangeableSetting:
    """By the name of its environment variable."""
    for one in CHANGEABLE:
        if one.name == name:
            return one
    raise NotFound(f"{name} is not a setting that can be changed here; set it in the environment and restart")


def _without_none(annotation: Any) -> Any:
    if get_origin(annotation) in (Union, UnionType):
        return next(one for one in get_args(annotation) if one is not type(None))
    return annotation


def _kind_of(annotation: Any) -> SettingKind:
    if get_origin(annotation) is Literal:
        return "choice"
    if get_origin(annotation) is tuple:
        return "list"
    if annotation is bool:
        return "switch"
    if annotation in (int, float):
        return "number"
    return "secret" if annotation is SecretStr else "text"
