"""The filter of system calls, run here instruction by instruction as the kernel runs it."""

import errno
import os

import pytest

from sightline.jobs.confinement.seccomp import build_filter
from sightline.jobs.confinement.system_calls import ALLOWED, ARCHITECTURES, CHECKED, number_of

ALLOW, KILL, FAIL = 0x7FFF0000, 0x80000000, 0x00050000
PID = 4321


def decide(machine: str, number: int, *arguments: int, audit: int | None = None) -> int:
    """What the filter says of a call: a small machine for classic BPF."""
    architecture = ARCHITECTURES[machine]
    given = {0: number, 4: architecture.audit_number if audit is None else audit}
    given |= {16 + 8 * place: value & 0xFFFFFFFF for place, value in enumerate(arguments)}
    program, at, loaded = build_filter(architecture, PID), 0, 0
    while True:
        code, when_true, when_false, value = program[at]
        at += 1
        match code:
            case 0x20:
                loaded = given.get(value, 0)
            case 0x15:
                at += when_true if loaded == value else when_false
            case 0x45:
                at += when_true if loaded & value else when_false
            case 0x06:
                return value


def call(machine: str, name: str, *arguments: int) -> int:
    number = number_of(name, ARCHITECTURES[machine])
    assert number is not None
    return decide(machine, number, *arguments)


@pytest.mark.req(310, 311, 312)
@pytest.mark.parametrize("machine", ARCHITECTURES)
def test_what_is_listed_is_allowed_and_every_other_number_is_refused(machine):
    listed = {number_of(name, ARCHITECTURES[machine]) for name in ALLOWED}
    checked = {number_of(name, ARCHITECTURES[machine]) for name in CHECKED}
    for number in range(600):
        if number in listed:
            assert decide(machine, number) == ALLOW
        elif number not in checked:
            assert decide(machine, number) == FAIL | errno.EPERM


@pytest.mark.parametrize("machine", ARCHITECTURES)
def test_calls_by_another_convention_do_not_pass(machine):
    assert decide(machine, 0, audit=0x40000003) == KILL  # i386
    assert decide(machine, 0x40000000) == FAIL | errno.EPERM  # x32


@pytest.mark.parametrize("machine", ARCHITECTURES)
def test_some_calls_are_allowed_by_their_arguments(machine):
    assert call(machine, "clone", 0x3D0F00) == ALLOW  # a thread
    assert call(machine, "clone", 0x11) == FAIL | errno.EPERM  # a process
    assert call(machine, "clone3") == FAIL | errno.ENOSYS
    for name in ("kill", "tgkill"):
        assert call(machine, name, PID, 9) == ALLOW
        for other in (0, 1, -1, -PID, PID + 1):
            assert call(machine, name, other, 9) == FAIL | errno.EPERM
    assert call(machine, "prlimit64", 0) == ALLOW
    assert call(machine, "prlimit64", 1) == FAIL | errno.EPERM
    assert call(machine, "prctl", 15) == ALLOW  # the name of a thread
    assert call(machine, "prctl", 4, 1) == FAIL | errno.EPERM  # to be readable again
    assert call(machine, "fcntl", 3, os.O_RDONLY) == ALLOW
    assert call(machine, "fcntl", 3, 8) == FAIL | errno.EPERM  # signals of the kernel to another process
    assert call(machine, "ioctl", 1, 0x5412) == FAIL | errno.ENOTTY
