"""Keys by which numbers are found by value, however they are written. Pure.

`$1,249.50`, `1.249,50 €` and `1249.5` share the key `1249.5`; a phone number is its digits. With a unit there is a second key
(`1249.5 usd`), for queries that name the unit too.
"""

import re
from decimal import Decimal

_AMOUNT = re.compile(r"[+-]?(\d{1,30}(?:\.\d{1,30})?)(.*)", re.DOTALL)
_PHONE = re.compile(r"\+?\d{7,15}")
_POINT_OR_THOUSANDS = re.compile(r"\d{1,3}\.\d{3}")
_COMMA_OR_THOUSANDS = re.compile(r"(?<!\d)\d{1,3},\d{3}(?!\d)")
_SCALES = {
    **dict.fromkeys(("k", "thousand"), 3),
    **dict.fromkeys(("m", "mn", "mio", "mln", "million", "millions"), 6),
    **dict.fromkeys(("b", "bn", "mrd", "billion", "billions"), 9),
    **dict.fromkeys(("tn", "trillion", "trillions"), 12),
}


def number_keys(written: str, normalized: str) -> frozenset[str]:
    """The keys of a number by how it is written and its normalized form; none for dates, times and versions."""
    parts = _parts(normalized)
    if parts is None:
        return frozenset()
    digits, unit = parts
    values = {_plain(digits)}
    # Whether 1.249 and 1,249 have decimals or thousands depends on the country.
    if "." in written and _POINT_OR_THOUSANDS.fullmatch(digits):
        values.add(_plain(digits.replace(".", "")))
    if "." not in written and _COMMA_OR_THOUSANDS.search(written):
        values.add(_plain(digits[:-3] + "." + digits[-3:]))
    scale, _, rest = unit.strip().partition(" ")
    # `$2m` are millions, `2 m` and `2m` are metres.
    is_scale = scale in _SCALES and (len(scale) > 1 or scale == "k" or (rest != "" and unit[0] != " "))
    if is_scale:
        values.add(_plain(str(Decimal(digits).scaleb(_SCALES[scale]))))
    unit = rest if is_scale else unit.strip()
    return frozenset(values | ({f"{value} {unit}" for value in values} if unit else set()))


def _parts(normalized: str) -> tuple[str, str] | None:
    """Digits and unit; None if it is no amount and no phone number."""
    if _PHONE.fullmatch(normalized):
        return normalized.removeprefix("+"), ""
    found = _AMOUNT.fullmatch(normalized)
    if found is None or found[2][:1] in (":", "-", "/", "."):
        return None
    return found[1], found[2]


def _plain(digits: str) -> str:
    """Without zeros that change nothing; those at the beginning of whole numbers stay, as in codes."""
    plain = format(Decimal(digits), "f") if "." in digits or "E" in digits else digits
    return plain.rstrip("0").rstrip(".") if "." in plain else plain
