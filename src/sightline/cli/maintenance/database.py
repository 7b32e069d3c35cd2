"""Migrations, and the URL of the database."""

import asyncio
import os
import shlex
import sys
from pathlib import Path
from typing import Annotated

import typer

from sightline.backup import dump_database
from sightline.bootstrap import addresses
from sightline.cli.maintenance.embedded_server import running_database
from sightline.cli.options import StateDir, read_settings
from sightline.config import Settings
from sightline.db import Migration, migrate, pending, psql_command
from sightline.observability import configure_logging
from sightline.state_directory import StateDirectory


def register(app: typer.Typer) -> None:
    @app.command("migrate")
    def migrate_command(
        state_dir: StateDir = None,
        is_dry_run: Annotated[
            bool, typer.Option("--dry-run", help="Change nothing; print what would be applied.")
        ] = False,
    ) -> None:
        """Apply pending migrations; safe to run from several machines at once."""
        settings = read_settings(state_dir).settings
        configure_logging(settings.observability)
        applied = asyncio.run(_migrate(settings, is_dry_run=is_dry_run))
        for migration in applied:
            typer.echo(f"{'Would apply' if is_dry_run else 'Applied'} {migration.name}")
        if not applied:
            typer.echo("Nothing to apply; the database is up to date")

    @app.command()
    def db(
        arguments: Annotated[
            list[str] | None, typer.Argument(help="For psql, after `--`: sightline db --psql -- -c 'SELECT 1'.")
        ] = None,
        state_dir: StateDir = None,
        psql: Annotated[
            bool,
            typer.Option("--psql", help="Open psql on the database; where its output is captured, print the command."),
        ] = False,
        dump: Annotated[
            Path | None,
            typer.Option("--dump", metavar="FILE", help="Write a dump of the database to FILE, for pg_restore."),
        ] = None,
    ) -> None:
        """Print the database URL, including the password, open psql on it, or dump the database."""
        if arguments and not psql:
            raise typer.BadParameter("arguments are for psql; add --psql before them")
        settings = read_settings(state_dir).settings
        if dump is not None:
            asyncio.run(_dump(settings, dump))
            typer.echo(f"Wrote {dump}")
            return
        if settings.database.url is None and StateDirectory(settings.state_dir).holder() is None:
            typer.echo("Note: the embedded PostgreSQL runs only while `sightline up` runs", err=True)
        url = addresses(settings).admin
        if not psql:
            typer.echo(url)
        elif arguments or sys.stdout.isatty():
            sys.stdout.flush()
            command = [*psql_command(url), *(arguments or ())]
            os.execv(command[0], command)
        else:
            # `$(sightline db --psql)` asks for the command itself.
            typer.echo(shlex.join(psql_command(url)))


async def _migrate(settings: Settings, *, is_dry_run: bool) -> list[Migration]:
    async with running_database(settings) as admin_url:
        return await (pending if is_dry_run else migrate)(admin_url)


async def _dump(settings: Settings, path: Path) -> None:
    async with running_database(settings) as admin_url:
        await dump_database(admin_url, path)
