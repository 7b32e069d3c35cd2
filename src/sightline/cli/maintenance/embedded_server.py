"""The database for commands that may run beside the platform or without it."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from sightline.bootstrap import addresses, embedded_postgres
from sightline.config import Settings
from sightline.errors import ConfigurationError
from sightline.state_directory import StateDirectory
from sightline.supervisor import Supervisor


@asynccontextmanager
async def running_database(settings: Settings) -> AsyncIterator[str]:
    """The admin URL. An embedded server that is not running is started for the duration of the command."""
    state = StateDirectory(settings.state_dir)
    embedded = embedded_postgres(settings)
    if embedded is None or state.holder() is not None:
        try:
            yield addresses(settings).admin
        except OSError as error:
            raise ConfigurationError(f"cannot connect to PostgreSQL: {error}") from error
        return
    with state.held():
        supervisor = Supervisor()
        try:
            await supervisor.start(embedded)
            yield embedded.admin_url
        finally:
            await supervisor.stop()
