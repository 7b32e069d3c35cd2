"""Kubernetes: manifests of a fleet, on standard output or as a directory for kustomize."""

from pathlib import Path
from typing import Annotated

import typer

from sightline import __version__
from sightline.cli.options import read_settings
from sightline.config import Settings
from sightline.contracts.message_events import Stage
from sightline.fleet import fleet_plan
from sightline.fleet.kubernetes import assemble, kubernetes_files, overlay_for, to_yaml

commands = typer.Typer(help="Print manifests for Kubernetes, or write them for kustomize.", no_args_is_help=True)

StageOption = Annotated[
    Stage | None, typer.Option("--stage", help="Stage in the names; SIGHTLINE_BUS_STAGE if not given.")
]


def register(app: typer.Typer) -> None:
    app.add_typer(commands, name="kubernetes")


@commands.command("manifests")
def manifests_command(
    image: Annotated[
        str, typer.Option(help="The image of Sightline, with tag or digest.")
    ] = f"sightline:{__version__}",
    overlay: Annotated[
        str | None, typer.Option(help="Kind of backends: postgres or aws; SIGHTLINE_BUS_BACKEND if not given.")
    ] = None,
    namespace: Annotated[str, typer.Option(help="Namespace of everything.")] = "sightline",
    stage: StageOption = None,
    has_cameras: Annotated[bool, typer.Option("--cameras", help="With the process that watches cameras.")] = False,
) -> None:
    """Print all manifests, for `kubectl apply -f -`. Changes nothing."""
    settings = _settings(stage)
    made = assemble(
        fleet_plan(settings),
        overlay_for(overlay, settings),
        image=image,
        namespace=namespace,
        has_cameras=has_cameras,
    )
    typer.echo(to_yaml(made, "Printed by `sightline kubernetes manifests`."), nl=False)


@commands.command("files")
def files_command(
    directory: Annotated[Path, typer.Argument(help="Where the files go; those of the same names are replaced.")],
    stage: StageOption = None,
) -> None:
    """Write base, overlays and components for `kubectl apply -k`, with the names of these settings."""
    for name, text in kubernetes_files(fleet_plan(_settings(stage))).items():
        file = directory / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    typer.echo(f"Written to {directory}. Change overlays/*/settings.env, then: kubectl apply -k {directory}/overlays/…")


def _settings(stage: Stage | None) -> Settings:
    settings = read_settings().settings
    if stage is None:
        return settings
    return settings.model_copy(update={"bus": settings.bus.model_copy(update={"stage": stage})})
