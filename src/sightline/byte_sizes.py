"""Sizes in bytes as text for people. Pure."""

_UNITS = ("B", "kB", "MB", "GB", "TB", "PB")


def bytes_text(count: int) -> str:
    """In the units of the page: 1000 bytes are 1 kB. 10000000000 is `10 GB`, 1500000 is `1.5 MB`."""
    value, step = float(count), 0
    while round(value, 1) >= 1000 and step < len(_UNITS) - 1:
        value, step = value / 1000, step + 1
    digits = 0 if step == 0 or value >= 100 else 1
    return f"{value:.{digits}f}".removesuffix(".0") + f" {_UNITS[step]}"
