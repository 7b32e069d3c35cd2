"""Work for processes of their own: must stand at the top of a module that a child can import."""

import os
import signal
import time

import asyncpg

from sightline.errors import InvalidInput


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
