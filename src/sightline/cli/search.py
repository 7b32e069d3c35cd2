"""Search for what was on screen or said, and for names, in all videos of the platform."""

from typing import Annotated, get_args

import typer

from sightline.api.answers.search import SearchAnswer, signed_search_answer
from sightline.bootstrap import Platform
from sightline.cli.connect import with_platform
from sightline.cli.options import AsJson, StateDir, as_id
from sightline.cli.output.search import hits_table, named_table, summary
from sightline.cli.output.tables import print_table
from sightline.errors import InvalidInput
from sightline.searches import BoxRequest, search_box
from sightline.text import EntityType, SearchFilter, SearchRequest, SortOrder
from sightline.text.meaning import MeaningMode

DEFAULT_PAGE_SIZE = 20
MAX_PAGE_SIZE = 100
MODEL_START_TIMEOUT_S = 60.0
"""A command loads the model for one query."""


def register(app: typer.Typer) -> None:
    app.command("search")(search_command)


def search_command(
    words: Annotated[
        list[str] | None,
        typer.Argument(
            help="All of these words; '\"a phrase\"', prefix*, '*part*', '-word', said:, shown:, in:, tag:, kind:, before:, "
            "after:. Put the whole query in single quotes."
        ),
    ] = None,
    is_substring: Annotated[
        bool, typer.Option("--substring", help="Find the text anywhere, even inside words.")
    ] = False,
    is_exact: Annotated[bool, typer.Option("--exact", help="Exclude words that differ by a letter.")] = False,
    video: Annotated[str | None, typer.Option(help="Only in this video.")] = None,
    entity_type: Annotated[
        str | None, typer.Option("--entity", help=f"With an entity: {', '.join(EntityType)}.")
    ] = None,
    entity_value: Annotated[
        str | None, typer.Option("--value", help="With this entity, such as @ada or $12.50.")
    ] = None,
    tags: Annotated[list[str] | None, typer.Option("--tag", help="Only in videos with this tag.")] = None,
    sort: Annotated[str, typer.Option(help=f"{', '.join(get_args(SortOrder))}.")] = "best",
    is_with_meaning: Annotated[
        bool, typer.Option("--meaning", help="Then also passages that are similar in meaning, if that is installed.")
    ] = False,
    page: Annotated[int, typer.Option(min=1, help="Page of results.")] = 1,
    limit: Annotated[int, typer.Option(min=1, max=MAX_PAGE_SIZE, help="Results per page.")] = DEFAULT_PAGE_SIZE,
    as_json: AsJson = False,
    state_dir: StateDir = None,
) -> None:
    """Search what was on screen or said, and names of videos, techniques and cameras."""
    request = SearchRequest(
        " ".join(words or ()),
        match="substring" if is_substring else "words",
        is_fuzzy=False if is_exact else None,
        filters=SearchFilter(
            video_id=None if video is None else as_id(video, "video"),
            entity_type=None if entity_type is None else _entity_type(entity_type),
            entity_value=entity_value,
        ),
        page=page,
        page_size=limit,
    )

    box = BoxRequest(request, tags=tuple(tags or ()), sort=_sort(sort))

    async def work(platform: Platform) -> SearchAnswer:
        async with platform.database.transaction() as tx:
            if is_with_meaning and (reason := await platform.meaning.unavailable(tx)) is not None:
                typer.echo(reason, err=True)
            mode: MeaningMode = "auto" if is_with_meaning else "off"
            found = await search_box(
                tx, box, meaning=platform.meaning, mode=mode, timeout_s=MODEL_START_TIMEOUT_S, is_everywhere=True
            )
            return await signed_search_answer(
                tx, box, found, platform.objects, expires_s=platform.settings.media.download_expiry_s
            )

    answer = with_platform(state_dir, work)
    if as_json:
        typer.echo(answer.model_dump_json())
        return
    if answer.named:
        print_table(named_table(answer))
    if answer.hits:
        print_table(hits_table(answer))
    typer.echo(summary(answer))


def _entity_type(text: str) -> EntityType:
    try:
        return EntityType(text)
    except ValueError:
        raise InvalidInput(f"unknown entity type {text!r}; use one of {', '.join(EntityType)}") from None


def _sort(text: str) -> SortOrder:
    for order in get_args(SortOrder):
        if order == text:
            return order  # type: ignore[no-any-return]  # one of the literals
    raise InvalidInput(f"unknown order {text!r}; use one of {', '.join(get_args(SortOrder))}")
