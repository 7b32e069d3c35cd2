"""Settings that operators change in the page: which they are, their store, and how processes follow a change."""

from sightline.stored_settings.changeable import (
    CHANGEABLE,
    ChangeableSetting,
    SettingGroup,
    SettingKey,
    SettingKind,
    changeable,
)
from sightline.stored_settings.follow import RestartedOnChange, SettingsWatch
from sightline.stored_settings.resolve import Stored, is_pinned, resolve, resolve_valid
from sightline.stored_settings.store import SettingChange, SettingsStore

__all__ = [
    "CHANGEABLE",
    "ChangeableSetting",
    "RestartedOnChange",
    "SettingChange",
    "SettingGroup",
    "SettingKey",
    "SettingKind",
    "SettingsStore",
    "SettingsWatch",
    "Stored",
    "changeable",
    "is_pinned",
    "resolve",
    "resolve_valid",
]
