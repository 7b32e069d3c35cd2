"""A program that stands for the platform, started by `python -m` beside its state directory: runs hostile code, sandboxed or not.

Prints what the code reached. Its environment and its directory hold secrets.
"""

import asyncio
import json
import os
import secrets
import socket
import sys
from pathlib import Path

from sightline.jobs import ProcessLimits, Sandbox, run_in_process
from sightline.linux import hide_from_other_processes
from support import hostile_work


async def main(*, sandboxed: bool) -> None:
    state = Path.cwd() / "state"
    state.mkdir(mode=0o700, exist_ok=True)
    for name in ("password", "removable", "cut", "renamable"):
        (state / name).write_text("a secret")
    (Path.cwd() / "input").write_text("the video")
    (Path.cwd() / "work").mkdir()
    if sandboxed:
        hide_from_other_processes()
    abstract = f"sightline-{secrets.token_hex(8)}"
    with (
        socket.create_server(("127.0.0.1", 0)) as tcp,
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as udp,
        socket.create_server(str(state / "socket"), family=socket.AF_UNIX),
        socket.create_server("\0" + abstract, family=socket.AF_UNIX),
        (Path.cwd() / "input").open("rb") as handed,
    ):
        udp.bind(("127.0.0.1", 0))
        found = await run_in_process(
            hostile_work.attempt_all,
            {
                "pid": os.getpid(),
                "address": id(None),
                "secret": str(state / "password"),
                "tcp": tcp.getsockname()[1],
                "udp": udp.getsockname()[1],
                "unix": str(state / "socket"),
                "abstract": abstract,
                "sandboxed": sandboxed,
            },
            lambda *_: None,
            limits=ProcessLimits(cpu_s=60, memory_bytes=4 * 1024**3, file_bytes=1024**2, wall_s=300),
            directory=Path.cwd() / "work",
            handles={"input": handed.fileno()},
            sandbox=Sandbox() if sandboxed else None,
        )
    print(json.dumps(found))


if __name__ == "__main__":
    asyncio.run(main(sandboxed=sys.argv[1] == "sandboxed"))
