"""Speech recognition: what is installed, and installing a model."""

import typer

from sightline.cli.models.packaged_model import ShownStatus, model_commands
from sightline.config import Settings
from sightline.speech import SPEECH_MODELS, speech_status


def _status(settings: Settings) -> ShownStatus:
    status = speech_status(settings.speech, state_dir=settings.state_dir)
    return ShownStatus(status, {"cannot_hear": status.cannot_hear})


commands = model_commands(
    SPEECH_MODELS,
    about="Show what transcribes speech, or install its model.",
    default="base",
    status_of=_status,
    pypi_files_of=lambda settings: settings.speech.pypi_files,
)


def register(app: typer.Typer) -> None:
    app.add_typer(commands, name="speech")
