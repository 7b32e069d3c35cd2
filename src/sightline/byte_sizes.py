"""Sizes in bytes as text for people. Pure."""

import re

from sightline.errors import InvalidInput

_UNITS = ("B", "kB", "MB", "GB", "TB", "PB")


def bytes_text(count: int) -> str:
    """In the units of the page: 1000 bytes are 1 kB. 10000000000 is `10 GB`, 1500000 is `1.5 MB`."""
    value, step = float(count), 0
    while round(value, 1) >= 1000 and step < len(_UNITS) - 1:
        value, step = value / 1000, step + 1
    digits = 0 if step == 0 or value >= 100 else 1
    return f"{value:.{digits}f}".removesuffix(".0") + f" {_UNITS[step]}"


def parse_bytes(text: str) -> int:
    """What `bytes_text` writes, and plain numbers: `50GB`, `1.5 TB`, `1000`."""
    found = re.fullmatch(r"([0-9]{1,15})(\.[0-9]{1,3})? ?([A-Za-z]{0,2})", text.strip(), re.ASCII)
    units: dict[str, int] = {unit.casefold(): 10 ** (3 * step) for step, unit in enumerate(_UNITS)} | {"": 1}
    if found is None or (unit := found[3].casefold()) not in units:
        raise InvalidInput(f"{text!r} is no size; write it as 50GB, 1.5TB or a number of bytes")
    return round(float(found[1] + (found[2] or "")) * units[unit])
