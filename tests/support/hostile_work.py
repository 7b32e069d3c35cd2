"""What hostile code in the sandbox could try. Each attempt is made and reported by its name: what it got, or why it was refused."""

import ctypes
import os
import platform
import resource
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

REACHED, REFUSED = "reached", "refused"

# Numbers of calls that Python does not wrap, on x86_64 and aarch64.
_CALLS = {
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "mount": (165, 40),
    "chroot": (161, 51),
    "setns": (308, 268),
    "unshare": (272, 97),
    "keyctl": (250, 219),
    "add_key": (248, 217),
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "userfaultfd": (323, 282),
    "io_uring_setup": (425, 425),
    "open_by_handle_at": (304, 265),
    "name_to_handle_at": (303, 264),
    "memfd_create": (319, 279),
    "execveat": (322, 281),
    "pidfd_open": (434, 434),
    "tgkill": (234, 131),
    "rt_tgsigqueueinfo": (297, 240),
    "personality": (135, 92),
    "clone": (56, 220),
    "clone3": (435, 435),
    "seccomp": (317, 277),
}
_CLONE_NEWUSER = 0x10000000


def attempt_all(argument, progress):
    found = {}
    for name, attempt in _attempts(argument).items():
        try:
            got = attempt()
        except (OSError, RuntimeError) as error:
            found[name] = [REFUSED, str(error)]
        else:
            found[name] = [REACHED, str(got)]
    return {"found": found, "self": _self(argument)}


def _attempts(argument: dict[str, Any]) -> dict[str, Callable[[], object]]:
    pid, secret = argument["pid"], Path(argument["secret"])
    harmless = _files(secret, pid) | _network(argument) | _processes(pid, argument["address"])
    # Where it is not refused, root really changes its root directory.
    return harmless | _privileges() if argument["sandboxed"] else harmless


def _files(secret: Path, pid: int) -> dict[str, Callable[[], object]]:
    return {
        "read a file of the state directory": secret.read_text,
        "list the state directory": lambda: os.listdir(secret.parent),
        "read the directory the platform was started in": lambda: os.listdir(secret.parent.parent),
        "read /etc/shadow": Path("/etc/shadow").read_text,
        "read /etc/passwd": Path("/etc/passwd").read_text,
        "read the platform's environment": Path(f"/proc/{pid}/environ").read_bytes,
        "read the platform's memory": Path(f"/proc/{pid}/maps").read_text,
        "list the platform's open files": lambda: os.listdir(f"/proc/{pid}/fd"),
        "read the platform's command": Path(f"/proc/{pid}/cmdline").read_text,
        "read the fork server's environment": Path(f"/proc/{os.getppid()}/environ").read_bytes,
        "list processes": lambda: os.listdir("/proc"),
        "read the connections of the machine": Path("/proc/self/net/tcp").read_text,
        "write outside": lambda: secret.with_name("new").write_text("x"),
        "append outside": lambda: secret.open("a").close(),
        "remove outside": lambda: secret.with_name("removable").unlink(),
        "truncate outside": lambda: os.truncate(secret.with_name("cut"), 0),
        "rename outside": lambda: secret.with_name("renamable").rename(secret.with_name("renamed")),
        "change modes outside": lambda: secret.with_name("cut").chmod(0o777),
        "make a symbolic link": lambda: os.symlink("/etc/passwd", "link"),
        "make a hard link": lambda: os.link(secret, "hard"),
        "make a pipe in the file system": lambda: os.mkfifo("fifo"),
        "make a socket in the file system": lambda: os.mknod("socket", 0o140600),
    }


