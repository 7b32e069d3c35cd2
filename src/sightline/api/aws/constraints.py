"""Constraints of the service models of AWS, with the words in which it reports all that a request violates."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from sightline.api.aws.call import AwsError

NAME_PATTERN = r"[\.\-_A-Za-z0-9]+"


class Constraints:
    """Collects what is wrong with the members of a request. `check` raises if there is anything."""

    def __init__(self, parameters: Mapping[str, Any]) -> None:
        self._parameters = parameters
        self._violations: list[str] = []

    def text(
        self,
        member: str,
        *,
        is_required: bool = False,
        pattern: str | None = None,
        min_length: int = 1,
        max_length: int | None = None,
        shown: str | None = None,
    ) -> str:
        """The member, an empty text if it is missing. `pattern` is the whole of it."""
        return self.value(
            self._parameters.get(member),
            shown or member[:1].lower() + member[1:],
            is_required=is_required,
            pattern=pattern,
            min_length=min_length,
            max_length=max_length,
        )

    def value(
        self,
        found: Any,
        shown: str,
        *,
        is_required: bool = False,
        pattern: str | None = None,
        min_length: int = 1,
        max_length: int | None = None,
    ) -> str:
        if found is None:
            if is_required:
                self.add(None, shown, "Member must not be null")
            return ""
        text = str(found)
        if pattern is not None and not re.fullmatch(pattern, text):
            self.add(text, shown, f"Member must satisfy regular expression pattern: {pattern}")
        if len(text) < min_length:
            self.add(text, shown, f"Member must have length greater than or equal to {min_length}")
        if max_length is not None and len(text) > max_length:
            self.add(text, shown, f"Member must have length less than or equal to {max_length}")
        return text

    def choice(
        self, member: str, choices: Sequence[str], *, default: str | None = None, shown: str | None = None
    ) -> str:
        found = self._parameters.get(member, default)
        shown = shown or member[:1].lower() + member[1:]
        if found is None:
            self.add(None, shown, "Member must not be null")
            return ""
        if found not in choices:
            self.add(str(found), shown, f"Member must satisfy enum value set: [{', '.join(choices)}]")
        return str(found)

    def number(self, member: str, minimum: int, maximum: int, default: int, *, shown: str | None = None) -> int:
        found = self._parameters.get(member)
        shown = shown or member[:1].lower() + member[1:]
        if found is None:
            return default
        if isinstance(found, bool) or not isinstance(found, int):
            raise AwsError("SerializationException", f"{member} must be a number.")
        if found < minimum:
            self.add(str(found), shown, f"Member must have value greater than or equal to {minimum}")
        if found > maximum:
            self.add(str(found), shown, f"Member must have value less than or equal to {maximum}")
        return found

    def items(self, member: str, minimum: int, maximum: int) -> list[Any]:
        found = self._parameters.get(member)
        shown = member[:1].lower() + member[1:]
        if found is None:
            if minimum:
                self.add(None, shown, "Member must not be null")
            return []
        if not isinstance(found, list):
            raise AwsError("SerializationException", f"{member} must be a list.")
        if len(found) < minimum:
            self.add("[]", shown, f"Member must have length greater than or equal to {minimum}")
        if len(found) > maximum:
            self.add(_list_text(found), shown, f"Member must have length less than or equal to {maximum}")
        return found

    def add(self, value: str | None, shown: str, rule: str) -> None:
        text = "Value null" if value is None else f"Value '{value}'"
        self._violations.append(f"{text} at '{shown}' failed to satisfy constraint: {rule}")

    def check(self) -> None:
        if self._violations:
            count = len(self._violations)
            noun = "error" if count == 1 else "errors"
            raise AwsError("ValidationException", f"{count} validation {noun} detected: {'; '.join(self._violations)}")


def _list_text(items: list[Any]) -> str:
    return f"[{', '.join(map(str, items))}]"
