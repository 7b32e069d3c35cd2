"""Store of settings that were changed in the page. Secrets are sealed under the secret of the installation."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import structlog
from pydantic import SecretStr

from sightline.bus import Sealing
from sightline.db import Database, Transaction, load_queries
from sightline.errors import PermanentFailure
from sightline.stored_settings.changeable import CHANGEABLE, ChangeableSetting, SettingKey

_sql = load_queries(Path(__file__).with_name("queries.sql"))
_KNOWN: Mapping[SettingKey, ChangeableSetting] = {one.key: one for one in CHANGEABLE}

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class SettingChange:
    value: Any
    changed_at: datetime
    changed_by: str


class SettingsStore:
    def __init__(self, database: Database, sealing: Sealing) -> None:
        self._database = database
        self._sealing = sealing

    async def read(self) -> Mapping[SettingKey, SettingChange]:
        async with self._database.transaction() as tx:
            return await self.read_in(tx)

    async def read_in(self, tx: Transaction) -> Mapping[SettingKey, SettingChange]:
        """Without settings of another version that cannot be changed any more, and secrets that cannot be opened."""
        found: dict[SettingKey, SettingChange] = {}
        for row in await _sql["all"].rows(tx):
            key = (row["section"], row["field"])
            if key not in _KNOWN:
                continue
            value = row["value"]
            if row["sealed"] is not None:
                try:
                    value = SecretStr(self._sealing.unseal(row["sealed"])["value"])
                except PermanentFailure:
                    log.warning("settings.secret_unreadable", setting=_KNOWN[key].name)
                    continue
            found[key] = SettingChange(value, row["changed_at"], row["changed_by"])
        return found

    async def lock(self, tx: Transaction) -> None:
        await _sql["lock"].run(tx)

    async def put(self, tx: Transaction, setting: ChangeableSetting, value: Any, *, by: str) -> None:
        is_secret = setting.kind == "secret"
        await _sql["put"].run(
            tx,
            section=setting.section,
            field=setting.field,
            value=None if is_secret else value,
            sealed=self._sealing.seal({"value": value}) if is_secret else None,
            changed_by=by,
        )

    async def remove(self, tx: Transaction, setting: ChangeableSetting) -> None:
        await _sql["remove"].run(tx, section=setting.section, field=setting.field)
