"""Numbers in a text: amounts with currency or unit, phone numbers, dates, times, versions. Pure."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

import regex

_CURRENCIES = {
    "us$": "usd", "r$": "brl", "c$": "cad", "ca$": "cad", "a$": "aud", "au$": "aud", "hk$": "hkd", "nz$": "nzd", "s$": "sgd",
    "$": "usd", "€": "eur", "£": "gbp", "¥": "jpy", "₹": "inr", "₽": "rub", "₩": "krw", "₺": "try", "₫": "vnd", "₴": "uah",
    "₪": "ils", "฿": "thb", "₿": "btc", "¢": "cent", "zł": "pln", "kč": "czk",
}  # fmt: skip
_CODES = "usd eur gbp jpy brl chf cad aud nzd inr cny rmb sek nok dkk pln czk huf ron mxn ars clp cop zar krw sgd hkd try ils aed"
_SCALES = "thousand|millions?|billions?|trillions?|mio|mln|mrd|bn|mn|tn"
# After a space only units that are not words: "3 in the room" is not a length, "3in" is.
_UNITS = (
    "kg|mg|µg|g|lbs?|oz|km/h|m/s|mph|km|cm|mm|µm|nm|(?-i:m)|mi|ft|yd|ml|cl|l|gal|kwh|wh|kw|mw|gw|w|kv|mv|v|mah|ma|ghz|mhz|khz|hz|"
    "kib|mib|gib|tib|kb|mb|gb|tb|pb|kbps|mbps|gbps|kbit/s|mbit/s|gbit/s|fps|px|dpi|ppi|rpm|bpm|"
    "ms|µs|ns|sec|secs|seconds?|min|mins|minutes?|hrs?|hours?|h|days?|weeks?|months?|years?|"
    "db|bar|kpa|hpa|psi|kcal|cal|kj|lm|lx|pts?|points?|pages?|percent|°\\s?[cf]|°"
)
_SIGNS = "|".join(regex.escape(sign) for sign in sorted(_CURRENCIES, key=len, reverse=True))
_CURRENCY = rf"(?:{_SIGNS}|(?:{_CODES.replace(' ', '|')})\b)"
_DIGITS = r"""
    \d{1,3}(?:,\d{3})+(?:\.\d+)?(?!,?\d)         # 1,299.99
  | \d{1,3}(?:\.\d{3})+,\d+(?![.,]?\d)           # 1.299,99
  | \d{1,3}(?:\.\d{3}){2,}(?![.,]?\d)            # 1.299.000
  | \d{1,3}(?:['’\u00a0\u202f]\d{3})+(?:[.,]\d+)?(?!\d)
  | \d{1,3}(?:\ \d{3})+,\d{1,2}(?!\d)            # 1 299,99; with spaces alone it could be a list
  | (?<!\d[.,])\d+[.,]\d+(?![.,]?\d)
  | (?<![\d.,])\.\d+
  | \d+
"""
_NUMBER = rf"""
    (?<![\p{{L}}\p{{M}}\p{{N}}_]|\d[.:])         # no digits inside words: H264 is a name, v1.2.3 is one too
    (?:
        (?P<phone>
            (?:\+\d{{1,3}}[\ .\-]?)?\(\d{{2,4}}\)[\ .\-]?\d{{3,5}}[\ .\-]?\d{{3,5}}
          | \+\d{{1,3}}(?:[\ .\-]?\d{{1,8}}){{1,5}}
          | (?:1[\ .\-])?\d{{3}}(?P<between>[\ .\-])\d{{3}}(?P=between)\d{{4}}
          | \d{{2}}(?:[\ .]\d{{2}}){{4}}
          | \d{{3}}-\d{{4}}
        )(?![\d\-]|\.\d)
      | (?P<whole>
            \d{{4}}-\d{{1,2}}-\d{{1,2}}
          | \d{{1,2}}(?P<slash>[/.])\d{{1,2}}(?P=slash)\d{{2,4}}
          | \d+(?:\.\d+)?/\d+
          | \d+(?::\d+)+(?:\s?[ap]\.?m\b\.?)?
          | \d+(?:\.\d+){{2,}}
        )(?![\d\-/]|[.:]\d)
      | (?P<amount>
            (?:(?P<before>{_CURRENCY})\ ?)?
            (?P<sign>(?<![\p{{L}}\p{{N}}.,)%])[+\-−])?
            (?P<digits>{_DIGITS})
            (?:\ ?(?P<scale>{_SCALES}|(?(before)[kmb]|(?!)))(?![\p{{L}}\p{{M}}]))?
            (?:
                \ ?(?P<percent>[%‰])
              | (?(before)(?!)|\ ?(?P<after>{_CURRENCY})(?![\p{{L}}\d]))
              | \ ?(?P<unit>{_UNITS})(?![\p{{L}}\p{{M}}\d])
              | (?P<joined>[\p{{L}}"″′]{{1,4}})(?![\p{{L}}\p{{M}}\d])
            )?
        )
    )
"""
_GROUPS_OF_THREE = regex.compile(r"\d{1,3}(?:\.\d{3}){2,}")
_AMOUNT = regex.compile(r"[+-]?\d+(?:\.\d+)?")
MIN_PHONE_DIGITS, MAX_PHONE_DIGITS = 7, 15


@cache
def _pattern(*, with_phones: bool) -> "regex.Pattern[str]":
    """Compiled on first use: it takes as long as many commands take to start."""
    text = _NUMBER if with_phones else _NUMBER.replace("(?P<phone>", "(?!)(?P<phone>", 1)
    return regex.compile(text, regex.VERBOSE | regex.IGNORECASE)


@dataclass(frozen=True, slots=True)
class FoundNumber:
    value: str
    normalized: str
    start: int


def find_numbers(text: str) -> Iterator[FoundNumber]:
    at = 0
    while (found := _pattern(with_phones=True).search(text, at)) is not None:
        if found["phone"] is not None and not _is_phone(found["phone"]):
            found = _pattern(with_phones=False).search(text, at)
            assert found is not None, "a possible phone number contains digits"
        yield FoundNumber(found[0], _normalize(found), found.start())
        at = found.end()


def normalize_number(text: str) -> str:
    """The normalized form of a text that is one number; any other text is returned as it is."""
    numbers = list(find_numbers(text))
    return numbers[0].normalized if len(numbers) == 1 else text


def bare_amount(normalized: str) -> str:
    """Without unit and currency: 12 of `12 kg`."""
    found = _AMOUNT.match(normalized)
    return normalized if found is None or normalized[found.end() :].startswith((":", "-", "/", ".")) else found[0]


def _is_phone(text: str) -> bool:
    digits = sum(character.isdigit() for character in text)
    return MIN_PHONE_DIGITS <= digits <= MAX_PHONE_DIGITS and text.count("(") == text.count(")")


def _normalize(found: "regex.Match[str]") -> str:
    if found["phone"] is not None:
        return "".join(one for one in found["phone"] if one.isdigit() or one == "+")
    if (whole := found["whole"]) is not None:
        if _GROUPS_OF_THREE.fullmatch(whole):
            return whole.replace(".", "")
        return regex.sub(r"[\s.]*([ap])\.?m\.?$", r"\1m", whole.lower())
    sign = "-" if found["sign"] in ("-", "−") else ""
    amount = sign + _plain(found["digits"]) + (_scale(found["scale"]) if found["scale"] else "")
    if (currency := found["before"] or found["after"]) is not None:
        return f"{amount} {_CURRENCIES.get(currency.lower(), currency.lower())}"
    if found["percent"]:
        return amount + found["percent"]
    if found["unit"]:
        return f"{amount} {found['unit'].lower().replace(' ', '')}"
    return amount + (found["joined"] or "").lower()


def _scale(text: str) -> str:
    return text.lower() if len(text) == 1 else f" {text.lower()}"


def _plain(digits: str) -> str:
    """With a point before decimals and nothing between thousands."""
    bare = regex.sub(r"[\s'’]", "", digits)
    point, comma = bare.rfind("."), bare.rfind(",")
    if point >= 0 and comma >= 0:
        return bare.replace(",", "") if point > comma else bare.replace(".", "").replace(",", ".")
    if comma >= 0:
        is_grouped = regex.fullmatch(r"\d{1,3}(?:,\d{3})+", bare) is not None
        return bare.replace(",", "" if is_grouped else ".")
    if _GROUPS_OF_THREE.fullmatch(bare):
        return bare.replace(".", "")
    return f"0{bare}" if bare.startswith(".") else bare
