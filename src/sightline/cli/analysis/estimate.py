"""The command `estimate`: what a vision model will take for a video, before it runs."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Annotated
from uuid import UUID

import typer

from sightline.bootstrap import Platform
from sightline.cli.connect import with_platform
from sightline.cli.options import AsJson, StateDir
from sightline.errors import ConfigurationError
from sightline.techniques import AnalysisEstimate, estimate_video
from sightline.videos import need_video


def register(app: typer.Typer) -> None:
    @app.command()
    def estimate(
        video_id: Annotated[UUID, typer.Argument(help="Id of the video.")],
        sampling_rate: Annotated[int, typer.Option(min=1, max=10_000, help="Analyze every n-th key frame.")] = 1,
        state_dir: StateDir = None,
        as_json: AsJson = False,
    ) -> None:
        """Print what a vision model will take to find techniques in a video: calls, tokens, cost."""
        found = _estimate(state_dir, video_id, sampling_rate)
        if as_json:
            typer.echo(json.dumps(asdict(found)))
            return
        typer.echo(f"{found.calls} calls with {found.pictures} pictures")
        typer.echo(
            f"about {found.prompt_tokens} prompt tokens, at most {found.max_completion_tokens} completion tokens"
        )
        if found.max_cost is None:
            typer.echo("no prices are set: SIGHTLINE_TECHNIQUES_PRICE_PER_MILLION_INPUT and _OUTPUT")
        else:
            typer.echo(f"at most {found.max_cost:.4f} by the prices in the settings")


def _estimate(state_dir: Path | None, video_id: UUID, sampling_rate: int) -> AnalysisEstimate:
    async def work(platform: Platform) -> AnalysisEstimate:
        settings = platform.settings.techniques
        if settings.chat_url is None:
            raise ConfigurationError("no vision model is set; set SIGHTLINE_TECHNIQUES_MODEL_SERVER, or _MODEL_URL")
        async with platform.database.transaction() as tx:
            video = await need_video(tx, video_id)
        return await estimate_video(settings, platform.objects, video, sampling_rate=sampling_rate)

    return with_platform(state_dir, work)