def _network(argument: dict[str, Any]) -> dict[str, Callable[[], object]]:
    def connect(family: int, kind: int, address: Any) -> None:
        with socket.socket(family, kind) as made:
            made.settimeout(30)
            made.connect(address)

    def send() -> None:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as made:
            made.sendto(b"x", ("127.0.0.1", argument["udp"]))

    return {
        "connect by TCP": lambda: connect(socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.1", argument["tcp"])),
        "send by UDP": send,
        "connect to a unix socket": lambda: connect(socket.AF_UNIX, socket.SOCK_STREAM, argument["unix"]),
        "connect to an abstract unix socket": lambda: connect(
            socket.AF_UNIX, socket.SOCK_STREAM, "\0" + argument["abstract"]
        ),
        "open a raw socket": lambda: socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_ICMP).close(),
        "open a packet socket": lambda: socket.socket(socket.AF_PACKET, socket.SOCK_RAW).close(),
        "open a netlink socket": lambda: socket.socket(socket.AF_NETLINK, socket.SOCK_RAW).close(),
        "open a kernel crypto socket": lambda: socket.socket(socket.AF_ALG, socket.SOCK_SEQPACKET).close(),
        "make a pair of sockets": _make_pair,
        "listen": lambda: socket.create_server(("127.0.0.1", 0)).close(),
        "resolve a name": lambda: socket.getaddrinfo("localhost", 80),
    }


def _make_pair() -> None:
    for one in socket.socketpair():
        one.close()


def _processes(pid: int, address: int) -> dict[str, Callable[[], object]]:
    return {
        "start a program": lambda: subprocess.run(["/bin/true"], check=True),
        "become a program": _execute,
        "run a program from memory": lambda: _call("memfd_create", b"x", 0),
        "fork": _fork,
        "start a process by clone": lambda: _reap(_call("clone", signal.SIGCHLD, 0, 0, 0, 0)),
        "start a process by clone3": lambda: _reap(_call_clone3()),
        "trace the platform": lambda: _trace(pid),
        "read the platform's memory by call": lambda: _read_memory(pid, address),
        "signal the platform": lambda: os.kill(pid, 0),
        "signal all processes": lambda: os.kill(-1, 0),
        "signal the fork server": lambda: os.kill(os.getppid(), 0),
        "signal a thread of the platform": lambda: _call("tgkill", pid, pid, 0),
        "hold the platform by a handle": lambda: os.close(os.pidfd_open(pid)),
        "limit the platform": lambda: resource.prlimit(pid, resource.RLIMIT_NOFILE),
        "slow the platform down": lambda: os.setpriority(os.PRIO_PROCESS, pid, os.getpriority(os.PRIO_PROCESS, pid)),
        "bind the platform to a processor": lambda: os.sched_setaffinity(pid, os.sched_getaffinity(pid)),
        "have the kernel signal the platform": lambda: _own_by(pid),
    }


def _privileges() -> dict[str, Callable[[], object]]:
    return {
        "become root": lambda: os.setuid(0),
        "make a user namespace": lambda: _call("unshare", _CLONE_NEWUSER),
        "mount": lambda: _call("mount", b"none", b".", b"tmpfs", 0, None),
        "change the root": lambda: os.chroot("."),
        "reach keys of the kernel": lambda: _call("keyctl", 0, -3, 0),
        "add a key to the kernel": lambda: _call("add_key", b"user", b"x", b"y", 1, -2),
        "load a BPF program": lambda: _call("bpf", 0, None, 0),
        "count events of the processor": lambda: _call("perf_event_open", None, 0, -1, -1, 0),
        "handle page faults": lambda: os.close(_call("userfaultfd", 0)),
        "open an io_uring": lambda: _call("io_uring_setup", 1, ctypes.create_string_buffer(120)),
        "call by the x32 convention": lambda: _call_number(0x40000000 | 39),
        "take the filter off": lambda: _call("seccomp", 0, 0, None),
        "use the commands of devices": _ioctl,
    }


