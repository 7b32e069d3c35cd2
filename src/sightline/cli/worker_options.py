"""Options of `sightline work`: which job types a process runs, and how many jobs of each in parallel."""

from typing import Annotated

import typer

from sightline.worker_services import WorkerChoice

MAX_CONCURRENCY = 1000

Types = Annotated[
    str | None,
    typer.Option("--types", metavar="TYPE,TYPE", help="Job types to run, for example transcode,ocr. Default: all."),
]
Concurrency = Annotated[
    list[str] | None,
    typer.Option(
        "--concurrency",
        metavar="TYPE=N",
        help="Jobs of a type that this process runs in parallel, for example ocr=4. May be repeated, or separated by commas.",
    ),
]


def worker_choice(types: str | None, concurrency: list[str] | None, known: tuple[str, ...]) -> WorkerChoice:
    chosen = None if types is None else tuple(dict.fromkeys(_check(name, known, "--types") for name in _split(types)))
    if chosen == ():
        raise typer.BadParameter(f"names no job type; use one or more of {', '.join(known)}", param_hint="--types")
    limits = dict(_limit(part, chosen or known) for one in concurrency or () for part in _split(one))
    return WorkerChoice(chosen, limits)


def _split(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]


def _check(name: str, known: tuple[str, ...], option: str) -> str:
    if name not in known:
        raise typer.BadParameter(f"{name!r} is not a job type; use one of {', '.join(known)}", param_hint=option)
    return name


def _limit(text: str, chosen: tuple[str, ...]) -> tuple[str, int]:
    name, equals, number = (part.strip() for part in text.partition("="))
    if not equals:
        raise typer.BadParameter(f"{text!r} is not of the form TYPE=N, for example ocr=4", param_hint="--concurrency")
    if not (number.isascii() and number.isdecimal() and 1 <= int(number) <= MAX_CONCURRENCY):
        raise typer.BadParameter(
            f"{number!r} is not a whole number from 1 to {MAX_CONCURRENCY}", param_hint="--concurrency"
        )
    if name not in chosen:
        raise typer.BadParameter(
            f"{name!r} is not one of the job types of this process: {', '.join(chosen)}", param_hint="--concurrency"
        )
    return name, int(number)
