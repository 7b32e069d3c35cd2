"""Upgrade of the embedded database to a newer major version of PostgreSQL."""

import asyncio
import shlex
from pathlib import Path
from typing import Annotated

import typer

from sightline.cli.options import StateDir, read_settings
from sightline.cli.output.stages import StageLines
from sightline.config import Settings
from sightline.db import MAJOR
from sightline.errors import ConfigurationError
from sightline.observability import configure_logging
from sightline.state_directory import StateDirectory
from sightline.upgrade import OldProgramsRequest, UpgradeResult, upgrade_data


def register(app: typer.Typer) -> None:
    @app.command()
    def upgrade(
        state_dir: StateDir = None,
        old_binaries: Annotated[
            Path | None,
            typer.Option("--old-binaries", metavar="DIR", help="Programs of the PostgreSQL that made the data."),
        ] = None,
        download: Annotated[
            bool, typer.Option("--download", help="Download those programs for the time of the upgrade.")
        ] = False,
    ) -> None:
        """Move the embedded database to this version's PostgreSQL; the old data is kept.

        Stop the platform first. Everything is dumped, loaded into a new data directory and compared before the new one takes
        the place of the old. Interrupted, repeat the command.
        """
        if old_binaries is not None and download:
            raise typer.BadParameter("give either --old-binaries or --download")
        settings = read_settings(state_dir).settings
        configure_logging(settings.observability.model_copy(update={"log_level": "warning"}))
        done = asyncio.run(_upgrade(settings, OldProgramsRequest(old_binaries, download)))
        if done is None:
            typer.echo(f"Nothing to do: the database is already of PostgreSQL {MAJOR}")
        else:
            _print(done, settings)


async def _upgrade(settings: Settings, request: OldProgramsRequest) -> UpgradeResult | None:
    if settings.database.url is not None:
        raise ConfigurationError(
            "SIGHTLINE_DATABASE_URL names another server, which has tools of its own; only the embedded one is upgraded here"
        )
    postgres = settings.state_dir.absolute() / "postgres"
    if not postgres.is_dir():
        raise ConfigurationError(f"there is no embedded database in {postgres}; name its directory with --state-dir")
    with StateDirectory(settings.state_dir).held(), StageLines() as report:
        return await upgrade_data(postgres, request, report, run_as=settings.database.embedded_user)


def _print(done: UpgradeResult, settings: Settings) -> None:
    if done.contents is None:
        typer.echo(f"Finished the upgrade from PostgreSQL {done.old_major} to {MAJOR} that was interrupted")
    else:
        typer.echo(
            f"Upgraded from PostgreSQL {done.old_major} to {MAJOR}: {done.contents.table_count} tables with "
            f"{done.contents.row_count} rows are the same in both"
        )
    if done.lost_settings:
        typer.echo(f"Not carried over, made with ALTER SYSTEM: {'; '.join(done.lost_settings)}")
    typer.echo(f"Start it with `sightline up --state-dir {shlex.quote(str(settings.state_dir))}`")
    typer.echo(f"The old data is kept. Once all is well, remove it: rm -r {shlex.quote(str(done.kept))}")
