"""Number terms: amounts and phone numbers of a query, found by value. Pure."""

import re
from dataclasses import dataclass

from sightline.text.search.conditions import (
    TermCondition,
    any_of,
    key,
    word_key,
)
from sightline.text.segments import find_entities, number_keys, typo_keys, words_of

MIN_DIGITS = 3
"""Shorter whole numbers are words like any other: too many texts have them."""
MIN_LOOSE_DIGITS = 7
"""Whole numbers of so many digits may be phone numbers, with signs between any of them."""


@dataclass(frozen=True, slots=True)
class NumberTerm:
    """A number, found however its digits are grouped; fuzzy search also finds it with another unit, and look-alikes."""

    text: str
    """Folded."""
    value: str
    unit: str = ""

    @property
    def _is_whole(self) -> bool:
        return self.text.isdigit()

    def exact(self) -> TermCondition:
        keys = [key("n", f"{self.value} {self.unit}" if self.unit else self.value)]
        if self._is_whole:
            keys.append(word_key(self.text))
        return TermCondition(any_of(keys), phrases=(self.pattern(),))

    def loose(self) -> TermCondition:
        keys = [key("n", self.value)]
        if self._is_whole:
            keys += [word_key(self.text), *(key("s", one) for one in sorted(typo_keys(self.text)))]
        else:
            keys.append(f"({' & '.join(word_key(word) for word in words_of(self.text))})")
        return TermCondition(any_of(keys), phrases=(self.pattern(),))

    def pattern(self) -> str:
        """Matches the number in a folded text, for PostgreSQL and Python; its second group is the number."""
        whole, _, decimals = self.value.partition(".")
        if not decimals and len(whole) >= MIN_LOOSE_DIGITS:
            digits = r"[-() .,'/]*".join(whole)
        else:
            head = len(whole) % 3
            groups = ([whole[:head]] if head else []) + [whole[at : at + 3] for at in range(head, len(whole), 3)]
            digits = r"[., ']?".join(groups)
        tail = rf"[.,]{decimals}0*" if decimals else r"(?:[.,]0+)?"
        return rf"(^|[^0-9])({digits}{tail})(?![0-9])"


def number_term(folded: str) -> NumberTerm | None:
    """The term of a text that is one number, perhaps with a unit; None for any other text."""
    text = folded.strip(" ,;:!?()[]{}\"'`")
    if not text.endswith("%"):
        text = text.rstrip(".")
    if not text or (not text.isascii() and not re.search(r"[€£¥₹₽₩₺₫₴₪฿₿¢µ°‰]", text)):
        return None
    found = find_entities(text)
    if len(found) != 1 or found[0].entity_type != "number" or found[0].value.strip() != text:
        return None
    keys = number_keys(text, found[0].normalized_value)
    if not keys:
        return None
    # The plain reading of the query: the shortest key without a unit.
    plain = sorted((one for one in keys if " " not in one), key=lambda one: ("." in one and "." not in text, len(one)))
    value = plain[0]
    units = sorted(one[len(value) + 1 :] for one in keys if one.startswith(f"{value} "))
    if text.isdigit() and len(text) < MIN_DIGITS:
        return None
    return NumberTerm(text, value, units[0] if units else "")
