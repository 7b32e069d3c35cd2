"""Settings that operators change while the platform runs; the environment pins what it sets."""

from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict, Field

from sightline.api.dependencies import CurrentPlatform, Operator
from sightline.api.settings.answers import EXAMPLE_NAME, SettingsAnswer
from sightline.errors import Conflict
from sightline.stored_settings import changeable, is_pinned, resolve

MAX_TEXT = 2000

router = APIRouter(prefix="/api/settings", tags=["settings"])

SettingValue = str | float | bool | list[str] | None


class SettingsBody(BaseModel):
    model_config = ConfigDict(extra="forbid")

    values: dict[str, SettingValue] = Field(
        min_length=1,
        max_length=100,
        examples=[{EXAMPLE_NAME: 30}],
        description="New values by the name of the environment variable; null returns a setting to its default.",
    )


@router.get("")
async def settings(platform: CurrentPlatform, _: Operator) -> SettingsAnswer:
    """Settings that can be changed here, with the value in force and where it comes from. For operators."""
    watch = platform.settings_watch
    stored = await watch.store.read()
    return SettingsAnswer.of(watch.environment, await watch.refresh(), stored)


@router.put("")
async def change_settings(platform: CurrentPlatform, caller: Operator, body: SettingsBody) -> SettingsAnswer:
    """Change settings: all of the given ones or, if one is refused, none. Every process applies them at once. For operators."""
    watch = platform.settings_watch
    chosen = {changeable(name): value for name, value in body.values.items()}
    if pinned := [one.name for one in chosen if is_pinned(watch.environment, one.key)]:
        raise Conflict(
            f"{', '.join(pinned)} is set in the environment; change it there and restart", details={"pinned": pinned}
        )
    async with platform.database.transaction() as tx:
        await watch.store.lock(tx)
        wanted = {key: change.value for key, change in (await watch.store.read_in(tx)).items()}
        for setting, value in chosen.items():
            wanted.pop(setting.key, None)
            if value is not None:
                wanted[setting.key] = value
        resolve(watch.environment, wanted)
        for setting, value in chosen.items():
            if value is None:
                await watch.store.remove(tx, setting)
            else:
                await watch.store.put(tx, setting, value, by=str(caller.email or caller.user_id))
    names = ", ".join(sorted(one.name for one in chosen))
    return SettingsAnswer.of(watch.environment, await watch.refresh(), await watch.store.read(), changed=names)
