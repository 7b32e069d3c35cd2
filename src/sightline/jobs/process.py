"""CPU-heavy work in a process of its own: off the event loop, ended on time, and harmless when it crashes."""

import asyncio
import multiprocessing
import signal
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import Any

from sightline.errors import PermanentFailure, TransientFailure
from sightline.jobs.retry import may_retry

Progress = Callable[[float, str | None], None]
Work = Callable[[dict[str, Any], Progress], dict[str, Any] | None]
"""A function at the top of a module: takes the payload as JSON and a way to report progress, returns a result as JSON."""

_context = multiprocessing.get_context("forkserver")
_context.set_forkserver_preload(["sightline.jobs.process"])


async def run_in_process(work: Work, argument: dict[str, Any], progress: Progress) -> dict[str, Any] | None:
    """Runs it and returns its result. Cancelling kills the process; an error in it is raised here with the same answer to
    whether trying again makes sense; a process that dies of a signal may be tried again."""
    ours, theirs = _context.Pipe(duplex=False)
    process = _context.Process(target=_in_child, args=(work, argument, theirs), daemon=True)
    await asyncio.to_thread(process.start)
    theirs.close()
    try:
        while True:
            try:
                kind, value = await asyncio.to_thread(ours.recv)
            except EOFError:
                raise TransientFailure(await asyncio.to_thread(_last_words, process)) from None
            match kind:
                case "progress":
                    progress(*value)
                case "result":
                    result: dict[str, Any] | None = value
                    return result
                case "error":
                    name, message, is_worth_it = value
                    failure = TransientFailure if is_worth_it else PermanentFailure
                    raise failure(f"{name}: {message}")
    finally:
        if process.is_alive():
            process.kill()
        await asyncio.to_thread(process.join, 5)
        ours.close()


def _in_child(work: Work, argument: dict[str, Any], answers: Connection) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the whole group; the parent decides what it means

    def progress(fraction: float, message: str | None = None) -> None:
        answers.send(("progress", (fraction, message)))

    try:
        result = work(argument, progress)
    except BaseException as error:
        answers.send(("error", (type(error).__name__, str(error), may_retry(error, 0))))
    else:
        answers.send(("result", result))
    finally:
        answers.close()


def _last_words(process: Any) -> str:
    process.join(5)
    code = process.exitcode
    if code is not None and code < 0:
        return f"the process was ended by {signal.Signals(-code).name}"
    return f"the process ended with code {code} and without an answer"
