"""Topics with their subscriptions, and event rules with their targets."""

import typer

from sightline.api.answers.bus import BusTopologyAnswer
from sightline.api.bus import read_topology
from sightline.bootstrap import Platform
from sightline.cli.connect import with_platform
from sightline.cli.options import AsJson, StateDir
from sightline.cli.output.bus import rules_table, topics_table
from sightline.cli.output.tables import print_table
from sightline.contracts import LOCAL_OWNER


def register(app: typer.Typer) -> None:
    @app.command()
    def topics(state_dir: StateDir = None, as_json: AsJson = False) -> None:
        """List topics with their subscriptions, and event rules with their targets."""
        found = with_platform(state_dir, _read)
        if as_json:
            typer.echo(found.model_dump_json(include={"topics", "event_buses"}))
            return
        print_table(topics_table(found.topics))
        typer.echo()
        print_table(rules_table(found.event_buses))


async def _read(platform: Platform) -> BusTopologyAnswer:
    return await read_topology(platform, LOCAL_OWNER, address=platform.public_url)
