"""Connection of one-off commands to a running platform."""

import asyncio
import shlex
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TypeVar

import asyncpg

from sightline.bootstrap import Platform, open_platform
from sightline.cli.options import read_settings
from sightline.config import Settings
from sightline.errors import ConfigurationError
from sightline.observability import configure_logging
from sightline.state_directory import StateDirectory

Found = TypeVar("Found")


def with_platform(state_dir: Path | None, work: Callable[[Platform], Awaitable[Found]]) -> Found:
    """Runs the work of a command on the platform that the settings name."""
    settings = read_settings(state_dir).settings
    # A command prints its own result, so only warnings are logged.
    configure_logging(settings.observability.model_copy(update={"log_level": "warning"}))
    return asyncio.run(_work(settings, work))


async def _work(settings: Settings, work: Callable[[Platform], Awaitable[Found]]) -> Found:
    async with open_running(settings) as platform:
        return await work(platform)


@asynccontextmanager
async def open_running(settings: Settings) -> AsyncIterator[Platform]:
    """The platform, without its listener. Starts nothing: raises an error when no platform is running."""
    state = StateDirectory(settings.state_dir)
    if settings.database.url is None and state.holder() is None:
        raise ConfigurationError(
            f"no platform is running on {state.path}; start it with "
            f"`sightline up --state-dir {shlex.quote(str(state.path))}`, name another with --state-dir, "
            "or set SIGHTLINE_DATABASE_URL"
        )
    try:
        async with open_platform(settings) as platform:
            yield platform
    except asyncpg.UndefinedTableError as error:
        raise ConfigurationError("the database has no tables yet; run `sightline migrate`") from error
