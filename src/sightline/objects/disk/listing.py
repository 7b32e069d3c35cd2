"""Listing of objects below a directory in key order, reading only directories that can hold matching keys."""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from sightline.objects.key_rules import is_key


@dataclass(frozen=True, slots=True)
class ListedObject:
    key: str
    path: Path
    stat: os.stat_result


def walk(root: Path, prefix: str, *, after: bytes = b"") -> Iterator[ListedObject]:
    """Objects whose keys start with `prefix` and come after `after`, both compared as S3 does: by their UTF-8 bytes."""
    folder = prefix.rpartition("/")[0]
    if folder and (not is_key(folder) or os.path.realpath(root / folder) != str(root / folder)):
        return
    yield from _walk(root / folder, f"{folder}/" if folder else "", prefix.encode(errors="surrogatepass"), after)


def _walk(directory: Path, base: str, prefix: bytes, after: bytes) -> Iterator[ListedObject]:
    for key, entry in _entries(directory, base):
        encoded = key.encode()
        if key.endswith("/"):
            may_match_prefix = encoded.startswith(prefix) or prefix.startswith(encoded)
            may_come_after = encoded > after or after.startswith(encoded)
            if may_match_prefix and may_come_after:
                yield from _walk(directory / entry.name, key, prefix, after)
        elif encoded.startswith(prefix) and encoded > after:
            try:
                yield ListedObject(key, directory / entry.name, entry.stat(follow_symlinks=False))
            except FileNotFoundError:
                continue


def _entries(directory: Path, base: str) -> list[tuple[str, "os.DirEntry[str]"]]:
    """Directories end with a slash, so that they sort where the keys below them do."""
    found = []
    try:
        with os.scandir(directory) as entries:
            for entry in entries:
                is_directory = entry.is_dir(follow_symlinks=False)
                if is_key(base + entry.name) and (is_directory or entry.is_file(follow_symlinks=False)):
                    found.append((f"{base}{entry.name}/" if is_directory else base + entry.name, entry))
    except (FileNotFoundError, NotADirectoryError):
        return []
    return sorted(found, key=lambda one: one[0].encode())
