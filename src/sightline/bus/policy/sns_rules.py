"""SNS filter policies parsed into branches, with the limits and error messages of SNS."""

import json
from collections.abc import Mapping
from typing import Any, Final, Literal, NoReturn, get_args

from sightline.bus.policy.clauses import Branches
from sightline.bus.policy.conditions import AnythingUnlike, Condition, Wildcard
from sightline.bus.policy.dialect import Dialect
from sightline.bus.policy.errors import PolicyInvalid
from sightline.bus.policy.grammar import OR, read_branches
from sightline.bus.policy.json_complaints import Complaint
from sightline.bus.policy.json_tokens import JsonReader, Token
from sightline.bus.policy.leaves import NumberText, message_numbers
from sightline.bus.policy.wildcard import WildcardPattern

__all__ = ["SCOPES", "Scope", "read_filter_policy"]

Scope = Literal["MessageAttributes", "MessageBody"]
SCOPES: Final = get_args(Scope)

MAX_KEYS: Final = 5
MAX_COMBINATIONS: Final = 150
MAX_SIZE_BYTES: Final = 256 * 1024
MAX_STARS: Final = 3
MAX_WILDCARD_POINTS: Final = 100
SEVERAL_STARS_POINTS: Final = 3

TOO_COMPLEX: Final = "Filter policy is too complex"


def _check_stars(pattern: WildcardPattern) -> None:
    if pattern.stars > MAX_STARS:
        raise Complaint(TOO_COMPLEX)


DIALECT: Final = Dialect(
    numbers=message_numbers,
    number_limit=1e9,
    null_exists=False,
    nested_ignore_case=False,
    anything_but=frozenset({"prefix", "wildcard"}),
    anything_but_lists=False,
    check_wildcard=_check_stars,
)


def read_filter_policy(policy: str | Mapping[str, Any], scope: str, *, on_subscribe: bool) -> Branches | None:
    """The branches of the policy, or None for one that accepts every message."""
    prefix = "Invalid parameter: Attributes Reason: " if on_subscribe else "Invalid parameter: "

    def refuse(text: str) -> NoReturn:
        raise PolicyInvalid(prefix + text, "InvalidParameter")

    if scope not in SCOPES:
        refuse(f"FilterPolicyScope: Invalid value [{scope}]. Please use either MessageBody or MessageAttributes")
    try:
        text = policy if isinstance(policy, str) else json.dumps(policy, ensure_ascii=False, allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        refuse(f"FilterPolicy: failed to parse JSON. {error}")
    if text == "":
        return None
    if len(text.encode("utf-8", "surrogatepass")) > MAX_SIZE_BYTES:
        refuse("FilterPolicy: Filter policy exceeds the maximum size of 256 KB")
    try:
        tree = _parse(text)
    except Complaint as complaint:
        refuse(f"FilterPolicy: failed to parse JSON. {complaint}")
    if isinstance(tree, dict):
        if not tree:
            return None
        if len(tree) > MAX_KEYS:
            refuse(f"FilterPolicy: Filter policy can not have more than {MAX_KEYS} keys")
        # The engine complains of a value without an array before SNS complains of nesting.
        if scope == "MessageAttributes" and _is_nested(tree) and not _has_bare_value(tree):
            refuse("Filter policy scope MessageAttributes does not support nested filter policy")
        if _combinations(tree) > MAX_COMBINATIONS:
            refuse(f"FilterPolicy: {TOO_COMPLEX}")
    try:
        # SNS hands the engine its own spelling of the policy: positions in complaints count in that
        branches = read_branches(_compact(tree), DIALECT, max_branches=MAX_COMBINATIONS)
    except Complaint as complaint:
        refuse(f"FilterPolicy: {complaint}")
    if _wildcard_points(branches) > MAX_WILDCARD_POINTS:
        refuse(f"FilterPolicy: {TOO_COMPLEX}")
    return branches


_DECODER = json.JSONDecoder(parse_float=NumberText, parse_int=NumberText)


def _parse(text: str) -> object:
    reader = JsonReader(text)
    while reader.next() is Token.FIELD_NAME or reader.depth:
        pass
    if reader.token is Token.STRING:
        reader.text()
    if reader.token is Token.END:
        reader.complain("No content to map due to end-of-input")
    tree: object = _DECODER.raw_decode(text.lstrip(" \t\r\n"))[0]
    return tree


def _compact(tree: object) -> str:
    if isinstance(tree, dict):
        return "{" + ",".join(f"{_quoted(key)}:{_compact(value)}" for key, value in tree.items()) + "}"
    if isinstance(tree, list):
        return "[" + ",".join(map(_compact, tree)) + "]"
    return str(tree) if isinstance(tree, NumberText) else _quoted(tree)


def _quoted(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _alternatives(key: str, value: object) -> list[dict[str, object]] | None:
    if key == OR and isinstance(value, list):
        return [entry for entry in value if isinstance(entry, dict)]
    return None


def _is_nested(tree: dict[str, object]) -> bool:
    for key, value in tree.items():
        if isinstance(value, dict) or any(map(_is_nested, _alternatives(key, value) or ())):
            return True
    return False


def _has_bare_value(tree: dict[str, object]) -> bool:
    return any(
        _has_bare_value(value) if isinstance(value, dict) else not isinstance(value, list) for value in tree.values()
    )


def _combinations(tree: dict[str, object], depth: int = 1, so_far: int = 1) -> int:
    """Values times depth, multiplied over the keys; alternatives of an $or are counted apart and added."""
    for key, value in tree.items():
        alternatives = _alternatives(key, value)
        if alternatives:
            so_far = sum(_combinations(entry, depth, so_far) for entry in alternatives)
        elif isinstance(value, dict):
            so_far = _combinations(value, depth + 1, so_far)
        elif isinstance(value, list):
            so_far *= max(1, len(value)) * depth
    return so_far


def _wildcard_points(branches: Branches) -> int:
    points = 0
    for clause in {clause for branch in branches for clause in branch}:
        patterns = [pattern for condition in clause.conditions for pattern in _wildcards(condition)]
        weights = sum(1 if pattern.stars == 1 else SEVERAL_STARS_POINTS for pattern in patterns)
        points += weights * len(patterns)
    return points


def _wildcards(condition: Condition) -> list[WildcardPattern]:
    if isinstance(condition, AnythingUnlike):
        return [pattern for inner in condition.conditions for pattern in _wildcards(inner)]
    return [condition.pattern] if isinstance(condition, Wildcard) and condition.pattern.stars else []
