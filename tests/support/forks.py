"""Processes to be killed: forked off one that has imported everything, since that takes longer than their work.

`python -m support.forks MODULE` forks for each line of its input, a JSON list, and runs the coroutine `main(*list, say)` of the
module there. Its output has a line for each fork, the process id, and a line for each `say`, the process id and the text.
"""

import asyncio
import importlib
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import psutil

from support import TESTS
from support.waiting import until


class Forks:
    """The side of the test. Works with any event loop, so it can be shared by tests."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self._process = process

    async def start(self, *arguments: str) -> int:
        """The id of the new process."""
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(arguments) + "\n")
        self._process.stdin.flush()
        while len(line := await self._line()) != 1:
            pass  # a last word of one that was killed before
        return int(line[0])

    async def heard_from(self, pid: int) -> str:
        """What the process says next."""
        while len(line := await self._line()) != 2 or int(line[0]) != pid:
            pass
        return line[1]

    async def kill(self, pid: int) -> None:
        os.kill(pid, signal.SIGKILL)
        await until(lambda: not psutil.pid_exists(pid))

    async def _line(self) -> list[str]:
        assert self._process.stdout is not None
        line = await asyncio.to_thread(self._process.stdout.readline)
        assert line, "the process that forks has ended"
        return line.rstrip("\n").split(" ", 1)


@contextmanager
def forks_of(module: str) -> Iterator[Forks]:
    process = subprocess.Popen(
        [sys.executable, "-m", "support.forks", module],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
        cwd=TESTS,
    )
    try:
        yield Forks(process)
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()


def serve(module: str) -> None:
    main = importlib.import_module(module).main
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for the forks
    output = os.dup(1)
    os.dup2(2, 1)  # logs are not lines of ours
    for line in sys.stdin:
        if os.fork() == 0:
            os.write(output, f"{os.getpid()}\n".encode())

            def say(text: str) -> None:
                os.write(output, f"{os.getpid()} {text}\n".encode())

            asyncio.run(main(*json.loads(line), say))
            os._exit(0)


if __name__ == "__main__":
    serve(sys.argv[1])
