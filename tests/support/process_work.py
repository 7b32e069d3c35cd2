"""Work for processes of their own: must stand at the top of a module that a child can import."""

import contextlib
import importlib
import os
import resource
import signal
import socket
import stat
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import asyncpg

from sightline.errors import InvalidInput
from sightline.jobs import LimitReached


def double(argument, progress):
    progress(0.5, "half-way")
    return {"answer": argument["n"] * 2, "pid": os.getpid()}


def refuse(argument, progress):
    raise InvalidInput(f"{argument['n']} is no good")


def stumble(argument, progress):
    raise ConnectionError("the wire was cut")


def break_a_rule(argument, progress):
    raise asyncpg.UniqueViolationError("there is one already")


def crash(argument, progress):
    os.kill(os.getpid(), signal.SIGSEGV)


def hang(argument, progress):
    progress(0.1, str(os.getpid()))
    time.sleep(600)


def burn(argument, progress):
    while True:
        pass


def hoard(argument, progress):
    return {"size": len(bytearray(argument["bytes"]))}


def write(argument, progress):
    with open("big", "wb") as file:
        for _ in range(argument["mib"]):
            file.write(b"\0" * 1024 * 1024)


def look_around(argument, progress):
    Path("left").write_text("something")
    with tempfile.NamedTemporaryFile() as file:
        return {
            "cwd": os.getcwd(),
            "temporary": file.name,
            "nice": os.nice(0),
            "core": resource.getrlimit(resource.RLIMIT_CORE)[0],
            "modules": [name for name in argument["modules"] if name in sys.modules],
        }


def start_a_program(argument, progress):
    """Starts a program that outlives its parent unless it is killed."""
    program = subprocess.Popen(["sleep", "600"])
    progress(0.0, f"{os.getpid()} {program.pid}")
    if argument.get("crash"):
        os.kill(os.getpid(), signal.SIGSEGV)
    program.wait()


def let_a_program_reach_its_limit(argument, progress):
    raise LimitReached(argument["limit"])


def talk_on_standard_output(argument, progress):
    print("unexpected output", flush=True)


def babble(argument, progress):
    """Sends what a compromised process could send."""
    for fd in range(3, 64):
        if stat.S_ISSOCK(_mode(fd)):
            with contextlib.suppress(OSError):
                os.write(fd, argument["line"].encode() + b"\n")
    time.sleep(600)


def _mode(fd):
    try:
        return os.fstat(fd).st_mode
    except OSError:
        return 0


def address_space(argument, progress):
    status = Path("/proc/self/status").read_text()
    return {"bytes": int(status.partition("VmSize:")[2].split()[0]) * 1024}


def reach(argument, progress):
    """What a process that is not held back could do; says which of these it could."""
    done = []
    for name, attempt in {
        "read": lambda: Path(argument["file"]).read_text(),
        "list": lambda: os.listdir(argument["directory"]),
        "write": lambda: Path(argument["directory"], "new").write_text("x"),
        "append": lambda: Path(argument["file"]).open("a").close(),
        "remove": lambda: Path(argument["other"]).unlink(),
        "connect": lambda: socket.create_connection(("127.0.0.1", argument["port"]), 60).close(),
        "listen": lambda: socket.create_server(("127.0.0.1", 0)).close(),
        "signal": lambda: os.kill(argument["pid"], 0),
        "own": lambda: Path("own").write_text("x"),
        "import": lambda: importlib.import_module("wave"),
        "run": lambda: subprocess.run(["true"], check=True),
    }.items():
        with contextlib.suppress(OSError):
            attempt()
            done.append(name)
    return {"done": sorted(done)}


def own_ids(argument, progress):
    return {"uid": os.getuid(), "gid": os.getgid()}