def _self(argument: dict[str, Any]) -> dict[str, Any]:
    status = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text().splitlines())
    return {
        "environment": dict(os.environ),
        "initial_environment": _text(lambda: Path("/proc/self/environ").read_bytes().decode(errors="replace")),
        "argv": sys.argv,
        "status": {name: " ".join(value.split()) for name, value in status.items()},
        "files": {name: _text(partial(os.readlink, f"/proc/self/fd/{name}")) for name in _open_files()},
        "own": _own_files(),
        "handed": os.pread(argument["input"], 100, 0).decode() if "input" in argument else None,
        "interfaces": _text(lambda: str(socket.if_nameindex())),
        "threads": _many_threads() if argument["sandboxed"] else None,
    }


def _own_files() -> str:
    Path("made").mkdir()
    Path("made/file").write_text("x")
    Path("made/file").rename("made/renamed")
    Path("made/renamed").unlink()
    Path("made").rmdir()
    return "works"


def _many_threads() -> int:
    """How many threads can be started: a bomb that a limit must end."""
    threading.stack_size(64 * 1024)
    done = threading.Event()
    started = []
    try:
        for _ in range(5000):
            one = threading.Thread(target=done.wait)
            one.start()
            started.append(one)
    except (RuntimeError, MemoryError, OSError):
        pass
    finally:
        done.set()
        for one in started:
            one.join()
        threading.stack_size(0)
    return len(started)


def _open_files() -> list[str]:
    return [str(number) for number in range(256) if _is_open(number)]


def _is_open(number: int) -> bool:
    try:
        os.fstat(number)
    except OSError:
        return False
    return True


def _text(look: Callable[[], str]) -> str:
    try:
        return look()
    except OSError as error:
        return f"{REFUSED}: {error}"


def _call(name: str, *arguments: Any) -> int:
    return _call_number(_CALLS[name][0 if platform.machine() == "x86_64" else 1], *arguments)


def _call_number(number: int, *arguments: Any) -> int:
    libc = ctypes.CDLL(None, use_errno=True)
    # As long numbers: of a short one on the stack, the kernel would read what stands beside it too.
    whole = [ctypes.c_long(one) if isinstance(one, int) else one for one in arguments]
    result: int = libc.syscall(ctypes.c_long(number), *whole)
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result


def _execute() -> None:
    """Tried in a way that does no harm where it is not refused: the program does not exist, which is then the reason given."""
    try:
        os.execv("/usr/lib/no-such-program", ["x"])
    except FileNotFoundError:
        return


def _fork() -> None:
    child = os.fork()
    if child == 0:
        os._exit(0)
    os.waitpid(child, 0)


def _reap(pid: int) -> None:
    if pid == 0:
        os._exit(0)
    os.waitpid(pid, 0)


def _call_clone3() -> int:
    arguments = (ctypes.c_uint64 * 8)()
    arguments[4] = signal.SIGCHLD
    return _call("clone3", arguments, ctypes.sizeof(arguments))


def _trace(pid: int) -> None:
    seize = 0x4206  # leaves the process running; it is let go when this one ends
    _call("ptrace", seize, pid, None, None)


def _read_memory(pid: int, address: int) -> None:
    class Part(ctypes.Structure):
        _fields_ = (("base", ctypes.c_void_p), ("length", ctypes.c_size_t))

    buffer = ctypes.create_string_buffer(8)
    local = Part(ctypes.cast(buffer, ctypes.c_void_p), 8)
    remote = Part(address, 8)
    _call("process_vm_readv", pid, ctypes.byref(local), 1, ctypes.byref(remote), 1, 0)


def _own_by(pid: int) -> None:
    import fcntl

    reading, writing = os.pipe()
    try:
        fcntl.fcntl(reading, 8, pid)  # F_SETOWN
    finally:
        os.close(reading)
        os.close(writing)


def _ioctl() -> None:
    import fcntl

    reading, writing = os.pipe()
    try:
        fcntl.ioctl(reading, 0x541B, bytes(4))  # FIONREAD, which a pipe answers
    finally:
        os.close(reading)
        os.close(writing)
