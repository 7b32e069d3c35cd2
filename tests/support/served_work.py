"""Services for long-lived processes: must stand at the top of a module that a child can import."""

import os
import signal
import socket
import time
from pathlib import Path

from sightline.errors import PermanentFailure


def open_echo(argument):
    def handle(header, content):
        match header:
            case {"die": True}:
                os.kill(os.getpid(), signal.SIGKILL)
            case {"hang": True}:
                time.sleep(600)
            case {"refuse": True}:
                raise PermanentFailure("this request is refused")
            case {"fail": True}:
                raise RuntimeError("the service is broken")
            case {"hoard": True}:
                return {"bytes": len(bytearray(8 * 1024**3))}
            case {"read": path}:
                return {"read": _outcome(lambda: len(Path(path).read_bytes()))}
            case {"connect": True}:
                return {"connect": _outcome(socket.socket)}
        return {"pid": os.getpid(), "bytes": len(content), "sum": sum(content[:10]), "said": header, "given": argument}

    return handle


def open_nothing(argument):
    raise PermanentFailure("the file is no model")


def open_broken(argument):
    os.kill(os.getpid(), signal.SIGSEGV)


def _outcome(attempt):
    try:
        return str(attempt())
    except OSError as error:
        return type(error).__name__
