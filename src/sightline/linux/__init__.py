"""What Python does not wrap of Linux: raw system calls, capabilities, and user ids that nobody else has."""

from sightline.linux.calls import (
    has_capabilities,
    hide_from_other_processes,
    libc,
    prctl,
    syscall,
)
from sightline.linux.identity import ProcessIds, become, drop_capabilities
from sightline.linux.ownership import give_tree, private_directory, take_over
from sightline.linux.renames import exchange, sync_path, write_whole
from sightline.linux.unused_ids import find_unused_ids, used_ids

__all__ = [
    "ProcessIds",
    "become",
    "drop_capabilities",
    "exchange",
    "find_unused_ids",
    "give_tree",
    "has_capabilities",
    "hide_from_other_processes",
    "libc",
    "prctl",
    "private_directory",
    "sync_path",
    "syscall",
    "take_over",
    "used_ids",
    "write_whole",
]
