"""Units for systemd: known directives, settings and commands that exist, and the same walls around each."""

import re
from configparser import RawConfigParser
from pathlib import Path
from typing import get_args

import pytest

from sightline.cli import COMMANDS
from sightline.config import load_settings
from sightline.jobs.confinement.system_calls import ALLOWED, CONNECTING, OPEN_NETWORK
from sightline.roles import Role

UNITS = sorted((Path(__file__).resolve().parents[2] / "deploy" / "systemd").glob("*.service"))
YES_NO, SECONDS, NAME = r"(yes|no)", r"\d+(s|min)", r"[a-z]+"
# Directives of systemd.unit(5), service(5), exec(5) and kill(5) that the units use, with the form of their values.
KNOWN = {
    "Unit": {
        "Description": ".+",
        "Wants": r"[\w.@-]+\.target",
        "After": r"([\w.@-]+\.(target|service) ?)+",
        "Requires": r"[\w.@-]+\.service",
        "Conflicts": r"[\w.@-]+\.service",
    },
    "Service": {
        "Type": "(exec|oneshot)",
        "RemainAfterExit": YES_NO,
        "User": NAME,
        "Group": NAME,
        "ExecStart": "/opt/sightline/bin/sightline .+",
        "EnvironmentFile": r"-?/etc/sightline/[\w.%]+",
        "Environment": r"SIGHTLINE_\w+=\S+",
        "StateDirectory": NAME,
        "StateDirectoryMode": "0[0-7]{3}",
        "WorkingDirectory": "/var/lib/sightline",
        "UMask": "0[0-7]{3}",
        "Restart": "on-failure",
        "RestartSec": SECONDS,
        "TimeoutStopSec": SECONDS,
        "KillMode": "mixed",
        "LimitNOFILE": r"\d+",
        "OOMPolicy": "continue",
        "CapabilityBoundingSet": "",
        "AmbientCapabilities": "",
        "ProtectSystem": "strict",
        "ProtectProc": "invisible",
        "RestrictAddressFamilies": r"(AF_\w+ ?)+",
        "RestrictNamespaces": r"((cgroup|ipc|net|mnt|pid|user|uts) ?)+",
        "SystemCallArchitectures": "native",
        "SystemCallErrorNumber": "EPERM",
        "SystemCallFilter": r"@?[\w -]+",
        **dict.fromkeys(
            (
                *(
                    "NoNewPrivileges",
                    "ProtectHome",
                    "PrivateTmp",
                    "PrivateDevices",
                    "ProtectClock",
                    "ProtectControlGroups",
                ),
                *("ProtectHostname", "ProtectKernelLogs", "ProtectKernelModules", "ProtectKernelTunables"),
                *("LockPersonality", "RemoveIPC", "RestrictRealtime", "RestrictSUIDSGID"),
            ),
            YES_NO,
        ),
    },
    "Install": {"WantedBy": r"[\w-]+\.target"},
}
NOT_IN_SYSTEM_SERVICE = {"landlock_create_ruleset", "landlock_add_rule", "landlock_restrict_self", "seccomp", "mincore"}
"""What the sandbox calls, or calls in it, that the group @system-service of systemd 252 to 257 does not have."""


def directives(unit: Path) -> list[tuple[str, str, str]]:
    """Section, name and value, in order; names may be repeated."""
    found, section = [], ""
    for line in unit.read_text().splitlines():
        if line.startswith("["):
            section = line.strip("[]")
        elif line.strip() and not line.startswith("#"):
            name, equals, value = line.partition("=")
            assert equals, line
            found.append((section, name, value))
    return found


def values(unit: Path, name: str) -> list[str]:
    return [value for _, one, value in directives(unit) if one == name]


@pytest.mark.req(1026)
@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.name)
def test_every_directive_is_known_in_its_section_with_a_value_of_its_form(unit: Path):
    for section, name, value in directives(unit):
        assert re.fullmatch(KNOWN[section][name], value), f"{section}: {name}={value}"
    parser = RawConfigParser(strict=False, interpolation=None)
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    parser.read_string(unit.read_text())
    assert set(parser.sections()) <= KNOWN.keys()


@pytest.mark.req(1026)
@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.name)
def test_a_unit_starts_a_command_that_exists_with_settings_that_exist(unit: Path):
    [start] = values(unit, "ExecStart")
    words = start.split()[1:]
    assert words[0] in COMMANDS or words == ["%i", "$ROLE_OPTIONS"]
    load_settings(dict(one.split("=", 1) for one in values(unit, "Environment")), env_file=None)


@pytest.mark.req(1026)
def test_the_units_name_each_other_and_every_role():
    names = {unit.name for unit in UNITS}
    for unit in UNITS:
        for value in (*values(unit, "Requires"), *values(unit, "Conflicts")):
            assert value in names
    comment = next(unit for unit in UNITS if unit.name == "sightline@.service").read_text()
    assert set(re.findall(r"sightline@(\w+)", comment)) == set(get_args(Role))


@pytest.mark.req(1027)
def test_each_unit_has_the_same_walls():
    walls = [
        [
            one
            for one in directives(unit)
            if one[1].startswith(("Protect", "Private", "Restrict", "System", "NoNew", "Cap"))
        ]
        for unit in UNITS
    ]
    assert len(UNITS) == 3
    assert all(one == walls[0] for one in walls)


@pytest.mark.req(1027)
def test_the_filter_of_system_calls_lets_the_sandbox_be_built():
    for unit in UNITS:
        groups, *more = values(unit, "SystemCallFilter")
        assert groups == "@system-service"
        allowed = {call for line in more for call in line.split()}
        assert allowed >= NOT_IN_SYSTEM_SERVICE
        assert allowed <= NOT_IN_SYSTEM_SERVICE | {*ALLOWED, *CONNECTING, *OPEN_NETWORK}
        # Its processes get a network without an interface where they may.
        assert values(unit, "RestrictNamespaces") == ["user net"]
        # Decoders ask for the processor and the memory there.
        assert not values(unit, "ProcSubset")
