"""Settings as JSON. The values of secrets are never among them."""

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import BaseModel, Field

from sightline.config import Settings
from sightline.stored_settings import (
    CHANGEABLE,
    ChangeableSetting,
    SettingChange,
    SettingGroup,
    SettingKey,
    SettingKind,
    is_pinned,
)
from sightline.timing import iso_utc

Source = Literal["environment", "stored", "default"]
EXAMPLE_NAME = "SIGHTLINE_RETENTION_RECORDINGS_DAYS"


class SettingAnswer(BaseModel):
    name: str = Field(examples=[EXAMPLE_NAME], description="The environment variable that pins it.")
    group: SettingGroup = Field(examples=["retention"])
    kind: SettingKind = Field(examples=["number"])
    value: str | float | bool | list[str] | None = Field(
        examples=[14.0], description="The value in force. Null if it is unset, and always for secrets."
    )
    is_set: bool = Field(examples=[True], description="Whether it has a value; for secrets, too.")
    default: str | float | bool | list[str] | None = Field(examples=[14.0])
    choices: list[str] = Field(examples=[[]], description="The values to choose from, of a choice.")
    is_optional: bool = Field(examples=[False], description="Whether it may have no value.")
    source: Source = Field(
        examples=["default"], description="`environment`: it is pinned there and cannot be changed here."
    )
    description: str = Field(examples=["Days after which recordings are removed."])
    changed_at: str | None = Field(examples=[None], description="When it was changed here; null if it is not stored.")
    changed_by: str | None = Field(examples=[None])

    @classmethod
    def of(
        cls, setting: ChangeableSetting, environment: Settings, current: Settings, stored: SettingChange | None
    ) -> "SettingAnswer":
        value = getattr(getattr(current, setting.section), setting.field)
        is_from_environment = is_pinned(environment, setting.key)
        source: Source = "environment" if is_from_environment else "default" if stored is None else "stored"
        is_secret = setting.kind == "secret"
        return cls(
            name=setting.name,
            group=setting.group,
            kind=setting.kind,
            value=None if is_secret else _plain(value),
            is_set=value is not None,
            default=None if is_secret else _plain(setting.default),
            choices=list(setting.choices),
            is_optional=setting.is_optional,
            source=source,
            description=setting.info.description or "",
            changed_at=None if stored is None else iso_utc(stored.changed_at),
            changed_by=None if stored is None else stored.changed_by,
        )


class SettingsAnswer(BaseModel):
    settings: list[SettingAnswer]
    changed: str = Field("", examples=[EXAMPLE_NAME], description="What the request changed, comma-separated.")

    @classmethod
    def of(
        cls,
        environment: Settings,
        current: Settings,
        stored: Mapping[SettingKey, SettingChange],
        *,
        changed: str = "",
    ) -> "SettingsAnswer":
        found = [SettingAnswer.of(one, environment, current, stored.get(one.key)) for one in CHANGEABLE]
        return cls(settings=found, changed=changed)


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value
