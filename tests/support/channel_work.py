"""Work for children that stay: echoes, failures, and attempts to reach the network."""

import os
import select
import signal
import socket
import time
from typing import Any

from sightline.jobs import ChildChannel


def echo(argument: dict[str, Any], channel: ChildChannel) -> None:
    channel.send("ready", {"greeting": argument["greeting"]})
    while True:
        message = channel.receive()
        assert message is not None
        match message.kind:
            case "fail":
                raise ValueError("a secret that must not travel")
            case "crash":
                os.kill(os.getpid(), signal.SIGSEGV)
            case "nonsense":
                os.write(channel._number, b"\xff" * 64)
                time.sleep(60)
            case _:
                channel.send(message.kind, message.fields, message.content[::-1])


def end_without_reading(_argument: dict[str, Any], channel: ChildChannel) -> None:
    """Ends with a reason as soon as there is a message, which it does not read."""
    select.select([channel._number], [], [])
    channel.send("problem", {"code": "not_found"})


def reach(argument: dict[str, Any], channel: ChildChannel) -> None:
    """Says of each attempt whether it succeeded."""
    results: dict[str, bool] = {}

    def attempt(name: str, work: Any) -> None:
        try:
            work()
            results[name] = True
        except OSError:
            results[name] = False

    def connect(port: int) -> None:
        with socket.socket() as made:  # without a time limit, which Python sets by a call that is refused
            made.connect(("127.0.0.1", port))
            made.recv(1)

    attempt("the port", lambda: connect(argument["port"]))
    attempt("another port", lambda: connect(argument["other_port"]))
    attempt("udp", lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
    attempt("local socket", lambda: socket.socket(socket.AF_UNIX))
    attempt("raw socket", lambda: socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_ICMP))
    attempt("kernel socket", lambda: socket.socket(socket.AF_NETLINK, socket.SOCK_RAW))
    attempt("multipath", lambda: socket.socket(socket.AF_INET, socket.SOCK_STREAM, 262))
    attempt("listening", lambda: socket.create_server(("127.0.0.1", 0)))
    attempt("fast open", lambda: _fast_open(argument["other_port"]))
    attempt("a file", lambda: open("/etc/hostname").close())
    channel.send("results", results)


def _fast_open(port: int) -> None:
    with socket.socket() as made:
        made.sendto(b"x", 0x20000000, ("127.0.0.1", port))
